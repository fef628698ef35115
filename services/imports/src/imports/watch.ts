/** Tells who waits that an import has changed. It listens from when somebody first asks. */
import type { Listener } from '@sevenfold/chassis/db/listen';
import { PROGRESS_CHANNEL } from './store';

export interface Watch {
  /** Resolves when the import changes, after `ms` at the latest, or when the signal aborts. */
  changed(id: number, ms: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function openWatch(listener: Listener): Watch {
  let deafen: (() => void) | undefined;
  const waiting = new Map<number, Set<() => void>>();
  const wake = (id: number): void => waiting.get(id)?.forEach((resolve) => resolve());
  const wakeAll = (): void => [...waiting.keys()].forEach(wake);
  return {
    changed: (id, ms, signal) => {
      deafen ??= listener.hear({
        channels: [PROGRESS_CHANNEL],
        onMessage: (_channel, payload) => wake(Number(payload)),
        onConnected: wakeAll,
      });
      return new Promise((resolve) => {
        const group = waiting.get(id) ?? new Set();
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          group.delete(done);
          if (group.size === 0) waiting.delete(id);
          resolve();
        };
        const timer = setTimeout(done, ms);
        group.add(done);
        waiting.set(id, group);
        if (signal.aborted) done();
        else signal.addEventListener('abort', done);
      });
    },
    stop: () => {
      wakeAll();
      deafen?.();
    },
  };
}
