/** Calls to those whose things are indexed: posts, terms, files, users and settings of content, events of the calendar. */
import type { Dial, Target } from '@sevenfold/chassis/grpc/dial';
import { type Neighbours, dialAll } from '@sevenfold/chassis/grpc/neighbours';
import type { Log } from '@sevenfold/chassis/log';
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

interface Interfaces {
  posts: PostServiceServer;
  terms: TermServiceServer;
  media: MediaServiceServer;
  identity: IdentityServiceServer;
  settings: SettingsServiceServer;
  events: EventServiceServer;
}

export type Owners = Neighbours<Interfaces>;

export function dialOwners(
  dial: Dial,
  config: Pick<Config, 'CONTENT_GRPC' | 'CALENDAR_GRPC'>,
  log: Log,
): Owners {
  const content: Target = { service: 'content', address: config.CONTENT_GRPC, endsStreams: true };
  const calendar: Target = { service: 'calendar', address: config.CALENDAR_GRPC, endsStreams: true };
  return dialAll<Interfaces>(dial, log, {
    posts: [PostServiceService, content],
    terms: [TermServiceService, content],
    media: [MediaServiceService, content],
    identity: [IdentityServiceService, content],
    settings: [SettingsServiceService, content],
    events: [EventServiceService, calendar],
  });
}
