/** How much of one sender is kept: counted for all processes together, refused beyond, forgotten in time. */
import { ADDRESS_HEADER, addressSigner } from '@sevenfold/chassis/http/client-address';
import { TEST_ACTOR_SECRET, speaker } from '@sevenfold/chassis/testing/service';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { type FakeFilter, startFilter } from '../testing/filter';
import { type FormsSite, startForms } from '../testing/service';
import { feedbackSweeps } from './jobs';

let site: FormsSite;
let filter: FakeFilter;
let other: string;
beforeAll(async () => {
  filter = await startFilter();
  site = await startForms({ SPAMFILTER_GRPC: filter.address, FORM_MEGABYTES_PER_HOUR: 1 });
  other = (await site.another('api')).url;
});
afterAll(async () => {
  await site.stop();
  await filter.stop();
});

const sign = addressSigner(TEST_ACTOR_SECRET);
let sent = 0;
async function send(id: number, address: string, bytes: number, url = site.url): ReturnType<typeof post> {
  const body = new FormData();
  body.append('your-message', `No ${++sent}`);
  body.append('cv', new Blob(['x'.repeat(bytes)]), 'cv.txt');
  return post(url, id, body, { [ADDRESS_HEADER]: sign(address) });
}
const post = (url: string, id: number, body: unknown, headers: Record<string, string>) =>
  speaker(`${url}/rest/contact-form/v1`).post(`/contact-forms/${id}/feedback`, body, headers);
const kept = async (id: number): Promise<object | undefined> =>
  site.deps.db.first(
    `select count(*)::int as rows, (select count(*)::int from loose_files) as loose from submissions where form_id = $1`,
    [id],
  );

test('one address has its room in an hour, on whatever processes; others have theirs', async () => {
  const id = await site.makeForm({ form: '[textarea your-message][file cv limit:1mb]' });
  const [most, mine, theirs] = [400_000, '2001:db8:0:1::1', '2001:db8:0:2::1'];
  expect((await send(id, mine, most)).body.status).toBe('mail_sent');
  expect((await send(id, '2001:db8:0:1:ffff::2', most, other)).body.status).toBe('mail_sent');
  for (const url of [site.url, other]) {
    const { status, body, headers } = await send(id, mine, most, url);
    expect([status, body.code, body.data.done]).toEqual([429, 'contact_form_too_much', false]);
    const wait = Number(headers.get('retry-after'));
    expect(wait > 0 && wait <= 3_600).toBe(true);
  }
  expect(await kept(id)).toEqual({ rows: 2, loose: 0 });
  // What is smaller has room still, and so has somebody else.
  expect((await send(id, mine, 1)).body.status).toBe('mail_sent');
  expect((await send(id, theirs, most)).body.status).toBe('mail_sent');
});

test('of many at once no more is kept than has room', async () => {
  const id = await site.makeForm({ form: '[textarea your-message][file cv limit:1mb]' });
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, n) => send(id, '192.0.2.1', 300_000, n % 2 ? other : site.url)),
  );
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
  expect(await kept(id)).toEqual({ rows: 3, loose: 0 });
});

test('what was kept and comes again is told the same, takes no room and leaves no file', async () => {
  const id = await site.makeForm({ form: '[textarea your-message][file cv limit:1mb]' });
  const address = '192.0.2.5';
  const again = (url: string, more: Record<string, string> = {}): ReturnType<typeof post> => {
    const body = new FormData();
    body.append('your-message', 'The same');
    body.append('cv', new Blob(['x'.repeat(900_000)]), 'cv.txt');
    return post(url, id, body, { [ADDRESS_HEADER]: sign(address), ...more });
  };
  const key = { 'Idempotency-Key': 'retried' };
  for (const more of [{}, key]) {
    const first = await again(site.url, more);
    expect(first.body.status).toBe('mail_sent');
    for (const url of [site.url, other]) {
      const { status, body } = await again(url, more);
      expect([status, body]).toEqual([200, first.body]);
    }
    await site.deps.db.run(`update allowances set since = since - interval '1 hour'`);
  }
  expect(await kept(id)).toEqual({ rows: 2, loose: 0 });
});

test('hours that are over are forgotten, and nothing tells who sent', async () => {
  const id = await site.makeForm({ form: '[textarea your-message][file cv limit:1mb]' });
  await send(id, '192.0.2.7', 900_000);
  expect((await send(id, '192.0.2.7', 900_000)).status).toBe(429);
  const known = await site.deps.db.rows<{ sender: Buffer }>('select sender from allowances');
  expect(known.map(({ sender }) => sender.toString('latin1')).join()).not.toContain('192.0.2.7');
  await site.deps.db.run(`update allowances set since = since - interval '1 hour'`);
  expect((await send(id, '192.0.2.7', 900_000)).status).toBe(200);
  expect((await send(id, '192.0.2.7', 900_000)).status).toBe(429);
  await site.deps.db.run(`update allowances set since = since - interval '1 hour'`);
  await runSweep(feedbackSweeps, 'forms:forget', site.deps);
  expect(await site.deps.db.rows('select from allowances')).toEqual([]);
});
