/**
 * What the site notices of a service whose process is frozen (SIGSTOP), restarted, or killed again and again, on a whole
 * stack of real processes under a load of reads and writes, of users and of strangers: nothing, outside of the service's own namespace.
 * FAULTS=long tries every service in every way, and tells what it measured: of each other namespace how much went well, how long
 * its answers took during the fault beside before, and how soon the service was there again.
 */
import { until } from '@sevenfold/chassis/testing/until';
import { services } from '@sevenfold/catalog/catalog';
import { type Look, faultHeading, faultRow } from '../support/fault-table';
import { type TestStack, startTestStack } from '../support/stack';

interface Asked {
  readonly path: string;
  readonly method?: 'POST';
  readonly body?: object;
  /** Asked by a user; strangers otherwise. */
  readonly signed?: boolean;
}

/** What each service can do by itself. */
const NAMESPACES: Readonly<Record<string, readonly Asked[]>> = {
  content: [
    { path: '/rest/core/v2/posts' },
    { path: '/rest/core/v2/users/me', signed: true },
    { path: '/rest/core/v2/tags', signed: true },
  ],
  calendar: [
    { path: '/rest/calendar/events/v1/events' },
    { path: '/rest/calendar/events/v1/events', signed: true },
    { path: '/rest/calendar/events/v1/categories', signed: true },
  ],
  imports: [{ path: '/rest/calendar/event-aggregator/v1/import/none/batch', method: 'POST', body: {} }],
  forms: [
    { path: '/rest/contact-form/v1/contact-forms', signed: true },
    { path: '/rest/contact-form/v1/contact-forms' },
  ],
  spamfilter: [
    { path: '/rest/spamfilter/v1/settings', signed: true },
    { path: '/rest/spamfilter/v1/settings', method: 'POST', body: {}, signed: true },
    { path: '/rest/spamfilter/v1/settings' },
  ],
  seo: [{ path: '/rest/seo/v1/statistics', signed: true }, { path: '/rest/seo/v1/statistics' }],
  oembed: [{ path: '/rest/oembed/1.0/embed?url=http%3A%2F%2Felsewhere.test%2F' }],
};
const isLong = process.env.FAULTS === 'long';
/** Rounds of every witness before the fault, while it is known, and after it: enough for a 99th part where it is told. */
const ROUNDS = isLong ? 60 : 10;
const CRASHES = 3;
/** A 99th part of one alone is decided by two or three answers. */
const RESTARTS = isLong ? 5 : 1;

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ LOG_LEVEL: 'error' });
});
afterAll(() => stack?.stop());
const table: string[] = [];
afterAll(() => {
  if (isLong) console.log([faultHeading, ...table].join('\n'));
});

async function statusOf(url: string, { method, body, signed }: Asked): Promise<number> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(signed && { Authorization: stack.administrator }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response.status;
}

/** What a service answers that is not there. */
const AWAY: readonly unknown[] = [502, 503, 504];

interface Watched extends Asked {
  readonly url: string;
  readonly usual: number;
}

/** With the answer to it when all is well. */
async function known(asked: Asked, origin = stack.url): Promise<Watched> {
  const url = origin + asked.path;
  const usual = await until(async () => {
    const status = await statusOf(url, asked);
    return AWAY.includes(status) ? undefined : status;
  });
  return { ...asked, url, usual };
}

/** Asks one after the other, again and again, and keeps what was not answered as ever. */
function watch(all: readonly Watched[]) {
  const wrong: string[] = [];
  const looks: Look[] = [];
  let rounds = 0;
  let over = false;
  const work = (async () => {
    for (; !over; rounds++)
      for (const asked of all) {
        const at = performance.now();
        const status = await statusOf(asked.url, asked).catch((error: Error) => error.message);
        const isUsual = status === asked.usual;
        looks.push({ path: asked.path, at, ms: performance.now() - at, isUsual });
        if (!isUsual) wrong.push(`${status} ${asked.method ?? 'GET'} ${asked.url}`);
      }
  })();
  return {
    wrong,
    looks,
    rounds: () => rounds,
    stop: () => {
      over = true;
      return work;
    },
  };
}

