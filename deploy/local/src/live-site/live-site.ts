/**
 * A site that lives on, as a source of what moves in: found, looked at once for how much there is, then read collection by
 * collection and page by page, the next page while the one before is written.
 */
import type { ExportedRecord } from '@sevenfold/content/site-import/exported';
import { Report } from '@sevenfold/content/site-import/report';
import type { Source } from '@sevenfold/content/site-import/source';
import type { Survey } from '@sevenfold/content/site-import/survey';
import { isKeepable } from '@sevenfold/publishing/kept-ids';
import { trimEnd } from '@sevenfold/text/trim';
import type { Asker } from './ask';
import { type Kind, type KindName, collectionOf, collections } from './collections';
import type { Written } from './read-calendar';
import { type Interface, findInterface } from './root';
import { type Raw, idOf, listOf, recordOf, textOf } from './values';
import { type Page, Refused, type Walker, look, walk } from './walk';
import { type WrittenTexts, openWritten } from './written';

export interface LiveOptions {
  readonly ask: Asker;
  readonly site: URL;
  /** All kinds without it. */
  readonly only?: ReadonlySet<KindName>;
  /** Only what changed since, where the site can say that. */
  readonly since?: Date;
  /** Users get the roles that they have there. */
  readonly keepRoles: boolean;
  readonly report: Report;
}

/** A collection that can be read, and how. */
export interface Found {
  readonly kind: Kind;
  /** Of its `ways`. */
  readonly way: number;
  /** What its total is of. */
  readonly query: Readonly<Record<string, string>>;
  readonly total: number;
  /** More than these may have been read: of some kinds, or the rest as strangers see it. */
  isLeast: boolean;
}

export interface LiveSite extends Source {
  readonly face: Interface;
  readonly written: WrittenTexts;
  /** As far as the survey has found them. */
  readonly found: readonly Found[];
}

/** Identity of the site, as in its exports. */
export const nameOf = (site: URL): string => trimEnd(`${site.origin}${site.pathname}`, '/');

export async function openLiveSite(options: LiveOptions): Promise<LiveSite> {
  const { ask, site, report } = options;
  const face = await findInterface(ask, site);
  const written = openWritten(ask, face);
  const found: Found[] = [];
  let reads = 0;
  return {
    isLive: true,
    face,
    written,
    found,
    survey: async (progress) => {
      found.length = 0;
      const greatest = { item: 0, comment: 0, term: 0 };
      for (const kind of collections) {
        if (!isWanted(options, kind)) continue;
        const one = await findWay(options, face, kind);
        if (!one) continue;
        found.push(one);
        progress(found.reduce((sum, { total }) => sum + total, 0));
        if (kind.number)
          greatest[kind.number] = Math.max(greatest[kind.number], await greatestOf(options, face, one));
      }
      await tellOthers(options, face);
      return {
        site: nameOf(site),
        addresses: [...new Set([nameOf(site), ...face.addresses.map((text) => trimEnd(text, '/'))])],
        records: found.reduce((sum, { total }) => sum + total, 0),
        greatest,
        mended: { foreignBytes: 0, controls: 0 },
      } satisfies Survey;
    },
    records: async function* () {
      // What is left out is told once, however often the site is read.
      const told = reads++ === 0 ? options : { ...options, report: new Report() };
      for (const one of found) yield* recordsOf(told, face, one, written);
    },
  };

  // Whatever stands on them needs users and terms.
  function isWanted({ only }: LiveOptions, { of, namespace, one, route }: Kind): boolean {
    if (only && !only.has(of) && of !== 'users' && of !== 'terms') return false;
    if (face.has(namespace)) return true;
    if (!only || only.has(of))
      report.skip({ kind: one, title: route(face), line: 0, reason: `the site has no ${namespace}` });
    return false;
  }
}

const walkerOf = ({ ask, report }: LiveOptions, face: Interface, kind: Kind): Walker => ({
  ask,
  face,
  skip: (reason) => report.skip({ kind: kind.one, title: kind.route(face), line: 0, reason }),
});

/** What users there are, where only what they wrote is wanted: those who write. */
const fewer = ({ only }: LiveOptions, { of }: Kind): Record<string, string> =>
  of === 'users' && only && !only.has('users') ? { who: 'authors' } : {};

async function findWay(options: LiveOptions, face: Interface, kind: Kind): Promise<Found | undefined> {
  const walker = walkerOf(options, face, kind);
  let refused: Refused | undefined;
  for (const way of kind.ways.keys()) {
    try {
      const total = await totalOf(options, face, kind, way);
      const some = fewer(options, kind);
      return { kind, way, query: { ...some, ...kind.ways[way] }, total, isLeast: 'who' in some };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused ??= error;
    }
  }
  // What strangers never see is nothing that is missing.
  const isForFew = kind.ways.every((more) => more.context === 'edit');
  if (!isForFew || refused?.status !== 401) walker.skip(`the site does not show them: ${refused?.message}`);
  return undefined;
}

/** The greatest number of all, which none that is new here may have. */
async function greatestOf(options: LiveOptions, face: Interface, { kind, way }: Found): Promise<number> {
  const collection = collectionOf(kind, face, { ...kind.ways[way], order: 'desc' });
  const { items } = await look(walkerOf(options, face, kind), collection);
  const id = Number(idOf(items[0]?.id));
  return isKeepable(id) ? id : 0;
}

/** Where the site can say it; otherwise what is older is passed by. */
function sinceOf({ since }: LiveOptions, face: Interface, kind: Kind): Record<string, string> {
  if (!since || !kind.since) return {};
  // With its zone: without one it would be a time of the other site's clock.
  const text = `${since.toISOString().slice(0, 19)}Z`;
  if (kind.since === 'after') return { after: text };
  return face.takes(kind.namespace, kind.route(face)).has('modified_after')
    ? { modified_after: text }
    : { orderby: 'modified', order: 'desc' };
}

