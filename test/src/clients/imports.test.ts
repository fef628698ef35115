/** How an import went, asked over HTTP by its sender and by people, and what it may do to what people changed. The whole site. */
import type { Answer } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { Deps as CalendarDeps } from '@sevenfold/calendar/deps';
import { type Site, startSite } from '../support/site';
import { type Shown, bodyOf, refusal, table } from './table';

let site: Site;
let admin: Record<string, string>;
let author: Record<string, string>;
beforeAll(async () => {
  site = await startSite({}, { imports: { ROLE: 'all' } });
  admin = await site.signIn(site.content.users.administrator);
  author = await site.signIn(site.content.users.author);
});
afterAll(() => site.stop());

type Body = Record<string, unknown>;
interface Registered {
  readonly id: string;
  readonly hash: string;
}
async function register(body: Body = {}): Promise<Registered> {
  const { import_id: id, batch_hash: hash } = bodyOf(
    await site.client.post('/console/api/imports', body, admin),
  );
  return { id, hash };
}
const report = (hash: string, done: number, total: number, events: unknown): Body => ({
  batch_hash: hash,
  status: { data: { total, done }, batch: { total, done } },
  percentage_complete: 50,
  events,
});
const send = (id: string, body: Body): Promise<Answer> =>
  site.client.post(`/rest/calendar/event-aggregator/v1/import/${id}/batch`, body);
const event = (uid: string, more: Body = {}): Body => ({
  uid,
  title: `Of ${uid}`,
  start_date: '2027-05-01 10:00:00',
  timezone: 'America/New_York',
  ...more,
});

const progress = (id: string, headers: Record<string, string> = {}, query = ''): Promise<Answer> =>
  site.client.get(`/console/api/imports/${id}/progress${query}`, headers);
const withHash = (id: string, hash: string, query = ''): Promise<Answer> =>
  progress(id, { 'X-Batch-Hash': hash }, query);

/** Sends the lists as batches; answers the import with the hash that was given last. */
async function pushed(lists: readonly unknown[], body: Body = {}): Promise<Registered> {
  const { id, hash } = await register(body);
  let last = hash;
  for (const [done, events] of lists.entries())
    last = bodyOf(await send(id, report(last, done, lists.length, events))).next_batch_hash ?? last;
  return { id, hash: last };
}
const finished = (id: string): Promise<Shown> =>
  until(async () => {
    const body = bodyOf(await progress(id, admin));
    return body.state === 'success' ? body : undefined;
  });
async function done(lists: readonly unknown[], body: Body = {}): Promise<Shown> {
  return finished((await pushed(lists, body)).id);
}
const pairs = ({ counts }: Shown): string =>
  Object.entries(counts as Record<string, Record<string, number>>)
    .flatMap(([kind, of]) =>
      Object.entries(of).flatMap(([what, n]) => (n === 0 ? [] : [`${kind} ${what} ${n}`])),
    )
    .join(', ');

