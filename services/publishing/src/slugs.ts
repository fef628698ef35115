/**
 * Slugs that are unique in their space. Two writers that want the same slug meet at a lock on its name, so that the
 * second one sees what the first one took; the unique indexes stand behind it. The trash frees a slug for others, and
 * what leaves it takes its own back.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { nextFreeSlug, slugify, trashedSlug, untrashedSlug } from '@sevenfold/text/slug';
import { isUnfinished } from './statuses';

export interface SlugSpace {
  /** Writers of this space, and of others of the same name, wait for each other. */
  readonly lock: string;
  readonly table: string;
  /** The row that gets the slug. */
  readonly id: number;
  /** Which rows of the table share the space, as SQL of a value; all of them without. */
  readonly among?: (value: string) => string;
  readonly amongValue?: number;
  /** Names that no row may have. */
  readonly isReserved?: (slug: string) => boolean;
  /** Unfinished ones have a slug, too. Otherwise they stay without until they are finished or are given one. */
  readonly fromTheStart: boolean;
}

// A long slug is cut to make room for its number.
const LONG = 180;

/**
 * Between which words all numbered forms of a slug lie, for an index of bytes (`collate "C"`). Those that go on with a letter are
 * none: beside one `the` there may be a hundred thousand titles that begin with it.
 */
export const boundsOf = (slug: string): { low: string; high: string } =>
  slug.length > LONG
    ? { low: slug.slice(0, LONG), high: `${slug.slice(0, LONG)}~` }
    : { low: `${slug}-1`, high: `${slug}-:` };

/** `wanted`, or the first of `wanted-2`, `wanted-3` … that is free. It stays reserved until the transaction ends. */
export async function uniqueSlug(tx: Db, space: SlugSpace, wanted: string): Promise<string> {
  if (wanted === '') return '';
  let candidate = wanted;
  for (;;) {
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 1))', [`${space.lock}:${candidate}`]);
    const free = nextFreeSlug(wanted, await takenSlugs(tx, space, wanted));
    if (free === candidate) return candidate;
    candidate = free;
  }
}

export interface SlugMove {
  readonly space: SlugSpace;
  readonly slug: string;
}

/**
 * Ids of the rows whose slug is not free where they are to move. Their spaces differ by row and value alone, so that one statement
 * asks for all; nothing is taken.
 */
export async function hinderedMoves(tx: Db, moves: readonly SlugMove[]): Promise<ReadonlySet<number>> {
  const [one] = moves;
  if (!one) return new Set();
  const { table, among = () => 'true' } = one.space;
  const rows = await tx.rows<{ own: number }>(
    `select w.own from unnest($1::text[], $2::bigint[], $3::bigint[]) as w (wanted, own, value)
     where exists (select from ${table}
                   where slug <> '' and slug collate "C" = w.wanted and id <> w.own and (${among('w.value')}))`,
    [
      moves.map(({ slug }) => slug),
      moves.map(({ space }) => space.id),
      moves.map(({ space }) => space.amongValue ?? 0),
    ],
  );
  const reserved = moves.filter(({ space, slug }) => space.isReserved?.(slug));
  return new Set([...rows.map(({ own }) => own), ...reserved.map(({ space }) => space.id)]);
}

export interface SlugQuestion {
  readonly space: SlugSpace;
  readonly wanted: string;
  /** What the row has now, which is free to itself. */
  readonly own: string;
}

/**
 * What uniqueSlug would give to each at this moment; nothing is taken. Their spaces differ by row and value alone, so that one
 * statement asks for the names of all of them, and a second one for the first number that is free of those that are taken.
 */
export async function freeSlugs(db: Db, questions: readonly SlugQuestion[]): Promise<string[]> {
  const taken = await takenNames(
    db,
    questions.filter(({ wanted, own }) => wanted !== own),
  );
  const isTaken = (question: SlugQuestion): boolean =>
    question.wanted !== question.own && taken.has(keyOf(question));
  const numbers = await firstFreeNumbers(
    db,
    questions.filter((question) => isTaken(question) && question.wanted.length <= LONG),
  );
  const slugs: string[] = [];
  for (const question of questions) {
    const { space, wanted, own } = question;
    const number = numbers.get(keyOf(question));
    if (!isTaken(question)) slugs.push(wanted);
    else if (number !== undefined) slugs.push(`${wanted}-${Math.min(numberOf(own, wanted), number)}`);
    // Few are as long as that, and they are no reason to take all connections.
    else slugs.push(nextFreeSlug(wanted, await takenSlugs(db, space, wanted)));
  }
  return slugs;
}

/** As nextFreeSlug gives them. */
const NUMBER = /^([2-9]|[1-9]\d{1,14})$/;
const valueOf = ({ space }: SlugQuestion): number => space.amongValue ?? 0;
const keyOf = (question: SlugQuestion): string => `${valueOf(question)} ${question.wanted}`;

