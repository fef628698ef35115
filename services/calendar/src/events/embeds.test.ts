/** Addresses of other sites in descriptions, with the calendar's own workers and an oembed service that says what a test wants. */
import path from 'node:path';
import { readMigrations } from '@sevenfold/chassis/db/migrate';
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type EmbedServiceServer, EmbedServiceService } from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import { makeEvent } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';
import { applyBatches } from '../imports/apply-batches';
import { QUEUE } from './names';
import { announce } from './news';

let site: CalendarSite;
let server: GrpcServer;
/** Each time that they were asked about. */
const asked: string[] = [];
/** What is said of some comes once this is done. */
let held = Promise.resolve();

beforeAll(async () => {
  const port = await freePort();
  server = await startGrpcServer({
    host: '127.0.0.1',
    port,
    actorSecret: TEST_ACTOR_SECRET,
    log: createLog('calendar', 'test', 'silent'),
    services: [
      rpcService<EmbedServiceServer>(EmbedServiceService, {
        renderEmbedPage: {
          callers: ['gateway'],
          permission: anyone,
          handle: () => Promise.resolve({ found: false, html: '', contentSecurityPolicy: '' }),
        },
        resolveEmbed: {
          callers: ['calendar'],
          permission: anyone,
          handle: async ({ url }) => {
            asked.push(url);
            if (url.includes('held')) await held;
            const found = !url.includes('nothing');
            return {
              found,
              html: found ? `<iframe src="${url}"></iframe>` : '',
              type: '',
              title: '',
              providerName: '',
              freshUntil: Math.floor(Date.now() / 1000) + 3_600,
            };
          },
        },
      }),
    ],
  });
  site = await startCalendar({ ROLE: 'all', OEMBED_GRPC: `127.0.0.1:${port}` });
});
afterAll(async () => {
  await site?.stop();
  await server?.stop(0);
});
beforeEach(() => {
  asked.length = 0;
});

const dates = { start_date: '2030-01-02 10:00:00', end_date: '2030-01-02 12:00:00' };
const write = async (description: string, id?: number): Promise<{ id: number; description: string }> => {
  const path = id === undefined ? '/events' : `/events/${id}`;
  const { body } = await site
    .by('editor')
    .post(path, { title: 'x', status: 'publish', description, ...dates });
  return body as { id: number; description: string };
};
const read = async (id: number): Promise<string> =>
  ((await site.by('anonymous').get(`/events/${id}`)).body as { description: string }).description;
const shows = (id: number, html: string): Promise<true> =>
  until(async () => ((await read(id)).includes(html) ? true : undefined));
const news = async (id: number): Promise<number> =>
  (
    await site.deps.db.rows(
      `select 1 from outbox where name = 'calendar.event.changed' and payload->'events'->0->>'id' = $1`,
      [String(id)],
    )
  ).length;

test('an address alone on a line, or in [embed], is asked for once and shown; whoever indexes hears of it', async () => {
  const url = 'https://video.test/1';
  const { id, description } = await write(`a\n\n${url}`);
  expect(description).toContain(`<p>${url}</p>`);
  await shows(id, `<div class="embed"><iframe src="${url}"></iframe></div>`);
  expect([asked, await news(id)]).toEqual([[url], 2]);
  // Who writes the same address again has it at once, in the answer itself.
  const other = await write(`b\n\n[embed]${url}[/embed]`);
  expect(other.description).toContain(`<iframe src="${url}">`);
  expect((await write(`c\n\n${url}`, id)).description).toContain(`<iframe src="${url}">`);
  expect(asked).toEqual([url]);
});

test('what nobody provides stays a link, and what stands within a line is none of it', async () => {
  const { id } = await write('see https://video.test/in-a-line there\n\nhttps://nothing.test/1');
  await until(() => (asked.length > 0 ? true : undefined));
  const last = await write('https://video.test/after');
  await shows(last.id, '<iframe src="https://video.test/after">');
  expect(await read(id)).toContain('<p>https://nothing.test/1</p>');
  expect(asked).toEqual(['https://nothing.test/1', 'https://video.test/after']);
});

test('an event that is written again and again has one job, which comes once more for what was written meanwhile', async () => {
  let go = (): void => undefined;
  held = new Promise((resolve) => (go = resolve));
  const { id } = await write('a\n\nhttps://video.test/held-once');
  await until(() => asked.length === 1);
  for (let n = 1; n <= 3; n++) await write(`${n}\n\nhttps://video.test/later-${n}`, id);
  // Whoever hears of these has heard of them.
  const last = await write('https://video.test/after-these');
  await shows(last.id, '<iframe src="https://video.test/after-these">');
  expect(
    await site.deps.db.rows(
      `select id from outbox where name = 'fill-embeds' and payload->>'id' = $1 and done_at is null`,
      [String(id)],
    ),
  ).toHaveLength(1);
  go();
  await shows(id, '<iframe src="https://video.test/later-3">');
  expect(asked.filter((url) => url.includes('later'))).toEqual(['https://video.test/later-3']);
});

test('also in events that came by another way than the interface', async () => {
  const url = 'https://video.test/imported';
  const event = await makeEvent(site.deps.db, { description_raw: url, description_html: `<p>${url}</p>\n` });
  await site.deps.db.transaction((tx) =>
    announce(tx, 'calendar.event.changed', [
      { id: event.id, status: 'publish', slug: event.slug, statusBefore: '', categoryIds: [], tagIds: [] },
    ]),
  );
  await until(async () => {
    const row = await site.deps.db.first<{ html: string }>(
      'select description_html as html from events where id = $1',
      [event.id],
    );
    return row?.html.includes(`<iframe src="${url}">`) ? true : undefined;
  });
});

