/** The embed page for the gateway, which serves it below the permalink. */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { openSeen } from '@sevenfold/chassis/news/seen';
import { escapeHtml } from '@sevenfold/text/html';
import {
  type EmbedServiceServer,
  EmbedServiceService,
  type ResolveEmbedResponse,
} from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import type { Deps } from '../deps';
import { ownAddress, webAddress } from '../site/address';
import { type Item, findItem } from '../site/find';
import type { Site } from '../site/site';
import { type Size, sizeFor } from './data';
import { frameHtml } from './html';
import { embedPage } from './page';

const DEFAULT_WIDTH = 600;
/** Items of this site change when they like; their frame does not. */
const OWN_SECONDS = 86_400;

const NOTHING: ResolveEmbedResponse = {
  found: false,
  html: '',
  type: '',
  title: '',
  providerName: '',
  freshUntil: 0,
};

/**
 * The frame alone: the page that it stands in is ours, and shows no quote besides. It is called by its address, as texts keep it: a title
 * would be read there after the item has got another one, has become private or is gone.
 */
const ofOwn = (item: Item, site: Site, size: Size): ResolveEmbedResponse => ({
  found: true,
  html: frameHtml({ ...item, title: escapeHtml(item.link) }, site, size),
  type: 'rich',
  title: item.title,
  providerName: site.name,
  freshUntil: Math.floor(Date.now() / 1000) + OWN_SECONDS,
});

export const embedService = (deps: Deps): RpcService =>
  rpcService<EmbedServiceServer>(EmbedServiceService, {
    renderEmbedPage: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ url }, { signal, show }) => {
        const address = ownAddress(deps.siteUrl, url);
        const seen = openSeen();
        const item = address && (await findItem(deps, address, { signal, seen }));
        if (!item) return { found: false, html: '', contentSecurityPolicy: '' };
        const { html, policy } = embedPage(item, await deps.site(seen), deps.siteUrl);
        show([], { seen });
        return { found: true, html, contentSecurityPolicy: policy };
      },
    },
    resolveEmbed: {
      callers: ['calendar', 'content'],
      permission: anyone,
      handle: async ({ url, maxWidth, maxHeight }, { signal }) => {
        const own = ownAddress(deps.siteUrl, url);
        if (own) {
          const item = await findItem(deps, own, { signal });
          return item ? ofOwn(item, await deps.site(), sizeFor(maxWidth || DEFAULT_WIDTH)) : NOTHING;
        }
        const address = webAddress(url);
        if (!address) return NOTHING;
        const { embed, freshUntil } = await deps.resolve({
          asker: 0,
          address,
          maxWidth: maxWidth > 0 ? maxWidth : DEFAULT_WIDTH,
          maxHeight: maxHeight > 0 ? maxHeight : undefined,
          discover: true,
        });
        const until = Math.floor(freshUntil / 1000);
        if (!embed) return { ...NOTHING, freshUntil: until };
        const { html, type, title = '', provider_name: providerName = '' } = embed;
        return { found: true, html, type, title, providerName, freshUntil: until };
      },
    },
  });
