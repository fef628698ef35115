/** An indexable as the interface shows it: terms have neither counts of links nor any of the finer directives. */
import type { ShownRow } from './columns';

export function presentIndexable(row: ShownRow): Record<string, unknown> {
  const isTerm = row.objectType === 'term';
  const ofPosts = <T>(value: T): T | null => (isTerm ? null : value);
  return {
    object_id: row.objectId,
    object_type: row.objectType,
    object_subtype: row.objectSubtype,
    permalink: row.permalink,
    canonical: row.canonical,
    title: row.title,
    description: row.description,
    breadcrumb_title: row.breadcrumbTitle,
    og_title: row.ogTitle,
    og_description: row.ogDescription,
    og_image: row.ogImage,
    twitter_title: row.twitterTitle,
    twitter_description: row.twitterDescription,
    twitter_image: row.twitterImage,
    is_robots_noindex: row.isNoindex ? true : null,
    is_robots_nofollow: ofPosts(row.isNofollow),
    is_robots_noarchive: ofPosts(row.isNoarchive),
    is_robots_noimageindex: ofPosts(row.isNoimageindex),
    is_robots_nosnippet: ofPosts(row.isNosnippet),
    primary_focus_keyword: row.focusKeyword,
    primary_focus_keyword_score: row.focusKeywordScore ?? 0,
    readability_score: row.readabilityScore ?? 0,
    is_cornerstone: row.isCornerstone,
    link_count: ofPosts(row.linkCount),
    incoming_link_count: ofPosts(row.incomingLinkCount),
    created_at: null,
    updated_at: null,
  };
}
