/** Rows of organizers. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { insertList, selectList, updateList } from '../common/columns';

export interface OrganizerRow {
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
  readonly excerptHtml: string;
  readonly imageId: number;
  readonly phone: string;
  readonly website: string;
  readonly email: string;
  readonly globalId: string;
  readonly origin: string;
}

const names: readonly (keyof OrganizerRow)[] = [
  'id', 'author', 'status', 'statusBeforeTrash', 'slug', 'dateLocal', 'dateUtc', 'dateChosen', 'modifiedLocal',
  'modifiedUtc', 'name', 'descriptionRaw', 'descriptionHtml', 'excerptHtml', 'imageId', 'phone', 'website', 'email',
  'globalId', 'origin',
]; // prettier-ignore

/** For `select … from organizers o`. */
export const COLUMNS = selectList(names, 'o');

export const findMany = (db: Db, ids: readonly number[]): Promise<OrganizerRow[]> =>
  db.rows<OrganizerRow>(`select ${COLUMNS} from organizers o where o.id = any($1::bigint[])`, [ids]);

/** Not in the trash; names are compared without case. */
export const findByName = (db: Db, name: string): Promise<OrganizerRow[]> =>
  db.rows<OrganizerRow>(
    `select ${COLUMNS} from organizers o
      where md5(lower(o.name)) = md5(lower($1)) and lower(o.name) = lower($1) and o.status <> 'trash'
      order by o.id limit 20`,
    [name],
  );

export type OrganizerChanges = Partial<Omit<OrganizerRow, 'id'>>;

export async function insert(tx: Db, row: OrganizerChanges & Pick<OrganizerRow, 'id'>): Promise<void> {
  const { text, values } = insertList(row);
  await tx.run(`insert into organizers ${text}`, values);
}

export async function update(tx: Db, id: number, changes: OrganizerChanges): Promise<void> {
  const { text, values } = updateList(changes);
  if (values.length > 0) await tx.run(`update organizers set ${text} where id = $1`, [id, ...values]);
}
