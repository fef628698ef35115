/** Other addresses in the texts of a thing that moved in. Doing it again finds nothing more to do. */
import type { ReplaceAddressesRequest } from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import { replaceAddresses as replaceIn } from '@sevenfold/text/addresses';
import { inTurns } from '@sevenfold/text/steps';
import { readingBody } from '../common/bodies';
import type { Deps } from '../deps';
import { kindOf } from './add-item';
import { tell } from './news';
import { owner } from './read-item';
import * as store from './store';

export async function replaceAddresses(
  deps: Deps,
  { kind: name, id, replacements }: ReplaceAddressesRequest,
): Promise<number> {
  const kind = kindOf(name);
  const by = new Map(replacements.map(({ from, to }) => [from, to]));
  const sources = await deps.known.sources();
  const replaced = await deps.db.transaction(async (tx) => {
    const texts = await store.lockTexts(tx, kind, id);
    if (!texts) return 0;
    let count = 0;
    for (const column of ['description', 'excerpt'] as const) {
      const { text, replaced } = replaceIn(texts[column], by);
      if (replaced === 0) continue;
      const { raw, html } = await inTurns(readingBody(owner, text, sources));
      await store.setText(tx, kind, id, column, raw, html);
      count += replaced;
    }
    const row = count === 0 ? undefined : await store.findTold(tx, kind, id);
    if (row) await tell(tx, kind, row, row.status);
    return count;
  });
  if (replaced > 0) deps.memory.forget(kind === 'event' ? 'events' : 'linked');
  return replaced;
}