describe('who may ask', () => {
  table(
    () => site,
    [
      [
        'the sender, with the hash that registering gave it',
        async () => {
          const { id, hash } = await register();
          const { state, batches_accepted } = bodyOf(await withHash(id, hash));
          return { state, batches_accepted };
        },
        { state: 'pending', batches_accepted: 0 },
      ],
      [
        'after a batch with the hash of its answer; the one before is old',
        async () => {
          const { id, hash } = await register();
          const { next_batch_hash: next } = bodyOf(await send(id, report(hash, 0, 2, [])));
          return [(await withHash(id, next)).status, refusal(await withHash(id, hash))];
        },
        [200, '401 rest_forbidden'],
      ],
      [
        'after the last batch, whose answer gave none, with the hash of that batch',
        async () => {
          const { id, hash } = await pushed([[event('w1')], [event('w2')]]);
          await finished(id);
          return bodyOf(await withHash(id, hash)).batches_applied as number;
        },
        2,
      ],
      [
        'after the import was reported as failed, with the hash that it waited for',
        async () => {
          const { id, hash } = await register();
          const said = { status: 'failed', message: 'm', message_slug: 's', percentage_complete: 0 };
          const path = `/rest/calendar/event-aggregator/v1/import/${id}/state`;
          bodyOf(await site.client.post(path, { batch_hash: hash, ...said }));
          const { state, message } = bodyOf(await withHash(id, hash));
          return [state, message];
        },
        ['failed', 'm'],
      ],
      [
        'a repeated batch gives the same hash, which still opens it',
        async () => {
          const { id, hash } = await register();
          const batch = report(hash, 0, 2, [event('w3')]);
          const [one, two] = [bodyOf(await send(id, batch)), bodyOf(await send(id, batch))];
          const shown = bodyOf(await withHash(id, two.next_batch_hash));
          return [one.next_batch_hash === two.next_batch_hash, shown.batches_accepted];
        },
        [true, 1],
      ],
      [
        'nobody with a wrong hash, that of another import, an empty one or none',
        async () => {
          const [{ id }, other] = [await register(), await register()];
          const hashes = ['wrong', other.hash, '', 'x'.repeat(5_000)];
          const answers = await Promise.all(hashes.map((hash) => withHash(id, hash)));
          return [...answers, await progress(id)].map(refusal);
        },
        Array<string>(5).fill('401 rest_forbidden'),
      ],
      [
        'strangers are not told whether there is an import',
        async () => refusal(await withHash('nobody', 'wrong')),
        '401 rest_forbidden',
      ],
      [
        'who is known and may not manage imports, not either',
        async () => {
          const { id } = await register();
          return [await progress(id, author), await progress(id, { ...author, 'X-Batch-Hash': 'x' })].map(
            refusal,
          );
        },
        ['403 rest_forbidden', '403 rest_forbidden'],
      ],
      [
        'who may manage imports without a hash, and whatever hash they bring',
        async () => {
          const { id } = await register();
          const answers = [await progress(id, admin), await progress(id, { ...admin, 'X-Batch-Hash': 'x' })];
          return [...answers.map(({ status }) => status), refusal(await progress('nobody', admin))];
        },
        [200, 200, '404 import_not_found'],
      ],
      [
        'following it as a stream takes the right to manage imports',
        async () => {
          const { id, hash } = await register();
          return refusal(await progress(id, { 'X-Batch-Hash': hash, Accept: 'text/event-stream' }));
        },
        '401 rest_forbidden',
      ],
    ],
  );
});

describe('what is told', () => {
  table(
    () => site,
    [
      [
        'counts by kind, each thing once under the most that happened to it',
        async () => {
          const at = {
            venue: { venue: 'Hall of counts' },
            organizer: 'Counter',
            categories: ['C1', 'C2'],
            tags: 'c',
          };
          return pairs(
            await done([[event('c1', at), event('c2', at)], [event('c1', { ...at, title: 'New' })]]),
          );
        },
        'events created 2, venues created 1, organizers created 1, categories created 2, tags created 1',
      ],
      [
        'what is no event, or none that can be read, is skipped with its reason; the rest of its batch is taken (33)',
        async () => {
          const shown = await done([['text', event('f1'), null, [], { title: 'No date' }]]);
          const { items, total } = shown.faults as { items: Body[]; total: number };
          return [pairs(shown), total, items.map(({ batch, position, reason }) => [batch, position, reason])];
        },
        [
          'events created 1, events failed 4',
          4,
          [
            [1, 0, 'It is not an object.'],
            [1, 2, 'It is not an object.'],
            [1, 3, 'It is not an object.'],
            [1, 4, 'It has no start date.'],
          ],
        ],
      ],
      [
        'only a batch whose events are no list is refused (33)',
        async () => {
          const { id, hash } = await register();
          return refusal(await send(id, report(hash, 0, 1, { a: 1 })));
        },
        '400 rest_invalid_param',
      ],
      [
        'pages of batches and faults, in their order',
        async () => {
          const { id } = await pushed([[{}, {}, {}], [event('p1')], [{}]]);
          await finished(id);
          const pages = await Promise.all(
            [1, 2, 3].map(async (page) => bodyOf(await progress(id, admin, `?per_page=2&page=${page}`))),
          );
          return pages.map(({ total_pages, batches, faults }) => [
            total_pages,
            batches.items.map((one: Body) => [one.number, one.state, one.created, one.failed]),
            faults.items.map((one: Body) => [one.batch, one.position]),
          ]);
        },
        [
          [
            2,
            [
              [1, 'applied', 0, 3],
              [2, 'applied', 1, 0],
            ],
            [
              [1, 0],
              [1, 1],
            ],
          ],
          [
            2,
            [[3, 'applied', 0, 1]],
            [
              [1, 2],
              [3, 0],
            ],
          ],
          [2, [], []],
        ],
      ],
      [
        'the faults of one batch',
        async () => {
          const { id, hash } = await pushed([[{}, {}], [{}]]);
          await finished(id);
          const { faults } = bodyOf(await withHash(id, hash, '?batch=2'));
          return [faults.total, faults.items.length];
        },
        [1, 1],
      ],
      [
        'pages beyond what is sensible are refused',
        async () => {
          const { id } = await register();
          const queries = ['?per_page=101', '?per_page=0', '?page=0', '?page=99999999999', '?batch=-1'];
          return (await Promise.all(queries.map((query) => progress(id, admin, query)))).map(refusal);
        },
        Array<string>(5).fill('400 rest_invalid_param'),
      ],
    ],
  );

  test('while batches wait for the calendar, and when they are there', async () => {
    const { id, hash } = await register();
    const { db } = site.service('calendar').deps as CalendarDeps;
    let next = '';
    await db.transaction(async (tx) => {
      // The lock that a group of batches takes before it is written.
      await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 5))', [id]);
      next = bodyOf(await send(id, report(hash, 0, 1, [event('slow')]))).next_batch_hash ?? hash;
      const shown = bodyOf(await withHash(id, next));
      expect(shown).toMatchObject({ state: 'pending', batches_accepted: 1, batches_applied: 0 });
      expect(shown.batches.items).toMatchObject([{ number: 1, state: 'accepted', applied_at: null }]);
      expect(pairs(shown)).toBe('');
    });
    await finished(id);
    expect(bodyOf(await withHash(id, next))).toMatchObject({
      batches_applied: 1,
      counts: { events: { created: 1 } },
    });
  });
});

