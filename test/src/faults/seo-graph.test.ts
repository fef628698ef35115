/**
 * The index of the site after many edits made at random through the gateway: posts, pages, events and terms are made, written,
 * renamed, moved, hidden, trashed, restored and deleted, while their texts link to addresses that things have and had. After
 * each step links, counts and redirects are what a recount by other means says; also after Redis forgot everything, and
 * after the index lost rows. Short by default; FAULTS=long makes 2,000 edits.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import type { Database } from '@sevenfold/chassis/db/sql';
import { dialer } from '@sevenfold/chassis/grpc/dial';
import { createLog } from '@sevenfold/chassis/log';
import { closeRedis, openRedis } from '@sevenfold/chassis/queue/redis';
import { PATIENCE_MS } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { Secrets } from '@sevenfold/local/secrets';
import {
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import { type PostServiceServer, PostServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { type TermServiceServer, TermServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import { type TestStack, startTestStack } from '../support/stack';

const long = process.env.FAULTS === 'long';
const EDITS = long ? 2_000 : 60;
const LIMIT_MS = long ? 3_600_000 : 300_000;
const silent = createLog('faults', 'test', 'silent');

let stack: TestStack;
let seo: Database;
let owners: ReturnType<typeof dialOwners>;

function dialOwners(secret: string) {
  const at = (name: string): string => stack.run().services[name]?.grpc as string;
  const asIndex = dialer({ caller: 'seo', actorSecret: secret, deadlineMs: PATIENCE_MS });
  const asGateway = dialer({ caller: 'gateway', actorSecret: secret, deadlineMs: PATIENCE_MS });
  return {
    posts: asIndex<PostServiceServer>(PostServiceService, { service: 'content', address: at('content') }),
    terms: asIndex<TermServiceServer>(TermServiceService, { service: 'content', address: at('content') }),
    events: asIndex<EventServiceServer>(EventServiceService, {
      service: 'calendar',
      address: at('calendar'),
    }),
    head: asGateway<HeadServiceServer>(HeadServiceService, { service: 'seo', address: at('seo') }),
  };
}

beforeAll(async () => {
  stack = await startTestStack({ LOG_LEVEL: 'error' });
  seo = openDatabase({
    url: stack.run().databases.seo as string,
    size: 2,
    application: 'faults',
    log: silent,
  });
  const { actorSecret } = JSON.parse(readFileSync(stack.run().secretsFile, 'utf8')) as Secrets;
  owners = dialOwners(actorSecret);
});
afterAll(async () => {
  for (const remote of Object.values(owners ?? {})) remote.close();
  await seo?.close();
  await stack?.stop();
});

/** The same numbers each time. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const roll = dice(11);
const pick = <T>(all: readonly T[]): T => all[roll(all.length)] as T;

// ---- what its owners say, and what follows from it by hand ----------------------------------------------------------

interface Thing {
  readonly key: string;
  /** Whole address. */
  readonly link: string;
  /** post, page, event … */
  readonly kind: string;
  readonly version: string;
  readonly path: string;
  readonly isPublic: boolean;
  readonly html: string;
}

const SITE = (): URL => new URL(stack.run().siteUrl);

function pathOf(link: string): string | undefined {
  const url = new URL(link, SITE());
  if (url.host !== SITE().host) return undefined;
  const id = url.searchParams.get('p') ?? url.searchParams.get('page_id');
  if (id !== null && url.pathname === '/') return `?p=${id}`;
  return decodeURIComponent(url.pathname).split('/').filter(Boolean).join('/').toLowerCase();
}

async function everything(): Promise<Thing[]> {
  const all: Thing[] = [];
  const whole = { afterId: 0, limit: 0, ids: [] };
  for await (const post of owners.posts.streamPosts({ ...whole, types: [], statuses: [] }))
    all.push({
      key: `post/${post.id}`,
      link: post.link,
      kind: post.type,
      version: post.version,
      path: pathOf(post.link) as string,
      isPublic: post.public,
      html: post.hasPassword ? '' : post.content,
    });
  for await (const object of owners.events.streamObjects(whole))
    all.push({
      key: `post/${object.id}`,
      link: object.link,
      kind: object.type,
      version: object.version,
      path: pathOf(object.link) as string,
      isPublic: object.public,
      html: object.description,
    });
  const { ids } = await owners.terms.listTermVersions({ afterId: 0, limit: 5000 });
  const { terms } = await owners.terms.getTerms({ ids });
  for (const term of terms)
    all.push({
      key: `term/${term.id}`,
      link: term.link,
      kind: term.taxonomy,
      // Other services tell how many things carry it, when they come to it: that is no news.
      version: `${term.name} ${term.link}`,
      path: pathOf(term.link) as string,
      isPublic: true,
      html: term.description,
    });
  return all;
}

