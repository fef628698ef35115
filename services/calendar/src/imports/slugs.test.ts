/** Slugs of many new events at once, beside many that are there. */
import { makeEvent } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';
import { freeSlugs } from './slugs';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

const freeOf = (...wanted: string[]) => site.deps.db.transaction((tx) => freeSlugs(tx, 'events', wanted));

test('each gets the first that is free of what is there and of what the others got', async () => {
  for (const slug of ['talk', 'talk-3', 'other']) await makeEvent(site.deps.db, { slug });
  expect(await freeOf('talk', 'talk', 'talk-2', 'talk-2-2', 'other', 'talk', 'new', 'new')).toEqual([
    ...['talk-2', 'talk-4', 'talk-2-2', 'talk-2-2-2'],
    ...['other-2', 'talk-5', 'new', 'new-2'],
  ]);
});

// Work that grew with the product of both took so long that PostgreSQL ended the transaction, again with each try.
test('thousands that want the name of tens of thousands', async () => {
  const { id } = await makeEvent(site.deps.db, { slug: 'class' });
  const columns = (
    await site.deps.db.rows<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = 'events'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'slug')`,
    )
  )
    .map(({ name }) => name)
    .join(', ');
  await site.deps.db.run(
    `insert into events (id, slug, ${columns})
     select nextval('object_ids'), 'class-' || n, ${columns} from events, generate_series(2, 60000) as n where id = $1`,
    [id],
  );
  const wanted = 5000;
  const slugs = await site.deps.db.transaction(async (tx) => {
    const given = await freeSlugs(tx, 'events', new Array<string>(wanted).fill('class'));
    // The transaction is still there.
    await tx.run('select 1');
    return given;
  });
  expect(slugs).toEqual(Array.from({ length: wanted }, (_, n) => `class-${60_001 + n}`));
});
