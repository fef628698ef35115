/** The services that know what stands at the site's own addresses. */
import type { Dial, Remote, Target } from '@sevenfold/chassis/grpc/dial';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
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
import { type SiteServiceServer, SiteServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import { type TermServiceServer, TermServiceService } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import type { Upstreams } from '../relay/upstreams';

export interface SiteClients {
  readonly oembed: Remote<EmbedServiceServer>;
  readonly seo: Remote<HeadServiceServer>;
  readonly pages: Remote<SiteServiceServer>;
  readonly terms: Remote<TermServiceServer>;
  readonly identity: Remote<IdentityServiceServer>;
  readonly media: Remote<MediaServiceServer>;
  readonly events: Remote<EventServiceServer>;
  close(): void;
}

export function dialSite(dial: Dial, upstreams: Upstreams): SiteClients {
  const target = (service: string): Target => {
    const upstream = upstreams.all.find((one) => one.service === service);
    if (!upstream) throw new Error(`there is no service ${service}`);
    return { service, address: upstream.grpcAddress, pulse: upstream.pulse };
  };
  const [content, calendar] = [target('content'), target('calendar')];
  const clients = {
    oembed: dial<EmbedServiceServer>(EmbedServiceService, target('oembed')),
    seo: dial<HeadServiceServer>(HeadServiceService, target('seo')),
    pages: dial<SiteServiceServer>(SiteServiceService, content),
    terms: dial<TermServiceServer>(TermServiceService, content),
    identity: dial<IdentityServiceServer>(IdentityServiceService, content),
    media: dial<MediaServiceServer>(MediaServiceService, content),
    events: dial<EventServiceServer>(EventServiceService, calendar),
  };
  return {
    ...clients,
    close: () => {
      for (const client of Object.values(clients)) client.close();
    },
  };
}
