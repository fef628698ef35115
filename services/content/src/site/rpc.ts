/** What stands at the addresses of the site, for the gateway, which makes pages of it. */
import { stranger } from '@sevenfold/chassis/actor';
import { type RpcContext, type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import type { Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import {
  type Archive,
  type FindAtAddressResponse,
  type SiteServiceServer,
  SiteServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import { LISTED, MOST_NAMED, type Most } from '@sevenfold/text/told';
import type { Deps } from '../deps';
import { fileUrl } from '../media/presenter';
import { type Row, readable, tagsOfTold } from '../posts/told';
import type { SiteSettings } from '../settings/values';
import { findTold } from '../terms/rpc';
import { saidAnywhere, saidAt } from './comments';
import { type Asked, findCollection, findItem, postsOf, tagsOfAddress, tagsOfCollection } from './find';

const MOST_ON_A_PAGE = 50;

export const siteService = (deps: Deps): RpcService =>
  rpcService<SiteServiceServer>(SiteServiceService, {
    findAtAddress: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ url }, { show }) => {
        const settings = await deps.settings.get();
        const answer = { ...NOTHING, site: factsOf(settings) };
        const row = await findItem(deps, url);
        const item = row && readable(deps, stranger, row);
        if (!item) return { ...answer, archive: await archiveAt(deps, url, settings, show) };
        const named = await termsOf(deps, [...item.categories, ...item.tags]);
        show([...tagsOfTold(row), ...tagsOfAddress(deps, url), ...named.map(({ id }) => `term:${id}`)]);
        return { ...answer, item, ...fileOf(deps, row), terms: named };
      },
    },
    listNewest: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ url }, { show }) => {
        const settings = await deps.settings.get();
        const site = factsOf(settings);
        if (url !== '') show(tagsOfCollection(deps, url));
        const collection = await findCollection(deps, url || deps.siteUrl);
        const posts = collection && (await postsOf(deps, collection, asked(settings, FED)));
        // Of event categories the calendar has the items.
        if (!posts || collection.kind === 'calendar_events_cat')
          return { site, items: [], terms: [], archive: undefined };
        const { rows, pages } = posts;
        let room = MOST_TEXT;
        const items = rows.flatMap((row): Post[] => {
          const item = readable(deps, stranger, row);
          if (!item) return [];
          room -= item.content.length;
          return [room < 0 ? { ...item, content: '' } : item];
        });
        const terms = items.flatMap(({ categories, tags }) => [...categories, ...tags].slice(0, MOST_NAMED));
        const named = await termsOf(deps, [...new Set(terms)]);
        show(['post', ...rows.flatMap(tagsOfTold), ...named.map(({ id }) => `term:${id}`)]);
        return { site, items, terms: named, archive: { ...collection, pages, items: [] } };
      },
    },
    listNewestComments: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ url }, { show }) => {
        const settings = await deps.settings.get();
        const most = perPageOf(settings);
        const said = await (url === '' ? saidAnywhere(deps, most, show) : saidAt(deps, url, most, show));
        return { site: factsOf(settings), comments: [...said.comments], posts: [...said.posts] };
      },
    },
  });

/** Of all posts of a feed together; it is kept as a whole. */
const MOST_TEXT = 600_000;
// Of a longer one nothing is told.
const FED: Most = { ...LISTED, text: MOST_TEXT + 1 };

const NOTHING: Omit<FindAtAddressResponse, 'site'> = {
  item: undefined,
  terms: [],
  fileUrl: '',
  fileType: '',
  archive: undefined,
};

const perPageOf = ({ posts_per_page: wanted }: SiteSettings): number => Math.min(wanted, MOST_ON_A_PAGE);

const asked = (settings: SiteSettings, most: Most): Asked => ({
  perPage: perPageOf(settings),
  timezone: settings.timezone,
  most,
});

const factsOf = (settings: SiteSettings): FindAtAddressResponse['site'] => ({
  title: settings.title ?? '',
  description: settings.description,
  language: settings.language.replaceAll('_', '-') || 'en',
  timezone: settings.timezone,
  perPage: perPageOf(settings),
});

const fileOf = ({ siteUrl }: Deps, { type, shownFile }: Row): { fileUrl?: string; fileType?: string } =>
  type === 'attachment' && shownFile
    ? { fileUrl: fileUrl(siteUrl, shownFile.file), fileType: shownFile.mimeType }
    : {};

/** Of all terms that are told together, in UTF-16 units; those behind that are left out. */
const MOST_OF_TERMS = 1_500_000;

/** In the order of the ids, and without what describes them, which nobody shows here. */
async function termsOf(deps: Deps, ids: readonly number[]): Promise<FindAtAddressResponse['terms']> {
  if (ids.length === 0) return [];
  const byId = new Map((await findTold(deps, ids)).map((term) => [term.id, term]));
  let room = MOST_OF_TERMS;
  return ids.flatMap((id) => {
    const term = byId.get(id);
    if (!term) return [];
    room -= term.name.length + term.slug.length + term.link.length;
    return room < 0 ? [] : [{ ...term, description: '' }];
  });
}

async function archiveAt(
  deps: Deps,
  url: string,
  settings: SiteSettings,
  show: RpcContext['show'],
): Promise<Archive | undefined> {
  show(tagsOfCollection(deps, url));
  const collection = await findCollection(deps, url);
  const posts = collection && (await postsOf(deps, collection, asked(settings, LISTED)));
  if (!posts) return undefined;
  for (const row of posts.rows) show(tagsOfTold(row));
  const items = posts.rows.flatMap((row) => readable(deps, stranger, row) ?? []);
  return { ...collection, pages: posts.pages, items: items.map((item) => ({ ...item, content: '' })) };
}
