/**
 * Which parts of an imported thing say what a person wrote: kept beside it (`edited`) by every write of a person, and asked by
 * imports that leave or only fill such parts (BEHAVIOUR.md 42). A part is what is said together: a title with its rendering, a
 * day with its zone. Things that no import made need no list: all of theirs is people's.
 */
import { snake } from '@sevenfold/chassis/db/columns';

const PARTS: Readonly<Record<string, string>> = {
  title_raw: 'title',
  title_html: 'title',
  description_raw: 'description',
  description_html: 'description',
  excerpt_raw: 'excerpt',
  excerpt_html: 'excerpt',
  cost_details: 'cost',
  timezone: 'when',
  all_day: 'when',
  start_local: 'when',
  end_local: 'when',
  start_utc: 'when',
  end_utc: 'when',
  image_id: 'image',
  image_source: 'image',
  geo_lat: 'place',
  geo_lng: 'place',
};

/** Columns that no other follows from are parts of their own. */
export const partOf = (column: string): string => PARTS[column] ?? column;

// A rendering may become another one without anybody having written.
const isRendered = (column: string): boolean => column.endsWith('_html');

/**
 * SQL: the list after a person's write of these columns (keys of rows, their values from `$2` on) to `t`, which is not yet
 * changed. Only what differs counts, since many clients send back all that they were given. Undefined: nothing of it is kept.
 */
export function editedAfter(changes: object, imported: ReadonlySet<string>): string | undefined {
  const parts = Object.keys(changes).flatMap((key, index) => {
    const column = snake(key);
    return imported.has(column) && !isRendered(column)
      ? [`case when t.${column} is distinct from $${index + 2} then '${partOf(column)}' end`]
      : [];
  });
  return parts.length === 0 ? undefined : editedWith(parts);
}

/** SQL: the list of `t` with these parts as well, each SQL of its name, or of null where it is none. */
export const editedWith = (parts: readonly string[]): string =>
  `case when t.origin = '' then t.edited else
     array(select distinct part from unnest(t.edited || array[${parts.join(', ')}]) as part where part is not null order by part)
   end`;
