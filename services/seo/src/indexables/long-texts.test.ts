/** Texts full of pictures: as many as are read together are written together. */
import { type SeoOverPosts, startSeoOverPosts } from '../testing/posts';

const IDS = Array.from({ length: 100 }, (_, at) => at + 1);
/** A megabyte of addresses of pictures, each letter of which takes three. */
const TEXT = Array.from(
  { length: 495 },
  (_, at) => `<img src="https://x.example/${1000 + at}${'{'.repeat(1_970)}">`,
).join('');

let seo: SeoOverPosts;
beforeAll(async () => {
  seo = await startSeoOverPosts(IDS, () => TEXT);
});
afterAll(() => seo?.stop());

test('texts full of pictures are indexed together', async () => {
  expect(await seo.indexAll()).toEqual(IDS);
});
