/** Terms by what carries them, whichever service that is of. */
import { makeEvent } from '@sevenfold/calendar/testing/factories';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { makePost, makeTerm } from '@sevenfold/content/testing/factories';
import type { Role } from '@sevenfold/content/users/roles';
import { type Row, refusal, table } from './table';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

const term = async (taxonomy: string): Promise<number> =>
  (await makeTerm(site.content.deps.db, { taxonomy })).id;

/** The first term of each list for the object, or why there is none. */
async function listsOf(id: number, role: Role | 'anonymous' = 'anonymous'): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const list of ['categories', 'tags', 'calendar_events_cat']) {
    const answer = await site.content.by(role).get(`/${list}?post=${id}`);
    all.push(answer.status === 200 ? answer.body.map((one: { id: number }) => one.id) : refusal(answer));
  }
  return all;
}

const rows: readonly Row<CalendarSite>[] = [
  [
    '?post=ID takes posts',
    async ({ content }) => {
      const [category, tag] = [await term('category'), await term('post_tag')];
      const { id } = await makePost(content.deps.db, { categories: [category], tags: [tag] });
      const [categories, tags, others] = await listsOf(id);
      return [String(categories) === String(category), String(tags) === String(tag), others];
    },
    [true, true, []],
  ],
  [
    'pages and media, which have none',
    async ({ content: { deps } }) => [
      await listsOf((await makePost(deps.db, { type: 'page' })).id),
      await listsOf((await makeMedia(deps.db)).id),
    ],
    [
      [[], [], []],
      [[], [], []],
    ],
  ],
  [
    'and events',
    async ({ deps }) => {
      const [category, tag] = [await term('calendar_events_cat'), await term('post_tag')];
      const { id } = await makeEvent(deps.db, { category_ids: [category], tag_ids: [tag] });
      const [categories, tags, others] = await listsOf(id);
      return [categories, String(tags) === String(tag), String(others) === String(category)];
    },
    [[], true, true],
  ],
  [
    'unknown is 400 rest_post_invalid_id',
    () => listsOf(999_999),
    Array.from({ length: 3 }, () => '400 rest_post_invalid_id'),
  ],
  [
    'an event that a stranger may not read is 401 rest_forbidden_context',
    async ({ deps }) => listsOf((await makeEvent(deps.db, { status: 'draft' })).id),
    Array.from({ length: 3 }, () => '401 rest_forbidden_context'),
  ],
  [
    'and 403 for a user',
    async ({ deps }) => listsOf((await makeEvent(deps.db, { status: 'private' })).id, 'subscriber'),
    Array.from({ length: 3 }, () => '403 rest_forbidden_context'),
  ],
  [
    'whoever may read it is answered',
    async ({ deps }) => listsOf((await makeEvent(deps.db, { status: 'draft' })).id, 'editor'),
    [[], [], []],
  ],
  [
    'so with posts',
    async ({ content: { deps } }) => listsOf((await makePost(deps.db, { status: 'draft' })).id, 'subscriber'),
    Array.from({ length: 3 }, () => '403 rest_forbidden_context'),
  ],
];

table(() => site, rows);

test('when the calendar is away, what only it knows is 503, and posts are answered', async () => {
  const { id } = await makePost(site.content.deps.db);
  await site.service.stop();
  expect(await listsOf(id)).toEqual([[], [], []]);
  expect(await listsOf(999_999)).toEqual(Array.from({ length: 3 }, () => '503 service_unavailable'));
});
