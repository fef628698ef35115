/**
 * The head of what the owners show: that of the index where it tells of nothing else, else the least of one. The index learns later than
 * the owners what is not for everybody any more, or not at all while it stands still; of what it wrote before, nobody shall read more
 * than the owners show now. That its words may be older is all the same: they were for everybody.
 */
import type { Seen } from '@sevenfold/chassis/news/seen';
import type { HeadForResponse } from '@sevenfold/proto/gen/sevenfold/seo/v1/head';
import type { Surroundings } from './address';
import { type Asked, DETAIL_MS, type Found } from './ask';
import { type Head, hasHead, leastHead } from './head-html';

/** `seen` notes what it was made of. */
export async function headOf(
  found: Found,
  { head, facts }: Pick<Asked, 'head' | 'facts'>,
  id: string,
  surroundings: Surroundings,
  seen: Seen,
): Promise<Head> {
  if (!hasHead(found)) return leastHead(found, facts);
  const known = await head.html;
  seen.add(head.seen);
  if (!known?.found) return leastHead(found, facts);
  // An index of the version before tells nothing of what it is the head of. That programs shall not list the page is taken from it even so.
  if (known.objectType === '') return leastHead(found, facts, robotsIn(known));
  if (!isHeadOf(known, found)) return leastHead(found, facts);
  return (await areShown(known.named, found, id, surroundings, seen))
    ? known
    : leastHead(found, facts, robotsIn(known));
}

/** At an address that somebody else has now, the index may have the one that was taken back. */
export function isHeadOf({ objectType, objectId }: HeadForResponse, found: Found): boolean {
  if (found.kind !== 'archive') {
    const { id } = found.kind === 'post' ? found.post : found.object;
    return objectType === 'post' && objectId === id;
  }
  const { kind, id } = found.archive;
  if (kind === 'home') return objectType === 'home';
  return objectType === (kind === 'author' ? 'user' : 'term') && objectId === id;
}

/** Whether everybody may read all that a head tells of, as the owners say. */
async function areShown(
  ids: readonly number[],
  found: Found,
  id: string,
  { clients }: Surroundings,
  seen: Seen,
): Promise<boolean> {
  const shown = new Set(shownWith(found));
  const others = ids.filter((one) => !shown.has(one));
  if (others.length === 0) return true;
  if (found.kind !== 'post') return false;
  // The page itself does not show what is above it.
  const call = { requestId: id, deadlineMs: DETAIL_MS, repeatable: true, seen };
  const answer = await clients.posts.getPosts({ ids: others }, call).catch(() => undefined);
  const readable = new Set(answer?.posts.map((post) => post.id));
  return others.every((one) => readable.has(one));
}

function shownWith(found: Found): readonly number[] {
  if (found.kind === 'archive') return [];
  if (found.kind === 'post') {
    const { id, picture, featuredMedia } = found.post;
    return picture ? [id, featuredMedia] : [id];
  }
  const { object, related, picture } = found;
  return [object.id, ...related.map(({ id }) => id), ...(picture ? [picture.id] : [])];
}

const robotsIn = ({ json }: HeadForResponse): string => {
  const { robots } = JSON.parse(json) as { readonly robots?: unknown };
  return typeof robots === 'string' ? robots : '';
};
