/**
 * What one write costs a warm cache, and what the cache costs a write: how many of 10,000 kept answers (of a tenth of them) are still fresh after a
 * single write of each kind, and how much more a write takes with news and marks than without them, of the processors
 * (its service's and that service's sessions of PostgreSQL) and until it is answered.
 */
import { readFileSync } from 'node:fs';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { createLog } from '@sevenfold/chassis/log';
import { type Config, variables } from '@sevenfold/gateway/config';
import { type RunningGateway, startGateway } from '@sevenfold/gateway/gateway';
import { NO_LIMITS } from '@sevenfold/gateway/limits/testing';
import { Pool } from 'undici';
import type { TestStack } from '../support/stack';
import { millisecondsOf } from './cpu';
import { median } from './measure';

const CORE = '/rest/core/v2';
const EVENTS = '/rest/calendar/events/v1';
const AT_ONCE = 16;
const MOST_KEPT = 10_000;
const SAMPLED = 10;
/** Half of the rounds differ by a tenth and more, as the machine does: the median of twenty of them was three hundredths off now and then. */
const ROUNDS = 100;
const WRITES = 40;
/** Not counted: what changes a function has every session plan anew what calls it. */
const FIRST_WRITES = 20;

export interface Freshness {
  readonly kind: string;
  readonly kept: number;
  readonly fresh: number;
}

type Item = { id: number; link?: string; url?: string };

interface Site {
  readonly url: string;
  readonly administrator: string;
}

