/** What every write of posts, pages and media settles alike; the columns of this service say `gmt` where others say `utc`. */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Clock, type Settled, type Wish, settle } from '@sevenfold/publishing/course';
import { type WantedDate, unshowable, wantedDate as wanted } from '@sevenfold/publishing/dates';
import { parseDateTime } from '@sevenfold/text/dates';
import { spaceOf } from './slugs';
import type { FullPostRow } from './store';

/** `date` and `date_gmt` of a body, whose texts are already checked. Throws 400 for one that the site's clock cannot show. */
export const wantedDate = (
  args: { readonly date?: string | null; readonly date_gmt?: string | null },
  timezone: string,
): WantedDate => {
  const found = wanted({ local: args.date, utc: args.date_gmt }, timezone, parseDateTime);
  const name = args.date ? 'date' : 'date_gmt';
  if (args[name] && !found) throw unshowable(name);
  return found;
};

type SettledRow = Omit<Settled, 'dateUtc' | 'modifiedUtc'> & {
  readonly dateGmt: string;
  readonly modifiedGmt: string;
};

/** `current` is undefined for a new row. `place` is where it will be. */
export async function settleRow(
  tx: Db,
  place: Pick<FullPostRow, 'id' | 'type' | 'parent'>,
  current: Omit<FullPostRow, 'parentType'> | undefined,
  wish: Wish,
  clock: Clock,
): Promise<SettledRow> {
  const before = current && { ...current, dateUtc: current.dateGmt };
  const { dateUtc, modifiedUtc, ...rest } = await settle(tx, spaceOf(place), before, wish, clock);
  return { ...rest, dateGmt: dateUtc, modifiedGmt: modifiedUtc };
}
