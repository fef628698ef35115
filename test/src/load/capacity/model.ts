/**
 * From what one of each costs to what a site needs. Every number here that was not measured is an assumption, and the page says
 * it (page.ts): who knows better of a site puts it in here and makes the page anew.
 */
import { shareOut } from '@sevenfold/chassis/db/shares';
import { declared } from '../../support/site';
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
  /** Every event comes anew once in so many seconds. */
  importedEvery: 86_400,
  /** Of the data, what is read often and wants to be in memory. */
  hot: 0.2,
  /** Of reads that reach PostgreSQL, what asks for something that is not, and how many pages that takes. */
  cold: 0.05,
  pages: 5,
  batch: 50,
  /** Of waiting domain events Redis holds so many seconds, should nobody take them. */
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
  connections: 100,
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

/** Microseconds for one with so many rows: as measured, and beyond that along the last two sizes, by powers of ten. */
export function costAt(
  { measured }: Pick<Figures, 'measured'>,
  kind: KindName,
  name: string,
  rows: number,
): number {
  const at = measured.map((one) => ({ rows: Math.log10(one.rows), cost: one.kinds[kind].spent[name] ?? 0 }));
  const last = at[at.length - 1] as (typeof at)[number];
  const before = at[at.length - 2];
  const wanted = Math.log10(Math.max(1, rows));
  if (!before || wanted <= (at[0]?.rows ?? 0))
    return wanted <= (at[0]?.rows ?? 0) ? (at[0]?.cost ?? 0) : last.cost;
  const slope = (last.cost - before.cost) / (last.rows - before.rows);
  return Math.max(last.cost * 0.5, last.cost + slope * (wanted - last.rows));
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
    ...figures.measured.flatMap((one) => kinds.flatMap((kind) => Object.keys(one.kinds[kind].spent))),
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
    network: 8 * kinds.reduce((sum, kind) => sum + perSecond(kind) * bytesOf(figures, kind), 0),
    importedPerSecond,
  };
}

const bytesOf = ({ measured }: Figures, kind: KindName): number =>
  measured[measured.length - 1]?.kinds[kind].bytes ?? 0;

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
