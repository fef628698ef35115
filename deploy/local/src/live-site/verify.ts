/**
 * Whether a site has moved in: how much of each kind is there and here, and of some things of each, taken at random, every field
 * on both sides, as each side shows it now. What differs is told, whatever the reason.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { notedAs } from '@sevenfold/content/site-import/identities';
import { type Noted, countNoted, numbersOf, sampleNoted } from '@sevenfold/content/site-import/noted';
import { trimEnd } from '@sevenfold/text/trim';
import { type Kind, collectionOf } from './collections';
import { comparable, fields, isReference, isWritten, numbersIn, valueAt } from './fields';
import { type Found, type LiveSite, nameOf } from './live-site';
import { type Raw, isRecord, listOf, recordOf, textOf } from './values';
import { look } from './walk';
import type { Asker } from './ask';

interface VerifyOptions {
  readonly ask: Asker;
  readonly site: URL;
  readonly live: LiveSite;
  readonly db: Db;
  /** What this site shows of a thing; undefined where it is gone. */
  readonly read: (namespace: string, path: string) => Promise<unknown>;
  /** What this site calls itself. */
  readonly siteUrl: string;
  /** Of each kind. */
  readonly sample: number;
  readonly progress: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
  /** Only what changed since a moment was read: how much there is says nothing of it. */
  readonly isPart: boolean;
  /** Users there who are somebody here by the word of the operator, which is not noted. */
  readonly mapped: number;
}

interface Difference {
  readonly kind: string;
  readonly foreignId: string;
  readonly id: number;
  /** Empty: the whole thing. */
  readonly field: string;
  readonly there: string;
  readonly here: string;
}

export interface Verified {
  readonly counts: {
    readonly kind: string;
    readonly there: number;
    readonly here: number;
    readonly compared: number;
    readonly differs: boolean;
  }[];
  readonly differences: Difference[];
}

const MOST_SHOWN = 200;

interface Comparing extends VerifyOptions {
  /** The name under which the site is noted here. */
  readonly noted: string;
}

export async function verify(given: VerifyOptions): Promise<Verified> {
  const { live, db, site, sample, progress, signal } = given;
  const noted = await notedAs(db, nameOf(site));
  const options: Comparing = { ...given, noted };
  const byKind = new Map<string, Found[]>();
  for (const found of live.found) byKind.set(found.kind.one, [...(byKind.get(found.kind.one) ?? []), found]);
  const verified: Verified = { counts: [], differences: [] };
  let done = 0;
  for (const [one, founds] of byKind) {
    const there = await totalOf(options, founds);
    const rows = await sampleNoted(db, noted, one, sample);
    const [first] = founds as [Found];
    for (const row of rows) {
      signal?.throwIfAborted();
      verified.differences.push(...(await compare(options, first, row)));
    }
    const here = await countNoted(db, noted, one);
    const differs = !isAsMuch(options, founds, there, here);
    verified.counts.push({ kind: one, there, here, compared: rows.length, differs });
    progress(++done, byKind.size);
  }
  return verified;
}

/** Whether all that was looked at is the same. */
export const isSame = ({ counts, differences }: Verified): boolean =>
  differences.length === 0 && !counts.some(({ differs }) => differs);

function isAsMuch(
  { isPart, mapped }: VerifyOptions,
  founds: readonly Found[],
  there: number,
  here: number,
): boolean {
  const isOfUsers = founds.some(({ kind }) => kind.of === 'users');
  const mayBeMore = founds.some(({ isLeast }) => isLeast);
  return isPart || (there - here <= (isOfUsers ? mapped : 0) && (mayBeMore || here <= there));
}

async function totalOf({ ask, live: { face } }: VerifyOptions, founds: readonly Found[]): Promise<number> {
  let total = 0;
  for (const { kind, query } of founds)
    total += (await look({ ask, face, skip: () => undefined }, collectionOf(kind, face, query))).total;
  return total;
}

