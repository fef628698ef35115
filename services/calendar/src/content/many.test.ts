/** Events may show more terms and pictures than the content service tells of in one message. */
import { until } from '@sevenfold/chassis/testing/until';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site?.stop());

const made = async (sql: string): Promise<number[]> =>
  (await site.content.deps.db.rows<{ id: number }>(sql)).map(({ id }) => id);

test('pictures', async () => {
  const ids = await made(
    `with p as (
       insert into posts (type, status, slug, path, date_local, date_gmt, modified_local, modified_gmt)
       select 'attachment', 'inherit', 'many-' || n, 'many-' || n, now(), now(), now(), now() from generate_series(1, 1100) as n
       returning id)
     insert into media (post_id, file, mime_type, filesize, details)
       select id, 'many/' || id || '.png', 'image/png', 1, '{}' from p
     returning post_id as id`,
  );
  await until(async () => (await site.deps.known.media(ids)).size === ids.length);
});

test('terms', async () => {
  const ids = await made(
    `insert into terms (taxonomy, name, slug, parent_path, description)
     select 'calendar_events_cat', repeat('😀', 200), 'many-' || n, repeat('a', 2000), repeat('😀', 300)
       from generate_series(1, 5000) as n
     returning id`,
  );
  // On a busy machine so many may take longer than readers wait for them; what exceeds a message never comes.
  await until(async () => (await site.deps.known.terms(ids)).size === ids.length);
});
