/**
 * Random writes of every kind and reads through two gateways that keep answers, beside one that keeps none: what was written
 * through a gateway is read through it at once, and everything else soon, whatever happens meanwhile to the news, to Redis, to
 * the line between a gateway and a service, and to those between services, where what stands in for others must not stay. `CACHE_STEPS` and `CACHE_SEED` make it longer and repeat a run.
 */
import { Client } from 'pg';
import { services as table } from '@sevenfold/catalog/catalog';
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { type Answer, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { freePort } from '@sevenfold/chassis/ports';
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Dice, diceOf } from '../assault/dice';
import { type Sentinel, allHeard } from '../support/heard';
import { type Site, startSite } from '../support/site';
import { type Background, openBackground } from './background';
import { areNamed, shownNames } from './names';
import { someRead } from './reads';
import { type Made, someChange } from './writes';

const STEPS = Number(process.env.CACHE_STEPS ?? 500);
const SEED = Number(process.env.CACHE_SEED ?? Date.now() % 1_000_000);
const LONGEST_MS = 300_000 + STEPS * 1_000;

let site: Site;
let other: RunningGateway | undefined;
let plain: RunningGateway | undefined;
let background: Background | undefined;
let administrator: Record<string, string>;
/** Between Redis and everybody, between the other gateway and the services whose news it hears, and between services. */
let redis: Freezable;
const lines: Freezable[] = [];
const inner: Freezable[] = [];
/** Holds what is locked. */
let keeper: Client;

beforeAll(async () => {
  const server = new URL(testServers().redisUrl);
  redis = await startFreezable(Number(server.port));
  server.port = String(redis.port);
  const REDIS_URL = server.href;
  const asked = ['content', 'calendar'];
  const ports = new Map<string, number>();
  const neighbours: Record<string, string> = {};
  for (const name of asked) {
    const port = await freePort();
    ports.set(name, port);
    const line = await startFreezable(port);
    inner.push(line);
    neighbours[`${name.toUpperCase()}_GRPC`] = `127.0.0.1:${line.port}`;
  }
  site = await startSite(
    { REDIS_URL },
    Object.fromEntries(
      table.map(({ name }) => [
        name,
        {
          ...neighbours,
          REDIS_URL,
          ...(ports.has(name) && { GRPC_PORT: ports.get(name) }),
          ...(name === 'content' && { COMMENT_FLOOD_SECONDS: 0 }),
        },
      ]),
    ),
  );
  const cut: Record<string, string> = {};
  for (const name of asked) {
    const line = await startFreezable(site.service(name).service.grpcPort);
    lines.push(line);
    cut[`${name.toUpperCase()}_GRPC`] = `127.0.0.1:${line.port}`;
  }
  other = await site.gateway({ ...cut, REDIS_URL });
  plain = await site.gateway({ CACHE_MEGABYTES: 0 });
  background = openBackground(site);
  administrator = await site.signIn(site.content.users.administrator);
  const dbOf = (name: string): Db => (site.service(name).deps as { db: Db }).db;
  keeper = new Client({ connectionString: site.content.deps.db.pool.options.connectionString });
  await keeper.connect();
  const makeSentinel = async (collection: string, body: object, sql: string): Promise<void> => {
    const { body: made } = await speaker(site.url).post(`/rest/${collection}`, body, administrator);
    const db = dbOf(collection.startsWith('core') ? 'content' : 'calendar');
    const { id } = made as { id: number };
    sentinels.push({ path: `/rest/${collection}/${id}`, change: (to) => db.run(sql, [id, to]) });
  };
  await makeSentinel('core/v2/tags', { name: 'Sentinel' }, 'update terms set name = $2 where id = $1');
  await makeSentinel(
    'calendar/events/v1/organizers',
    { organizer: 'Sentinel', status: 'publish' },
    'update organizers set name = $2 where id = $1',
  );
});
afterAll(async () => {
  for (const line of [redis, ...lines, ...inner]) line?.thaw();
  background?.stop();
  await keeper?.end();
  for (const one of [plain, other, site]) await one?.stop();
  for (const line of [redis, ...lines, ...inner]) await line?.stop();
});

/** What a client can tell apart. */
const seen = ({ status, headers, text }: Answer): string =>
  JSON.stringify([
    status,
    ...['x-total', 'x-total-pages', 'link', 'content-type', 'location'].map((name) => headers.get(name)),
    text,
  ]);

