/** Reads of indexables; what changes them is write.ts. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { ObjectType } from '../analysis/shape';
import { SHOWN, type ShownRow } from './columns';

/** Undefined also for what was deleted. */
export const findShown = (db: Db, objectType: ObjectType, objectId: number): Promise<ShownRow | undefined> =>
  db.first<ShownRow>(
    `select ${SHOWN} from indexables i where i.object_type = $1 and i.object_id = $2 and i.status <> 'gone'`,
    [objectType, objectId],
  );

export interface Orphan {
  readonly id: number;
  readonly subtype: string;
  readonly name: string;
  readonly permalink: string;
}

/** Public posts, pages and events that no other text links to, ascending by id. */
export const listOrphans = (db: Db, afterId: number, most: number): Promise<Orphan[]> =>
  db.rows<Orphan>(
    `select object_id as id, object_subtype as subtype, name, permalink from indexables
     where object_type = 'post' and is_public and incoming_link_count = 0
       and object_subtype in ('post', 'page', 'event') and object_id > $1
     order by object_id limit $2`,
    [afterId, most],
  );
