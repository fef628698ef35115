/** Pictures of imported events: fetched later by jobs, on both sides real services, with a small web server as the source. */
import { rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startContent, type ContentSite } from '@sevenfold/content/testing/service';
import type { TestService } from '@sevenfold/chassis/testing/service';
import sharp from 'sharp';
import { depart } from '../content/departures';
import type { Deps } from '../deps';
import { startCalendarOf } from '../testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { applyBatches } from './apply-batches';

let content: ContentSite;
let calendar: TestService<Deps>;
const hits = new Map<string, number>();
let picture: Buffer;
/** Pictures are given out once this is done. */
let held = Promise.resolve();
/** So many are answered with 429. */
let busy = 0;
const web = createServer((request, response) => {
  hits.set(request.url ?? '', (hits.get(request.url ?? '') ?? 0) + 1);
  if (request.url === '/text.png') response.end('no picture');
  else if (request.url?.startsWith('/busy') && busy-- > 0)
    response.writeHead(429, { 'Retry-After': '1' }).end('Later, please');
  else if (/^\/(?:ok|busy)/.test(request.url ?? ''))
    void held.then(() => response.writeHead(200, { 'Content-Type': 'image/png' }).end(picture));
  else response.writeHead(404).end();
});
let address: string;

beforeAll(async () => {
  picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  content = await startContent({ OUTBOUND_ALLOW_PRIVATE: true });
  calendar = await startCalendarOf(`127.0.0.1:${content.service.grpcPort}`, { ROLE: 'all' });
});
afterAll(async () => {
  await calendar.stop();
  await content.stop();
  await new Promise((resolve) => web.close(resolve));
});

let key = 0;
const apply = (uid: string, image: string, authority = '', owner = 1) =>
  applyBatches(calendar.deps, {
    importId: 'pictures',
    origin: 'ics',
    defaultStatus: 'publish',
    authority,
    owner,
    batches: [
      {
        key: `pictures/${(key += 1)}`,
        eventsJson: JSON.stringify([{ title: `Of ${uid}`, start_date: '2027-05-01', uid, image }]),
      },
    ],
  });
const news = () =>
  calendar.deps.db.rows<{ payload: Record<string, unknown> }>(
    `select payload from outbox where channel = 'calendar.import.image' order by id`,
  );
const imageOf = async (uid: string) =>
  (await calendar.deps.db.first<{ image_id: number; image_source: string }>(
    'select image_id, image_source from events where uid = $1',
    [uid],
  ))!;

const settled = () =>
  until(async () => {
    const open = await calendar.deps.db.rows(
      `select 1 from outbox where channel = 'calendar.images' and done_at is null and failed_at is null`,
    );
    return open.length === 0 ? true : undefined;
  });

test('a picture comes later, once, and the import hears of it', async () => {
  const [answer] = await apply('one', `${address}/ok.png`);
  expect(answer?.images).toBe(1);
  const id = await until(async () => (await imageOf('one')).image_id || undefined);
  const told = await until(async () => (await news())[0]);
  expect(told.payload).toEqual({
    import_id: 'pictures',
    attachment: id,
    found: false,
    uid: 'one',
    title: 'Of one',
    reason: '',
  });
  expect(
    (await calendar.as().get('/events?start_date=2027-05-01&end_date=2027-05-01')).body.events[0].image,
  ).toMatchObject({ id, width: 8 });
  // The same address again is nothing new.
  expect((await apply('one', `${address}/ok.png`))[0]?.images).toBe(0);
  expect(hits.get('/ok.png')).toBe(1);
});

test.each([
  ['overwrite', true],
  ['fill', true],
  ['leave', false],
] as const)(
  'a picture that was deleted here is one that a person took away: %s',
  async (authority, comes) => {
    const uid = `deleted-${authority}`;
    const url = `${address}/ok-${uid}.png`;
    await apply(uid, url, authority);
    const before = await until(async () => (await imageOf(uid)).image_id || undefined);
    await content.by('administrator').delete(`/media/${before}?force=true`);
    await calendar.deps.db.transaction((tx) => depart(tx, { kind: 'media', id: before, heir: 0 }));
    expect((await imageOf(uid)).image_id).toBe(0);
    const [answer] = await apply(uid, url, authority);
    expect([answer?.images, answer?.skipped.length]).toEqual(comes ? [1, 0] : [0, 1]);
    await settled();
    expect((await imageOf(uid)).image_id > 0).toBe(comes);
    // It is the source's again.
    expect((await apply(uid, url, authority))[0]?.images).toBe(0);
    expect(hits.get(`/ok-${uid}.png`)).toBe(comes ? 2 : 1);
  },
);

