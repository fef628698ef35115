/**
 * From what one of each costs to what a site needs. Every number here that was not measured is an assumption, and the page says
 * it (page.ts): who knows better of a site puts it in here and makes the page anew.
 */
import { shareOut } from '@sevenfold/chassis/db/shares';
import { declared } from '../../support/declared';
import { type Figures, type KindName, type Spent, kinds } from './figures';

export interface Step {
  readonly events: number;
  readonly requests: number;
}

export const assumed = {
  /** Of all requests. */
  mix: { hit: 0.9, events: 0.04, event: 0.03, posts: 0.01, post: 0.01, search: 0.005, write: 0.005 },
  /** Of a core, in the long run: the rest is for bursts, and for what a rolling upgrade takes away. */
  use: 0.6,
  /** What a request costs more with ten times the rows. */
  growth: 0.15,
  /** Every event comes anew once in so many seconds. */
  importedEvery: 86_400,
  /** Of the data, what is read often and wants to be in memory. */
  hot: 0.2,
  /** Of reads that reach PostgreSQL, what asks for something that is not, and how many pages that takes. */
  cold: 0.05,
  pages: 5,
  batch: 50,
  /** Redis keeps what came in so many seconds. */
  backlog: 300,
  /** Memory of a connection of PostgreSQL. */
  connectionBytes: 10e6,
} as const satisfies { readonly mix: Readonly<Record<KindName, number>>; readonly [name: string]: unknown };

/** What a site starts with: two of each process, and servers of a usual size. */
export const begun = {
  processes: 2,
  postgresqlCores: 8,
  postgresqlMemory: 32e9,
  iops: 3_000,
  connections: 200,
  network: 1e9,
} as const;

const DATABASE_OF: Partial<Record<KindName, 'calendar' | 'content'>> = {
  events: 'calendar',
  event: 'calendar',
  posts: 'content',
  post: 'content',
  search: 'content',
  write: 'content',
};
const POSTGRES = 'postgres';
const REDIS = 'redis';
const reads = kinds.filter((kind) => kind !== 'hit' && kind !== 'write');

/** Microseconds for one with so many rows: indexes get deeper, and less of them is near. What the gateway does knows nothing of rows. */
function costAt({ kinds: found, rows }: Figures, kind: KindName, name: string, wanted: number): number {
  const cost = found[kind].spent[name] ?? 0;
  return name === 'gateway' ? cost : cost * (1 + assumed.growth * Math.max(0, Math.log10(wanted / rows)));
}

export interface Needs {
  readonly step: Step;
  /** By process of the chart. */
  readonly cores: Spent;
  readonly processes: Spent;
  readonly postgresql: {
    readonly calendarCores: number;
    readonly contentCores: number;
    /** Of both, what a replica could answer, and what is left then. */
    readonly readCores: number;
    readonly primaryCores: number;
    readonly bytes: number;
    readonly memory: number;
    readonly readIops: number;
    readonly writeIops: number;
    readonly logBytesPerDay: number;
    readonly connections: number;
  };
  readonly redis: { readonly cores: number; readonly memory: number };
  /** Bits a second to clients. */
  readonly network: number;
  readonly importedPerSecond: number;
}

/** Connections that one process opens, by its name in the chart. */
const connectionsOf = new Map(
  declared
    .filter(({ definition }) => definition.migrations !== undefined)
    .flatMap(({ row, definition }) =>
      row.processes.map(({ role }) => [
        role === 'api' ? row.name : `${row.name}-${role}`,
        shareOut(definition.connections, role).most,
      ]),
    ),
);

export function needsOf(figures: Figures, step: Step): Needs {
  const { mix, use } = assumed;
  const { events, requests } = step;
  const importedPerSecond = events / assumed.importedEvery;
  const perSecond = (kind: KindName): number => requests * mix[kind];
  const coresFor = (name: string, some: readonly KindName[]): number =>
    some.reduce((sum, kind) => sum + (perSecond(kind) * costAt(figures, kind, name, events)) / 1e6, 0);
  const importing = (name: string): number => (importedPerSecond * (figures.imported[name] ?? 0)) / 1e6;

  const names = new Set([
    ...Object.keys(figures.imported),
    ...kinds.flatMap((kind) => Object.keys(figures.kinds[kind].spent)),
    ...connectionsOf.keys(),
  ]);
  names.delete(POSTGRES);
  names.delete(REDIS);
  const cores = Object.fromEntries(
    [...names].sort().map((name) => [name, coresFor(name, kinds) + importing(name)]),
  );
  const processes = Object.fromEntries(
    Object.entries(cores).map(([name, one]) => [name, Math.max(begun.processes, Math.ceil(one / use))]),
  );

  const of = (database: 'calendar' | 'content'): number =>
    coresFor(
      POSTGRES,
      kinds.filter((kind) => DATABASE_OF[kind] === database),
    );
  const importCores = importing(POSTGRES);
  const readCores = coresFor(POSTGRES, reads);
  const readsPerSecond = reads.reduce((sum, kind) => sum + perSecond(kind), 0);
  const asking = (readsPerSecond * (figures.asked[POSTGRES] ?? 0)) / 1e6;
  const { stored } = figures;
  const bytes = events * (stored.event + stored.post + 2 * stored.indexed);
  const connections = Object.entries(processes).reduce(
    (sum, [name, count]) => sum + count * (connectionsOf.get(name) ?? 0),
    0,
  );
  const commits = perSecond('write') + importedPerSecond / assumed.batch;
  return {
    step,
    cores,
    processes,
    postgresql: {
      calendarCores: of('calendar') + importCores,
      contentCores: of('content'),
      readCores,
      primaryCores: of('calendar') + of('content') + importCores - readCores + asking,
      bytes,
      memory: bytes * assumed.hot + connections * assumed.connectionBytes,
      readIops: readsPerSecond * assumed.cold * assumed.pages,
      // A commit, and the pages that it made old, written out later.
      writeIops: commits * (1 + assumed.pages) + (importedPerSecond * stored.log) / 8_192,
      logBytesPerDay: importedPerSecond * stored.log * 86_400,
      connections,
    },
    redis: {
      cores: coresFor(REDIS, kinds) + importing(REDIS),
      memory: (importedPerSecond + perSecond('write')) * assumed.backlog * figures.waiting,
    },
    network: 8 * kinds.reduce((sum, kind) => sum + perSecond(kind) * figures.kinds[kind].bytes, 0),
    importedPerSecond,
  };
}

export interface Bound {
  readonly what: string;
  /** How many times of what a site begins with. */
  readonly times: number;
}

/** What runs out first, by how many times of what a site begins with it needs. */
export function boundsOf({ cores, postgresql, redis, network }: Needs): Bound[] {
  const { use } = assumed;
  const process = Object.entries(cores).map(([name, one]) => ({
    what: `processor time of \`${name}\``,
    times: one / use / begun.processes,
  }));
  const { calendarCores, contentCores, memory, readIops, writeIops, connections } = postgresql;
  return [
    ...process,
    {
      what: 'processor time of PostgreSQL',
      times: (calendarCores + contentCores) / use / begun.postgresqlCores,
    },
    { what: 'memory of PostgreSQL', times: memory / begun.postgresqlMemory },
    { what: 'its disk (IOPS)', times: (readIops + writeIops) / begun.iops },
    { what: 'connections to PostgreSQL', times: connections / begun.connections },
    { what: 'processor time of Redis', times: redis.cores / use },
    { what: 'network to clients', times: network / begun.network },
  ].sort((a, b) => b.times - a.times);
}