async function* recordsOf(
  options: LiveOptions,
  face: Interface,
  found: Found,
  written: WrittenTexts,
): AsyncGenerator<ExportedRecord> {
  const { kind, way } = found;
  const textsOf = (page: Page): Promise<ReadonlyMap<string, Written>> =>
    kind.written
      ? written.of(
          kind.written,
          page.items.map(({ id }) => idOf(id)),
        )
      : Promise.resolve(new Map());
  const rest = kind.ways.findIndex((more, index) => index > way && more.context === undefined);
  const seen = new Set<number>();
  let [claimed, open] = [0, 0];
  for await (const page of pagesOf(options, face, kind, way)) {
    claimed = page.total;
    const texts = await textsOf(page);
    for (const raw of page.items) {
      const id = Number(idOf(raw.id));
      // A page may come twice.
      if (rest > way && !seen.has(id) && OPEN.has(face.ours(textOf(raw.status)))) open += 1;
      if (rest > way) seen.add(id);
      yield* recordIn(options, face, kind, raw, texts.get(idOf(raw.id)));
    }
  }
  if (rest < 0 || kind.ways[way]?.context === undefined) return;
  // Some sites count what they do not show to be edited, some do not.
  if (seen.size >= claimed && open >= (await totalOf(options, face, kind, rest))) return;
  // What may not be edited can be read all the same, as strangers read it.
  for await (const page of pagesOf(options, face, kind, rest))
    for (const raw of page.items)
      if (!seen.has(Number(idOf(raw.id)))) {
        found.isLeast = true;
        yield* recordIn(options, face, kind, raw);
      }
}

/** What strangers may see; users and terms have no status. */
const OPEN: ReadonlySet<string> = new Set(['', 'publish', 'inherit', 'approved']);

const queryOf = (options: LiveOptions, face: Interface, kind: Kind, way: number): Record<string, string> => ({
  ...fewer(options, kind),
  ...kind.ways[way],
  ...sinceOf(options, face, kind),
});

const totalOf = async (options: LiveOptions, face: Interface, kind: Kind, way: number): Promise<number> =>
  (await look(walkerOf(options, face, kind), collectionOf(kind, face, queryOf(options, face, kind, way))))
    .total;

async function* pagesOf(
  options: LiveOptions,
  face: Interface,
  kind: Kind,
  way: number,
): AsyncGenerator<Page> {
  const query = queryOf(options, face, kind, way);
  const pages = walk(walkerOf(options, face, kind), collectionOf(kind, face, query));
  for await (const page of ahead(pages)) {
    yield page;
    if (
      options.since &&
      query.orderby === 'modified' &&
      page.items.some((raw) => isOlder(raw, options.since))
    )
      return;
  }
}

/** The next page is asked for while the one before is used. */
async function* ahead<T>(pages: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = pages.next();
  try {
    for (;;) {
      const page = await next;
      if (page.done) return;
      next = pages.next();
      // Whoever takes the page hears of its fault when it is asked for.
      next.catch(() => undefined);
      yield page.value;
    }
  } finally {
    await pages.return(undefined).catch(() => undefined);
  }
}

const isOlder = (raw: Raw, since: Date | undefined): boolean => {
  const text = textOf(raw.modified_gmt) || textOf(raw.modified_utc);
  return since !== undefined && text !== '' && Date.parse(`${text.replace(' ', 'T')}Z`) < since.getTime();
};

function* recordIn(
  { since, keepRoles, report }: LiveOptions,
  face: Interface,
  kind: Kind,
  raw: Raw,
  written?: Written,
): Generator<ExportedRecord> {
  const title = textOf(recordOf(raw.title).rendered) || textOf(raw.name) || `${kind.one} ${idOf(raw.id)}`;
  const skip = (reason: string): void => report.skip({ kind: kind.one, title, line: 0, reason });
  if (isOlder(raw, since)) return;
  if (idOf(raw.id) === '0') return skip('it has no number');
  const record = kind.read(raw, { ours: face.ours, keepRoles, written });
  if (typeof record === 'string') return skip(record);
  if (listOf(raw.meta).length > 0 || Object.keys(recordOf(raw.meta)).length > 0)
    report.skip({ kind: 'meta', title, line: 0, reason: 'this interface has no meta fields' });
  yield record;
}

const OURS: ReadonlySet<string> = new Set(['posts', 'pages', 'media']);
const MOST_TYPES = 50;

/** Types of things that have no place here are told with their number. */
async function tellOthers(options: LiveOptions, face: Interface): Promise<void> {
  if (options.only) return;
  const { ask, report } = options;
  const { status, body } = await ask.json(face.address('core/v2', '/types', {}));
  if (status !== 200) return;
  for (const [name, type] of Object.entries(recordOf(body)).slice(0, MOST_TYPES)) {
    const base = textOf(recordOf(type).rest_base);
    if (
      base === '' ||
      !/^[\w-]{1,100}$/.test(base) ||
      OURS.has(base) ||
      face.ours(name).startsWith('calendar_')
    )
      continue;
    const { headers, status: shown } = await ask.json(face.address('core/v2', `/${base}`, { per_page: '1' }));
    const total = Number(/^\d{1,9}$/.exec(textOf(headers['x-wp-total']))?.[0] ?? 0);
    if (shown === 200 && total > 0)
      report.skip(
        { kind: 'item', title: name, line: 0, reason: `this interface has no objects of the type ${name}` },
        total,
      );
  }
}