interface Door {
  readonly name: string;
  readonly url: string;
}

/** A connection that was cut, or an answer that did not come, is no answer: as clients do, a read is asked once more. */
async function read(door: Door, path: string): Promise<Answer> {
  const ask = (): Promise<Answer> => speaker(door.url).get(path);
  try {
    return await ask();
  } catch (error) {
    // What `fetch` fails with; an answer that is no JSON is none that may be asked for again.
    if (error instanceof TypeError) return ask();
    throw error;
  }
}

/** Some service cannot be asked just now: nothing is told, so nothing is wrong. */
const isAway = ({ status }: Answer): boolean => status >= 502;

/** Within a second, on a machine that has nothing else to do; the limit only tells late from never. */
const LATEST_MS = 120_000;
const soon = async (same: () => Promise<boolean>, what: () => string): Promise<unknown> => {
  const begun = performance.now();
  return until(async () => {
    if (await same()) return true;
    if (performance.now() - begun > LATEST_MS) throw new Error(`stale: ${what()}`);
    return false;
  });
};

const cutListeners = (name: string): Promise<unknown> =>
  (site.service(name).deps as { db: Db }).db.run(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%-listener'`,
  );

/** What is changed behind everybody's back, to see that all before it was heard. */
const sentinels: Sentinel[] = [];
async function settle(doors: readonly Door[]): Promise<true> {
  for (const { path, change } of sentinels)
    await allHeard(
      {
        path,
        // A machine that is too busy for a connection in time says nothing of the cache.
        change: (to) => until(() => change(to).then(Boolean, () => false)),
      },
      doors.map((door) => ({ get: (at) => read(door, at) })),
    );
  return true;
}

/** Something that is broken for some steps. */
interface Fault {
  /** Services do not reach one of them: what they tell depends on the moment, and what they told must not stay. */
  readonly isBetween?: boolean;
  readonly mend: () => void | Promise<void>;
}

const frozen = (line: Freezable, isBetween = false): Fault => {
  line.freeze();
  return { isBetween, mend: () => line.thaw() };
};

/** All have new names, and nobody can read them: others tell what they knew. */
async function lockedTerms(dice: Dice): Promise<Fault> {
  await keeper.query(`update terms set name = 'Renamed ' || $1 || ' of ' || id`, [dice.between(1, 999)]);
  await keeper.query('begin; lock table terms in access exclusive mode');
  return { isBetween: true, mend: async () => void (await keeper.query('rollback')) };
}

async function breakSomething(dice: Dice): Promise<Fault> {
  const faults: readonly (() => Fault | Promise<Fault>)[] = [
    () => frozen(redis),
    async () => {
      const { port } = redis;
      await redis.stop();
      return {
        mend: async () => {
          redis = await startFreezable(Number(new URL(testServers().redisUrl).port), port);
        },
      };
    },
    async () => {
      await cutListeners(dice.pick(['content', 'calendar', 'seo']));
      return { mend: () => undefined };
    },
    () => frozen(dice.pick(lines)),
    () => frozen(dice.pick(inner), true),
    () => lockedTerms(dice),
  ];
  return dice.pick(faults)();
}

