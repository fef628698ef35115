/** Webhooks through the console, told of what happens in all services, each thing as its reader may see it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@sevenfold/chassis/testing/until';
import { type Delivered, type Receiver, startReceiver } from '@sevenfold/content/webhooks/testing/receiver';
import { type Site, startSite } from '../support/site';

let site: Site;
let receiver: Receiver;
let files: string;
let admin: Record<string, string>;
beforeAll(async () => {
  files = await mkdtemp(path.join(tmpdir(), 'forms-'));
  // News go from one service to the other through what they share in Redis.
  const worker = { ROLE: 'all', REDIS_PREFIX: `test-webhooks-${process.pid}-${Date.now()}` };
  [site, receiver] = await Promise.all([
    startSite(
      {},
      {
        content: {
          ...worker,
          OUTBOUND_ALLOW_PRIVATE: true,
          SPAM_KEY_SECRETS: 'the secret of the tests',
          WEBHOOK_RETRY_SECONDS: 0.1,
        },
        calendar: worker,
        imports: worker,
        forms: { ...worker, FILES_DIR: files },
      },
    ),
    startReceiver(),
  ]);
  admin = await site.signIn(site.content.users.administrator);
});
afterAll(async () => {
  await receiver.stop();
  await site.stop();
  await rm(files, { recursive: true, force: true });
});

const API = '/console/api/webhooks';
const came = (where: string, type: string): Promise<Delivered> =>
  until(() => receiver.got.find(({ path: at, body }) => at === where && body.type === type));

test('an import belongs to somebody who is there', async () => {
  const register = (owner: number) => site.client.post('/console/api/imports', { owner }, admin);
  const nobody = await register(424_242);
  expect([nobody.status, nobody.body.data?.params]).toEqual([400, { owner: expect.any(String) }]);
  expect((await register(site.content.users.editor.id)).status).toBe(201);
  expect((await register(0)).status).toBe(201);
});

test('registered, changed, asked for its deliveries, sent again and deleted', async () => {
  const url = `${receiver.url}/console`;
  const made = await site.client.post(API, { url, topics: ['content.post.published'] }, admin);
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.body;
  expect(secret).toMatch(/^whsec_/);
  expect(shown).toMatchObject({
    url,
    topics: ['content.post.published'],
    audience: 'public',
    owner: site.content.users.administrator.id,
    state: 'active',
    disabled_reason: null,
    waiting: 0,
  });
  const at = `${API}/${shown.id}`;
  expect(made.headers.get('location')).toMatch(new RegExp(`${at}$`));
  expect((await site.client.get(at, admin)).body).toEqual(shown);
  expect((await site.client.get(API, admin)).text).not.toContain('whsec_');
  expect((await site.client.get(`${API}/topics`, admin)).body).toContainEqual({
    name: 'forms.submission.created',
    description: expect.any(String),
  });

  const rotated = await site.client.post(`${at}/secret`, {}, admin);
  expect([rotated.status, rotated.body.secret === secret]).toEqual([200, false]);
  const changed = await site.client.put(at, { topics: ['content.*'], description: 'For the shop' }, admin);
  expect(changed.body).toMatchObject({ url, topics: ['content.*'], description: 'For the shop' });

  for (const topics of [[], null]) {
    const refused = await site.client.put(at, { topics, description: 'lost' }, admin);
    expect([refused.status, refused.body.data?.params]).toEqual([400, { topics: expect.any(String) }]);
  }
  expect((await site.client.get(at, admin)).body).toMatchObject({
    topics: ['content.*'],
    description: 'For the shop',
  });

  const ping = await site.client.post(`${at}/ping`, {}, admin);
  expect([ping.status, ping.body.topic]).toEqual([202, 'webhook.ping']);
  await came('/console', 'webhook.ping');
  const first = await until(async () => {
    const { body } = await site.client.get(`${at}/deliveries?state=delivered`, admin);
    return body.deliveries[0];
  });
  expect(first).toMatchObject({
    id: ping.body.id,
    state: 'delivered',
    attempts: 1,
    answer: { status: 204, body: '' },
    error: null,
  });
  const again = await site.client.post(`${at}/deliveries/${first.id}/redeliver`, {}, admin);
  expect(again.status).toBe(202);
  const pings = await until(() => {
    const all = receiver.got.filter(
      ({ path: where, body }) => where === '/console' && body.type === 'webhook.ping',
    );
    return all.length === 2 && all;
  });
  expect(new Set(pings.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([first.message_id]));
  await site.client.post(`${at}/ping`, {}, admin);
  const page = await site.client.get(`${at}/deliveries?per_page=1`, admin);
  expect(page.body.deliveries).toHaveLength(1);
  const rest = await site.client.get(`${at}/deliveries?older_than=${page.body.next}`, admin);
  expect(rest.body).toMatchObject({ deliveries: [{ id: first.id }], next: null });

  const gone = await site.client.delete(at, admin);
  expect([gone.status, gone.body.deleted]).toEqual([200, true]);
  expect((await site.client.get(at, admin)).status).toBe(404);
});

test('is for those who manage the site, and takes no wrong words', async () => {
  expect((await site.client.get(API)).status).toBe(401);
  const editor = await site.signIn(site.content.users.editor);
  for (const [method, where] of [
    ['GET', API],
    ['POST', `${API}/1/ping`],
    ['POST', `${API}/1/secret`],
    ['GET', `${API}/1/deliveries`],
    ['DELETE', `${API}/1`],
  ] as const)
    expect((await site.client.request(method, where, { headers: editor })).status).toBe(403);
  const wrong = await site.client.post(API, { url: 'x', topics: ['nothing'] }, admin);
  expect([wrong.status, Object.keys(wrong.body.data.params)]).toEqual([400, ['url', 'topics']]);
  expect((await site.client.post(`${API}/999/ping`, {}, admin)).status).toBe(404);
});

test('tells of events, imports and submissions, to whoever may see them', async () => {
  const hook = async (where: string, audience: string): Promise<void> => {
    const topics = ['calendar.*', 'imports.import.finished', 'forms.submission.created'];
    const { status } = await site.client.post(API, { url: receiver.url + where, topics, audience }, admin);
    expect(status).toBe(201);
  };
  await hook('/all', 'public');
  await hook('/owner', 'owner');

  const events = '/rest/calendar/events/v1/events';
  const { body: event } = await site.client.post(
    events,
    {
      title: 'Opening',
      start_date: '2031-05-01 10:00:00',
      end_date: '2031-05-01 12:00:00',
      venue: { venue: 'Hall' },
    },
    admin,
  );
  const told = await came('/all', 'calendar.event.changed');
  expect(told.body.data).toMatchObject({
    kind: 'event',
    id: event.id,
    object: { id: event.id, title: 'Opening' },
  });
  const { body: read } = await site.client.get(`${events}/${event.id}`);
  expect(Object.keys(told.body.data.object as object)).toEqual(Object.keys(read));
  expect((await came('/all', 'calendar.venue.changed')).body.data.object).toMatchObject({ venue: 'Hall' });
  await site.client.delete(`${events}/${event.id}`, admin);
  expect((await came('/all', 'calendar.event.deleted')).body.data).toEqual({
    kind: 'event',
    id: event.id,
    object: null,
  });

  const forms = '/rest/contact-form/v1/contact-forms';
  const { body: form } = await site.client.post(forms, { form: '[text* marker]' }, admin);
  await site.client.post(`${forms}/${form.id}/feedback`, { marker: 'Hello there' });
  expect((await came('/owner', 'forms.submission.created')).body.data.object).toMatchObject({
    fields: { marker: 'Hello there' },
  });
  const hidden = await came('/all', 'forms.submission.created');
  expect(hidden.body.data).toEqual({ kind: 'submission', id: expect.any(Number), object: null });

  const { body: made } = await site.client.post('/console/api/imports', { import_id: 'told' }, admin);
  const callback = `/rest/calendar/event-aggregator/v1/import/${made.import_id}`;
  const state = {
    status: 'success',
    batch_hash: made.batch_hash,
    percentage_complete: 100,
    message: 'Done',
    message_slug: 'done',
  };
  expect(await site.client.post(`${callback}/state`, state)).toMatchObject({ status: 200 });
  expect((await came('/owner', 'imports.import.finished')).body.data).toMatchObject({
    kind: 'import',
    id: 'told',
    object: { import_id: 'told', state: 'success' },
  });
  expect((await came('/all', 'imports.import.finished')).body.data.object).toBeNull();

  const { body: another } = await site.client.post('/console/api/imports', { import_id: 'batched' }, admin);
  const organizers = ['Ann of the batch', 'Bob of the batch'];
  const batch = {
    batch_hash: another.batch_hash,
    percentage_complete: 50,
    status: { data: { total: 1, done: 0 }, batch: { total: 1, done: 0 } },
    interval: 10,
    events: [
      {
        uid: 'of-the-batch@example.org',
        title: 'Of the batch',
        start_date: '2031-06-01',
        end_date: '2031-06-01',
        organizer: organizers.map((organizer) => ({ organizer })),
      },
    ],
  };
  const batches = `/rest/calendar/event-aggregator/v1/import/${another.import_id}/batch`;
  expect(await site.client.post(batches, batch)).toMatchObject({ status: 200 });
  // What several are told of in one message is a delivery for each.
  const names = (): unknown[] =>
    receiver.got
      .filter(({ path: at, body }) => at === '/all' && body.type === 'calendar.organizer.changed')
      .map(({ body }) => (body.data.object as { organizer: string }).organizer);
  await until(() => names().length >= organizers.length);
  expect(names().sort()).toEqual(organizers);
});
