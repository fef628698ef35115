/** Whether a move is told to be whole, by the numbers of things. */
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { type Given, startStrange } from '../live-site/testing';
import { startMovingIn } from './testing/move-in';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());

interface Row {
  readonly id: number;
  readonly status?: string;
}

/** Of a site that has users, of whom only the first writes, and posts. */
async function moveIn(posts: readonly Row[], ...args: readonly string[]) {
  const list = (rows: readonly object[]): Given => ({
    body: rows,
    headers: { 'x-wp-total': `${rows.length}` },
  });
  const users = [91, 92].map((id) => ({ id, name: `User ${id}`, slug: `user-${id}` }));
  const strange = await startStrange((at, query) => {
    if (at === '/wp-json/')
      return { body: { namespaces: ['wp/v2'], routes: {}, home: 'https://old.example' } };
    if (query.get('context') === 'edit') return { status: 401, body: { code: 'rest_forbidden_context' } };
    if (Number(query.get('page')) > 1)
      return { status: 400, body: { code: 'rest_post_invalid_page_number' } };
    if (at === '/wp-json/wp/v2/users')
      return list(query.get('who') === 'authors' ? users.slice(0, 1) : users);
    if (at === '/wp-json/wp/v2/posts')
      return list(posts.map((post) => ({ title: { rendered: `Post ${post.id}` }, author: 91, ...post })));
    const one = [...users, ...posts].find(({ id }) => at.endsWith(`/${id}`));
    return one && { body: { id: one.id } };
  });
  try {
    const { code, stdout, stderr } = await startMovingIn(
      site,
      [strange.url.href, '--rate', '1000', '--verify', ...args],
      { OUTBOUND_ALLOW_PRIVATE: 'true' },
    ).ended;
    return { code, stdout, stderr };
  } finally {
    await strange.stop();
  }
}

test('what was left out is a difference, and said', async () => {
  const posts = [{ id: 80_001 }, { id: 80_002, status: 'of its own' }, { id: 80_003 }];
  const { code, stdout, stderr } = await moveIn(posts, '--only', 'posts');
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('items with the status of its own are not moved');
  expect(stdout).toContain('not as many: 3 posts there, 2 here');
  // Who does not write was not asked for.
  expect(stdout).not.toMatch(/not as many: .* users?/);
});

test('what moved in whole is none', async () => {
  const { code, stdout, stderr } = await moveIn([{ id: 80_011 }, { id: 80_012 }], '--only', 'posts');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).not.toContain('not as many');
});