const linksIn = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(/<a\s[^>]*href="([^"]*)"/g)].flatMap(
      ([, href = '']) => pathOf(href.replaceAll('&#038;', '&').replaceAll('&amp;', '&')) ?? [],
    ),
  ),
];

/** Who had an address, and in which step last; Infinity has it now. */
const holders = new Map<string, Map<string, number>>();
let step = 0;
let things = new Map<string, Thing>();

function remember(now: readonly Thing[]): void {
  const held = (path: string, key: string, when: number): void => {
    const all = holders.get(path) ?? new Map<string, number>();
    holders.set(path, all.set(key, when));
  };
  for (const before of things.values()) held(before.path, before.key, step);
  for (const thing of now) {
    const plain = `?p=${thing.key.slice(5)}`;
    if (thing.key.startsWith('post/') && !holders.get(plain)?.has(thing.key)) held(plain, thing.key, step);
    held(thing.path, thing.key, Infinity);
  }
  things = new Map(now.map((thing) => [thing.key, thing]));
}

/** What an address leads to. */
function leadsTo(path: string): Thing | undefined {
  const known = [...(holders.get(path) ?? [])].flatMap(([key, when]) => {
    const thing = things.get(key);
    return thing?.isPublic ? [{ thing, when }] : [];
  });
  return known.sort((a, b) => b.when - a.when)[0]?.thing;
}

interface Counts {
  outgoing: number;
  incoming: number;
}

function recount(): Map<string, Counts> {
  const counts = new Map([...things.keys()].map((key) => [key, { outgoing: 0, incoming: 0 } as Counts]));
  for (const thing of things.values())
    for (const path of linksIn(thing.html)) {
      const target = leadsTo(path);
      if (!target || target.key === thing.key) continue;
      (counts.get(thing.key) as Counts).outgoing += 1;
      if (thing.isPublic) (counts.get(target.key) as Counts).incoming += 1;
    }
  return counts;
}

// ---- what the index says --------------------------------------------------------------------------------------------

interface Row extends Counts {
  readonly key: string;
  readonly version: string;
  readonly permalink: string;
  readonly isPublic: boolean;
}

const indexed = async (): Promise<Map<string, Row>> =>
  new Map(
    (
      await seo.rows<Row>(
        `select object_type || '/' || object_id as key, permalink,
           case when object_type = 'term' then name || ' ' || permalink else version end as version, is_public as "isPublic",
           link_count as outgoing, incoming_link_count as incoming
         from indexables where object_type in ('post', 'term') and status <> 'gone'`,
      )
    ).map((row) => [row.key, row]),
  );

/** The index has what its owners have, and nothing waits. */
const settle = (): Promise<true> =>
  until(async () => {
    const [now, rows] = [await everything(), await indexed()];
    if (now.length !== rows.size || now.some(({ key, version }) => rows.get(key)?.version !== version))
      return undefined;
    const left = await seo.first<{ left: boolean }>('select exists (select from waiting) as left');
    if (left?.left) return undefined;
    // Nothing changed meanwhile, by a job of the owners.
    const again = await everything();
    if (again.some(({ version }, index) => version !== now[index]?.version)) return undefined;
    remember(now);
    return true;
  });

/** Addresses in the sitemaps of a kind, as crawlers find them. */
async function mapped(kind: string): Promise<string[]> {
  const locsIn = async (path: string): Promise<string[]> => {
    const response = await fetch(`${stack.url}${path}`, { signal: AbortSignal.timeout(60_000) });
    return [...(await response.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) =>
      (loc as string).replaceAll('&amp;', '&'),
    );
  };
  const files = (await locsIn('/sitemap.xml')).map((loc) => new URL(loc).pathname);
  const all: string[] = [];
  for (const file of files.filter((one) => one.startsWith(`/sitemap-${kind}-`)))
    all.push(...(await locsIn(file)));
  return all.sort();
}

async function compareSitemaps(): Promise<void> {
  for (const kind of ['post', 'page', 'event']) {
    const shown = [...things.values()].filter((thing) => thing.kind === kind && thing.isPublic);
    const links = shown.map(({ link }) => link);
    // The front page is a page, too.
    if (kind === 'page') links.push(`${SITE().origin}/`);
    links.sort();
    // The gateway hears a moment later of what a worker wrote.
    const end = Date.now() + PATIENCE_MS;
    let seen = await mapped(kind);
    while (!isDeepStrictEqual(seen, links) && Date.now() < end) {
      await sleep(50);
      seen = await mapped(kind);
    }
    expect([kind, seen]).toEqual([kind, links]);
  }
}