const SHARED = ['core/v2', 'calendar/events/v1'];
/** Such as `core/v2`; empty for pages. */
const namespaceOf = (path: string): string =>
  table.find(({ namespace }) => path.replace(/^\/rest\//, '').startsWith(`${namespace}/`))?.namespace ?? '';
/** The filter calls nobody; what all others write may have reached the content and the calendar. */
const isReached = (read: string, written: string): boolean =>
  read !== '' &&
  written !== '' &&
  (read === written || (SHARED.includes(read) && !written.startsWith('spamfilter/')));

test(
  `what is read is what is there (seed ${SEED})`,
  async () => {
    const dice = diceOf(SEED);
    const made: Made = new Map([['core/v2/users', [site.content.users.administrator.id]]]);
    const links: string[] = [];
    // Who writes all of it.
    const { body: me } = await site.client.get('/rest/core/v2/users/me', administrator);
    const author = String(me.link);
    const one: Door = { name: 'one', url: site.url };
    const doors: readonly Door[] = [one, { name: 'other', url: (other as RunningGateway).url }];
    const truth: Door = { name: 'plain', url: (plain as RunningGateway).url };
    const lately: string[] = [];
    const kinds = new Map<string, number>();
    let hits = 0;
    /** The only one through which anything came since both knew everything; undefined: there is none. */
    let written: Door | undefined;
    /** Where the last change went. */
    let reached = 'core/v2';
    let fault: Fault | undefined;
    let mendAt = 0;

    /** Of what was mended just now others may not know yet that it answers; so they are asked again, also to write. */
    const present = (ask: () => Promise<Answer>): Promise<Answer> =>
      fault ? ask() : until(async () => [await ask()].find((answer) => !isAway(answer)));

    const change = async (): Promise<void> => {
      // Through the line that is cut nothing can be signed in.
      const door = fault ? one : dice.pick(doors);
      if (door !== written) {
        const isSettled = !fault && dice.oneIn(2) && (await settle(doors));
        written = isSettled ? door : undefined;
      }
      const { method, path, body, headers, makes } = someChange(dice, made);
      const send = (): Promise<Answer> =>
        speaker(door.url).request(method, path, { body, headers: { ...administrator, ...headers } });
      const answer = await present(send);
      reached = namespaceOf(path);
      kinds.set(`${method} ${makes ?? path.replace(/\d+.*$/, '…')}`, answer.status);
      // Some are refused, such as a change of what was deleted; none may be a fault.
      expect([path, answer.status < 500 || fault !== undefined, answer.text]).toEqual([
        path,
        true,
        answer.text,
      ]);
      const { id, link } = (typeof answer.body === 'object' ? (answer.body ?? {}) : {}) as {
        id?: number;
        link?: string;
      };
      if (makes !== undefined && answer.status === 201 && id !== undefined)
        made.set(makes, [...(made.get(makes) ?? []), id]);
      if (link?.startsWith('http') && !link.includes('?')) links.push(link);
      links.splice(0, links.length - 60);
    };

    // What is kept has to be among what is read, and a busy machine, whose news are often silent, keeps less: on until it is.
    for (let step = 0; step < STEPS || hits <= STEPS / 10; step++) {
      if (fault && step >= mendAt) {
        await fault.mend();
        fault = undefined;
        written = undefined;
      }
      if (!fault && dice.oneIn(60)) {
        fault = await breakSomething(dice);
        mendAt = step + dice.between(1, 8);
      }
      if (dice.oneIn(5)) {
        await change();
        continue;
      }
      if (!fault?.isBetween && dice.oneIn(40)) {
        await (background as Background).happen(dice);
        written = undefined;
        continue;
      }
      // What was read before is what may be old by now.
      const path =
        lately.length > 0 && !dice.oneIn(4) ? dice.pick(lately) : someRead(dice, made, [author, ...links]);
      lately.unshift(path);
      lately.splice(40);
      const door = dice.pick(doors);
      if (fault?.isBetween) {
        await read(door, path);
        continue;
      }
      let last: unknown[] = [];
      const same = async (): Promise<boolean> => {
        const before = await present(() => read(truth, path));
        const answer = await present(() => read(door, path));
        if (answer.headers.get('x-cache') === 'hit') hits += 1;
        if (fault && (isAway(answer) || isAway(before))) return true;
        last = [seen(answer), seen(before)];
        // Unless it changed just then.
        return last[0] === last[1] || seen(await read(truth, path)) !== last[1];
      };
      const where = [step, door.name, path];
      if (!fault && door !== written) {
        const named = async (): Promise<boolean> => {
          const answer = await present(() => read(door, path));
          for (const { at, names } of shownNames(path, answer.body)) {
            const given = await present(() => read(truth, at));
            last = [answer.text, at, given.text];
            if (!areNamed(names, given.body)) return false;
          }
          return true;
        };
        await soon(named, () => JSON.stringify([...where, ...last]));
      }
      if (door === written && !fault && isReached(namespaceOf(path), reached))
        expect([...where, await same(), ...last]).toEqual([...where, true, ...last]);
      else await soon(same, () => JSON.stringify([...where, ...last]));
    }
    await fault?.mend();
    if (process.env.CACHE_STEPS) console.log(Object.fromEntries([...kinds].sort()), { hits, seed: SEED });
  },
  LONGEST_MS,
);
