/** The page of capacity figures, made of what was measured and what is assumed. */
import { type Figures, type KindName, type Spent, kinds } from './figures';
import { type Needs, type Step, assumed, begun, boundsOf, needsOf } from './model';

const steps: readonly Step[] = [
  { events: 10_000, requests: 100 },
  { events: 100_000, requests: 1_000 },
  { events: 1_000_000, requests: 1_000 },
  { events: 1_000_000, requests: 10_000 },
  { events: 10_000_000, requests: 10_000 },
  { events: 10_000_000, requests: 100_000 },
  { events: 100_000_000, requests: 10_000 },
  { events: 100_000_000, requests: 100_000 },
];

const told: Readonly<Record<KindName, string>> = {
  hit: 'from the memory of the gateway',
  events: 'list of events, ten a page',
  event: 'one event',
  posts: 'list of posts, ten a page',
  post: 'one post',
  search: 'search for posts',
  write: 'a new post, with all that follows from it',
};

const many = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 0 });
const two = (value: number): string => (value < 10 ? value.toFixed(value < 0.1 ? 2 : 1) : many(value));
function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const at = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${two(value / 1000 ** at)} ${units[at]}`;
}
const bits = (value: number): string => `${bytes(value).replace(/B$/, 'bit')}/s`;

const table = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  others: '---' | '---:' = '---:',
): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : others)), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

const POSTGRES = 'postgres';
const REDIS = 'redis';

function costs({ kinds: found }: Figures): string {
  return table(
    ['one request', 'gateway', 'service', 'workers and others', 'PostgreSQL', 'Redis', 'answer'],
    kinds.map((kind) => {
      const { spent, bytes: size } = found[kind];
      const service = kind.startsWith('event') ? 'calendar' : 'content';
      const known = [spent.gateway, spent[service], spent[POSTGRES], spent[REDIS]].map((one) => one ?? 0);
      const others = sum(spent) - known.reduce((all, one) => all + one, 0);
      const [gateway = 0, own = 0, postgres = 0, redis = 0] = known;
      return [told[kind], ...[gateway, own, others, postgres, redis].map(many), bytes(size)];
    }),
  );
}

const sum = (spent: Spent): number => Object.values(spent).reduce((all, one) => all + one, 0);
const processesOf = ({ processes }: Needs, isWorker: boolean): string => {
  const own = Object.entries(processes).filter(
    ([name]) => name.endsWith('-worker') === isWorker && name !== 'gateway',
  );
  const more = own.filter(([, count]) => count > begun.processes).map(([name, count]) => `${name} ${count}`);
  return more.length === 0 ? `${begun.processes} each` : `${more.join(', ')}, others ${begun.processes}`;
};
const name = ({ events, requests }: Step): string => `${many(events)} / ${many(requests)}`;

function servers(all: readonly Needs[]): string {
  return table(
    [
      'events / requests a second',
      'gateways',
      'services',
      'workers',
      'cores of all of them',
      'connections',
      'network out',
    ],
    all.map((needs) => [
      name(needs.step),
      String(needs.processes.gateway),
      processesOf(needs, false),
      processesOf(needs, true),
      two(sum(needs.cores) / assumed.use),
      many(needs.postgresql.connections),
      bits(needs.network),
    ]),
  );
}

function stores(all: readonly Needs[]): string {
  return table(
    [
      'events / requests a second',
      'cores (calendar, content)',
      'of them for reads',
      'primary with replicas',
      'size',
      'memory',
      'IOPS (read, write)',
      'log a day',
      'Redis (cores, memory)',
    ],
    all.map(({ step, postgresql: one, redis }) => [
      name(step),
      [one.calendarCores, one.contentCores].map((cores) => two(cores / assumed.use)).join(', '),
      two(one.readCores / assumed.use),
      two(one.primaryCores / assumed.use),
      bytes(one.bytes),
      bytes(one.memory),
      [one.readIops, one.writeIops].map(many).join(', '),
      bytes(one.logBytesPerDay),
      `${two(redis.cores / assumed.use)}, ${bytes(redis.memory)}`,
    ]),
  );
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/`gateway`/, 'more gateways'],
  [/`[\w]+-worker`/, 'more of that worker'],
  [/`\w+`/, 'more of that service'],
  [/time of PostgreSQL/, 'calendar and content on servers of their own, then replicas'],
  [/memory of PostgreSQL/, 'a larger server, then calendar and content apart'],
  [/disk/, 'disks with more IOPS; calendar and content apart'],
  [/connections/, 'a pooler (PgBouncer) before the servers'],
  [/Redis/, 'a Redis of its own for each prefix: calendar and content apart'],
  [/network/, 'a cache on the way (`CACHE_KEY_HEADER`, `PURGE_URL`), compressed answers'],
];
const remedyFor = (what: string): string => REMEDIES.find(([pattern]) => pattern.test(what))?.[1] ?? '';

function bottlenecks(all: readonly Needs[]): string {
  return table(
    ['events / requests a second', 'runs out first', 'then', 'what helps'],
    all.map((needs) => {
      const [first, second] = boundsOf(needs);
      if (!first || !second || first.times <= 1)
        return [name(needs.step), `nothing (${first?.what}: ${two((first?.times ?? 0) * 100)} %)`, '', ''];
      const of = ({ what, times }: typeof first): string => `${what}: ${two(times)} times`;
      return [
        name(needs.step),
        of(first),
        second.times > 1 ? of(second) : '',
        [...new Set([first, ...(second.times > 1 ? [second] : [])].map(({ what }) => remedyFor(what)))].join(
          '; ',
        ),
      ];
    }),
    '---',
  );
}

export function pageOf(figures: Figures): string {
  const all = steps.map((step) => needsOf(figures, step));
  const { stored, imported, asked } = figures;
  const share = (value: number): string => `${two(value * 100)} %`;
  const rate = sum(imported) > 0 ? 1e6 / Math.max(...Object.values(imported)) : 0;
  return `# Capacity

