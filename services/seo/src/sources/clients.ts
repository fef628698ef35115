/** Calls to those whose things are indexed: posts, terms, files, users and settings of content, events of the calendar. */
import type { Dial, Remote } from '@sevenfold/chassis/grpc/dial';
import {
  EventServiceService,
  type EventServiceServer,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import {
  IdentityServiceService,
  type IdentityServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  MediaServiceService,
  type MediaServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import { PostServiceService, type PostServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import {
  SettingsServiceService,
  type SettingsServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { TermServiceService, type TermServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import type { Config } from '../config';

/** Many at once, of a machine that may be busy. */
export const PATIENT = { deadlineMs: 20_000 };

export interface Owners {
  readonly posts: Remote<PostServiceServer>;
  readonly terms: Remote<TermServiceServer>;
  readonly media: Remote<MediaServiceServer>;
  readonly identity: Remote<IdentityServiceServer>;
  readonly settings: Remote<SettingsServiceServer>;
  readonly events: Remote<EventServiceServer>;
  close(): void;
}

export function dialOwners(dial: Dial, config: Pick<Config, 'CONTENT_GRPC' | 'CALENDAR_GRPC'>): Owners {
  const content = { service: 'content', address: config.CONTENT_GRPC };
  const calendar = { service: 'calendar', address: config.CALENDAR_GRPC };
  const clients = {
    posts: dial<PostServiceServer>(PostServiceService, content),
    terms: dial<TermServiceServer>(TermServiceService, content),
    media: dial<MediaServiceServer>(MediaServiceService, content),
    identity: dial<IdentityServiceServer>(IdentityServiceService, content),
    settings: dial<SettingsServiceServer>(SettingsServiceService, content),
    events: dial<EventServiceServer>(EventServiceService, calendar),
  };
  return {
    ...clients,
    close: () => {
      for (const client of Object.values(clients)) client.close();
    },
  };
}