const kill = (name: string, signal: NodeJS.Signals): void => {
  process.kill(stack.run().processes[name] as number, signal);
};

type Fault = 'frozen' | 'restarted' | 'crashing';

/** Brings the fault about and ends it; `during` is waited for while it lasts, where it lasts until it is ended. */
const faults: Readonly<
  Record<Fault, (name: string, during: () => Promise<void>, back: () => Promise<unknown>) => Promise<void>>
> = {
  frozen: async (name, during) => {
    const thaw = stack.freeze(name);
    try {
      await during();
    } finally {
      thaw();
    }
  },
  restarted: async (name, _, back) => {
    for (let turn = 0; turn < RESTARTS; turn++) {
      await stack.stack.restart(name);
      await back();
    }
  },
  crashing: async (name, _, back) => {
    for (let turn = 0; turn < CRASHES; turn++) {
      const before = stack.run().processes[name];
      kill(name, 'SIGKILL');
      await until(() => stack.run().processes[name] !== before);
      await back();
    }
  },
};

type Case = [service: string, fault: Fault];
const SHORT: Case[] = [
  ['content', 'frozen'],
  ['calendar', 'frozen'],
  ['content', 'crashing'],
  ['calendar', 'restarted'],
];
const LONG = services.flatMap(({ name }) =>
  (Object.keys(faults) as Fault[]).map((fault): Case => [name, fault]),
);

test.each(isLong ? LONG : SHORT)(
  'while the %s service is %s and afterwards all others answer everybody, and so do the probes',
  async (name, fault) => {
    const own = await Promise.all((NAMESPACES[name] as readonly Asked[]).map((asked) => known(asked)));
    const every = (is: (status: number, usual: number) => boolean) =>
      until(async () => {
        const statuses = await Promise.all(own.map((asked) => statusOf(asked.url, asked).catch(() => 0)));
        return statuses.every((status, at) => is(status, own[at]!.usual));
      });
    let recovered = 0;
    const back = async () => {
      const began = performance.now();
      await every((status, usual) => status === usual);
      recovered = Math.max(recovered, performance.now() - began);
    };
    // What is made of others' answers is theirs to miss.
    const others = Object.entries(NAMESPACES).filter(([other]) => other !== name && other !== 'oembed');
    const probed = [
      stack.url,
      ...Object.entries(stack.run().services).flatMap(([process, { http }]) =>
        process === name ? [] : [http],
      ),
    ];
    // What a service has yet to learn after its start is learned before anything happens.
    await back();
    recovered = 0;
    const lists = await Promise.all([
      ...others.map(([, all]) => Promise.all(all.map((asked) => known(asked)))),
      Promise.all([known({ path: '/rest/' })]),
      ...probed.map((url) => Promise.all(['/healthz', '/readyz'].map((path) => known({ path }, url)))),
    ]);
    const witnesses = lists.map(watch);
    const rounds = async (): Promise<void> => {
      const before = witnesses.map((one) => one.rounds());
      await until(() => witnesses.every((one, index) => one.rounds() >= before[index]! + ROUNDS));
    };
    const during = async (): Promise<void> => {
      await every((status) => status === 503);
      await rounds();
    };
    try {
      await rounds();
      const began = performance.now();
      await faults[fault](name, during, back);
      await back();
      const ended = performance.now();
      await rounds();
      const looks = witnesses.slice(0, others.length).flatMap((one) => one.looks);
      table.push(faultRow(`${name} ${fault}`, { looks, began, ended, recovered }));
    } finally {
      await Promise.all(witnesses.map((one) => one.stop()));
    }
    expect(witnesses.flatMap(({ wrong }) => wrong)).toEqual([]);
  },
);
