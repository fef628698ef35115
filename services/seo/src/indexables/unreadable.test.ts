/** One thing that cannot be read takes no other with it: neither out of the index nor from what waits. */
import { type SeoOverPosts, startSeoOverPosts } from '../testing/posts';
import { SINGLE } from './queue';

const IDS = [1, 2, 3, 4, 5];
/** Larger than a message may be. */
const HUGE = 'x'.repeat(20 * 1024 * 1024);
const UNREADABLE = 4;

let seo: SeoOverPosts;
beforeAll(async () => {
  seo = await startSeoOverPosts(IDS, (id) => (id === UNREADABLE ? HUGE : ''));
});
afterAll(() => seo?.stop());

test('a thing that fits into no message is left out, and the others of its batch are indexed', async () => {
  const { db } = seo.deps;
  expect(await seo.indexAll()).toEqual(IDS.filter((id) => id !== UNREADABLE));
  expect(await db.rows('select * from waiting')).toEqual([]);
  expect(await db.rows('select * from outbox where name = $1 and done_at is null', [SINGLE.job])).toEqual([]);
});
