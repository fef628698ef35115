/** What the command line does with the index, on the database itself; printing is the caller's business. */
import { invalidParam } from '@sevenfold/chassis/errors';
import type { Overrides } from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import { overrideNames as names, shownName, shownOverrides } from '@sevenfold/proto/shown/overrides';
import { resolve, findHead } from './addresses/resolve';
import { isObjectType } from './analysis/shape';
import type { Deps } from './deps';
import { errors } from './errors';
import * as store from './indexables/store';
import { choose } from './overrides/actions';
import { fieldNamed, fields } from './overrides/fields';

export { reindexAll } from './indexables/reindex';

/** What an address names, and what search engines are told of it. */
export async function showAddress(deps: Deps, url: string): Promise<Record<string, unknown>> {
  const { status, location, objectType, objectSubtype, objectId } = await resolve(deps, url);
  if (status !== 200 || objectType === '') return { status, ...(location === '' ? {} : { location }) };
  const row = await store.findShown(deps.db, objectType, objectId);
  const head = await findHead(deps, url);
  if (!row) return { status };
  // Of the object's own fields one has the name of what the address answers.
  const { images: _images, version: _version, status: objectStatus, ...shown } = row;
  return { status, ...shown, objectSubtype, objectStatus, head: JSON.parse(head.json) as unknown };
}

export const overrideNames: readonly string[] = names.map(shownName);

/** `words` are `name=value`; without a value templates make it again. Answers what is chosen now. */
export async function setOverrides(
  deps: Deps,
  type: string,
  objectId: number,
  words: readonly string[],
): Promise<Record<string, unknown>> {
  if (!isObjectType(type) || !(await store.findShown(deps.db, type, objectId))) throw errors.objectNotFound();
  const { sent, cleared } = readWords(words);
  return shownOverrides(await choose(deps, { objectType: type, objectId }, sent, cleared));
}

function readWords(words: readonly string[]): { sent: Overrides; cleared: string[] } {
  const sent: Record<string, string | boolean> = {};
  const cleared: string[] = [];
  for (const word of words) {
    const [name = '', ...rest] = word.split('=');
    const value = rest.join('=').trim();
    const field = fieldNamed(name);
    // What is no field is refused with all else that is wrong.
    if (!field || value === '') cleared.push(name);
    else if (fields[field].most !== undefined) sent[field] = value;
    else if (value === 'true' || value === 'false') sent[field] = value === 'true';
    else throw invalidParam(name, `${name} is true or false.`);
  }
  return { sent, cleared };
}

export const listOrphans = (deps: Deps, afterId: number, most: number): Promise<store.Orphan[]> =>
  store.listOrphans(deps.db, afterId, most);
