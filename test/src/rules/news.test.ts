/**
 * Who has heard news answers for all that they tell, so what a process remembers has to be dropped before: made of it, an answer would be
 * kept as new for good. PostgreSQL tells what a transaction says in that order; triggers say it in the order of their names, those
 * of rows before those of statements; and what comes from the server may be read in two pieces.
 */
import { channels as ofCalendar } from '@sevenfold/calendar/memory';
import { channels as ofContent } from '@sevenfold/content/memory';
import { channels as ofSeo } from '@sevenfold/seo/memory';
import { createTestDatabase } from '@sevenfold/chassis/testing/database';
import { withClient } from '@sevenfold/local/databases';
import { declared } from '../support/declared';

/** Copies of what another service has go with its news (calendar/src/content/news.ts). */
const COPIES = 'known';

const remembering: readonly (readonly [string, readonly string[]])[] = [
  ['calendar', ofCalendar],
  ['content', ofContent],
  ['seo', ofSeo],
];

const SAYING = `
  select c.relname as table, e.event, t.tgname as name, p.prosrc as source
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    cross join (values ('insert', 4), ('delete', 8), ('update', 16)) as e (event, bit)
   where not t.tgisinternal and (t.tgtype & 2) = 0 and (t.tgtype & e.bit) <> 0
   order by 1, 2, t.tgtype & 1 desc, t.tgname`;

/** What a trigger says, in its order: names of channels, and `news`. */
const saidIn = (source: string): string[] =>
  Array.from(source.matchAll(/pg_notify\('(\w+)'|\btell_\w+\(/g), ([, channel = 'news']) => channel);

test.each(remembering)('what %s remembers is dropped before the news are heard', async (name, channels) => {
  const { definition } = declared.find(({ row }) => row.name === name) as (typeof declared)[number];
  const database = await createTestDatabase(definition.migrations as string);
  try {
    const { rows } = await withClient(database.url, (client) =>
      client.query<{ table: string; event: string; source: string }>(SAYING),
    );
    const said = new Map<string, string[]>();
    for (const { table, event, source } of rows) {
      const at = `${event} of ${table}`;
      said.set(at, [...(said.get(at) ?? []), ...saidIn(source)]);
    }
    const own = channels.filter((channel) => channel !== COPIES);
    const late = [...said].filter(([, all]) => {
      const first = all.indexOf('news');
      return first >= 0 && own.some((channel) => all.indexOf(channel) > first);
    });
    expect(late).toEqual([]);
    const told = new Set([...said.values()].flat());
    expect(own.filter((channel) => !told.has(channel))).toEqual([]);
  } finally {
    await database.drop();
  }
});
