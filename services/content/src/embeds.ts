/** What `_embed` follows, by the names that links carry. */
import type { EmbedLoaders } from '@sevenfold/chassis/http/send';
import { embedComment, embedComments } from './comments/embed';
import type { Deps } from './deps';
import { embedMedia } from './media/embed';
import { embedPosts } from './posts/embed';
import { embedTerm, embedTerms } from './terms/embed';
import { embedUsers } from './users/embed';

export const embeds: EmbedLoaders<Deps> = {
  post: embedPosts,
  media: embedMedia,
  user: embedUsers,
  comment: embedComment,
  comments: embedComments,
  term: embedTerm,
  terms: embedTerms,
};