async function compare(options: Comparing, { kind, way }: Found, row: Noted): Promise<Difference[]> {
  const { read, live } = options;
  const whole = (there: string, here: string): Difference[] => [
    { kind: kind.one, ...row, field: '', there, here },
  ];
  const there = await itemThere(options, kind, way, row.foreignId);
  const here = await read(
    kind.namespace,
    `${oursOf(kind)}/${row.id}${kind.key === undefined ? '?context=edit' : ''}`,
  );
  if (!there || !isRecord(here))
    return there || isRecord(here)
      ? whole(there ? 'is there' : 'is gone', isRecord(here) ? 'is here' : 'is gone')
      : [];
  const found: Difference[] = await compareWritten(options, kind, row);
  const { theirNames, ourNames } = namesOf(options);
  for (const [field, how] of Object.entries(fields[kind.of])) {
    const [a, b] = [valueAt(there, field), valueAt(here, field)];
    // A side that leaves out what is empty says nothing else by it.
    if (a === undefined && (b === undefined || kind.key === undefined)) continue;
    let pair: [string, string];
    if (isReference(how)) pair = await references(options, how, a, b);
    else if (how === 'word') pair = [live.face.ours(textOf(a)), textOf(b)];
    else {
      const asWords = !isWritten(a) || !isWritten(b);
      pair = [comparable(a, how, theirNames, asWords), comparable(b, how, ourNames, asWords)];
    }
    if (pair[0] !== pair[1])
      found.push({
        kind: kind.one,
        ...row,
        field,
        there: pair[0].slice(0, MOST_SHOWN),
        here: pair[1].slice(0, MOST_SHOWN),
      });
  }
  return found;
}

interface Names {
  readonly theirNames: readonly string[];
  readonly ourNames: readonly string[];
}

function namesOf({ site, live, siteUrl }: VerifyOptions): Names {
  const theirNames = [nameOf(site), ...live.face.addresses.map((text) => trimEnd(text, '/'))];
  // What moved in may still point there.
  return { theirNames, ourNames: [siteUrl, ...theirNames] };
}

/** Texts that neither side shows as they were written, where both tell them. */
async function compareWritten(options: VerifyOptions, kind: Kind, row: Noted): Promise<Difference[]> {
  const { written: thing, namespace, one } = kind;
  if (!thing) return [];
  const there = (await options.live.written.of(thing, [row.foreignId])).get(row.foreignId);
  const [here] = listOf(await options.read(namespace, `/texts?type=${thing}&include=${row.id}`));
  if (!there || !isRecord(here)) return [];
  const { theirNames, ourNames } = namesOf(options);
  return Object.entries(there).flatMap(([field, text]) => {
    const pair = [
      comparable(text, 'same', theirNames, false),
      comparable(here[field], 'same', ourNames, false),
    ] as const;
    return pair[0] === pair[1]
      ? []
      : [
          {
            kind: one,
            ...row,
            field: `${field} as written`,
            there: pair[0].slice(0, MOST_SHOWN),
            here: pair[1].slice(0, MOST_SHOWN),
          },
        ];
  });
}

async function itemThere(
  { ask, live: { face } }: VerifyOptions,
  kind: Kind,
  way: number,
  foreignId: string,
): Promise<Raw | undefined> {
  const { context } = kind.ways[way] ?? {};
  const queries: Readonly<Record<string, string>>[] = context === undefined ? [{}] : [{ context }, {}];
  for (const query of queries) {
    const { status, body } = await ask.json(
      face.address(kind.namespace, `${kind.route(face)}/${foreignId}`, query),
    );
    if (status === 200 && isRecord(body)) return recordOf(body);
  }
  return undefined;
}

/** Collections here have the names that the kinds have, but terms, which are each of a taxonomy. */
const OURS: Readonly<Record<string, string>> = {
  category: '/categories',
  post_tag: '/tags',
  calendar_events_cat: '/calendar_events_cat',
};
const oursOf = ({ of, one }: Kind): string => OURS[one] ?? `/${of}`;

/** What stands there by the numbers that it has here. */
async function references(
  { db, noted }: Comparing,
  kind: Parameters<typeof numbersOf>[2],
  there: unknown,
  here: unknown,
): Promise<[string, string]> {
  const wanted = numbersIn(there);
  const known = await numbersOf(db, noted, kind, wanted);
  const mapped = wanted.map((id) => String(known.get(id) ?? `${id} there, which is not here`));
  return [mapped.sort().join(', '), numbersIn(here).sort().join(', ')];
}
