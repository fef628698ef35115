/** Loaders that `_embed` asks for terms: one by its id, and the lists that posts carry. One query for all keys. */
import { type EmbedLoader, filterContext } from '@sevenfold/chassis/http/present';
import type { ContentCall, Deps } from '../deps';
import { termErrors } from './errors';
import { type PostTerms, listOfPosts } from './on-posts';
import { presentTerm } from './presenter';
import { termSchema } from './schema';
import * as store from './store';
import { isTaxonomy, taxonomies } from './taxonomies';

const schemas = new Map(Object.values(taxonomies).map((taxonomy) => [taxonomy.name, termSchema(taxonomy)]));

const embedded = (row: store.TermRow, deps: Deps): object =>
  filterContext(presentTerm(row, deps), schemas.get(row.taxonomy) as ReturnType<typeof termSchema>, 'embed');

/** Keys are ids. */
export const embedTerm: EmbedLoader<ContentCall> = async ({ deps }, keys) => {
  const rows = await store.findMany(deps.db, keys.map(Number), 0);
  const found = new Map<string | number, unknown>(rows.map((row) => [row.id, embedded(row, deps)]));
  for (const key of keys) if (!found.has(key)) found.set(key, termErrors.notFound(taxonomies.category));
  return found;
};

/** Keys are `<taxonomy>:<post id>`; a post without terms has an empty list. */
export const embedTerms: EmbedLoader<ContentCall> = async ({ deps }, keys) => {
  const lists = new Map<string | number, object[]>(keys.map((key) => [key, []]));
  for (const row of await listOfPosts(deps.db, keys.flatMap(parseKey)))
    lists.get(row.key)?.push(embedded(row, deps));
  return lists;
};

function parseKey(key: string | number): PostTerms[] {
  const [name = '', post] = String(key).split(':');
  const column = isTaxonomy(name) ? taxonomies[name].postsColumn : undefined;
  return column ? [{ key: String(key), column, post: Number(post) }] : [];
}
