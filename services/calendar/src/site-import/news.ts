/** Tells the others of a thing that moved in, or changed in the course of it. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { announce } from '../events/news';
import { tell as tellOfLinked } from '../linked/news';
import type { Kind, Told } from './store';

export const tell = (tx: Db, kind: Kind, row: Told, statusBefore: string): Promise<void> =>
  kind === 'event'
    ? announce(tx, 'calendar.event.changed', [{ ...row, statusBefore }])
    : tellOfLinked(tx, kind, 'changed', row, statusBefore);
