/** The transaction of a write of posts; afterwards this process forgets its lists. */
import type { Db } from '@sevenfold/chassis/db/sql';
import * as course from '@sevenfold/publishing/course';
import type { Deps } from '../deps';

export const retrying = <T>(deps: Pick<Deps, 'db' | 'memory'>, work: (tx: Db) => Promise<T>): Promise<T> =>
  course.retrying(deps.db, work, () => deps.memory.forget('posts'));
