/** Calls to the services that own what is embedded: posts, pages and files there, events and their places here. */
import type { Dial, Target } from '@sevenfold/chassis/grpc/dial';
import { type Neighbours as Dialled, dialAll } from '@sevenfold/chassis/grpc/neighbours';
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

interface Interfaces {
  posts: PostServiceServer;
  media: MediaServiceServer;
  identity: IdentityServiceServer;
  settings: SettingsServiceServer;
  events: EventServiceServer;
}

export type Neighbours = Dialled<Interfaces>;

export function dialNeighbours(dial: Dial, config: Config, log: Log): Neighbours {
  const content: Target = { service: 'content', address: config.CONTENT_GRPC };
  const calendar: Target = { service: 'calendar', address: config.CALENDAR_GRPC };
  return dialAll<Interfaces>(dial, log, {
    posts: [PostServiceService, content],
    media: [MediaServiceService, content],
    identity: [IdentityServiceService, content],
    settings: [SettingsServiceService, content],
    events: [EventServiceService, calendar],
  });
}
