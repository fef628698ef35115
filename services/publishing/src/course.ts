/**
 * The common course of a write: the row is locked, the rights are asked again of what it is by now (they were found by
 * what it was when it was loaded), it is changed, and the others are told; all in one transaction.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { type ApiError, apiError, isPostgresError } from '@sevenfold/chassis/errors';
import type { Denial } from '@sevenfold/chassis/http/route';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { toLocal } from '@sevenfold/text/dates';
import { type Publication, type WantedDate, settlePublication, sqlUtc } from './dates';
import { type SlugSpace, settleSlug } from './slugs';

export interface Course<R, A> {
  /** The row, locked until the transaction ends; undefined when it is gone. */
  readonly lock: (tx: Db) => Promise<R | undefined>;
  readonly gone: () => ApiError;
  readonly refuse: (row: R) => Denial | undefined;
  /** Writes; answers what became of the row. */
  readonly settle: (tx: Db, row: R) => Promise<A>;
  readonly announce: (tx: Db, before: R, after: A) => Promise<unknown>;
}

/** What all writes of a kind of thing have in common. */
export type Common<R, A> = Pick<Course<R, A>, 'lock' | 'gone' | 'announce'>;

export async function follow<R, A>(tx: Db, actor: Actor, course: Course<R, A>): Promise<A> {
  const row = await course.lock(tx);
  if (!row) throw course.gone();
  throwDenial(course.refuse(row), actor);
  const after = await course.settle(tx, row);
  await course.announce(tx, row, after);
  return after;
}

/** What a write settles alike, whatever it changes: the columns of a row as it was, and what is asked for. */
export interface Before extends Publication {
  readonly slug: string;
  readonly statusBeforeTrash: string;
}

export interface Wish {
  readonly status: string;
  readonly date?: WantedDate;
  readonly slug?: string;
  readonly title: string;
  /** The slug is to be unique among others than before. */
  readonly isMoved?: boolean;
}

export interface Settled extends Before {
  readonly modifiedLocal: string;
  readonly modifiedUtc: string;
}

export interface Clock {
  readonly now: Date;
  /** Of the site. */
  readonly timezone: string;
}

/** `before` is undefined for a new row. */
export async function settle(
  tx: Db,
  space: SlugSpace,
  before: Before | undefined,
  wish: Wish,
  { now, timezone }: Clock,
): Promise<Settled> {
  const publication = settlePublication(before, wish.status, wish.date, now, timezone);
  const { status } = publication;
  const { slug: asked, title, isMoved } = wish;
  // What is new was changed when it is dated, whether that was chosen or is the present (BEHAVIOUR.md 25).
  const modified = before
    ? { modifiedLocal: toLocal(now, timezone), modifiedUtc: sqlUtc(now) }
    : { modifiedLocal: publication.dateLocal, modifiedUtc: publication.dateUtc };
  return {
    ...publication,
    ...modified,
    slug: await settleSlug(tx, space, { current: before, status, asked, title, isMoved }),
    statusBeforeTrash: status === 'trash' ? beforeTrash(before) : '',
  };
}

/** What was made in the trash was never more than a draft. */
function beforeTrash(before: Before | undefined): string {
  if (!before) return 'draft';
  return before.status === 'trash' ? before.statusBeforeTrash : before.status;
}

const MOST_TRIES = 4;

/**
 * Two writers may stand in each other's way (a thing gains a term while the term is deleted; another one, such as an
 * import, takes the slug without asking for its lock): PostgreSQL then ends one of them, which simply tries again.
 * `afterwards` is called however it ends.
 */
export async function retrying<T>(
  db: Database,
  work: (tx: Db) => Promise<T>,
  afterwards: () => void,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction(work);
    } catch (error) {
      if (!lostTheRace(error)) throw error;
      if (attempt === MOST_TRIES) throw tookSlug(error) ? slugTaken() : error;
    } finally {
      afterwards();
    }
  }
}

const lostTheRace = (error: unknown): boolean =>
  isPostgresError(error) && (error.code === '40P01' || error.code === '40001' || tookSlug(error));

/** The unique indexes of slugs are called `<table>_slug…`. */
const tookSlug = (error: unknown): boolean =>
  isPostgresError(error) && error.code === '23505' && /^[a-z]+_slug(_|$)/.test(error.constraint ?? '');

const slugTaken = (): ApiError =>
  apiError('conflict', 409, 'Somebody else took this slug at the same time. Try again.');
