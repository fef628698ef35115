/** Rows of venues. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { insertList, selectList, updateList } from '../common/columns';

export interface VenueRow {
  readonly id: number;
  readonly author: number;
  readonly status: string;
  readonly statusBeforeTrash: string;
  readonly slug: string;
  readonly dateLocal: string;
  readonly dateUtc: string;
  readonly dateChosen: boolean;
  readonly modifiedLocal: string;
  readonly modifiedUtc: string;
  readonly name: string;
  readonly descriptionRaw: string;
  readonly descriptionHtml: string;
  readonly imageId: number;
  readonly address: string;
  readonly city: string;
  readonly country: string;
  readonly province: string;
  readonly state: string;
  readonly stateprovince: string;
  readonly zip: string;
  readonly phone: string;
  readonly website: string;
  readonly showMap: boolean;
  readonly showMapLink: boolean;
  readonly geoLat: number | null;
  readonly geoLng: number | null;
  readonly globalId: string;
  readonly origin: string;
}

const names: readonly (keyof VenueRow)[] = [
  'id', 'author', 'status', 'statusBeforeTrash', 'slug', 'dateLocal', 'dateUtc', 'dateChosen', 'modifiedLocal',
  'modifiedUtc', 'name', 'descriptionRaw', 'descriptionHtml', 'imageId', 'address', 'city', 'country', 'province',
  'state', 'stateprovince', 'zip', 'phone', 'website', 'showMap', 'showMapLink', 'geoLat', 'geoLng', 'globalId',
  'origin',
]; // prettier-ignore

/** For `select … from venues v`. */
export const COLUMNS = selectList(names, 'v');

export const findMany = (db: Db, ids: readonly number[]): Promise<VenueRow[]> =>
  db.rows<VenueRow>(`select ${COLUMNS} from venues v where v.id = any($1::bigint[])`, [ids]);

/** Not in the trash; names are compared without case. */
export const findByName = (db: Db, name: string): Promise<VenueRow[]> =>
  db.rows<VenueRow>(
    `select ${COLUMNS} from venues v
      where md5(lower(v.name)) = md5(lower($1)) and lower(v.name) = lower($1) and v.status <> 'trash'
      order by v.id limit 20`,
    [name],
  );

export type VenueChanges = Partial<Omit<VenueRow, 'id'>>;

export async function insert(tx: Db, row: VenueChanges & Pick<VenueRow, 'id'>): Promise<void> {
  const { text, values } = insertList(row);
  await tx.run(`insert into venues ${text}`, values);
}

export async function update(tx: Db, id: number, changes: VenueChanges): Promise<void> {
  const { text, values } = updateList(changes);
  if (values.length > 0) await tx.run(`update venues set ${text} where id = $1`, [id, ...values]);
}
