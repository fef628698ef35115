/** From rows to public posts and pages. What a password hides is decided here, for every way a post is shown. */
import { isoLocal } from '@sevenfold/text/dates';
import type { ContentCall } from '../deps';
import { pathAbove, plainLink, postLink, postLinks } from './links';
import type { WithGeneratedSlug } from './generated-slugs';
import { opens } from './policy';
import type { FullPostRow, PostRow } from './store';
import { postTypes } from './types';

type Shown = PostRow | WithGeneratedSlug<FullPostRow>;

/** The title with the word that marks private posts in front. */
export const shownTitle = (post: { status: string; titleHtml: string }): string =>
  post.status === 'private' ? `Private: ${post.titleHtml}` : post.titleHtml;

export function presentPost(row: Shown, call: ContentCall): object {
  const { context, deps } = call;
  const editing = context === 'edit';
  const isProtected = row.password !== '';
  const open = !isProtected || editing || opens(row, call.args.password);
  const full = editing ? (row as WithGeneratedSlug<FullPostRow>) : undefined;
  const item: Record<string, unknown> = {
    id: row.id,
    date: isoLocal(row.dateLocal),
    date_gmt: isoLocal(row.dateGmt),
    guid: { rendered: row.guid, raw: row.guid },
    modified: isoLocal(row.modifiedLocal),
    modified_gmt: isoLocal(row.modifiedGmt),
    password: row.password,
    slug: row.slug,
    status: row.status,
    type: row.type,
    link: postLink(deps.siteUrl, row),
    title: { raw: full?.titleRaw, rendered: shownTitle(row) },
    content: {
      raw: full?.contentRaw,
      rendered: open ? row.contentHtml : '',
      protected: isProtected,
      block_version: full?.contentRaw.includes('<!-- wp:') ? 1 : 0,
    },
    excerpt: { raw: full?.excerptRaw, rendered: open ? row.excerptHtml : '', protected: isProtected },
    author: row.author,
    featured_media: row.featuredMedia,
  };
  const type = postTypes[row.type];
  if (type.hierarchical) {
    item.parent = row.parent;
    item.menu_order = row.menuOrder;
  }
  item.comment_status = row.commentStatus;
  item.ping_status = row.pingStatus;
  if (type.blog) item.sticky = row.sticky;
  item.template = row.template;
  if (type.blog) item.format = row.format;
  item.meta = [];
  if (type.blog) {
    item.categories = row.categories;
    item.tags = row.tags;
  }
  if (full) {
    item.permalink_template = permalinkTemplate(deps.siteUrl, full);
    item.generated_slug = full.generatedSlug;
  }
  item._links = postLinks(deps.root, deps.siteUrl, row, editing ? call.actor : undefined);
  return item;
}

/** The address with a place where the slug goes. */
function permalinkTemplate(siteUrl: string, row: FullPostRow): string {
  if (row.status === 'trash') return plainLink(siteUrl, row);
  if (row.type === 'page') {
    const above = pathAbove(row);
    return `${siteUrl}/${above === '' ? '' : `${above}/`}%pagename%/`;
  }
  if (row.type === 'post') return `${siteUrl}/${row.dateLocal.slice(0, 10).replaceAll('-', '/')}/%postname%/`;
  return plainLink(siteUrl, row);
}
