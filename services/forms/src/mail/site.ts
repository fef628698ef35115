/** What mail tells of the site. Remembered for a minute, and for as long as the content service is away. */
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import { dialFollowed } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import {
  type Settings,
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';

const FRESH_MS = 60_000;
/** What is known does for so long where it cannot be asked for. */
const AGAIN_MS = 5_000;
const DEADLINE_MS = 3_000;

export interface Site {
  /** Throws the outage where the content service is away and was never asked before. */
  settings(): Promise<Settings>;
  close(): Promise<void>;
}

export function openSite(dial: Dial, address: string, log: Log): Site {
  const remote = dialFollowed<SettingsServiceServer>(SettingsServiceService, {
    dial,
    service: 'content',
    address,
    log,
  });
  let known: Settings | undefined;
  let until = 0;
  let asking: Promise<Settings> | undefined;
  const ask = async (): Promise<Settings> => {
    try {
      known = await remote.getSettings({}, { deadlineMs: DEADLINE_MS });
      until = performance.now() + FRESH_MS;
    } catch (error) {
      if (!known) throw error;
      until = performance.now() + AGAIN_MS;
    }
    return known;
  };
  return {
    settings: async () => {
      if (known && performance.now() < until) return known;
      asking ??= ask().finally(() => (asking = undefined));
      return asking;
    },
    close: () => remote.close(),
  };
}
