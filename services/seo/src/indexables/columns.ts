/** The columns of an indexable, as one table: row type, select list and set-based write follow from it. */
import { snake } from '@sevenfold/chassis/db/columns';
import type { ObjectType } from '../analysis/shape';

type Sql = 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'bigint[]' | 'text[]';

interface Values {
  text: string;
  bigint: number;
  integer: number | null;
  boolean: boolean;
  timestamptz: string | null;
  'bigint[]': readonly number[];
  'text[]': readonly string[];
}

type Table = Readonly<Record<string, Sql>>;
type RowOf<T extends Table> = { readonly [K in keyof T]: Values[T[K]] };

/** What is compared before and after a change. */
const kept = {
  objectType: 'text',
  objectId: 'bigint',
  objectSubtype: 'text',
  status: 'text',
  isPublic: 'boolean',
  version: 'text',
  madeFor: 'text',
  readNo: 'bigint',
  permalink: 'text',
  shown: 'text',
  author: 'bigint',
  terms: 'bigint[]',
  objects: 'bigint[]',
  publishedAt: 'timestamptz',
  modifiedAt: 'timestamptz',
  name: 'text',
  title: 'text',
  isNoindex: 'boolean',
  focusKeyword: 'text',
  focusKeywordScore: 'integer',
  readabilityScore: 'integer',
  isCornerstone: 'boolean',
  images: 'text[]',
} as const satisfies Table;

const rest = {
  description: 'text',
  canonical: 'text',
  breadcrumbTitle: 'text',
  ogTitle: 'text',
  ogDescription: 'text',
  ogImage: 'text',
  twitterTitle: 'text',
  twitterDescription: 'text',
  twitterImage: 'text',
  isNofollow: 'boolean',
  isNoarchive: 'boolean',
  isNoimageindex: 'boolean',
  isNosnippet: 'boolean',
  wordCount: 'integer',
  readingMinutes: 'integer',
} as const satisfies Table;

/** Drawn when it is written: what is made of a reading does not know it. */
const noted = { shownNo: 'bigint' } as const satisfies Table;

const head = {
  headHtml: 'text',
  headJson: 'text',
  listItem: 'text',
  named: 'bigint[]',
  namedNo: 'bigint',
} as const satisfies Table;

type Typed<T> = Omit<T, 'objectType'> & { readonly objectType: ObjectType };
export type KeptRow = Typed<RowOf<typeof kept>>;
/** As it is there. */
export type KnownRow = KeptRow & RowOf<typeof noted>;
export type ShownRow = KeptRow &
  RowOf<typeof rest> & { readonly linkCount: number; readonly incomingLinkCount: number };
export type WrittenRow = KeptRow & RowOf<typeof rest> & RowOf<typeof head>;

const selectList = (names: readonly string[]): string =>
  names.map((name) => `i.${snake(name)} as "${name}"`).join(', ');

const written = { ...kept, ...rest, ...head, ...noted };

/** For `select … from indexables i`. */
export const KEPT = selectList(Object.keys({ ...kept, ...noted }));
export const SHOWN = selectList([...Object.keys({ ...kept, ...rest }), 'linkCount', 'incomingLinkCount']);

const columns = Object.keys(written).map(snake);

/** $1: the rows as JSON, keys as in WrittenRow, with `shownNo`. The caller has locked the graph and asked which rows are newer. */
export const UPSERT = `insert into indexables (${columns.join(', ')})
  select ${Object.keys(written)
    .map((name) => `r."${name}"`)
    .join(', ')}
  from jsonb_to_recordset($1::jsonb) as r(${Object.entries(written)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(', ')})
  on conflict (object_type, object_id) do update set ${columns
    .filter((name) => name !== 'object_type' && name !== 'object_id')
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`;