async function send({ url, administrator }: Site, to: string, body: object, method = 'POST'): Promise<Item> {
  const answer = await fetch(url + to, {
    method,
    headers: { Authorization: administrator, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${method} ${to}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Item;
}

async function listed(site: Site, list: string, most: number): Promise<Item[]> {
  const items: Item[] = [];
  for (let page = 1; items.length < most; page++) {
    const mark = list.includes('?') ? '&' : '?';
    const answer = await fetch(`${site.url}${list}${mark}per_page=50&page=${page}`);
    if (!answer.ok) break;
    const body = (await answer.json()) as Item[] | Record<string, unknown>;
    const found = (Array.isArray(body) ? body : Object.values(body).find(Array.isArray)) as
      Item[] | undefined;
    if (!found || found.length === 0) break;
    items.push(...found);
  }
  return items.slice(0, most);
}

/** What a busy site is asked for: mostly single things, then lists, filters, pages. */
async function addresses(site: Site): Promise<string[]> {
  const posts = await listed(site, `${CORE}/posts?_fields=id,link`, 5_500);
  const events = await listed(site, `${EVENTS}/events?start_date=2000-01-01`, 1_500);
  const [categories, users] = [
    await listed(site, `${CORE}/categories`, 100),
    await listed(site, `${CORE}/users`, 50),
  ];
  const numbers = (most: number): number[] => Array.from({ length: most }, (_, at) => at + 1);
  const all = [
    ...posts.map(({ id }) => `${CORE}/posts/${id}`),
    ...events.map(({ id }) => `${EVENTS}/events/${id}`),
    ...posts.slice(0, 1_200).map(({ id }) => `${CORE}/comments?post=${id}`),
    ...posts.slice(0, 700).map(({ link = '' }) => new URL(link).pathname),
    ...posts.slice(0, 400).map(({ id }) => `${CORE}/posts/${id}?_embed`),
    ...categories.flatMap(({ id }) => [`${CORE}/categories/${id}`, `${CORE}/posts?categories=${id}`]),
    ...users.flatMap(({ id }) => [`${CORE}/users/${id}`, `${CORE}/posts?author=${id}`]),
    ...numbers(300).map((page) => `${CORE}/posts?page=${page}`),
    ...numbers(100).map((page) => `${EVENTS}/events?start_date=2000-01-01&page=${page}`),
    `${CORE}/types`,
    `${CORE}/statuses`,
    `${EVENTS}/venues`,
    `${EVENTS}/organizers`,
    `${EVENTS}/categories`,
  ];
  return all.slice(0, MOST_KEPT);
}

/** How many were shown as they were kept. */
async function readAll({ url }: Site, paths: readonly string[]): Promise<number> {
  const pool = new Pool(url, { connections: AT_ONCE });
  let [at, hits] = [0, 0];
  const go = async (): Promise<void> => {
    for (let next = paths[at++]; next !== undefined; next = paths[at++]) {
      const { headers, body } = await pool.request({ method: 'GET', path: next });
      await body.dump();
      if (headers['x-cache'] === 'hit') hits += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, go));
  await pool.close();
  return hits;
}

/** What none of the writes makes old. */
const WITNESSES = [`${CORE}/statuses`, `${EVENTS}/doc`];

/** News of the write have come once something that it does not touch is shown again as it was kept. */
async function settled(site: Site): Promise<void> {
  for (const path of WITNESSES)
    for (let look = 0; look < 1_000; look++) {
      const answer = await fetch(site.url + path);
      await answer.arrayBuffer();
      if (answer.headers.get('x-cache') === 'hit') break;
    }
}

type Write = (site: Site) => Promise<unknown>;

async function writesOf(site: Site): Promise<Readonly<Record<string, Write>>> {
  const one = async (list: string, at = 7): Promise<number> => {
    const items = await listed(site, list, at + 1);
    return (items[at] ?? items[0] ?? { id: 0 }).id;
  };
  const post = await one(`${CORE}/posts`, 30);
  const category = await one(`${CORE}/categories`, 3);
  const [event, venue, organizer] = [
    await one(`${EVENTS}/events?start_date=2000-01-01`, 20),
    await one(`${EVENTS}/venues`, 3),
    await one(`${EVENTS}/organizers`, 3),
  ];
  const user = await one(`${CORE}/users`, 3);
  const name = (what: string): string => `${what} ${Date.now() % 1e6}`;
  const day = '2031-05-01';
  return {
    'title of a post': (to) => send(to, `${CORE}/posts/${post}`, { title: name('Title') }),
    'text of a post': (to) => send(to, `${CORE}/posts/${post}`, { content: name('Text') }),
    'terms of a post': (to) => send(to, `${CORE}/posts/${post}`, { categories: [category] }),
    'a draft': (to) => send(to, `${CORE}/posts`, { title: name('Draft'), status: 'draft' }),
    'a new post': (to) => send(to, `${CORE}/posts`, { title: name('New'), status: 'publish' }),
    'a page': (to) => send(to, `${CORE}/pages`, { title: name('Page'), status: 'publish' }),
    'a comment': (to) => send(to, `${CORE}/comments`, { post, content: name('Well said') }),
    'name of a category': (to) => send(to, `${CORE}/categories/${category}`, { name: name('Name') }),
    'a new tag': (to) => send(to, `${CORE}/tags`, { name: name('Tag') }),
    'name of a user': (to) => send(to, `${CORE}/users/${user}`, { name: name('User') }),
    'title of an event': (to) => send(to, `${EVENTS}/events/${event}`, { title: name('Event') }),
    'start of an event': (to) =>
      send(to, `${EVENTS}/events/${event}`, { start_date: `${day} 10:00`, end_date: `${day} 11:00` }),
    'a new event': (to) =>
      send(to, `${EVENTS}/events`, {
        title: name('Event'),
        status: 'publish',
        start_date: `${day} 10:00`,
        end_date: `${day} 11:00`,
      }),
    'name of a venue': (to) => send(to, `${EVENTS}/venues/${venue}`, { venue: name('Venue') }),
    'name of an organizer': (to) => send(to, `${EVENTS}/organizers/${organizer}`, { organizer: name('Org') }),
    'a form': (to) => send(to, '/rest/contact-form/v1/contact-forms', { title: name('Form') }),
    'name of the site': (to) => send(to, `${CORE}/settings`, { title: name('Site') }),
  };
}

export async function measureFreshness(site: Site, told: (one: Freshness) => void): Promise<void> {
  const paths = await addresses(site);
  const writes = await writesOf(site);
  await readAll(site, paths);
  // One in ten is looked at: reading all of them each time tells no more. What cannot be kept, such as redirects, is no loss.
  const sample = paths.filter((_, at) => at % SAMPLED === 0);
  const looks = [await readAll(site, sample), await readAll(site, sample), await readAll(site, sample)];
  const kept = Math.max(...looks);
  for (const [kind, write] of Object.entries(writes)) {
    await readAll(site, WITNESSES);
    await write(site);
    await settled(site);
    told({ kind, kept, fresh: await readAll(site, sample) });
  }
}

/** What the triggers look at for lists and counts they look at anyway: without news, nothing is told of it. */
const SILENT = `create or replace function tell_news(variadic tags text[]) returns void language plpgsql as 'begin end'`;
/** Follows each write, but not many that come at once: how much of it falls to one of them hangs on how fast they come. */
const INDEX = 'seo-worker';
/** Of those who serve the writer, by the names that their sessions have. */
const SESSIONS = 'content-api%';

/** Milliseconds of a write: of processors, and until its answer. */
interface Cost {
  readonly processor: number;
  readonly waited: number;
}

/** With by without, of rounds that stand beside each other. */
interface Compared {
  readonly ratio: number;
  /** Between which half of them are. */
  readonly spread: readonly [number, number];
  /** Without. */
  readonly ms: number;
}

/** A write with news and marks, by one without, in rounds that take turns. */
export async function measureWriterCost(stack: TestStack): Promise<Record<keyof Cost, Compared>> {
  const { databases, processes, services, secretsFile, siteUrl } = stack.run();
  const db = openDatabase({
    url: databases.content as string,
    size: 1,
    application: 'bench',
    log: createLog('bench', 'test', 'silent'),
  });
  const { actorSecret } = JSON.parse(readFileSync(secretsFile, 'utf8')) as { actorSecret: string };
  const spentNow = async (): Promise<ReadonlyMap<number, number>> => {
    const sessions = await db.rows<{ pid: number }>(
      `select pid from pg_stat_activity where datname = current_database() and application_name like $1`,
      [SESSIONS],
    );
    const pids = [processes.content as number, ...sessions.map(({ pid }) => pid)];
    return new Map(pids.map((pid) => [pid, millisecondsOf(pid)]));
  };
  const thaw = stack.freeze(INDEX);
  const gateways: RunningGateway[] = [];
  const gatewayWith = async (megabytes: number): Promise<Site> => {
    const defaults = Object.entries(variables).flatMap(([name, row]) =>
      'default' in row ? [[name, row.default]] : [],
    );
    const remote = Object.entries(services).flatMap(([name, { http, grpc = '' }]) => [
      [`${name.toUpperCase()}_HTTP`, http],
      [`${name.toUpperCase()}_GRPC`, grpc],
    ]);
    const gateway = await startGateway({
      ...Object.fromEntries([...defaults, ...remote]),
      ...NO_LIMITS,
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: 0,
      SITE_URL: siteUrl,
      ACTOR_SECRET: actorSecret,
      LOG_LEVEL: 'silent',
      CACHE_MEGABYTES: megabytes,
    } as Config);
    gateways.push(gateway);
    await gateway.ready;
    return { url: gateway.url, administrator: stack.administrator };
  };
  try {
    const [keeping, plain] = [await gatewayWith(64), await gatewayWith(0)];
    const { id } = await send(plain, `${CORE}/posts`, { title: 'Written', status: 'publish' });
    const round = async (site: Site): Promise<Cost> => {
      const written = async (at: number): Promise<number> => {
        const began = performance.now();
        await send(site, `${CORE}/posts/${id}`, { title: `Written ${at}` });
        return performance.now() - began;
      };
      const times: number[] = [];
      for (let at = 0; at < FIRST_WRITES; at++) await written(at);
      const before = await spentNow();
      for (let at = 0; at < WRITES; at++) times.push(await written(FIRST_WRITES + at));
      let spent = 0;
      for (const [pid, ms] of await spentNow()) spent += ms - (before.get(pid) ?? 0);
      return { processor: spent / WRITES, waited: median(times) };
    };
    const telling = await db.first<{ sql: string }>(`select pg_get_functiondef('tell_news'::regproc) as sql`);
    const tell = (): Promise<number> => db.run((telling as { sql: string }).sql);
    const withNews = async (): Promise<Cost> => {
      await tell();
      return round(keeping);
    };
    const without = async (): Promise<Cost> => {
      await db.run(SILENT);
      return round(plain);
    };
    // What a process does for the first time takes longer.
    for (const first of [without, withNews, without, withNews]) await first();
    const pairs: (readonly [Cost, Cost])[] = [];
    for (let turn = 0; turn < ROUNDS; turn++) {
      // What the machine does more or less of from then on is not always to the loss of the same one.
      const isTurned = turn % 2 === 1;
      const one = await (isTurned ? without : withNews)();
      const other = await (isTurned ? withNews : without)();
      pairs.push(isTurned ? [other, one] : [one, other]);
    }
    await tell();
    const compared = (of: keyof Cost): Compared => {
      const ratios = pairs.map(([more, less]) => more[of] / less[of]).sort((x, y) => x - y);
      const quarter = Math.floor(ratios.length / 4);
      return {
        ratio: median(ratios),
        spread: [ratios[quarter] as number, ratios[ratios.length - 1 - quarter] as number],
        ms: median(pairs.map(([, less]) => less[of])),
      };
    };
    return { processor: compared('processor'), waited: compared('waited') };
  } finally {
    thaw();
    for (const gateway of gateways) await gateway.stop();
    await db.close();
  }
}
