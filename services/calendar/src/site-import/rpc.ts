/** The door for what moves in with another site (SiteImportService). Only the command line comes through it. */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { publicLink } from '../common/links';
import { claim, raiseSequence } from '@sevenfold/publishing/kept-ids';
import {
  SiteImportServiceService,
  type SiteImportServiceServer,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import type { Deps } from '../deps';
import { addItem } from './add-item';
import { linkItem } from './link-item';
import { replaceAddresses } from './replace-addresses';
import { findStanding, ids } from './store';

const MOST_IDS = 1000;

const door = { callers: ['cli'], permission: anyone } as const;

export const siteImportService = (deps: Deps): RpcService =>
  rpcService<SiteImportServiceServer>(SiteImportServiceService, {
    raiseIds: {
      ...door,
      handle: async ({ above }) => {
        await raiseSequence(deps.db, ids.sequence, above);
        return {};
      },
    },
    claimIds: {
      ...door,
      handle: async ({ claims }) => ({
        granted: await claim(
          deps.db,
          ids,
          claims.filter(({ id }) => id % 2 === 0),
        ),
      }),
    },
    addItem: { ...door, handle: (request) => addItem(deps, request) },
    linkItem: {
      ...door,
      handle: async (request) => {
        await linkItem(deps, request);
        return {};
      },
    },
    findLinks: {
      ...door,
      handle: async (request) => {
        const rows = await findStanding(deps.db, request.ids.slice(0, MOST_IDS));
        return { links: rows.map((row) => ({ id: row.id, link: publicLink(deps.siteUrl, row.kind, row) })) };
      },
    },
    replaceAddresses: {
      ...door,
      handle: async (request) => ({ replaced: await replaceAddresses(deps, request) }),
    },
  });