Made by \`npm run capacity\` from \`deploy/capacity.json\`, measured on ${figures.at} with Node ${figures.node} and PostgreSQL ${figures.postgresql}. What is computed beyond what was
measured is computed: try it with your own data before you trust it.

## Measured

Microseconds of processor time for each, with ${many(figures.rows)} events and as many posts, counted by the system: waiting is no part of it, and what processes
spend for nothing is taken off. On average ${figures.busy} processes wanted to run on ${figures.cores}
cores meanwhile: what is more than the cores is other work, which makes every figure larger, by half and more; measure again where it is quiet.
All but the first kind reach PostgreSQL: neither the gateway
nor the services kept anything.

${costs(figures)}

An imported event, from its batch to the index of what search engines are told: ${many(sum(imported))} µs, of these ${Object.entries(
    imported,
  )
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([one, micros]) => `${one} ${many(micros)}`)
    .join(', ')}. One process of each, on cores of their own, apply about ${many(rate)} events a second.

| kept for each | bytes |
| --- | ---: |
| event, with indexes | ${many(stored.event)} |
| post, with indexes | ${many(stored.post)} |
| what search engines are told of one of them | ${many(stored.indexed)} |
| log of PostgreSQL for an imported event | ${many(stored.log)} |
| Redis, for an imported event | ${many(figures.waiting)} |

A read that may go to a replica costs the primary ${many(asked[POSTGRES] ?? 0)} µs, less where many ask at once. The most memory that a process took: ${Object.entries(
    figures.memory,
  )
    .filter(([one]) => one !== POSTGRES && one !== REDIS)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([one, most]) => `${one} ${bytes(most)}`)
    .join(', ')}.

## Assumed

- What a request costs grows by ${share(assumed.growth)} with ten times the rows, by the benchmark with a million.
- Of all requests ${kinds.map((kind) => `${share(assumed.mix[kind])} ${told[kind]}`).join(', ')}.
- A core is used to ${share(assumed.use)} in the long run. There are as many posts as events.
- Every event comes anew with an import once in ${many(assumed.importedEvery / 3_600)} hours, in batches of ${assumed.batch}.
- ${share(assumed.hot)} of the data are read often and are to be in memory; ${share(assumed.cold)} of what reaches PostgreSQL asks for ${assumed.pages} pages that are not.
- A connection takes ${bytes(assumed.connectionBytes)}. Redis keeps what came in ${assumed.backlog} seconds.
- A site begins with two of each process, a PostgreSQL of ${begun.postgresqlCores} cores, ${bytes(begun.postgresqlMemory)}, ${many(begun.iops)} IOPS and ${begun.connections} connections, and ${bits(begun.network)}.

## Formulae

With R requests a second, E events, c(k, p) the microseconds that a request of kind k takes of process p, m(k) its share, i(p) those of an imported event, u = ${assumed.use}:

- cores of p = (R · Σ m(k) · c(k, p) + E / ${many(assumed.importedEvery)} · i(p)) / 1,000,000; processes of p = cores / u, at least two.
- c of services and of PostgreSQL grows by ${share(assumed.growth)} with ten times the events that were there when it was measured.
- PostgreSQL: size = E · (event + post + 2 · index); memory = ${assumed.hot} · size + connections · ${bytes(assumed.connectionBytes)}; connections = Σ processes · what each opens.
- Reads from its disk = R · Σ m(read) · ${assumed.cold} · ${assumed.pages}; writes = commits · ${1 + assumed.pages} + log / 8 kB; commits = R · m(write) + E / ${many(assumed.importedEvery)} / ${assumed.batch}.
- With replicas the primary keeps writes, imports, and the asking of each read; the rest is divided by their number.
- Network = R · Σ m(k) · bytes(k), not compressed. Compressed it is about a quarter.

## Processes

Cores already with the reserve (divided by u).

${servers(all)}

## Stores

${stores(all)}

## What runs out first

By how many times of what a site begins with it needs.

${bottlenecks(all)}

## What grows without end, and what bounds it

| table | grows by | bounded by |
| --- | --- | --- |
| \`outbox\` (each service) | a row for each job and domain event | done rows go after a day, 5,000 at a time, once a second while there are more: 5,000 a second for each worker. Jobs that were given up stay until retried or discarded: \`cli jobs\` |
| \`inbox\` (each service) | a row for each event of another service | after seven days, in the same way |
| \`verdict_events\` (spamfilter) | a row for each verdict | partitions by month, dropped whole; statistics are in roll-ups of a row a day |
| \`messages\` (spamfilter) | a row for each message that was judged | after their days, some at a time |
| \`submissions\`, \`uploads\`, \`receipts\` (forms) | a row for each form that is sent | the days of each folder, some at a time |
| \`batches\`, \`faults\` (imports) | a row for each batch and each event that was skipped | a year after the last sign of the import, some at a time; the import itself, one row, stays |
| \`applied_batches\` (calendar) | a row for each batch | after a year, some at a time |
| \`revisions\` (content) | a row for each change of a text | with their post: they are content of the site |
| streams in Redis | an entry for each domain event | a length of their own |

Partitions by time are for \`verdict_events\` alone: there a month is dropped for nothing. The others are emptied by an index in the order of their age, with
\`autovacuum\` set to look after two per cent of changes; an outbox of a day holds 86 million rows at 1,000 writes a second, which deleting keeps up with five times over.
`;
}
