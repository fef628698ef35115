/**
 * Takes word of how an import stands. The hash stays as it is; success and failure end the import, and nothing more is
 * taken. Batches that were accepted before are applied all the same, and a success waits for them.
 */
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import type { Deps } from '../deps';
import { errors } from '../errors';
import { announceEnd } from '../imports/announce';
import * as imports from '../imports/store';
import { sameSecret } from './digest';
import type { stateArgs } from './schema';

export function reportState(deps: Deps, args: ArgsOf<typeof stateArgs>): Promise<void> {
  return deps.db.transaction(async (tx) => {
    const row = await imports.lock(tx, args.import_id);
    if (!row || row.expectedHash === null) throw errors.notWaiting();
    if (!sameSecret(args.batch_hash, row.expectedHash)) throw errors.wrongHash();
    await imports.report(tx, row.id, {
      state: args.status,
      percentage: args.percentage_complete,
      message: args.message,
      messageSlug: args.message_slug,
      closed: args.status !== 'pending',
    });
    await announceEnd(tx, row);
    await imports.notify(tx, row.id);
  });
}
