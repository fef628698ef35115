/** What mail tells of the site, remembered for a minute and for as long as the content service is away, and of the page with the form. */
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import { dialFollowed } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import { isZone } from '@sevenfold/text/dates';
import {
  type Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
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
  /** Undefined where there is none of the number, or not everybody may read it. Throws the outage where the content service is away. */
  page(id: number): Promise<Post | undefined>;
  close(): Promise<void>;
}

/** Time zone of the site. Where nobody can say what it is by now, that of the configuration counts. */
export async function siteZone({ settings }: Pick<Site, 'settings'>, configured: string): Promise<string> {
  const known = (await settings().catch(() => undefined))?.timezone ?? '';
  return isZone(known) ? known : configured;
}

export function openSite(dial: Dial, address: string, log: Log): Site {
  const remote = dialFollowed<SettingsServiceServer>(SettingsServiceService, {
    dial,
    service: 'content',
    address,
    log,
  });
  const posts = dial<PostServiceServer>(PostServiceService, { service: 'content', address });
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
    page: async (id) => (await posts.getPosts({ ids: [id] }, { deadlineMs: DEADLINE_MS })).posts[0],
    close: async () => {
      posts.close();
      await remote.close();
    },
  };
}
