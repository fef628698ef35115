/** Answers kept in memory, as many as there is room for: the oldest go first, unless they were asked for meanwhile. */
import { type Shown as ShownOf, isFresh, tagBytes } from '@sevenfold/chassis/news/record';
import { Gauge } from 'prom-client';
import type { Whole } from '../edge/whole';
import type { ServiceNews } from './news';
import { type Laid, openShelves } from './shelves';

export type Shown = ShownOf<ServiceNews>;

export interface Kept extends Whole {
  readonly shown: readonly Shown[];
  /** When it was asked for, by `performance.now()`. */
  readonly begun: number;
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Who answered, where the gateway made it itself. */
  readonly by?: string;
  /** The pattern of what answered. */
  readonly route?: string;
}

export interface Store {
  /** Undefined also for what is not fresh any more. */
  find(key: string): Kept | undefined;
  /** Whatever is kept there, fresh or not. */
  peek(key: string): Kept | undefined;
  keep(key: string, kept: Kept): void;
  /** Puts another form of the same in its place. */
  exchange(key: string, kept: Kept): void;
  readonly bytes: number;
  readonly size: number;
  /** Counts no more among what is kept. */
  close(): void;
}

const stores = new Set<Store>();
new Gauge({
  name: 'gateway_cache_bytes',
  help: 'Memory that kept answers take, estimated',
  collect() {
    this.set(sum([...stores].map(({ bytes }) => bytes)));
  },
});
new Gauge({
  name: 'gateway_cache_answers',
  help: 'Answers that are kept',
  collect() {
    this.set(sum([...stores].map(({ size }) => size)));
  },
});

/** Of maps, buffers and strings around what was sent. */
const OVERHEAD = 1_024;

interface Entry extends Laid {
  readonly key: string;
  kept: Kept;
  /** In memory, besides what lies on a shelf. */
  readonly overhead: number;
}

export function openStore(mostBytes: number): Store {
  const entries = new Map<string, Entry>();
  const shelves = openShelves<Entry>(mostBytes);
  let overhead = 0;
  const bytes = (): number => shelves.bytes + overhead;

  const forget = (entry: Entry): void => {
    shelves.take(entry);
    if (entries.get(entry.key) !== entry) return;
    entries.delete(entry.key);
    overhead -= entry.overhead;
  };
  const lay = (entry: Entry): void => {
    const { kept } = entry;
    const pieces = piecesOf(kept);
    const laid = shelves.lay(entry, pieces);
    const moved = (piece: Buffer): Buffer => laid[pieces.indexOf(piece)] as Buffer;
    const forms = kept.forms && Object.entries(kept.forms).map(([coding, form]) => [coding, moved(form)]);
    entry.kept = {
      ...kept,
      body: moved(kept.body),
      ...(forms && { forms: Object.fromEntries(forms) as Kept['forms'] }),
    };
  };
  const makeRoom = (): void => {
    while (bytes() > mostBytes && entries.size > 0) {
      const { moves, goes } = shelves.clear();
      goes.forEach(forget);
      moves.forEach(lay);
    }
  };
  const put = (key: string, kept: Kept, wasAsked: boolean): void => {
    const before = entries.get(key);
    if (before) forget(before);
    const length = sum(piecesOf(kept).map((piece) => piece.length));
    const entry = { key, kept, wasAsked, length, overhead: overheadOf(key, kept) };
    if (length + entry.overhead > mostBytes) return;
    lay(entry);
    entries.set(key, entry);
    overhead += entry.overhead;
    makeRoom();
  };
  const store: Store = {
    find: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      const { kept } = entry;
      for (const { news } of kept.shown) if (!news.isSure(kept.begun)) return undefined;
      if (kept.until > Date.now() && kept.shown.every(isFresh)) {
        entry.wasAsked = true;
        return kept;
      }
      forget(entry);
      return undefined;
    },
    keep: (key, kept) => {
      if (kept.shown.every(isFresh)) put(key, kept, false);
    },
    peek: (key) => entries.get(key)?.kept,
    exchange: (key, kept) => put(key, kept, true),
    get bytes() {
      return bytes();
    },
    get size() {
      return entries.size;
    },
    close: () => void stores.delete(store),
  };
  stores.add(store);
  return store;
}

const sum = (all: readonly number[]): number => all.reduce((some, one) => some + one, 0);

/** What was sent of it, and what may be: a form that is the body itself is no piece of its own. */
const piecesOf = ({ body, forms }: Kept): Buffer[] => [...new Set([body, ...Object.values(forms ?? {})])];

/** `Link` alone repeats what was asked twice. */
const overheadOf = (key: string, { shown, headers }: Kept): number =>
  OVERHEAD + 2 * key.length + sum(Object.values(headers).map((value) => value.length)) + tagBytes(shown);
