/** Which news make old what answers show of posts, pages and media (migrations/0016_news.sql, 0019_narrower_news.sql). */
import type { Shows } from '@sevenfold/chassis/http/shows';
import type { ContentCall } from '../deps';
import type { PostTypeName } from './types';

const sentAny = (sent: ReadonlySet<string>, names: readonly string[]): boolean =>
  names.some((name) => sent.has(name));

/** Dates without an offset are of this zone. */
export const ZONE = 'setting:timezone';
const DATES = ['after', 'before', 'modified_after', 'modified_before'];

export const showsPosts = (type: PostTypeName): Shows<ContentCall> => ({
  rows: 'post',
  lists: ({ args, sent }) => {
    const { orderby } = args as { orderby?: string };
    const sets: string[] = [type];
    if (orderby === 'modified' || sentAny(sent, ['modified_after', 'modified_before'])) sets.push('modified');
    if (sentAny(sent, DATES)) sets.push(ZONE);
    if (sent.has('search') || orderby === 'title') sets.push('words');
    // A category holds what is in those below it.
    if (sentAny(sent, ['categories', 'categories_exclude'])) sets.push('category');
    return sets;
  },
  // What a password opens is for those who know it.
  never: ({ sent }) => sent.has('password'),
});
