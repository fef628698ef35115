/**
 * A right is found by what a thing was when it was loaded. What changes until the write has the row is asked again:
 * whoever lost a thing in between changes nothing of it any more.
 */
import { makeEvent, makeOrganizer, makeVenue } from '@sevenfold/calendar/testing/factories';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { Answer, Speaker } from '@sevenfold/chassis/testing/service';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { makePost } from '@sevenfold/content/testing/factories';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

interface Place {
  readonly path: string;
  readonly table: string;
  readonly make: (db: Db, fields: Record<string, unknown>) => Promise<{ id: number }>;
}
const content: readonly Place[] = [
  { path: 'posts', table: 'posts', make: makePost },
  { path: 'media', table: 'posts', make: makeMedia },
];
const calendar: readonly Place[] = [
  { path: 'events', table: 'events', make: makeEvent },
  { path: 'venues', table: 'venues', make: makeVenue },
  { path: 'organizers', table: 'organizers', make: makeOrganizer },
];

/** Somebody else holds the row; while the write waits for it, it gets another author. */
async function meanwhile(
  db: Database,
  table: string,
  id: number,
  write: () => Promise<Answer>,
): Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  await db.transaction(async (tx) => {
    await tx.run(`select 1 from ${table} where id = $1 for update`, [id]);
    answer = write();
    await untilLocked(db);
    await tx.run(`update ${table} set author = 999999 where id = $1`, [id]);
  });
  return answer as Promise<Answer>;
}

type Case = readonly [string, Place, boolean, (speaker: Speaker, path: string) => Promise<Answer>];
const cases: readonly Case[] = [...content, ...calendar].flatMap((place): Case[] => {
  const isContent = content.includes(place);
  const change: Case = [
    `${place.path}: change`,
    place,
    isContent,
    (speaker, path) => speaker.put(path, { status: 'draft' }),
  ];
  const remove: Case = [
    `${place.path}: delete`,
    place,
    isContent,
    (speaker, path) => speaker.delete(`${path}?force=true`),
  ];
  return [change, remove];
});

test.each(cases)('%s', async (_name, { path, table, make }, isContent, write) => {
  const db = isContent ? site.content.deps.db : site.deps.db;
  const { id } = await make(db, { author: site.users.author.id });
  const read = () => db.first(`select status, slug, modified_local from ${table} where id = $1`, [id]);
  const before = await read();
  const speaker = isContent ? site.content.by('author') : site.by('author');
  const answer = await meanwhile(db, table, id, () => write(speaker, `/${path}/${id}`));
  expect(answer.status).toBe(403);
  expect(await read()).toEqual(before);
});