test('many that one message names are filled by one statement and told of together', async () => {
  const { db } = site.deps;
  const url = 'https://video.test/many';
  await db.run(
    `insert into stored_embeds (url, width, html, fresh_until) values ($1, 600, '<i>many</i>', now() + interval '1 day')`,
    [url],
  );
  const made: { id: number; slug: string }[] = [];
  for (let n = 0; n < 30; n++)
    made.push(await makeEvent(db, { description_raw: `${n}\n\n${url}`, edited: '{}' }));
  const told = () =>
    db.rows<{ ids: number[] }>(
      `select array(select (e->>'id')::bigint from jsonb_array_elements(payload->'events') as e) as ids
       from outbox where name = 'calendar.event.changed' and payload->'events' @> $1::jsonb order by id`,
      [JSON.stringify([{ id: made[0]!.id }])],
    );
  await db.run('create sequence fills');
  await db.run(`create function note_fill() returns trigger language plpgsql as $$
    begin perform nextval('fills'); return null; end $$`);
  await db.run(
    'create trigger note_fill after update on events for each statement execute function note_fill()',
  );
  try {
    await db.transaction((tx) =>
      announce(
        tx,
        'calendar.event.changed',
        made.map((one) => ({ ...one, status: 'publish', statusBefore: '', categoryIds: [], tagIds: [] })),
      ),
    );
    await until(async () => ((await told()).length > 1 ? true : undefined));
  } finally {
    await db.run('drop trigger note_fill on events');
  }
  for (const { id } of [made[0]!, made[29]!]) expect(await read(id)).toContain('<i>many</i>');
  expect((await told()).map(({ ids }) => ids.length)).toEqual([30, 30]);
  expect(await db.first('select last_value::int as n from fills')).toEqual({ n: 1 });
  expect(asked).toEqual([]);
});

test('an import that brings the same text again leaves what it shows, and changes and tells nothing', async () => {
  const url = 'https://video.test/again';
  let number = 0;
  const bring = async (more: object = {}): Promise<void> => {
    const event = {
      title: 'Again',
      uid: 'again',
      start_date: '2030-01-02',
      description: `a\n\n${url}`,
      ...more,
    };
    const batches = [{ key: `again/${(number += 1)}`, eventsJson: JSON.stringify([event]) }];
    await applyBatches(site.deps, {
      importId: 'again',
      origin: 'ics',
      defaultStatus: 'publish',
      owner: 3,
      authority: '',
      batches,
    });
  };
  const state = (): Promise<{ id: number; html: string } | undefined> =>
    site.deps.db.first(
      `select id, sequence, modified_utc, description_html as html from events where uid = 'again'`,
    );
  await bring();
  const { id } = (await state())!;
  await shows(id, `<iframe src="${url}"></iframe>`);
  const [before, told] = [await state(), await news(id)];
  await bring();
  expect([await state(), await news(id)]).toEqual([before, told]);
  await bring({ cost: '12' });
  expect((await state())?.html).toBe(before?.html);
  await bring({ description: 'b' });
  expect((await state())?.html).toBe('<p>b</p>\n');
});

test('what a migration wants to be rendered anew is, whatever workers of the version before take meanwhile', async () => {
  const text = '[caption caption="&lt;img src=x onerror=alert(1)&gt;"]<img src="a">[/caption]';
  const { id } = await makeEvent(site.deps.db, {
    description_raw: text,
    description_html: '<img src=x onerror=alert(1)>',
  });
  const files = await readMigrations([path.resolve(__dirname, '../../migrations')]);
  const anew = files.filter(({ name }) => name.includes('_cut_tags')).map(({ sql }) => sql);
  // They know that job, and find nothing to change.
  const taken = `update outbox set done_at = now() where name = 'fill-embeds' and done_at is null`;
  await site.deps.db.pool.query(['begin', ...anew, taken, 'commit'].join(';\n'));
  await shows(id, '<img src="a">');
  expect(await read(id)).not.toContain('<img src=x');
});

test('frames of items of this site that named a title are asked for anew', async () => {
  const { db } = site.deps;
  const url = 'https://site.test/framed/';
  const frame = '<iframe title="Secret" class="site-embedded-content"></iframe>';
  await db.run(
    `insert into stored_embeds (url, width, html, fresh_until) values ($1, 600, $2, now() + interval '1 day')`,
    [url, frame],
  );
  const { id } = await makeEvent(db, { description_raw: url, description_html: frame });
  const files = await readMigrations([path.resolve(__dirname, '../../migrations')]);
  for (const { name, sql } of files) if (name.includes('_frames_without')) await db.pool.query(sql);
  // It is for later.
  await db.run(`update outbox set run_at = now() where payload->>'id' = $1`, [String(id)]);
  await db.run(`select pg_notify('outbox', '')`);
  await shows(id, `<iframe src="${url}">`);
});

test('descriptions that wait for other sites keep no other work on events waiting', async () => {
  const { db } = site.deps;
  let go = (): void => undefined;
  held = new Promise((resolve) => (go = resolve));
  try {
    // As many as are worked on at once.
    for (let n = 1; n <= 4; n++) await write(`a\n\nhttps://video.test/held-${n}`);
    await until(() => asked.length === 4);
    const job = await enqueue(db, QUEUE, 'render-anew', { id: (await write('b')).id });
    await until(() => db.first('select from outbox where id = $1 and done_at is not null', [job]));
    // All of them wait at their first try.
    expect(
      await db.rows(`select attempts from outbox where name = 'fill-embeds' and done_at is null`),
    ).toEqual(Array.from({ length: 4 }, () => ({ attempts: 0 })));
  } finally {
    go();
  }
});
