/** Calls to the services that own what is embedded: posts, pages and files there, events and their places here. */
import type { Dial, Remote } from '@sevenfold/chassis/grpc/dial';
import { followPulse } from '@sevenfold/chassis/grpc/pulse';
import type { Log } from '@sevenfold/chassis/log';
import {
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  type MediaServiceServer,
  MediaServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import { type PostServiceServer, PostServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import {
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Config } from '../config';

export interface Neighbours {
  readonly posts: Remote<PostServiceServer>;
  readonly media: Remote<MediaServiceServer>;
  readonly identity: Remote<IdentityServiceServer>;
  readonly settings: Remote<SettingsServiceServer>;
  readonly events: Remote<EventServiceServer>;
  close(): Promise<void>;
}

export function dialNeighbours(dial: Dial, config: Config, log: Log): Neighbours {
  const content = { service: 'content', address: config.CONTENT_GRPC };
  const calendar = { service: 'calendar', address: config.CALENDAR_GRPC };
  const pulses = [followPulse({ dial, ...content, log }), followPulse({ dial, ...calendar, log })] as const;
  const toContent = { ...content, pulse: pulses[0] };
  const clients = {
    posts: dial<PostServiceServer>(PostServiceService, toContent),
    media: dial<MediaServiceServer>(MediaServiceService, toContent),
    identity: dial<IdentityServiceServer>(IdentityServiceService, toContent),
    settings: dial<SettingsServiceServer>(SettingsServiceService, toContent),
    events: dial<EventServiceServer>(EventServiceService, { ...calendar, pulse: pulses[1] }),
  };
  return {
    ...clients,
    close: async () => {
      await Promise.all(pulses.map((pulse) => pulse.stop()));
      for (const client of Object.values(clients)) client.close();
    },
  };
}
