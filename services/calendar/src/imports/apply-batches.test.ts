/** Batches into a real calendar with a real content service behind it. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { lockWaits, untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { until } from '@sevenfold/chassis/testing/until';
import { dial } from '@sevenfold/chassis/grpc/dial';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { freePort } from '@sevenfold/chassis/ports';
import { sharedFile } from '@sevenfold/chassis/testing/shared';
import {
  type ApplyBatchesRequest,
  ImportServiceService,
  type ImportServiceServer,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/import';
import { TermServiceService, type TermServiceServer } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { makeEvent, makeOrganizer, makeVenue } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';
import { applyBatches } from './apply-batches';

let site: CalendarSite;
let number = 0;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

type Raw = Record<string, unknown>;
const request = (batches: Raw[][], more: Partial<ApplyBatchesRequest> = {}): ApplyBatchesRequest => {
  const importId = more.importId ?? `imp${(number += 1)}`;
  return {
    importId,
    origin: 'ics',
    defaultStatus: 'publish',
    owner: 3,
    authority: '',
    batches: batches.map((events, index) => ({
      key: `${importId}/${index + 1}`,
      eventsJson: JSON.stringify(events),
    })),
    ...more,
  };
};
const apply = (batches: Raw[][], more: Partial<ApplyBatchesRequest> = {}) =>
  applyBatches(site.deps, request(batches, more));
const one = async (event: Raw, more: Partial<ApplyBatchesRequest> = {}) => (await apply([[event]], more))[0]!;
const rows = (where: string, ...values: unknown[]) =>
  site.deps.db.rows<Raw>(`select * from events where ${where} order by id`, values);
const event = (uid: string, more: Raw = {}): Raw => ({
  title: `Talk ${uid}`,
  start_date: '2027-05-01',
  start_hour: '10',
  start_minute: '00',
  end_date: '2027-05-01',
  end_hour: '12',
  timezone: 'America/New_York',
  uid,
  ...more,
});
const none = { created: [], updated: [], skipped: [] };

test('a batch of the contract: events, venue, organizer, category and tag, each made once', async () => {
  const more = {
    url: 'http://src.example.org/0',
    categories: ['own imp cat'],
    tags: ['own imp tag'],
    venue: { venue: 'Own imported venue', city: 'Lyon' },
    organizer: [{ organizer: 'Own imported organizer', email: 'oi@example.org' }],
  };
  const [first, second] = await apply([[event('c-0', more), event('c-1', more)], [event('c-2', more)]]);
  const [a, b, c] = await rows(`uid like 'c-%'`);
  expect(first).toEqual({
    events: { ...none, created: [a!.id, b!.id] },
    venues: { ...none, created: [a!.venue_id] },
    organizers: { ...none, created: a!.organizer_ids },
    categories: { ...none, created: a!.category_ids },
    tags: { ...none, created: a!.tag_ids },
    skipped: [],
    images: 0,
  });
  expect(second).toEqual({
    events: { ...none, created: [c!.id] },
    venues: { ...none, updated: [a!.venue_id] },
    organizers: { ...none, updated: a!.organizer_ids },
    categories: none,
    tags: none,
    skipped: [],
    images: 0,
  });
  expect(a).toMatchObject({
    status: 'publish',
    author: 3,
    slug: 'talk-c-0',
    start_local: '2027-05-01 10:00:00',
    start_utc: '2027-05-01 14:00:00',
    website: 'http://src.example.org/0',
    origin: 'ics',
  });
  const shown = await site.by('anonymous').get(`/events/${a!.id as number}`);
  expect(shown.status).toBe(200);
  expect(shown.body).toMatchObject({
    title: 'Talk c-0',
    venue: { venue: 'Own imported venue', city: 'Lyon' },
    organizer: [{ organizer: 'Own imported organizer', email: 'oi@example.org' }],
    categories: [{ name: 'own imp cat' }],
    tags: [{ name: 'own imp tag' }],
  });
});

test('venues and organizers that it makes or changes are told of, and no others', async () => {
  const told = async (): Promise<unknown[]> => {
    const found = await site.deps.db.rows<{ name: string; payload: Raw }>(
      `select name, payload from outbox where kind = 'event' and name = any($1) and payload->>'link' like '%told-of%'
       order by id`,
      [['calendar.venue.changed', 'calendar.organizer.changed']],
    );
    return found.map(({ name, payload }) => [name, payload.id, payload.before_status, payload.status]);
  };
  const of = (city: string): Raw =>
    event('told', { venue: { venue: 'Told of', city }, organizer: [{ organizer: 'Told of', phone: '1' }] });
  await one(of('Lyon'));
  const [row] = await rows(`uid = 'told'`);
  const [organizer] = row!.organizer_ids as number[];
  const first = [
    ['calendar.venue.changed', row!.venue_id, '', 'publish'],
    ['calendar.organizer.changed', organizer, '', 'publish'],
  ];
  expect(await told()).toEqual(first);
  await one(of('Nice'));
  const second = [...first, ['calendar.venue.changed', row!.venue_id, 'publish', 'publish']];
  expect(await told()).toEqual(second);
  await one(of('Nice'));
  expect(await told()).toEqual(second);
});

test('several that one batch makes are told of in one message', async () => {
  const names = ['One of three', 'Two of three', 'Three of three'];
  const batch = names.map((name, at) =>
    event(`several-${at}`, { venue: { venue: 'Of three' }, organizer: [{ organizer: name }] }),
  );
  await applyBatches(site.deps, request([batch]));
  const found = await site.deps.db.rows<{ payload: { items?: Raw[] } & Raw }>(
    `select payload from outbox where kind = 'event' and payload::text like '%of-three%'
        and name in ('calendar.venue.changed', 'calendar.organizer.changed') order by id`,
  );
  const links = found.map(({ payload: { items, link } }) => items?.map((item) => item.link) ?? link);
  const organizer = (slug: string): string => expect.stringContaining(`/${slug}/`) as string;
  expect(links).toEqual([
    expect.stringContaining('/of-three/'),
    expect.arrayContaining([
      organizer('one-of-three'),
      organizer('two-of-three'),
      organizer('three-of-three'),
    ]),
  ]);
});

test('the same key again does nothing and answers the same, over the wire as well', async () => {
  const wanted = request([[event('k-0')], [event('k-1'), { title: 'No date', uid: 'k-2' }]]);
  const first = await applyBatches(site.deps, wanted);
  const before = await rows('true');
  const remote = site.dial<ImportServiceServer>(ImportServiceService, 'imports');
  try {
    const again = await Promise.all([1, 2, 3].map(() => remote.applyBatches(wanted)));
    for (const answer of again) expect(answer.batches).toEqual(first);
  } finally {
    remote.close();
  }
  expect(await rows('true')).toEqual(before);
});

test('two of one group meet others at this very moment: both are looked for again', async () => {
  const { db } = site.deps;
  const answer = await db.transaction(async (tx) => {
    await makeEvent(tx, { slug: 'talk-both-slug' });
    await makeEvent(tx, { slug: 'another', origin: 'ics', uid: 'both-uid' });
    const answer = apply([[event('both-slug'), event('both-uid'), event('both-none')]]);
    await untilLocked(db);
    return { answer };
  });
  expect((await answer.answer)[0]).toMatchObject({ skipped: [] });
  expect((await rows(`uid like 'both-%'`)).map(({ uid, slug }) => [uid, slug]).sort()).toEqual([
    ['both-none', 'talk-both-none'],
    ['both-slug', 'talk-both-slug-2'],
    ['both-uid', 'another'],
  ]);
});

test('the same key at the same moment has one effect', async () => {
  const wanted = request([[event('m-0', { uid: undefined }), event('m-1')]]);
  const answers = await Promise.all(Array.from({ length: 5 }, () => applyBatches(site.deps, wanted)));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  // One of the two has no uid: a second effect would show as a second row.
  expect(await rows(`title_raw in ('Talk m-0', 'Talk m-1')`)).toHaveLength(2);
});

describe('what is one event', () => {
  test('the same uid of the same origin is updated, and keeps what is not mentioned', async () => {
    await one(event('u-1', { description: 'Words', venue: 'Hall', categories: ['A cat'] }));
    const [before] = await rows(`uid = 'u-1'`);
    const answer = await one(
      { uid: 'u-1', title: 'Moved', start_date: '2027-06-01' },
      { defaultStatus: 'draft' },
    );
    expect(answer.events).toEqual({ ...none, updated: [before!.id] });
    const [after] = await rows(`uid = 'u-1'`);
    expect(after).toMatchObject({
      title_raw: 'Moved',
      start_local: '2027-06-01 00:00:00',
      description_raw: 'Words',
      venue_id: before!.venue_id,
      category_ids: before!.category_ids,
      slug: 'talk-u-1',
      status: 'publish',
    });
  });

  test('empty values clear', async () => {
    await one(
      event('u-2', { venue: 'Hall', organizer: ['Ann'], categories: ['A cat'], url: 'http://a.example' }),
    );
    await one(event('u-2', { venue: '', organizer: [], categories: [], url: '' }));
    expect((await rows(`uid = 'u-2'`))[0]).toMatchObject({
      venue_id: 0,
      organizer_ids: [],
      category_ids: [],
      website: '',
    });
  });

  test('nothing is written when nothing changed, and yet it is told as updated', async () => {
    await one(
      event('u-3', { description: 'Same', cost: '5', tags: ['t'], venue: { venue: 'Hall', city: 'Ghent' } }),
    );
    const [before] = await rows(`uid = 'u-3'`);
    const news = async () => (await site.deps.db.first<{ n: number }>('select count(*) as n from outbox'))!.n;
    const count = await news();
    const answer = await one(
      event('u-3', { description: 'Same', cost: '5', tags: ['t'], venue: { venue: 'Hall', city: 'Ghent' } }),
    );
    expect(answer.events).toEqual({ ...none, updated: [before!.id] });
    expect((await rows(`uid = 'u-3'`))[0]).toEqual(before);
    expect(await news()).toBe(count);
  });

  test('another origin has its own', async () => {
    await one(event('u-4'));
    await one(event('u-4'), { origin: 'gcal' });
    expect((await rows(`uid = 'u-4'`)).map((row) => row.origin)).toEqual(['ics', 'gcal']);
  });

  test('a uid is what was sent, whatever stands in it', async () => {
    const uids = ['<w-1@x.org>', 'w-2 <main>', 'w-2 <side>', 'w-3  a', 'w-3 a', '<b>w-4</b>', 'w-4'];
    const batch = uids.map((uid) => event(uid, { title: uid.replace(/\W+/g, '') }));
    const [first] = await apply([batch]);
    expect(first?.events?.created).toHaveLength(uids.length);
    const [again] = await apply([batch]);
    expect(again?.events).toEqual({ ...none, updated: first!.events!.created });
    expect((await rows(`uid like '%w-_%'`)).map(({ uid }) => uid)).toEqual(uids);
  });

  test('a series is named by a uid as it was sent', async () => {
    await apply([[event('x-1', { parent_uid: '<x-0@x.org>' }), event('<x-0@x.org>', { title: 'Series' })]]);
    const [child, parent] = [await rows(`uid = 'x-1'`), await rows(`uid = '<x-0@x.org>'`)];
    expect(child[0]!.parent).toBe(parent[0]!.id);
  });

  describe('stored when markup was still taken out of uids', () => {
    const stored = async (uid: string): Promise<number> =>
      (await makeEvent(site.deps.db, { origin: 'ics', uid, title_raw: 'Stored' })).id;
    const titled = async (id: number): Promise<unknown> =>
      (await rows('id = $1', id)).map(({ uid, title_raw }) => [uid, title_raw])[0];

    test('is found by what is left of the uid, by one of those that may mean it', async () => {
      const id = await stored('y-1');
      const [answer] = await apply([
        [event('y-1 <main>', { title: 'Main' }), event('y-1 <side>', { title: 'Side' })],
      ]);
      expect(answer?.events).toMatchObject({ created: [expect.any(Number)], updated: [id] });
      expect(await titled(id)).toEqual(['y-1 <main>', 'Main']);
      await one(event('y-1  <late>', { title: 'Late' }));
      expect(await titled(id)).toEqual(['y-1 <main>', 'Main']);
    });

    test('is that of whoever has the uid itself, or has come since', async () => {
      const id = await stored('y-2');
      await apply([[event('y-2 <main>', { title: 'Main' }), event('y-2', { title: 'Own' })]]);
      expect(await titled(id)).toEqual(['y-2', 'Own']);
      const { events } = await one(event('y-3', { title: 'Own' }));
      await one(event('y-3 <main>', { title: 'Main' }));
      expect(await titled(events!.created[0]!)).toEqual(['y-3', 'Own']);
    });

    test('stays in the trash', async () => {
      const { id } = await makeEvent(site.deps.db, {
        origin: 'ics',
        uid: 'y-4',
        title_raw: 'Gone',
        status: 'trash',
      });
      expect((await one(event('<i>y-4</i>'))).events).toEqual({ ...none, skipped: [id] });
    });
  });

  test('by global id without uid', async () => {
    const first = await one(
      { ...event('x'), uid: undefined, global_id: 'a.example?id=1' },
      { origin: 'url' },
    );
    const second = await one(
      { ...event('x'), uid: undefined, global_id: 'a.example?id=1', title: 'New' },
      { origin: 'url' },
    );
    expect(second.events?.updated).toEqual(first.events?.created);
    expect(await rows(`global_id = 'a.example?id=1'`)).toHaveLength(1);
  });

  test('twice in a batch and again in the next: once, as it came last', async () => {
    const [first, second] = await apply([
      [event('d-1', { title: 'One' }), event('d-1', { title: 'Two' })],
      [event('d-1', { title: 'Three' })],
    ]);
    const found = await rows(`uid = 'd-1'`);
    expect(found.map((row) => row.title_raw)).toEqual(['Three']);
    expect(first?.events).toEqual({ ...none, created: [found[0]!.id] });
    expect(second?.events).toEqual({ ...none, updated: [found[0]!.id] });
  });

  test('twice in a group: what the later one does not mention is as the one before said', async () => {
    const more = {
      description: 'Words',
      url: 'http://a.example/',
      categories: ['Kept cat'],
      tags: ['kept tag'],
      venue: { venue: 'Kept hall', city: 'Ghent' },
      organizer: ['Kept one'],
      image: 'http://pictures.test/kept.png',
    };
    const said = [event('f-1', more), event('f-1', { title: 'Later', cost: '5' })];
    for (const [uid, batches] of [
      ['f-1', [said]],
      ['f-2', said.map((one) => [{ ...one, uid: 'f-2' }])],
    ] as const) {
      const answers = await apply(batches as Raw[][]);
      const [row] = await rows('uid = $1', uid);
      expect(row).toMatchObject({
        title_raw: 'Later',
        slug: expect.stringMatching(/^talk-f-1/),
        description_raw: 'Words',
        website: 'http://a.example/',
        cost: '5',
        image_source: 'http://pictures.test/kept.png',
      });
      const shown = (await site.by('anonymous').get(`/events/${row!.id as number}`)).body;
      expect(shown).toMatchObject({
        categories: [{ name: 'Kept cat' }],
        tags: [{ name: 'kept tag' }],
        venue: { venue: 'Kept hall', city: 'Ghent' },
        organizer: [{ organizer: 'Kept one' }],
      });
      expect(answers.map(({ images }) => images)).toEqual(answers.map((_, index) => (index === 0 ? 1 : 0)));
    }
  });

  test('what is in the trash or ignored stays so', async () => {
    await one(event('t-1'));
    const [row] = await rows(`uid = 't-1'`);
    await site.by('administrator').delete(`/events/${row!.id as number}`);
    const answer = await one(event('t-1', { title: 'Back' }));
    expect(answer.events).toEqual({ ...none, skipped: [row!.id] });
    expect(answer.skipped).toEqual([
      { index: 0, uid: 't-1', title: 'Back', reason: 'It is in the trash.', leftAlone: true },
    ]);
    expect((await rows(`uid = 't-1'`))[0]).toMatchObject({ status: 'trash', title_raw: 'Talk t-1' });
  });

  test('a series is linked by the uid of its parent', async () => {
    await apply([[event('p-1', { parent_uid: 'p-0' }), event('p-0')]]);
    const [child, parent] = [await rows(`uid = 'p-1'`), await rows(`uid = 'p-0'`)];
    expect(child[0]!.parent).toBe(parent[0]!.id);
  });

  test('a part that came before its series is linked when that comes, whichever import brings it', async () => {
    await one(event('q-1', { parent_uid: 'q-0' }));
    await one(event('q-2', { parent_uid: 'q-0' }), { origin: 'gcal' });
    expect((await rows(`uid = 'q-1'`))[0]!.parent).toBe(0);
    await one(event('q-0'));
    const [series] = await rows(`uid = 'q-0'`);
    expect((await rows(`uid = 'q-1'`))[0]!.parent).toBe(series!.id);
    expect((await rows(`uid = 'q-2'`))[0]!.parent).toBe(0);
  });

  test.each([
    ['the part', event('at-once-1', { parent_uid: 'at-once-0' }), event('at-once-0')],
    ['the series', event('at-once-2'), event('at-once-3', { parent_uid: 'at-once-2' })],
  ])('a part and its series that two imports bring at once are linked, %s first', async (_, ...both) => {
    const { db } = site.deps;
    // Either is written, and cannot end yet.
    const answers = await db.transaction(async (tx) => {
      await tx.run('lock table applied_batches in share mode');
      const first = one(both[0]);
      await untilLocked(db);
      const second = one(both[1]);
      await until(async () => (await lockWaits(db)) > 1);
      return { first, second };
    });
    await Promise.all([answers.first, answers.second]);
    const [series, part] = await db.rows<Raw>(
      'select * from events where uid = any($1) order by parent_uid',
      [both.map(({ uid }) => uid)],
    );
    expect(part!.parent).toBe(series!.id);
  });

  test('a part that now names another series leaves the one before, also where that one is not there yet', async () => {
    await apply([[event('moved-0'), event('moved-1', { parent_uid: 'moved-0' })]]);
    await one(event('moved-1', { parent_uid: 'moved-2' }));
    expect((await rows(`uid = 'moved-1'`))[0]!.parent).toBe(0);
    await one(event('moved-1'));
    await one(event('moved-2'));
    expect((await rows(`uid = 'moved-1'`))[0]!.parent).toBe((await rows(`uid = 'moved-2'`))[0]!.id);
  });

  test('what is left alone stays in its series', async () => {
    await apply([[event('r-0'), event('r-1', { parent_uid: 'r-0' }), event('r-2')]]);
    const [before] = await rows(`uid = 'r-1'`);
    await site.by('administrator').delete(`/events/${before!.id as number}`);
    const answer = await one(event('r-1', { parent_uid: 'r-2' }));
    expect(answer.events).toEqual({ ...none, skipped: [before!.id] });
    expect((await rows(`uid = 'r-1'`))[0]!.parent).toBe(before!.parent);
  });
});

test('bad events are skipped with their reason, the others are taken', async () => {
  const [answer] = await apply([
    [event('s-0'), 'text' as never, { uid: 's-2' }, event('s-3', { timezone: 'Nowhere' }), event('s-4')],
  ]);
  expect(answer?.events?.created).toHaveLength(2);
  expect(answer?.skipped).toEqual([
    { index: 1, uid: '', title: '', reason: 'It is not an object.', leftAlone: false },
    { index: 2, uid: 's-2', title: '', reason: 'It has no title.', leftAlone: false },
    {
      index: 3,
      uid: 's-3',
      title: 'Talk s-3',
      reason: 'Its time zone is unknown: Nowhere.',
      leftAlone: false,
    },
  ]);
});

test('numbers that are no longer what was sent name no event, and nothing becomes one', async () => {
  const numbered = (uid: string): string => `{"title": "Talk", "start_date": "2027-05-01", "uid": ${uid}}`;
  const eventsJson = `[${['9007199254740992', '9007199254740993', '"9007199254740993"', '7'].map(numbered).join()}]`;
  const [answer] = await applyBatches(
    site.deps,
    request([], { batches: [{ key: 'numbers/1', eventsJson }] }),
  );
  expect(answer?.skipped.map(({ index, reason }) => [index, reason])).toEqual(
    [0, 1].map((index) => [index, 'Its uid is a number too large to be exact: send it as text.']),
  );
  expect((await rows(`title_raw = 'Talk'`)).map(({ uid }) => uid)).toEqual(['9007199254740993', '7']);
});

test('a batch without events is noted too', async () => {
  const [answer] = await apply([[]]);
  expect(answer).toMatchObject({ events: none, skipped: [], images: 0 });
});

describe('venues and organizers', () => {
  test('one of the same name, whatever its case, is taken and learns what is new', async () => {
    const venue = await makeVenue(site.deps.db, { name: 'Grand Hall', city: 'Ghent', phone: '1' });
    const organizer = await makeOrganizer(site.deps.db, { name: 'Zoë Ångström' });
    const answer = await one(
      event('v-1', {
        venue: { venue: 'GRAND HALL', city: 'Bruges' },
        organizer: [{ organizer: 'zoë ångström', email: 'z@example.org' }],
      }),
    );
    expect(answer.venues).toEqual({ ...none, updated: [venue.id] });
    expect(answer.organizers).toEqual({ ...none, updated: [organizer.id] });
    expect(
      await site.deps.db.first('select name, city, phone from venues where id = $1', [venue.id]),
    ).toEqual({
      name: 'Grand Hall',
      city: 'Bruges',
      phone: '1',
    });
  });

  test.each(['ΘΕΑΤΡΟ ΠΟΛΙΣ', 'İstanbul Salonu'])(
    '%s is one however often it comes, though JavaScript and SQL have other small letters for it',
    async (name) => {
      const said = (uid: string) =>
        event(`${uid} ${name}`, {
          venue: { venue: name },
          organizer: [{ organizer: name, phone: '1' }],
          categories: [name],
          tags: [name],
        });
      const first = await one(said('small-1'));
      const second = await one(said('small-2'));
      for (const kind of ['venues', 'organizers'] as const) {
        expect(first[kind]?.created).toHaveLength(1);
        expect(second[kind]).toEqual({ ...none, updated: first[kind]!.created });
      }
      const [before, after] = [
        await rows('uid = $1', `small-1 ${name}`),
        await rows('uid = $1', `small-2 ${name}`),
      ];
      for (const terms of ['category_ids', 'tag_ids']) {
        expect(after[0]![terms]).toHaveLength(1);
        expect(after[0]![terms]).toEqual(before[0]![terms]);
      }
    },
  );

  test('a new category or tag that a batch writes in two ways, with an entity and without, is made once', async () => {
    const [one, other] = ['Bed & breakfast', 'Bed &amp; breakfast'];
    const [applied] = await apply([
      [
        event('entity-1', { categories: [one, other], tags: [one] }),
        event('entity-2', { categories: [other], tags: [other] }),
      ],
    ]);
    const [first, second] = await rows(`uid in ('entity-1', 'entity-2')`);
    expect(first).toMatchObject({ category_ids: [expect.any(Number)], tag_ids: [expect.any(Number)] });
    for (const terms of ['category_ids', 'tag_ids']) expect(second![terms]).toEqual(first![terms]);
    expect(applied!.categories).toEqual({ ...none, created: first!.category_ids });
    expect(applied!.tags).toEqual({ ...none, created: first!.tag_ids });
  });

  test('global ids are what was sent', async () => {
    const said = (id: string) =>
      event(`gid-${id}`, {
        venue: { venue: 'Of two ids', global_id: id },
        organizer: [{ organizer: 'Of two ids', global_id: id }],
      });
    const first = await one(said('gid <main>'));
    const second = await one(said('gid <side>'));
    expect(second.venues).toEqual({ ...none, created: [expect.any(Number)] });
    expect(second.organizers).toEqual({ ...none, created: [expect.any(Number)] });
    expect((await one(said('gid <main>'))).venues?.updated).toEqual(first.venues?.created);
    const { body } = await site.by('anonymous').get(`/venues/${first.venues!.created[0]!}`);
    expect([body.global_id, body.global_id_lineage]).toEqual(['gid &lt;main>', ['gid &lt;main>']]);
  });

  test('of one name that everybody may read, and not somebody’s draft', async () => {
    const made = async (status: string) => ({
      venue: (await makeVenue(site.deps.db, { name: 'Twin hall', status })).id,
      organizer: (await makeOrganizer(site.deps.db, { name: 'Twin', status })).id,
    });
    await made('draft');
    const open = await made('publish');
    const answer = await one(
      event('v-0', {
        venue: { venue: 'twin hall', city: 'Ghent' },
        organizer: [{ organizer: 'twin', phone: '1' }],
      }),
    );
    expect(answer.venues).toEqual({ ...none, updated: [open.venue] });
    expect(answer.organizers).toEqual({ ...none, updated: [open.organizer] });
  });

  test('somebody’s draft is left to them, those that imports made or everybody reads are found', async () => {
    const { db } = site.deps;
    const made = async (status: string, origin = '') => ({
      venue: (await makeVenue(db, { name: `Lone hall ${status}${origin}`, status, origin })).id,
      organizer: (await makeOrganizer(db, { name: `Lone ${status}${origin}`, status, origin })).id,
    });
    const say = (uid: string, name: string) =>
      one(
        event(uid, {
          venue: { venue: `Lone hall ${name}`, city: 'Ghent' },
          organizer: [{ organizer: `Lone ${name}`, phone: '1' }],
        }),
      );
    for (const status of ['draft', 'pending']) {
      const drafts = await made(status);
      const { events, venues, organizers } = await say(`lone-${status}`, status);
      const shown = (await site.by('anonymous').get(`/events/${events?.created[0]}`)).body;
      expect([venues?.created, organizers?.created]).toEqual([[shown.venue.id], [shown.organizer[0].id]]);
      // Nothing that the import says is written to it.
      expect(await db.first('select city from venues where id = $1', [drafts.venue])).toEqual({ city: '' });
      const again = await say(`lone-${status}-2`, status.toUpperCase());
      expect([again.venues?.created, again.organizers?.created]).toEqual([[], []]);
    }
    for (const [status, origin] of [
      ['draft', 'other'],
      ['private', ''],
    ] as const) {
      const { venue, organizer } = await made(status, origin);
      const { venues, organizers } = await say(`lone-${status}${origin}`, `${status}${origin}`);
      expect([venues?.updated, organizers?.updated]).toEqual([[venue], [organizer]]);
    }
  });

  test('by global id, under another name', async () => {
    const first = await one(event('v-2', { venue: { venue: 'Old name', global_id: 'v?id=1' } }));
    const second = await one(event('v-3', { venue: { venue: 'New name', global_id: 'v?id=1' } }));
    expect(second.venues?.updated).toEqual(first.venues?.created);
    // It is called as its source calls it, and found where it was.
    const shown = await site.deps.db.first('select name, slug from venues where id = any($1::bigint[])', [
      first.venues?.created,
    ]);
    expect(shown).toEqual({ name: 'New name', slug: 'old-name' });
    // Of one name, but another one at the source: two.
    const third = await one(event('v-4', { venue: { venue: 'Old name', global_id: 'v?id=2' } }));
    expect(third.venues?.created).toHaveLength(1);
    // Named with and without its global id in one batch: one.
    const fourth = await apply([
      [
        event('v-5', { venue: { venue: 'Both ways', global_id: 'v?id=5' } }),
        event('v-6', { venue: { venue: 'both ways' } }),
      ],
    ]);
    expect(fourth[0]?.venues?.created).toHaveLength(1);
  });

  test('a name that a person wrote is like all else that he wrote', async () => {
    const names: unknown[] = [];
    for (const authority of ['overwrite', 'leave', 'fill']) {
      const say = (name: string) =>
        one(event(`mine-${authority}`, { venue: { venue: `${name} ${authority}`, global_id: authority } }), {
          authority,
        });
      const [id] = (await say('Source')).venues?.created ?? [];
      await site.by('administrator').patch(`/venues/${id}`, { venue: 'Mine' });
      await say('Source anew');
      const { body } = await site.by('anonymous').get(`/venues/${id}`);
      names.push(body.venue);
      await site.by('administrator').patch(`/venues/${id}`, { venue: `Mine ${authority}` });
    }
    expect(names).toEqual(['Source anew overwrite', 'Mine', 'Mine']);
  });

  test('what is named by an old name and by a new one in a batch is what it is one after the other', async () => {
    const { venues } = await one(event('ren-0', { venue: { venue: 'Ren A', global_id: 'ren' } }));
    const [answer] = await apply([
      [
        event('ren-1', { venue: 'ren a' }),
        event('ren-2', { venue: { venue: 'Ren B', global_id: 'ren' } }),
        event('ren-3', { venue: 'REN B' }),
        event('ren-4', { venue: 'Ren A' }),
      ],
    ]);
    const [renamed] = venues?.created ?? [];
    const places = (await rows(`uid like 'ren-%'`)).map(({ venue_id }) => venue_id);
    expect(places).toEqual([renamed, renamed, renamed, renamed, answer?.venues?.created[0]]);
    expect(answer?.venues).toEqual({ ...none, created: [places[4]], updated: [renamed] });
  });

  test('by global id, also where two imports bring it under two names at once', async () => {
    const { db } = site.deps;
    const say = (uid: string, name: string) =>
      one(
        event(uid, {
          venue: { venue: name, global_id: 'two?v=1' },
          organizer: [{ organizer: name, global_id: 'two?o=1' }],
        }),
      );
    // Either is written, and cannot end yet.
    const answers = await db.transaction(async (tx) => {
      await tx.run('lock table applied_batches in share mode');
      const first = say('two-1', 'Town hall');
      await untilLocked(db);
      const second = say('two-2', 'Mairie');
      await until(async () => (await lockWaits(db)) > 1);
      return { first, second };
    });
    const { venues, organizers } = await answers.first;
    expect(await answers.second).toMatchObject({
      venues: { ...none, updated: venues?.created },
      organizers: { ...none, updated: organizers?.created },
    });
  });

  test('of several with one name and global ids of their own one takes what has none, the others are made', async () => {
    const old = await makeVenue(site.deps.db, { name: 'Main stage', city: 'Ghent' });
    const organizer = await makeOrganizer(site.deps.db, { name: 'The band' });
    const at = (city: string): Raw => ({
      venue: { venue: 'main stage', global_id: `stage-${city}`, city },
      organizer: ['1', '2'].map((n) => ({ organizer: 'The Band', global_id: `band-${city}-${n}` })),
    });
    const cities = ['Lyon', 'Nice', 'Metz'];
    const [answer] = await apply([cities.map((city) => event(`stage-${city}`, at(city)))]);
    expect([answer?.venues?.created.length, answer?.venues?.updated]).toEqual([2, [old.id]]);
    expect([answer?.organizers?.created.length, answer?.organizers?.updated]).toEqual([5, [organizer.id]]);
    const shown = await Promise.all(
      (answer?.events?.created ?? []).map((id) => site.by('anonymous').get(`/events/${id}`)),
    );
    expect(shown.map(({ body }) => [body.venue.city, body.organizer.length])).toEqual(
      cities.map((city) => [city, 2]),
    );
    // Brought again, each is the one that it was.
    const [again] = await apply([cities.map((city) => event(`stage-${city}`, at(city)))]);
    expect([again?.venues?.created, again?.organizers?.created]).toEqual([[], []]);
  });

  test('one in the trash is not found', async () => {
    const old = await makeVenue(site.deps.db, { name: 'Torn down', status: 'trash' });
    const answer = await one(event('v-7', { venue: 'Torn down' }));
    expect(answer.venues?.created).not.toContain(old.id);
    expect(answer.venues?.created).toHaveLength(1);
  });
});

test('slugs are unique, within the batch and beside what is there', async () => {
  await makeEvent(site.deps.db, { slug: 'opening' });
  await apply([
    [
      event('g-1', { title: 'Opening' }),
      event('g-2', { title: 'Opening' }),
      event('g-3', { title: 'Opening 2' }),
      event('g-4', { title: '日本' }),
      event('g-5', { title: '???' }),
    ],
  ]);
  const found = await rows(`uid like 'g-%'`);
  const slugs = Object.fromEntries(found.map((row) => [row.uid, row.slug]));
  expect(new Set(Object.values(slugs)).size).toBe(5);
  expect([slugs['g-1'], slugs['g-2'], slugs['g-3']].sort()).toEqual([
    'opening-2',
    'opening-2-2',
    'opening-3',
  ]);
  expect(slugs['g-5']).toBe(String(found[4]!.id));
});

test('drafts have a slug, and no date of publication yet', async () => {
  await one(event('h-1'), { defaultStatus: 'draft' });
  expect((await rows(`uid = 'h-1'`))[0]).toMatchObject({
    status: 'draft',
    slug: expect.stringMatching(/./),
    date_chosen: false,
  });
});

test('parallel imports that share everything make each thing once, and none is lost', async () => {
  const shared = (uid: string): Raw =>
    event(uid, {
      title: 'The very same title',
      categories: ['Shared cat', `Cat ${uid}`],
      tags: ['shared tag'],
      venue: { venue: `Shared room ${uid.length}`, city: uid },
      organizer: ['Shared one', 'Shared two', `Only ${uid}`],
    });
  const uids = Array.from({ length: 40 }, (_, n) => `par-${n}`);
  const shuffled = (seed: number): string[] =>
    [...uids].sort(
      (a, b) =>
        ((a.length * 7 + Number(a.slice(4)) * seed) % 41) - ((b.length * 7 + Number(b.slice(4)) * seed) % 41),
    );
  const answers = await Promise.all([3, 5, 7, 11].map((seed) => apply([shuffled(seed).map(shared)])));
  const created = answers.flatMap(([batch]) => batch?.events?.created ?? []);
  const updated = answers.flatMap(([batch]) => batch?.events?.updated ?? []);
  expect(created).toHaveLength(40);
  expect(updated).toHaveLength(120);
  const found = await rows(`uid like 'par-%'`);
  expect(found.map((row) => row.id).sort()).toEqual([...created].sort());
  expect(new Set(found.map((row) => row.slug)).size).toBe(40);
  const names = await site.deps.db.rows<{ name: string }>(
    `select name from venues where name like 'Shared room%' union all select name from organizers where name like 'Shared%' or name like 'Only par%'`,
  );
  expect(names).toHaveLength(2 + 2 + 40);
  expect(new Set(names.map(({ name }) => name)).size).toBe(44);
  const terms = await site.content.deps.db.rows<{ name: string }>(
    `select name from terms where name in ('Shared cat', 'shared tag')`,
  );
  expect(terms).toHaveLength(2);
});

test('the content service is away: nothing is written, and the batch can be tried again', async () => {
  const { deps } = site;
  const terms = dial<TermServiceServer>(TermServiceService, {
    service: 'content',
    address: `127.0.0.1:${await freePort()}`,
    caller: 'imports',
    actorSecret: TEST_ACTOR_SECRET,
  });
  const wanted = request([[event('w-1', { categories: ['Unheard of'] })]]);
  try {
    await expect(
      applyBatches({ ...deps, content: { ...deps.content, terms } }, wanted),
    ).rejects.toMatchObject({ status: 503 });
  } finally {
    terms.close();
  }
  expect(await rows(`uid = 'w-1'`)).toEqual([]);
  expect((await applyBatches(deps, wanted))[0]?.events?.created).toHaveLength(1);
});

test('categories and tags of a try that came to nothing are created by the next one, and by no other import', async () => {
  const { db } = site.deps;
  const batch = [event('cut-1', { categories: ['Made before the cut'], tags: ['made before the cut'] })];
  const wanted = request([batch]);
  await db.transaction(async (tx) => {
    // The lock that a group takes before it is written, behind its terms.
    await tx.run('select pg_advisory_xact_lock(hashtextextended($1, 5))', [wanted.importId]);
    const cut = expect(applyBatches(site.deps, wanted)).rejects.toThrow();
    await untilLocked(db, '%pg_advisory_xact_lock(hashtextextended%');
    await tx.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%pg_advisory_xact_lock(hashtextextended%'`,
    );
    await cut;
  });
  expect(await rows(`uid = 'cut-1'`)).toEqual([]);
  const [applied] = await applyBatches(site.deps, wanted);
  const [made] = await rows(`uid = 'cut-1'`);
  expect(applied).toMatchObject({
    categories: { ...none, created: made!.category_ids },
    tags: { ...none, created: made!.tag_ids },
  });
  expect((await apply([batch]))[0]).toMatchObject({ categories: none, tags: none });
});

test('many new events are told in few messages, each once', async () => {
  const events = Array.from({ length: 700 }, (_, index) => event(`told-${index}`));
  await apply([events.slice(0, 350), events.slice(350)]);
  const told = await site.deps.db.rows<{ ids: number[] }>(
    `select array(select (e->>'id')::bigint from jsonb_array_elements(payload->'events') as e) as ids
     from outbox where name = 'calendar.event.changed' and payload->'events' @> $1::jsonb or
       name = 'calendar.event.changed' and payload->'events' @> $2::jsonb`,
    (await rows(`uid in ('told-0', 'told-699')`)).map(({ id }) => JSON.stringify([{ id }])),
  );
  expect(told.map(({ ids }) => ids.length).sort()).toEqual([200, 500]);
  expect(new Set(told.flatMap(({ ids }) => ids)).size).toBe(events.length);
});

const conference = sharedFile('data/conference-2024.batches.jsonl.gz');

(conference ? test : test.skip)(
  'a year of a real conference, twice: every event once, right clock, room, speakers and track',
  async () => {
    const batches = gunzipSync(readFileSync(conference as string))
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { events: Raw[] }).events);
    const first = await apply(batches, { owner: 1 });
    const events = batches.flat();
    expect(first.flatMap((batch) => batch.events?.created ?? [])).toHaveLength(events.length);
    const found = await site.deps.db.rows<Raw>(
      `select e.uid, e.start_local, e.start_utc, v.name as venue,
       array(select o.name from unnest(e.organizer_ids) with ordinality as w (id, n) join organizers o using (id) order by n) as organizers
     from events e left join venues v on v.id = e.venue_id where e.uid like '2024-%' order by e.uid`,
    );
    expect(found).toHaveLength(events.length);
    const byUid = new Map(found.map((row) => [row.uid, row]));
    for (const wanted of events) {
      const row = byUid.get(wanted.uid)!;
      expect(row.start_local).toBe(
        `${wanted.start_date as string} ${wanted.start_hour as string}:${wanted.start_minute as string}:00`,
      );
      expect(row.venue).toBe((wanted.venue as Raw).venue);
      // The source has double blanks in names, and one speaker twice.
      const speakers = (wanted.organizer as Raw[]).map((one) =>
        (one.organizer as string).replace(/\s+/g, ' '),
      );
      expect(row.organizers).toEqual([...new Set(speakers)]);
    }
    const again = await apply(batches, { owner: 1 });
    expect(again.flatMap((batch) => batch.events?.created ?? [])).toEqual([]);
    expect(again.flatMap((batch) => batch.events?.updated ?? [])).toHaveLength(events.length);
    expect(await rows(`uid like '2024-%'`)).toHaveLength(events.length);
  },
);

test('of another site of this kind the global id is the name, whatever the uid', async () => {
  const from = { origin: 'url' };
  const first = await one(event('site-a', { global_id: 'site.test?id=1' }), from);
  const again = await one(event('site-b', { global_id: 'site.test?id=1', title: 'Moved' }), from);
  expect(again.events?.updated).toEqual(first.events?.created);
  const twice = (
    await apply([[event('c', { global_id: 'x?id=2' }), event('d', { global_id: 'x?id=2' })]], from)
  )[0]!;
  expect(twice.events?.created).toHaveLength(1);
  // One uid under two global ids is one event as well: it has no place for a second.
  const shared = (
    await apply([[event('e', { global_id: 'x?id=3' }), event('e', { global_id: 'x?id=4' })]], from)
  )[0]!;
  expect(new Set([...(shared.events?.created ?? []), ...(shared.events?.updated ?? [])]).size).toBe(1);
});

describe('events that cannot be stored', () => {
  // Halves of pairs come from cutting text in the middle of one: PostgreSQL reads no JSON that holds them.
  const long = (length: number): string => `${'x'.repeat(length - 1)}${'\u{1f389}'.repeat(20)}`;

  test('text is cut where a character ends', async () => {
    const batch = [
      event('cut-venue', { venue: { venue: long(500), global_id: long(500) } }),
      event('cut-organizer', { organizer: [{ organizer: long(500) }] }),
      event('cut-parent', { parent_uid: long(500), currency_symbol: long(20), cost: '5' }),
      event('cut-lineage', { global_id_lineage: [long(500)] }),
      event('cut-terms', { categories: [long(200)], tags: [long(200)] }),
      event('cut-title', { title: long(200), image: 'http://pictures.test/a.png' }),
    ];
    const answer = await one(batch[0]!);
    expect(answer.skipped).toEqual([]);
    const rest = (await apply([batch.slice(1)]))[0]!;
    expect([rest.events?.created.length, rest.skipped]).toEqual([5, []]);
    const unusable = (
      await apply([[{ title: long(200) }, event('cut-zone', { timezone: long(64) }), event(long(500))]])
    )[0]!;
    expect(unusable.skipped.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  test('characters that no database takes are left out, wherever they stand', async () => {
    const odd = 'a\u0000\ud83cb';
    const names = [
      'uid',
      'title',
      'global_id',
      'parent_uid',
      'url',
      'cost',
      'description',
      'excerpt',
      'phone',
    ];
    const more = {
      image: `https://pictures.test/${odd}.png`,
      global_id_lineage: [odd],
      categories: [odd],
      tags: odd,
      venue: { venue: odd, city: odd, global_id: odd },
      organizer: [{ organizer: odd, phone: odd }],
    };
    const fields = Object.fromEntries(
      names.map((name) => [name, name === 'url' ? `https://a.test/${odd}` : odd]),
    );
    const answer = await one(event('odd', { ...fields, ...more }));
    expect([answer.skipped, answer.events?.created.length, answer.images]).toEqual([[], 1, 1]);
  });

  test('one that the database refuses is skipped, the others are there', async () => {
    await site.deps.db.run(
      `alter table events add constraint refusing check (title_raw not like 'Refused%')`,
    );
    try {
      const refused = (uid: string): Raw => event(uid, { title: `Refused ${uid}` });
      const batches = [
        [event('kept-1'), refused('gone-1'), event('kept-2')],
        [refused('gone-2')],
        [event('kept-3'), event('kept-1', { title: 'Again' })],
      ];
      const answers = await apply(batches);
      expect(answers.map(({ skipped }) => skipped)).toEqual([
        [
          {
            index: 1,
            uid: 'gone-1',
            title: 'Refused gone-1',
            reason: 'It holds a value that cannot be stored.',
            leftAlone: false,
          },
        ],
        [
          {
            index: 0,
            uid: 'gone-2',
            title: 'Refused gone-2',
            reason: 'It holds a value that cannot be stored.',
            leftAlone: false,
          },
        ],
        [],
      ]);
      expect(
        (await rows(`uid like 'kept-%' or uid like 'gone-%'`)).map(({ uid, title_raw }) => [uid, title_raw]),
      ).toEqual(
        expect.arrayContaining([
          ['kept-1', 'Again'],
          ['kept-2', 'Talk kept-2'],
          ['kept-3', 'Talk kept-3'],
        ]),
      );
      expect(await rows(`uid like 'gone-%'`)).toEqual([]);
    } finally {
      await site.deps.db.run('alter table events drop constraint refusing');
    }
  });
});
