/** Slugs of events, venues and organizers: unique in each table, and there from the creation on (BEHAVIOUR.md 29). */
import type { Db } from '@sevenfold/chassis/db/sql';
import * as slugs from '@sevenfold/publishing/slugs';

export const settleSlug = (
  tx: Db,
  { table, id }: { readonly table: 'events' | 'venues' | 'organizers'; readonly id: number },
  wish: Omit<slugs.SlugWish, 'fromTheStart'>,
): Promise<string> => slugs.settleSlug(tx, { lock: table, table, id }, { ...wish, fromTheStart: true });