async function compareAll(): Promise<void> {
  if (!long || step % 50 === 0) await compareSitemaps();
  const rows = await indexed();
  const wanted = recount();
  const seen = Object.fromEntries(
    [...rows].map(([key, { outgoing, incoming, isPublic }]) => [key, { outgoing, incoming, isPublic }]),
  );
  expect(seen).toEqual(
    Object.fromEntries(
      [...wanted].map(([key, counts]) => [key, { ...counts, isPublic: things.get(key)?.isPublic }]),
    ),
  );
  for (const path of long && step % 50 !== 0 ? [...holders.keys()].slice(-20) : holders.keys())
    expect([path, await answerOf(path)]).toEqual([path, expected(path)]);
}

async function answerOf(path: string): Promise<{ status: number; path?: string }> {
  const url = new URL(path.startsWith('?') ? `/${path}` : `/${path}/`, SITE()).href;
  const { status, location } = await owners.head.resolveUrl({ url });
  // 404 and 410 tell nothing of where.
  return status >= 400 ? { status: 404 } : { status, path: pathOf(location) };
}

function expected(path: string): { status: number; path?: string } {
  const target = leadsTo(path);
  if (!target) return { status: 404 };
  return { status: target.path === path ? 200 : 301, path: target.path };
}

// ---- edits ----------------------------------------------------------------------------------------------------------

