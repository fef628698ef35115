/**
 * What a process may remember of its database. Every copy names the PostgreSQL channels that announce, at commit, that
 * it may be old. While the connection that would say so is away nothing is kept, and nothing lives longer than its time
 * in any case. What is remembered of rows is ids and numbers: whoever shows the rows asks for them, with their conditions.
 */
import { createHash } from 'node:crypto';
import { openLru } from '../lru';
import { forMany } from '../request-id';
import type { Listener } from './listen';

export interface Remembered<T> {
  /** The value of the key: remembered, being loaded, or loaded now. A load that fails is not remembered. */
  get(key: string, load: () => Promise<T>): Promise<T>;
  /** The value of the key, where it is remembered or being loaded. */
  known(key: string): Promise<T> | undefined;
}

export interface Bounds<T = unknown> {
  readonly lifetimeMs: number;
  /** Number of keys, or of places that values take; what was not asked for the longest time goes first. */
  readonly most: number;
  /** How many places a value takes, where some are much larger than others; 1 by default. */
  readonly placesOf?: (value: T) => number;
}

/** Characters of a text that takes one place. */
const PLACE = 16 * 1024;

/** For `placesOf`, of values that are mostly text. */
export const placesOfText = (characters: number): number => Math.ceil(characters / PLACE);

export interface Memory<C extends string = string> {
  /** A bounded set of values that are dropped together when one of the channels speaks. */
  cache<T>(of: readonly C[], bounds: Bounds<T>): Remembered<T>;
  onMessage(channel: C, heard: (payload: string) => void): void;
  /** When the connection comes or goes: anything may have been missed. */
  onGap(heard: () => void): void;
  /** Whoever wrote says so after the commit, so that this process sees its own write at once; with what is told to `onMessage`. */
  forget(channel: C, payload?: string): void;
}

/**
 * Several values at once: all that is missing is loaded in one call, which starts when the whole list has been looked
 * through. Undefined for what the load does not bring; that is remembered as well.
 */
export async function getMany<K, T>(
  remembered: Remembered<T | undefined>,
  wanted: readonly K[],
  keyOf: (one: K) => string,
  load: (missing: readonly K[]) => Promise<ReadonlyMap<string, T>>,
): Promise<(T | undefined)[]> {
  const missing: K[] = [];
  let loaded: Promise<ReadonlyMap<string, T>> | undefined;
  return Promise.all(
    wanted.map((one) => {
      const key = keyOf(one);
      return remembered.get(key, () => {
        missing.push(one);
        loaded ??= Promise.resolve().then(() => load(missing));
        return loaded.then((found) => found.get(key));
      });
    }),
  );
}

/** What is asked may be as long as an address; the number of keys is bounded, so each of them has to be. */
const LONGEST_KEY = 1_000;

const shortened = (key: string): string =>
  key.length <= LONGEST_KEY ? key : createHash('sha256').update(key).digest('base64');

export function openMemory<const C extends string>(
  listener: Pick<Listener, 'hear' | 'noteOwn'>,
  channels: readonly C[],
): Memory<C> {
  const onMessage = new Map<string, Set<(payload: string) => void>>(
    channels.map((name) => [name, new Set()]),
  );
  const onGap = new Set<() => void>();
  let live = false;
  const speak = (channel: string, payload: string): void =>
    onMessage.get(channel)?.forEach((heard) => heard(payload));
  const gap = (now: boolean): void => {
    live = now;
    for (const heard of onGap) heard();
  };
  listener.hear({
    channels,
    onMessage: speak,
    onConnected: () => gap(true),
    onLost: () => gap(false),
  });
  const cache = <T>(of: readonly C[], { lifetimeMs, most, placesOf }: Bounds<T>): Remembered<T> => {
    const values = openLru<string, Promise<T>>({ most, ttl: lifetimeMs });
    // What is still being loaded goes as well: what began before a write must not be joined, or kept, after it.
    const forget = (): void => {
      if (values.size > 0) values.clear();
    };
    for (const channel of of) onMessage.get(channel)?.add(forget);
    onGap.add(forget);
    const get = (name: string, load: () => Promise<T>): Promise<T> => {
      const key = shortened(name);
      const known = values.get(key);
      if (known) return known;
      if (!live) return load();
      const value = forMany(load);
      values.set(key, value);
      value.then(
        (loaded) => {
          const size = placesOf?.(loaded) ?? 1;
          if (size <= 1 || values.peek(key) !== value) return;
          // The same value under its key would keep the size that it had.
          values.delete(key);
          values.set(key, value, { size });
        },
        () => {
          if (values.peek(key) === value) values.delete(key);
        },
      );
      return value;
    };
    return { get, known: (name) => values.get(shortened(name)) };
  };
  return {
    cache,
    onMessage: (channel, heard) => void onMessage.get(channel)?.add(heard),
    onGap: (heard) => void onGap.add(heard),
    forget: (channel, payload = '') => {
      listener.noteOwn();
      speak(channel, payload);
    },
  };
}
