/** The services that know what stands at the site's own addresses. */
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import { type Neighbours, dialAll } from '@sevenfold/chassis/grpc/neighbours';
import type { Log } from '@sevenfold/chassis/log';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import {
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import { type FeedServiceServer, FeedServiceService } from '@sevenfold/proto/gen/sevenfold/calendar/v1/feeds';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  type MediaServiceServer,
  MediaServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import { type PostServiceServer, PostServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { type SiteServiceServer, SiteServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import { type TermServiceServer, TermServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { type Upstreams, targetOf } from '../relay/upstreams';

interface Interfaces {
  oembed: EmbedServiceServer;
  seo: HeadServiceServer;
  pages: SiteServiceServer;
  posts: PostServiceServer;
  terms: TermServiceServer;
  identity: IdentityServiceServer;
  media: MediaServiceServer;
  events: EventServiceServer;
  feeds: FeedServiceServer;
}

export type SiteClients = Neighbours<Interfaces>;

export function dialSite(dial: Dial, upstreams: Upstreams, log: Log): SiteClients {
  const content = targetOf(upstreams, 'content');
  const calendar = targetOf(upstreams, 'calendar');
  return dialAll<Interfaces>(dial, log, {
    oembed: [EmbedServiceService, targetOf(upstreams, 'oembed')],
    seo: [HeadServiceService, targetOf(upstreams, 'seo')],
    pages: [SiteServiceService, content],
    posts: [PostServiceService, content],
    terms: [TermServiceService, content],
    identity: [IdentityServiceService, content],
    media: [MediaServiceService, content],
    events: [EventServiceService, calendar],
    feeds: [FeedServiceService, calendar],
  });
}