async function call(method: string, path: string, body?: object): Promise<{ id: number }> {
  const response = await fetch(`${stack.url}/rest${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: stack.administrator },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const answer = (await response.json()) as { id: number };
  // What another edit took away meanwhile is no fault: 404, 410, and a slug that is taken.
  if (!response.ok && ![400, 404, 409, 410].includes(response.status))
    throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

type Kind = 'posts' | 'pages' | 'events' | 'categories';
const made: Record<Kind, number[]> = { posts: [], pages: [], events: [], categories: [] };
const KINDS = ['posts', 'posts', 'posts', 'pages', 'pages', 'events', 'categories'] as const;
const root = (kind: Kind): string => (kind === 'events' ? '/calendar/events/v1/events' : `/core/v2/${kind}`);
// Few, so that they are taken again and again.
const SLUGS = ['harbour', 'ferry', 'island', 'lamp', 'brücke'];

/** A text that links to some addresses that things have or had. */
function text(): string {
  const paths = [...holders.keys(), 'nowhere/at/all'];
  const links = Array.from({ length: roll(4) }, () => {
    const path = pick(paths);
    return `<a href="${path.startsWith('?') ? `${SITE().origin}/${path}` : `/${path}/`}">x</a>`;
  });
  return `<p>Text ${roll(1000)} ${links.join(' ')} <a href="https://elsewhere.test/a/">y</a></p>`;
}

const bodyOf = (kind: Kind): object => {
  const slug = pick(SLUGS);
  const status = pick(['publish', 'publish', 'publish', 'draft', 'private']);
  if (kind === 'categories')
    return { name: `${slug} ${roll(100_000)}`, slug: `${slug}-${roll(3)}`, description: text() };
  if (kind === 'events')
    return {
      title: slug,
      slug,
      status: status === 'private' ? 'draft' : status,
      description: text(),
      start_date: '2030-01-02 10:00:00',
      end_date: '2030-01-02 12:00:00',
    };
  const parent = kind === 'pages' && roll(3) === 0 ? pick([0, ...made.pages]) : 0;
  const date = kind === 'posts' ? { date: pick(['2024-03-04T05:06:07', '2024-05-06T07:08:09']) } : { parent };
  return { title: slug, slug, status, content: text(), ...date };
};

async function edit(): Promise<void> {
  const kind = pick(KINDS);
  const what = roll(10);
  if (made[kind].length === 0 || what < 3) {
    const { id } = await call('POST', root(kind), bodyOf(kind));
    if (id) made[kind].push(id);
    return;
  }
  const id = pick(made[kind]);
  if (what < 8 || kind === 'categories') await call('POST', `${root(kind)}/${id}`, bodyOf(kind));
  else if (what === 8 || kind === 'events') await call('DELETE', `${root(kind)}/${id}`);
  else await call('DELETE', `${root(kind)}/${id}?force=true`);
}

/** Runs of indexing until one finds nothing: each compares what the index has with what its owners have. */
async function indexToTheEnd(): Promise<number[]> {
  const runs: number[] = [];
  await until(async () => {
    const response = await fetch(`${stack.url}/rest/seo/v1/reindex_posts`, {
      headers: { Authorization: stack.administrator },
      signal: AbortSignal.timeout(60_000),
    });
    runs.push((await response.json()) as number);
    return runs.at(-1) === 0;
  });
  return runs;
}

test(
  'links, counts and redirects are those of a recount after every step',
  async () => {
    await settle();
    while (step < EDITS) {
      step += 1;
      await edit();
      await settle();
      await compareAll();
    }
  },
  LIMIT_MS,
);

test(
  'also when Redis has forgotten everything in between',
  async () => {
    const redis = openRedis(stack.run().redis, silent);
    await until(() => redis.isReady);
    const thaw = stack.freeze('seo-worker');
    for (let round = 0; round < 5; round++) {
      step += 1;
      await edit();
      // Each address counts, however short it was there.
      remember(await everything());
      await redis.flushAll();
    }
    thaw();
    await closeRedis(redis);
    await indexToTheEnd();
    await settle();
    await compareAll();
  },
  LIMIT_MS,
);

test(
  'and what the index lost or has wrong is found by comparison, run by run',
  async () => {
    await seo.run(
      `update indexables set version = 'old', title = 'wrong' where object_id % 2 = 0 and object_type = 'post'`,
    );
    const runs = await indexToTheEnd();
    expect(runs[0]).toBeGreaterThan(0);
    await settle();
    await compareAll();
    expect(await seo.rows(`select object_id from indexables where title = 'wrong'`)).toEqual([]);
  },
  LIMIT_MS,
);

/** What a browser or a crawler is told at an address. */
async function page(path: string): Promise<[status: number, location: string | undefined]> {
  const response = await fetch(`${stack.url}${path}`, {
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  });
  await response.arrayBuffer();
  const location = response.headers.get('location');
  return [response.status, location === null ? undefined : new URL(location).pathname];
}

test(
  'every address that a thing had leads to it, also those between which nobody looked, and says when it is gone',
  async () => {
    const at = (slug: string): string => `/2024/03/04/${slug}/`;
    const rename = (id: number, slug: string) => call('POST', `/core/v2/posts/${id}`, { slug });
    const renameAsleep = async (id: number, ...slugs: string[]): Promise<void> => {
      const thaw = stack.freeze('seo-worker');
      for (const slug of slugs) await rename(id, slug);
      thaw();
      await settle();
    };
    const body = { title: 'Moving', content: 'x', status: 'publish', date: '2024-03-04T05:06:07' };
    const { id } = await call('POST', '/core/v2/posts', { ...body, slug: 'moving-1' });
    await settle();
    await renameAsleep(id, 'moving-2', 'moving-3');
    expect(await page(at('moving-3'))).toEqual([200, undefined]);
    for (const slug of ['moving-1', 'moving-2']) expect(await page(at(slug))).toEqual([301, at('moving-3')]);
    // Back, and around: every one leads to where it is now, none to another that leads on.
    await renameAsleep(id, 'moving-4', 'moving-1');
    expect(await page(at('moving-1'))).toEqual([200, undefined]);
    for (const slug of ['moving-2', 'moving-3', 'moving-4'])
      expect(await page(at(slug))).toEqual([301, at('moving-1')]);
    await call('DELETE', `/core/v2/posts/${id}?force=true`);
    await settle();
    for (const slug of ['moving-1', 'moving-2', 'moving-4']) expect((await page(at(slug)))[0]).toBe(410);
  },
  LIMIT_MS,
);

test(
  'what is below a page that is deleted or moved is found where it is then',
  async () => {
    const make = (slug: string, parent: number) =>
      call('POST', '/core/v2/pages', { title: slug, slug, parent, content: 'x', status: 'publish' });
    const top = await make('top', 0);
    const middle = await make('middle', top.id);
    const below = await make('below', middle.id);
    await make('leaf', below.id);
    await settle();
    expect((await page('/top/middle/below/leaf/'))[0]).toBe(200);
    await call('DELETE', `/core/v2/pages/${middle.id}?force=true`);
    await settle();
    expect(await page('/top/middle/below/leaf/')).toEqual([301, '/top/below/leaf/']);
    await call('DELETE', `/core/v2/pages/${top.id}?force=true`);
    await settle();
    for (const path of ['/top/middle/below/leaf/', '/top/below/leaf/'])
      expect(await page(path)).toEqual([301, '/below/leaf/']);
    expect((await page('/top/middle/'))[0]).toBe(410);
    await compareAll();
  },
  LIMIT_MS,
);
