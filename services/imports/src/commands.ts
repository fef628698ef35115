/** What the command line does with imports, on the database itself; printing is the caller's business. */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { Import } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import * as batches from './batches/store';
import { errors } from './errors';
import * as actions from './imports/actions';
import { present } from './imports/rpc';
import * as store from './imports/store';

export type { Registered } from './imports/actions';

interface CommandDeps {
  readonly db: Database;
}

/** Throws the ApiError that the remote call would answer with, as all commands do. */
export const registerImport = (
  { db }: { readonly db: Db },
  wanted: actions.Registration,
): Promise<actions.Registered> => actions.register(db, wanted);

export async function listImports(
  deps: CommandDeps,
  { state = '', page = 1, perPage = 20 }: { state?: string; page?: number; perPage?: number } = {},
): Promise<{ imports: Import[]; total: number }> {
  const rows = await store.list(deps.db, { state, page, perPage });
  return { imports: await present(deps, rows), total: await store.count(deps.db, state) };
}

export async function showImport(
  deps: CommandDeps,
  importId: string,
): Promise<{ import: Import; batches: batches.BatchSummary[]; faults: batches.FaultRow[] }> {
  const row = await store.find(deps.db, importId);
  if (!row) throw errors.importNotFound();
  const [shown] = await present(deps, [row]);
  return {
    import: shown as Import,
    batches: await batches.newest(deps.db, row.id, 100),
    faults: await batches.newestFaults(deps.db, row.id, 100),
  };
}

export async function retryBatch(deps: CommandDeps, importId: string, number: number): Promise<Import> {
  return (await present(deps, [await actions.retryBatch(deps.db, importId, number)]))[0] as Import;
}

export const resumeImport = (deps: CommandDeps, importId: string): Promise<actions.Registered> =>
  actions.resume(deps.db, importId);
