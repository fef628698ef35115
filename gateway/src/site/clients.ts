/** The services that know what stands at the site's own addresses. */
import type { Dial, Remote, Target } from '@sevenfold/chassis/grpc/dial';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { Upstreams } from '../relay/upstreams';

export interface SiteClients {
  readonly oembed: Remote<EmbedServiceServer>;
  readonly seo: Remote<HeadServiceServer>;
  close(): void;
}

export function dialSite(dial: Dial, upstreams: Upstreams): SiteClients {
  const target = (service: string): Target => {
    const upstream = upstreams.all.find((one) => one.service === service);
    if (!upstream) throw new Error(`there is no service ${service}`);
    return { service, address: upstream.grpcAddress, pulse: upstream.pulse };
  };
  const oembed = dial<EmbedServiceServer>(EmbedServiceService, target('oembed'));
  const seo = dial<HeadServiceServer>(HeadServiceService, target('seo'));
  return {
    oembed,
    seo,
    close: () => {
      oembed.close();
      seo.close();
    },
  };
}