describe('authority: what becomes of what people changed', () => {
  const changed = async (uid: string, authority?: string): Promise<Shown> => {
    await done([[event(uid, { description: 'Old' })]]);
    const { db } = site.service('calendar').deps as CalendarDeps;
    const { id } = (await db.first<{ id: number }>('select id from events where uid = $1', [uid])) as {
      id: number;
    };
    bodyOf(await site.client.post(`/rest/calendar/events/v1/events/${id}`, { title: 'Mine' }, admin));
    const shown = await done(
      [[event(uid, { description: 'New' })]],
      authority === undefined ? {} : { authority },
    );
    const after = bodyOf(await site.client.get(`/rest/calendar/events/v1/events/${id}`));
    return [
      shown.authority,
      after.title,
      String(after.description).trim(),
      pairs(shown),
      shown.faults.items.map((one: Body) => one.left_alone),
    ];
  };
  table(
    () => site,
    [
      [
        'overwritten unless the import was registered otherwise',
        () => changed('a1'),
        ['overwrite', 'Of a1', '<p>New</p>', 'events updated 1', []],
      ],
      [
        'leave: the event stays as it is, and the sender is told why',
        () => changed('a2', 'leave'),
        ['leave', 'Mine', '<p>Old</p>', 'events skipped 1', [true]],
      ],
      [
        'fill: only what they changed stays',
        () => changed('a3', 'fill'),
        ['fill', 'Mine', '<p>New</p>', 'events updated 1', []],
      ],
      [
        'another word is refused',
        async () => refusal(await site.client.post('/console/api/imports', { authority: 'none' }, admin)),
        '400 rest_invalid_param',
      ],
      [
        'a status that events cannot start with is refused by the name under which it was sent',
        async () => {
          const { body } = await site.client.post('/console/api/imports', { status: 'future' }, admin);
          return Object.keys(body.data.params);
        },
        ['status'],
      ],
      [
        'a first batch that registers its import says it as well',
        async () => {
          const batch = { ...report('own', 0, 1, [event('a4')]), authority: 'fill' };
          const path = '/rest/calendar/event-aggregator/v1/import/by_itself/batch';
          bodyOf(await site.client.post(path, batch, admin));
          return bodyOf(await withHash('by_itself', 'own')).authority as string;
        },
        'fill',
      ],
    ],
  );
});
