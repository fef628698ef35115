/**
 * The news of the content service, for what is known of it here (known.ts), and their tags, for answers that show it.
 * Domain events bring the same later and for good (follow.ts); this comes at once, and says when it is not sure.
 */
import { type FollowedNews, followNews } from '@sevenfold/chassis/news/follow';
import type { Dial } from '@sevenfold/chassis/grpc/dial';
import type { Log } from '@sevenfold/chassis/log';
import type { Known } from './known';
import { CATEGORY, TAG } from './resolve-terms';

/** Tags of content/migrations/0016_news.sql. */
export const ofContent = {
  term: 'content/term',
  file: 'content/post',
  categories: `content/${CATEGORY}`,
  tags: `content/${TAG}`,
  counts: 'content/counts',
  zone: 'content/setting:timezone',
  name: 'content/setting:title',
} as const;

/** Of what shows so much that its parts are not listed: all news of both services are news. */
export const ANYTHING = ['calendar/*', 'content/*'];

const sets = new Set<string>([CATEGORY, TAG]);

interface FollowOptions {
  readonly dial: Dial;
  readonly address: string;
  readonly known: Pick<Known, 'doubt'>;
  readonly log: Log;
}

export const followContent = ({ dial, address, known, log }: FollowOptions): FollowedNews =>
  followNews({
    dial,
    service: 'content',
    address,
    log,
    onGap: () => known.doubt('everything'),
    onNews: (_, tags) => {
      if (tags.includes('*') || tags.includes('term:*') || tags.includes('post:*'))
        return known.doubt('everything');
      const named = (kind: string): number[] =>
        tags.flatMap((tag) => (tag.startsWith(kind) ? [Number(tag.slice(kind.length))] : []));
      known.doubt({
        terms: named('term:'),
        media: named('post:'),
        trees: tags.some((tag) => sets.has(tag)),
        settings: tags.includes('settings'),
      });
    },
  });
