/** What mail tells of the site. Remembered for a minute, and for as long as the content service is away. */
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import {
  type Settings,
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';

const FRESH_MS = 60_000;
const DEADLINE_MS = 3_000;

export interface Site {
  /** Throws the outage where the content service is away and was never asked before. */
  settings(): Promise<Settings>;
  close(): void;
}

export function openSite(dial: Dial, address: string): Site {
  const remote = dial<SettingsServiceServer>(SettingsServiceService, { service: 'content', address });
  let known: Settings | undefined;
  let until = 0;
  return {
    settings: async () => {
      if (known && Date.now() < until) return known;
      try {
        known = await remote.getSettings({}, { deadlineMs: DEADLINE_MS });
        until = Date.now() + FRESH_MS;
      } catch (error) {
        if (!known) throw error;
      }
      return known;
    },
    close: () => remote.close(),
  };
}
