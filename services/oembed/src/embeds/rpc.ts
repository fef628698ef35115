/** The embed page for the gateway, which serves it below the permalink. */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/serve';
import { anyone } from '@sevenfold/chassis/http/route';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import type { Deps } from '../deps';
import { ownAddress } from '../site/address';
import { findItem } from '../site/find';
import { embedPage } from './page';

export const embedService = (deps: Deps): RpcService =>
  rpcService<EmbedServiceServer>(EmbedServiceService, {
    renderEmbedPage: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ url }, { requestId, signal }) => {
        const address = ownAddress(deps.siteUrl, url);
        const item = address && (await findItem(deps, address, { requestId, signal }));
        if (!item) return { found: false, html: '', contentSecurityPolicy: '' };
        const { html, policy } = embedPage(item, await deps.site(), deps.siteUrl);
        return { found: true, html, contentSecurityPolicy: policy };
      },
    },
  });
