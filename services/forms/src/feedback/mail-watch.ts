/** Waits until the first mail of a submission has been sent or given up. It listens from when somebody first waits. */
import type { Listener } from '@sevenfold/chassis/db/listen';
import type { Database } from '@sevenfold/chassis/db/sql';
import { MAIL_CHANNEL } from '../mail/queue';
import { type MailState, findById } from './store';

export interface MailWatch {
  /** How far the mail is when it is settled, or after `ms` at the latest. */
  outcome(submission: number, ms: number): Promise<MailState>;
  stop(): void;
}

/** Should a notification be lost. */
const LOOK_AGAIN_MS = 1_000;

export function openMailWatch(listener: Listener, db: Database): MailWatch {
  const waiting = new Map<number, Set<() => void>>();
  const wake = (id: number): void => waiting.get(id)?.forEach((look) => look());
  const wakeAll = (): void => [...waiting.keys()].forEach(wake);
  let deafen: (() => void) | undefined;
  let stopped = false;

  const changed = (id: number, ms: number): Promise<void> =>
    new Promise((resolve) => {
      const group = waiting.get(id) ?? new Set();
      const done = (): void => {
        clearTimeout(timer);
        group.delete(done);
        if (group.size === 0) waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      group.add(done);
      waiting.set(id, group);
    });

  return {
    outcome: async (id, ms) => {
      deafen ??= listener.hear({
        channels: [MAIL_CHANNEL],
        onMessage: (_channel, payload) => wake(Number(payload)),
        onConnected: wakeAll,
      });
      const until = performance.now() + ms;
      for (;;) {
        // Asked for before looking, so that no change slips through between the two.
        const news = changed(id, Math.max(0, Math.min(LOOK_AGAIN_MS, until - performance.now())));
        const state = (await findById(db, id))?.mail ?? 'failed';
        if (state !== 'queued' || stopped || performance.now() >= until) {
          wake(id);
          return state;
        }
        await news;
      }
    },
    stop: () => {
      stopped = true;
      wakeAll();
      deafen?.();
    },
  };
}