test('a picture whose job ended behind its fetch, and runs again, is still one that the import made', async () => {
  await apply('cut', `${address}/ok-cut.png`);
  const id = await until(async () => (await imageOf('cut')).image_id || undefined);
  await settled();
  const before = (await news()).length;
  await calendar.deps.db.run(
    `update outbox set done_at = null, sent_at = null where channel = 'calendar.images' and payload->>'uid' = 'cut'`,
  );
  expect((await until(async () => (await news())[before])).payload).toMatchObject({
    attachment: id,
    found: false,
  });
});

test('a picture of the site itself is the one that is there, not a copy of it', async () => {
  const file = { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="own.png"' };
  const { body } = await content.by('author').post('/media', picture, file);
  const before = (await news()).length;
  await apply('own', body.source_url as string);
  expect((await until(async () => (await news())[before])).payload).toMatchObject({
    attachment: body.id,
    found: true,
    reason: '',
  });
  expect(await imageOf('own')).toEqual({ image_id: body.id, image_source: body.source_url });
});

test.each(['/text.png', '/gone.png'])('%s is noted with its reason and harms nothing', async (file) => {
  const before = (await news()).length;
  const uid = `bad${file}`;
  expect((await apply(uid, `${address}${file}`))[0]?.events?.created).toHaveLength(1);
  const told = await until(async () => (await news())[before]);
  expect(told.payload).toMatchObject({ import_id: 'pictures', attachment: 0, uid });
  expect(told.payload.reason).toContain(`The picture ${address}${file} could not be fetched: `);
  // The next import may try again.
  expect(await imageOf(uid)).toEqual({ image_id: 0, image_source: '' });
});

test('a store of files that is away costs a picture none of its tries', async () => {
  const uploads = content.deps.config.UPLOADS_DIR;
  await rename(uploads, `${uploads}-away`);
  await writeFile(uploads, '');
  await apply('away', `${address}/ok-away.png`);
  const row = () =>
    calendar.deps.db.first<{ waits: number; attempts: number; last_error: string; done: boolean }>(
      `select waits, attempts, last_error, done_at is not null as done from outbox
        where channel = 'calendar.images' and payload ->> 'uid' = 'away'`,
    );
  const put = await until(async () => {
    const one = await row();
    return one && one.attempts > 0 && one;
  });
  expect(put).toMatchObject({
    waits: put.attempts,
    last_error: expect.stringContaining('store of media files'),
  });
  await rm(uploads);
  await rename(`${uploads}-away`, uploads);
  await until(async () => (await imageOf('away')).image_id > 0);
});

describe('a host that has enough for now', () => {
  const rowOf = (uid: string) =>
    calendar.deps.db.first<{ waits: number; attempts: number }>(
      `select waits, attempts from outbox where channel = 'calendar.images' and payload ->> 'uid' = $1`,
      [uid],
    );

  test('is asked again when it says, which costs a picture none of its tries', async () => {
    busy = 3;
    await apply('busy', `${address}/busy.png`);
    await until(async () => (await imageOf('busy')).image_id > 0);
    expect(hits.get('/busy.png')).toBe(4);
    expect(await rowOf('busy')).toEqual({ waits: 3, attempts: 4 });
  });

  test('and says so for ever is asked no more in the end', async () => {
    busy = Infinity;
    await apply('busy-on', `${address}/busy-on.png`);
    // As if it had said so all the while, and this were the last try.
    const late = (): Promise<number> =>
      calendar.deps.db.run(
        `update outbox set attempts = 13, waits = 13, max_attempts = 14, run_at = now()
          where channel = 'calendar.images' and payload ->> 'uid' = 'busy-on' and waits > 0 and sent_at is null`,
      );
    await until(async () => (await late()) > 0);
    await until(async () => (await news()).some(({ payload }) => payload.uid === 'busy-on'));
    expect((await imageOf('busy-on')).image_source).toBe('');
    busy = 0;
  });
});

test('of two pictures one after the other the last counts', async () => {
  await apply('late', `${address}/ok-first.png`);
  await apply('late', `${address}/ok-last.png`);
  await settled();
  const { image_id: id } = await imageOf('late');
  const media = await content.by('administrator').get(`/media/${id}`);
  expect(media.body.source_url).toContain('ok-last');
});

test.each([
  ['fill', true],
  ['leave', true],
  ['overwrite', false],
])('a picture that a person chose while that of the source was fetched: %s', async (authority, stays) => {
  const uid = `chosen-${authority}`;
  const upload = await content
    .by('editor')
    .post('/media', picture, { 'Content-Disposition': `attachment; filename="${uid}.png"` });
  const own = (upload.body as { id: number }).id;
  let release = (): void => undefined;
  held = new Promise((resolve) => (release = resolve));
  const [answer] = await apply(uid, `${address}/ok-held-${uid}.png`, authority);
  const id = answer?.events?.created[0] as number;
  const editor = calendar.as(content.users.editor);
  expect((await editor.post(`/events/${id}`, { image: own })).status).toBe(200);
  release();
  await until(async () => (await news()).some(({ payload }) => payload.uid === uid) || undefined);
  expect((await imageOf(uid)).image_id === own).toBe(stays);
  // The next batch names another picture: what a person chose is not even asked to make way.
  const [again] = await apply(uid, `${address}/ok-second-${uid}.png`, authority);
  expect(again?.images).toBe(stays ? 0 : 1);
});

test.each([
  ['overwrite', 'another', true],
  ['overwrite', 'none', true],
  ['fill', 'another', false],
  ['fill', 'none', true],
  ['leave', 'none', false],
])(
  'the picture of the source comes again: %s, where a person chose %s',
  async (authority, chosen, isBack) => {
    const uid = `again-${authority}-${chosen}`;
    const url = `${address}/ok-${uid}.png`;
    const [answer] = await apply(uid, url);
    const id = answer?.events?.created[0] as number;
    const first = await until(async () => (await imageOf(uid)).image_id || undefined);
    const upload = await content
      .by('editor')
      .post('/media', picture, { 'Content-Disposition': `attachment; filename="${uid}-own.png"` });
    const own = chosen === 'none' ? 0 : (upload.body as { id: number }).id;
    const image = chosen === 'none' ? false : own;
    expect((await calendar.as(content.users.editor).post(`/events/${id}`, { image })).status).toBe(200);
    expect((await imageOf(uid)).image_id).toBe(own);
    const [again] = await apply(uid, url, authority);
    expect(again?.images).toBe(isBack ? 1 : 0);
    await settled();
    const { image_id: now } = await imageOf(uid);
    expect([now === own, now === first]).toEqual([!isBack, isBack]);
    // And from then on it is the source's: nothing new.
    if (isBack) expect((await apply(uid, url, authority))[0]?.images).toBe(0);
  },
);

test('the picture of an import whose owner is gone comes all the same, and is nobody’s', async () => {
  await apply('orphan', `${address}/ok-orphan.png`, '', 987_654);
  const id = await until(async () => (await imageOf('orphan')).image_id || undefined);
  const { body } = await content.by('administrator').get(`/media/${id}`);
  expect((body as { author: number }).author).toBe(0);
});

test('a host that does not answer keeps none of the pictures of others waiting', async () => {
  const asked = new Set<string>();
  const silent = createServer(({ url = '' }) => void asked.add(url));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const there = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  try {
    for (let n = 0; n < 16; n++) await apply(`silent-${n}`, `${there}/${n}.png`);
    await apply('beside', `${address}/ok-beside.png`);
    await until(async () => (await imageOf('beside')).image_id > 0);
    // Four were asked for before it was known for slow, and four since, in its own line.
    expect(asked.size).toBeLessThanOrEqual(8);
  } finally {
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  }
  // It is gone: each is given up, and the import hears of it.
  await until(
    async () => (await news()).filter(({ payload }) => /^silent-/.test(String(payload.uid))).length === 16,
  );
});
