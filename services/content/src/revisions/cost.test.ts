/** What a list of revisions costs besides their texts: it is asked for at each opening of an editor. */
import { ACTOR_HEADER, signActor } from '@sevenfold/chassis/actor';
import { promisesOf } from '@sevenfold/chassis/testing/promises';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
let path: string;
beforeAll(async () => {
  site = await startContent();
  const { id } = (await site.by('editor').post('/posts', { title: 'One' })).body as { id: number };
  await site.by('editor').post(`/posts/${id}`, { title: 'Two' });
  path = `/posts/${id}/revisions`;
});
afterAll(() => site.stop());

test('few promises', async () => {
  const headers = { [ACTOR_HEADER]: signActor(site.users.editor, TEST_ACTOR_SECRET) };
  expect(await promisesOf(`${site.url}/rest/core/v2${path}`, headers)).toBeLessThanOrEqual(17);
});

test('nothing of the texts of the post itself', async () => {
  const { db } = site.deps;
  // Whoever asks for it fails.
  await db.run('alter table posts rename content_html to content_elsewhere');
  try {
    const { status, body } = await site.by('editor').get(path);
    expect([status, body.length]).toEqual([200, 1]);
  } finally {
    await db.run('alter table posts rename content_elsewhere to content_html');
  }
});