/** Of what has the name with a number; Infinity otherwise. */
function numberOf(own: string, wanted: string): number {
  const number = own.startsWith(`${wanted}-`) ? own.slice(wanted.length + 1) : '';
  return NUMBER.test(number) ? Number(number) : Infinity;
}

/** Each asked for once. */
const distinct = (questions: readonly SlugQuestion[]): SlugQuestion[] => [
  ...new Map(questions.map((question) => [keyOf(question), question])).values(),
];

const amongOf = ({ space: { among = () => 'true' } }: SlugQuestion): string => among('w.value');

/** Keys of those that another row has as they are, or that no row may have; most are free. */
async function takenNames(db: Db, questions: readonly SlugQuestion[]): Promise<ReadonlySet<string>> {
  const asked = distinct(questions);
  const [one] = asked;
  if (!one) return new Set();
  const rows = await db.rows<{ place: number }>(
    `select w.place from unnest($1::text[], $2::bigint[]) with ordinality as w (wanted, value, place)
     where exists (select from ${one.space.table} where slug <> '' and slug collate "C" = w.wanted and (${amongOf(one)}))`,
    [asked.map(({ wanted }) => wanted), asked.map(valueOf)],
  );
  const reserved = asked.filter(({ space, wanted }) => space.isReserved?.(wanted));
  const taken = rows.map(({ place }) => asked[place - 1] as SlugQuestion);
  return new Set([...taken, ...reserved].map(keyOf));
}

/** By key. */
async function firstFreeNumbers(
  db: Db,
  questions: readonly SlugQuestion[],
): Promise<ReadonlyMap<string, number>> {
  const numbered = distinct(questions);
  const [one] = numbered;
  if (!one) return new Map();
  const asked = numbered.map((question) => ({
    key: keyOf(question),
    wanted: question.wanted,
    ...boundsOf(question.wanted),
    value: valueOf(question),
  }));
  const suffix = 'substr(slug, length(w.wanted) + 2)';
  const rows = await db.rows<{ key: string; number: number }>(
    `select w.key, first.number
     from json_to_recordset($1::json) as w (key text, wanted text, low text, high text, value bigint)
     cross join lateral (
       select coalesce(min(place) filter (where number <> place), count(*) + 2) as number
       from (select number, row_number() over (order by number) + 1 as place
             from (select distinct ${suffix}::bigint as number from ${one.space.table}
                   where slug <> '' and slug collate "C" >= w.low and slug collate "C" < w.high
                     and (${amongOf(one)}) and ${suffix} ~ '${NUMBER.source}') as taken) as in_order) as first`,
    [JSON.stringify(asked)],
  );
  return new Map(rows.map(({ key, number }) => [key, number]));
}

async function takenSlugs(tx: Db, space: SlugSpace, wanted: string): Promise<string[]> {
  const { table, id, among = () => 'true', amongValue = 0, isReserved } = space;
  const { low, high } = boundsOf(wanted);
  const rows = await tx.rows<{ slug: string }>(
    `select slug from ${table}
      where slug <> '' and id <> $1 and (${among('$5')}) and $5::bigint is not null
        and (slug collate "C" = $2 or (slug collate "C" >= $3 and slug collate "C" < $4))`,
    [id, wanted, low, high, amongValue],
  );
  const taken = rows.map((row) => row.slug);
  return isReserved?.(wanted) ? [...taken, wanted] : taken;
}

export interface SlugWish {
  /** The row before the write; undefined for a new one. */
  readonly current?: { readonly status: string; readonly slug: string };
  /** Its status after the write. */
  readonly status: string;
  /** The slug of the body; one without a letter asks for one from the title. */
  readonly asked?: string;
  readonly title: string;
  /** The space is another one than before. */
  readonly isMoved?: boolean;
}

/** The slug after a write. Without a title it is the number of the row. */
export async function settleSlug(tx: Db, space: SlugSpace, wish: SlugWish): Promise<string> {
  const { current, status, isMoved = false } = wish;
  // Clients send back whole objects: the slug that they were shown, with the mark of the trash in it, is no wish.
  const asked = wish.asked === current?.slug ? undefined : wish.asked;
  const isInTrash = current?.status === 'trash';
  const before = isInTrash ? untrashedSlug(current.slug) : (current?.slug ?? '');
  const isTrashed = status === 'trash';
  let wanted = asked === undefined ? before : slugify(asked);
  if (wanted === '' && (space.fromTheStart || !(isUnfinished(status) || isTrashed)))
    wanted = slugify(wish.title) || String(space.id);
  // What was made in the trash has never had a slug to give away (REFERENCE.md 14).
  if (isTrashed && current) {
    if (isInTrash && asked === undefined && !isMoved) return current.slug;
    wanted = trashedSlug(wanted);
  }
  return wanted === current?.slug && !isMoved ? wanted : uniqueSlug(tx, space, wanted);
}
