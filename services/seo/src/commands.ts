/** What the command line does with the index, on the database itself; printing is the caller's business. */
import { resolve, findHead } from './addresses/resolve';
import type { Deps } from './deps';
import * as store from './indexables/store';

export { reindexAll } from './indexables/reindex';

/** What an address names, and what search engines are told of it. */
export async function showAddress(deps: Deps, url: string): Promise<Record<string, unknown>> {
  const { status, location, objectType, objectSubtype, objectId } = await resolve(deps, url);
  if (status !== 200 || objectType === '') return { status, ...(location === '' ? {} : { location }) };
  const row = await store.findShown(deps.db, objectType, objectId);
  const head = await findHead(deps, url);
  const { images: _images, version: _version, ...shown } = row ?? { images: [], version: '' };
  return { status, ...shown, objectSubtype, head: head && (JSON.parse(head.json) as unknown) };
}

export const listOrphans = (deps: Deps, afterId: number, most: number): Promise<store.Orphan[]> =>
  store.listOrphans(deps.db, afterId, most);
