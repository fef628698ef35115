/** Lists of terms as they were last seen, for while the content service is away: the same filters over known_terms. */
import { listWhole } from '@sevenfold/chassis/db/page';
import { containing } from '@sevenfold/chassis/db/search';
import { Conditions, type Db } from '@sevenfold/chassis/db/sql';
import { slugify } from '@sevenfold/text/slug';
import { stripControl } from '@sevenfold/text/text';
import type {
  ListTermsRequest,
  ListTermsResponse,
  Term,
} from '@sevenfold/proto/gen/sevenfold/content/v1/terms';

const keys: Readonly<Record<string, string>> = {
  id: 'k.id',
  term_group: 'k.id',
  slug: 'k.slug',
  count: 'k.count',
  description: 'lower(k.description)',
};

export async function listKnown(db: Db, request: ListTermsRequest): Promise<ListTermsResponse> {
  const conditions = new Conditions();
  conditions.add('k.taxonomy = ?', request.taxonomy);
  if (request.include.length > 0) conditions.add('k.id = any(?::bigint[])', request.include);
  if (request.exclude.length > 0) conditions.add('k.id <> all(?::bigint[])', request.exclude);
  if (request.slugs.length > 0) conditions.add('k.slug = any(?::text[])', request.slugs.map(slugify));
  if (request.parent !== undefined) conditions.add('k.parent = ?', request.parent);
  if (request.hideEmpty) conditions.add('k.count > 0');
  const search = stripControl(request.search).trim();
  if (search !== '') {
    const tests = ['lower(k.name)', 'k.slug'].map((column) => containing(conditions, column, search));
    conditions.add(tests.join(' or '));
  }
  const direction = request.order === 'desc' ? 'desc' : 'asc';
  const position =
    request.orderBy === 'include' && request.include.length > 0
      ? `array_position(${conditions.value(request.include)}::bigint[], k.id)`
      : undefined;
  const key = position ?? keys[request.orderBy] ?? 'lower(k.name)';
  const order = [key, 'k.id'].map((sql) => ({ sql, direction }) as const);
  const { rows, total, more } = await listWhole<Term>(
    db,
    {
      table: 'known_terms',
      as: 'k',
      columns: 'k.id, k.taxonomy, k.name, k.slug, k.description, k.parent, k.count, k.link',
      conditions,
      order,
      // Few enough to be counted.
      planFor: 'values',
    },
    { skip: (request.page - 1) * request.perPage, size: request.perPage },
  );
  return { terms: rows, total, more };
}
