/** What `_embed` follows, by the names that links carry, and which news make it old (migrations/0016_news.sql). */
import { embedTargets } from '@sevenfold/chassis/http/present';
import type { EmbedLoaders } from '@sevenfold/chassis/http/send';
import { embedChildren, embedComment, embedComments } from './comments/embed';
import type { Deps } from './deps';
import { embedMedia } from './media/embed';
import { embedPosts } from './posts/embed';
import { embedTerm, embedTerms } from './terms/embed';
import { AUTHORS, embedUsers } from './users/embed';

const post = (id: string | number): string[] => [`post:${id}`];
/** Its address is made of that of its post, which it leads to. */
const postOf = (comment: unknown): string[] =>
  embedTargets(comment as object)
    .filter(({ relation }) => relation === 'up')
    .flatMap(({ key }) => post(key));

export const embeds: EmbedLoaders<Deps> = {
  post: { load: embedPosts, shows: post },
  media: { load: embedMedia, shows: post },
  user: { load: embedUsers, shows: (id) => [`user:${id}`, AUTHORS] },
  comment: { load: embedComment, shows: (id, comment) => [`comment:${id}`, ...postOf(comment)] },
  // The keys are posts; those of terms name a taxonomy before it.
  comments: { load: embedComments, shows: (id) => [`replies:${id}`, `post:${id}`] },
  // Which answers there are hangs on more than their posts: any news is news.
  children: { load: embedChildren },
  term: { load: embedTerm, shows: (id) => [`name:${id}`] },
  terms: {
    load: embedTerms,
    shows: (key, terms) => [
      `post:${String(key).split(':')[1]}`,
      ...(terms as readonly { id: number }[]).map(({ id }) => `name:${id}`),
    ],
  },
};
