/** A comment as the interface shows it. The context filter of the schema hides what is not for everybody. */
import { type Link, embeddable } from '@sevenfold/chassis/http/present';
import { isoLocal } from '@sevenfold/text/dates';
import { avatarUrls } from '../common/avatars';
import { postLink } from '../posts/links';
import { postTypes } from '../posts/types';
import type { CommentRow } from './store';

export interface Site {
  readonly siteUrl: string;
  readonly root: string;
}

export function presentComment(row: CommentRow, site: Site): Record<string, unknown> {
  return {
    id: row.id,
    post: row.post,
    parent: row.parent,
    author: row.author,
    author_name: row.authorName,
    author_email: row.authorEmail,
    author_url: row.authorUrl,
    author_ip: row.authorIp,
    author_user_agent: row.authorUserAgent,
    date: isoLocal(row.dateLocal),
    date_gmt: isoLocal(row.dateGmt),
    content: { rendered: row.contentHtml, raw: row.contentRaw },
    link: commentLink(site.siteUrl, row),
    status: row.status,
    type: row.type,
    author_avatar_urls: avatarUrls(row.authorEmail),
    meta: [],
    _links: linksOf(row, `${site.root}/core/v2`),
  };
}

export const commentLink = (siteUrl: string, { id, commentedPost: post }: CommentRow): string =>
  `${post ? postLink(siteUrl, post) : `${siteUrl}/`}#comment-${id}`;

export const commentUrl = (root: string, id: number): string => `${root}/core/v2/comments/${id}`;

function linksOf(row: CommentRow, base: string): Record<string, Link[]> {
  const links: Record<string, Link[]> = {
    self: [{ href: `${base}/comments/${row.id}` }],
    collection: [{ href: `${base}/comments` }],
  };
  if (row.author > 0) links.author = [embeddable(`${base}/users/${row.author}`, 'user', row.author)];
  if (row.commentedPost) {
    const { id, type } = row.commentedPost;
    const loader = type === 'attachment' ? 'media' : 'post';
    const href = `${base}/${postTypes[type].restBase}/${id}`;
    // Clients know this link with `embeddable` first; links to terms have their own field first.
    links.up = [embeddable(href, loader, id, { embeddable: true, post_type: type })];
  }
  if (row.parent > 0)
    links['in-reply-to'] = [embeddable(`${base}/comments/${row.parent}`, 'comment', row.parent)];
  if (row.hasChildren) links.children = [embeddable(`${base}/comments?parent=${row.id}`, 'children', row.id)];
  return links;
}
