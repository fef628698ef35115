/**
 * What every write of events, venues and organizers settles alike. Slugs are unique in each table, and there from the
 * creation on (BEHAVIOUR.md 29).
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { type Before, type Clock, type Settled, settle } from '@sevenfold/publishing/course';
import type { Owned } from '@sevenfold/publishing/rights';
import { needsPublishRight } from '@sevenfold/publishing/statuses';
import { type PublicationDates, wantedDate } from './dates';
import { type Thing, may, refuseDelete } from './policy';

export interface Asked {
  readonly status?: string;
  readonly slug?: string;
  readonly dates: PublicationDates;
  readonly title: string;
}

type Current = Before & Owned;

/** `current` is undefined for a new row. Throws when the status is the trash and the caller may not delete. */
export async function settleRow(
  tx: Db,
  { one, table, id }: { readonly one: Thing; readonly table: string; readonly id: number },
  current: Current | undefined,
  { status, slug, dates, title }: Asked,
  { actor, ...clock }: Clock & { readonly actor: Actor },
): Promise<Settled> {
  const wish = {
    status: scaleStatus(actor, status, current),
    date: wantedDate(dates, clock.timezone, clock.now),
    slug,
    title,
  };
  if (wish.status === 'trash' && current && current.status !== 'trash')
    throwDenial(refuseDelete(one)({ actor, subject: current }), actor);
  return settle(tx, { lock: table, table, id, fromTheStart: true }, current, wish, clock);
}

/**
 * The status that a write leads to (REFERENCE.md 9.1, as BEHAVIOUR.md 10 and 11 change it): nobody is refused for
 * asking too much, the status is scaled down to what he may set. `asked` is that of the body; empty text counts as
 * absent. `current` is undefined on create. Without the right to publish, what is to be seen waits for review; what is
 * seen already stays so.
 */
function scaleStatus(actor: Actor, asked: string | undefined, current?: Owned): string {
  const publisher = may(actor, 'publish');
  if (!asked) return current?.status ?? (publisher ? 'publish' : 'draft');
  if (publisher || asked === current?.status || !needsPublishRight(asked)) return asked;
  return 'pending';
}

/** The condition alone that a row has in the trash; who may was asked before. */
export const settleTrash = (
  tx: Db,
  table: string,
  current: Current & { readonly id: number },
  title: string,
  clock: Clock,
): Promise<Settled> =>
  settle(
    tx,
    { lock: table, table, id: current.id, fromTheStart: true },
    current,
    { status: 'trash', title },
    clock,
  );
