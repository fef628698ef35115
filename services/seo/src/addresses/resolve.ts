/** What an address of this site names today: one look into the index of addresses, and the row it leads to. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { ObjectType } from '../analysis/shape';
import type { Deps } from '../deps';
import { pathOf, withoutPage } from './paths';

/**
 * SQL: what of the holders `a` of an address, with their rows `i`, it leads to comes first. What everybody may read goes before
 * what it was taken from, the one that has the address now before those that had it, and of those the last.
 */
export const BEST_FIRST = 'i.is_public desc, a.is_current desc, a.held desc, a.object_type, a.object_id desc';

export interface Resolved {
  readonly status: 200 | 301 | 404 | 410;
  readonly location: string;
  readonly objectType: ObjectType | '';
  readonly objectSubtype: string;
  readonly objectId: number;
  readonly page: number;
}

interface Found {
  readonly objectType: ObjectType;
  readonly objectSubtype: string;
  readonly objectId: number;
  readonly status: string;
  readonly isPublic: boolean;
  readonly isCurrent: boolean;
  readonly permalink: string;
  readonly headHtml: string;
  readonly headJson: string;
}

const NOTHING: Resolved = {
  status: 404,
  location: '',
  objectType: '',
  objectSubtype: '',
  objectId: 0,
  page: 1,
};
/** Subtypes whose addresses have pages behind them. */
const hasPages = ({ objectType }: Found): boolean => objectType !== 'post';

export async function resolve(deps: Deps, url: string): Promise<Resolved> {
  const named = await find(deps, url, '');
  if (!named) return NOTHING;
  const { row, page } = named;
  if (!row.isPublic) return { ...NOTHING, status: isOver(row) ? 410 : 404 };
  const location = page > 1 ? `${row.permalink}page/${page}/` : row.permalink;
  const { objectType, objectSubtype, objectId } = row;
  const known = { objectType, objectSubtype, objectId, page };
  return row.isCurrent ? { status: 200, location, ...known } : { ...NOTHING, status: 301, location };
}

/** Undefined where there is nothing that everybody may read; an address that moved has the head of where it moved to. */
export async function findHead(
  deps: Deps,
  url: string,
): Promise<{ readonly html: string; readonly json: string } | undefined> {
  const named = await find(deps, url, ', i.head_html as "headHtml", i.head_json as "headJson"');
  return named?.row.isPublic ? { html: named.row.headHtml, json: named.row.headJson } : undefined;
}

const isOver = ({ status }: Found): boolean => status === 'gone' || status === 'trash';

async function find(
  { db, siteUrl }: Deps,
  url: string,
  more: string,
): Promise<{ readonly row: Found; readonly page: number } | undefined> {
  const path = pathOf(siteUrl, url);
  if (path === undefined) return undefined;
  const row = await findByPath(db, path, more);
  if (row) return { row, page: 1 };
  const archive = withoutPage(path);
  const above = archive && (await findByPath(db, archive.path, more));
  return above && hasPages(above) ? { row: above, page: archive.page } : undefined;
}

const findByPath = (db: Db, path: string, more: string): Promise<Found | undefined> =>
  db.first<Found>(
    `select i.object_type as "objectType", i.object_subtype as "objectSubtype", i.object_id as "objectId", i.status,
       i.is_public as "isPublic", a.is_current as "isCurrent", i.permalink${more}
     from addresses a join indexables i using (object_type, object_id)
     where a.path_key = md5($1)::uuid
     order by ${BEST_FIRST} limit 1`,
    [path],
  );
