/**
 * What a process may remember. Every copy here names the PostgreSQL channels that announce, at commit, that it may be
 * old; one connection listens for all of them. While that connection is away nothing is kept, and nothing lives longer
 * than its time in any case.
 */
import { type Listener, listen } from '@sevenfold/chassis/db/listen';
import type { Log } from '@sevenfold/chassis/log';

/** `events`, `linked` (venues and organizers): from triggers. `known`: from content/known.ts. */
export const channels = ['events', 'linked', 'known'] as const;
export type Channel = (typeof channels)[number];

export interface Remembered<T> {
  /** The value of the key: remembered, being loaded, or loaded now. */
  get(key: string, load: () => Promise<T>): Promise<T>;
  forget(): void;
}

export interface Memory {
  /** A bounded set of values that are dropped together when one of the channels speaks. */
  cache<T>(of: readonly Channel[], options: { lifetimeMs: number; most: number }): Remembered<T>;
  onMessage(channel: Channel, heard: (payload: string) => void): void;
  /** After a reconnection: anything may have been missed. */
  onGap(heard: () => void): void;
  /** Whoever wrote says so after the commit, so that this process sees its own write at once. */
  forget(channel: Channel): void;
  stop(): Promise<void>;
}

interface Entry<T> {
  readonly value: Promise<T>;
  readonly until: number;
}

export function openMemory(options: { databaseUrl: string; log: Log }): Memory {
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
  const listener: Listener = listen({
    url: options.databaseUrl,
    channels,
    log: options.log,
    onMessage: speak,
    onConnected: () => gap(true),
    onLost: () => gap(false),
  });
  const cache = <T>(
    of: readonly Channel[],
    { lifetimeMs, most }: { lifetimeMs: number; most: number },
  ): Remembered<T> => {
    let entries = new Map<string, Entry<T>>();
    // A new map rather than an empty one: what began to load before a write must not be kept after it.
    const forget = (): void => {
      entries = new Map();
    };
    for (const channel of of) onMessage.get(channel)?.add(forget);
    onGap.add(forget);
    const get = (key: string, load: () => Promise<T>): Promise<T> => {
      const now = Date.now();
      const known = entries.get(key);
      if (known && known.until > now) return known.value;
      const value = load();
      if (!live) return value;
      const home = entries;
      if (home.size >= most) home.delete(home.keys().next().value as string);
      home.delete(key);
      home.set(key, { value, until: now + lifetimeMs });
      value.catch(() => home.delete(key));
      return value;
    };
    return { get, forget };
  };
  return {
    cache,
    onMessage: (channel, heard) => void onMessage.get(channel)?.add(heard),
    onGap: (heard) => void onGap.add(heard),
    forget: (channel) => speak(channel, ''),
    stop: () => listener.stop(),
  };
}
