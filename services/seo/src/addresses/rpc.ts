/** What the gateway and oEmbed ask about addresses of the site (HeadService). */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { type HeadServiceServer, HeadServiceService } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { Deps } from '../deps';
import { findCrawlerFile } from '../sitemaps/crawler-files';
import { findHead, resolve } from './resolve';

const NOTHING = Buffer.alloc(0);
/** What is smaller the gateway keeps for everybody, once it has it whole. */
const LARGE_BYTES = 1024 * 1024;

export const headService = (deps: Deps): RpcService =>
  rpcService<HeadServiceServer>(HeadServiceService, {
    headFor: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ url }, { show }) => {
        const { named, ...head } = await findHead(deps, url, show);
        return { ...head, named: [...named] };
      },
    },
    resolveUrl: {
      callers: ['gateway', 'oembed'],
      permission: anyone,
      handle: ({ url }, { show }) => resolve(deps, url, show),
    },
    getCrawlerFile: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ path, known }, { show }) => {
        const file = await findCrawlerFile(deps, path, show);
        if (!file) return { found: false, contentType: '', body: NOTHING, modifiedUtc: '', digest: '' };
        const isLeftOut = file.body.length > LARGE_BYTES && known.includes(file.digest);
        return { found: true, ...file, ...(isLeftOut && { body: NOTHING }) };
      },
    },
  });
