/**
 * What is kept in step with the index, in the transaction that changes it: sitemaps, statistics. Each change brings what was
 * kept before and what is kept now; one object comes once in a list, and no two lists are worked on at the same time.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { KeptRow } from './indexables/columns';

export interface Change {
  /** Undefined where the object was not known. */
  readonly before: KeptRow | undefined;
  /** Of what was deleted with the status `gone`, and not public. */
  readonly after: KeptRow;
}

export type Follower = (tx: Db, changes: readonly Change[]) => Promise<void>;

export const followers: readonly Follower[] = [];
