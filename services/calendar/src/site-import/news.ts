/** Tells the others of a thing that moved in, or changed in the course of it. */
import { emit } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import { publicLink } from '../common/links';
import { announce } from '../events/news';
import type { Kind, Told } from './store';

export const tell = (tx: Db, kind: Kind, row: Told, statusBefore: string): Promise<void> =>
  kind === 'event'
    ? announce(tx, 'calendar.event.changed', [{ ...row, statusBefore }])
    : emit(tx, `calendar.${kind}.changed`, {
        id: row.id,
        status: row.status,
        before_status: statusBefore,
        link: publicLink('', kind, row),
      });
