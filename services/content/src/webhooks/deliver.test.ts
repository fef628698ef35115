/** Deliveries to a real receiver: what is told, to whom, in which order, and what becomes of what does not arrive. */
import { createHmac } from 'node:crypto';
import { Webhook as Verifier } from 'standardwebhooks';
import { openSealer } from '@sevenfold/chassis/seal';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { allTakenIn } from '@sevenfold/chassis/testing/taken-in';
import { until } from '@sevenfold/chassis/testing/until';
import type { Delivery } from '@sevenfold/proto/gen/sevenfold/content/v1/webhooks';
import { makePost as putPost } from '../testing/factories';
import { claim } from './deliveries';
import { webhookSweeps } from './jobs';
import { attemptSeconds, deliveriesTotal } from './metrics';
import { webhookSubscriptions } from './record';
import { wake } from './rounds';
import { READ_MS } from './sources';
import { type Delivered, type Receiver, startReceiver } from './testing/receiver';
import { type WebhookSite, startWebhooks } from './testing/site';

let site: WebhookSite;
let receiver: Receiver;
beforeAll(async () => {
  // Longer than a test waits: what stalls stalls until it is cut.
  [site, receiver] = await Promise.all([startWebhooks({ WEBHOOK_TIMEOUT_MS: 100_000 }), startReceiver()]);
});
afterAll(async () => {
  await receiver.stop();
  await site.stop();
});

const well: Receiver['answer'] = (_, response) => void response.writeHead(204).end();
afterEach(async () => {
  receiver.answer = well;
  receiver.cut();
  for (const { id } of (await site.webhooks.listWebhooks({}, site.admin)).webhooks)
    await site.webhooks.deleteWebhook({ id }, site.admin);
  // Who registers is told what happened up to a minute before: the webhooks of the next test what this one did last.
  await allTakenIn(site.deps);
});

let paths = 0;
/** A webhook with a path of its own at the receiver. */
async function hook(wanted: Partial<Parameters<WebhookSite['register']>[0]> = {}) {
  const path = `/hook-${(paths += 1)}`;
  const { id, secret } = await site.register({ url: receiver.url + path, ...wanted });
  return { id, secret, path, got: (): Delivered[] => receiver.got.filter((one) => one.path === path) };
}
type Hook = Awaited<ReturnType<typeof hook>>;

const editor = () => site.by('editor');
const makePost = async (fields: object = {}): Promise<number> =>
  (await editor().post('/posts', { title: 'Told', status: 'publish', ...fields })).body.id as number;
const come = (one: Hook, count: number): Promise<Delivered[]> =>
  until(() => one.got().length >= count && one.got());
const types = (all: readonly Delivered[]): string[] => all.map(({ body }) => body.type);
const deliveriesOf = async ({ id }: Hook): Promise<Delivery[]> =>
  (await site.webhooks.listDeliveries({ webhook: id, state: '', before: 0, perPage: 100 }, site.admin))
    .deliveries;
const settled = (one: Hook, state: string): Promise<Delivery> =>
  until(async () => (await deliveriesOf(one)).find((row) => row.state === state));
const update = ({ id }: Hook, changes: { readonly url?: string; readonly state?: string }) => {
  const same = { url: undefined, topics: [], audience: undefined, description: undefined, state: undefined };
  return site.webhooks.updateWebhook({ ...same, ...changes, id }, site.admin);
};
const state = async ({ id }: Hook) => site.webhooks.getWebhook({ id }, site.admin);
/** The webhook is told of a try after its delivery is. */
const isFailing = (one: Hook, expected: boolean): Promise<boolean> =>
  until(async () => ((await state(one)).failingSince !== '') === expected);

describe('what is told', () => {
  test('a post as strangers see it, signed in both ways', async () => {
    const one = await hook();
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    const id = await makePost({ content: '<p>Words</p>' });
    const [{ headers, text, body }] = (await come(one, 1)) as [Delivered];
    expect(body).toMatchObject({
      type: 'content.post.published',
      data: { kind: 'post', id, object: { id, status: 'publish', title: { rendered: 'Told' } } },
    });
    expect(body.data.object).toEqual((await site.as().get(`/posts/${id}`)).body);
    expect(() => new Verifier(one.secret).verify(text, headers)).not.toThrow();
    expect(() => new Verifier(`whsec_${'A'.repeat(32)}`).verify(text, headers)).toThrow();
    expect(headers['x-signature']).toBe(
      `sha256=${createHmac('sha256', one.secret).update(text).digest('hex')}`,
    );
    expect(Date.parse(body.timestamp)).toBeGreaterThan(Date.now() - 600_000);
  });

  test('what strangers may not see is told by its kind and number, to its owner by his rights', async () => {
    const [toAll, toOwner] = [await hook(), await hook({ audience: 'owner' })];
    const id = await makePost({ status: 'private', content: 'Secret words' });
    const [[stranger], [owner]] = [await come(toAll, 1), await come(toOwner, 1)];
    expect(stranger?.body.data).toEqual({ kind: 'post', id, object: null });
    expect(stranger?.text).not.toContain('Secret');
    expect(owner?.body.data).toMatchObject({
      object: { id, content: { rendered: '<p>Secret words</p>\n' } },
    });
  });

  test('rights are those at the delivery: what was trashed meanwhile, or lost with a role, is gone', async () => {
    receiver.answer = ({ body }, response) =>
      void response.writeHead(body.data.object === null ? 204 : 503).end();
    const [toAll, toOwner] = [
      await hook({ topics: ['content.post.published'] }),
      await hook({ topics: ['content.post.published'], audience: 'owner' }),
    ];
    const id = await makePost();
    const [first] = await come(toAll, 1);
    expect(first?.body.data.object).toMatchObject({ id });
    await come(toOwner, 1);
    await editor().delete(`/posts/${id}`);
    await site.deps.db.run(`update users set roles = '{subscriber}' where id = $1`, [
      site.users.administrator.id,
    ]);
    try {
      await Promise.all([settled(toAll, 'delivered'), settled(toOwner, 'delivered')]);
    } finally {
      await site.deps.db.run(`update users set roles = '{administrator}' where id = $1`, [
        site.users.administrator.id,
      ]);
    }
    for (const one of [toAll, toOwner]) {
      const last = one.got().at(-1) as Delivered;
      expect(last.body.data).toEqual({ kind: 'post', id, object: null });
      expect(last.headers['webhook-id']).toBe(one.got()[0]?.headers['webhook-id']);
    }
  });

  test('a life of a post and of a comment, in order, and of a file', async () => {
    const one = await hook({ topics: ['content.post.*', 'content.comment.*', 'content.media.deleted'] });
    const id = await makePost({ status: 'draft' });
    await editor().post(`/posts/${id}`, { status: 'publish' });
    await editor().post(`/posts/${id}`, { title: 'Told anew' });
    const comment = { post: id, content: 'Well said', author_name: 'Ann', author_email: 'ann@site.test' };
    const { body: said } = await site.as().post('/comments', comment);
    await editor().post(`/comments/${said.id}`, { status: 'approved' });
    await editor().delete(`/comments/${said.id}?force=true`);
    await editor().delete(`/posts/${id}`);
    await editor().delete(`/posts/${id}?force=true`);
    const all = await come(one, 8);
    expect(types(all.filter(({ body }) => body.data.kind === 'post'))).toEqual(
      ['updated', 'published', 'updated', 'trashed', 'deleted'].map((what) => `content.post.${what}`),
    );
    expect(types(all.filter(({ body }) => body.data.kind === 'comment'))).toEqual(
      ['created', 'approved', 'deleted'].map((what) => `content.comment.${what}`),
    );
    const sequences = all.filter(({ body }) => body.data.kind === 'post').map(({ body }) => body.sequence);
    expect([...sequences].sort((a, b) => a - b)).toEqual(sequences);
    expect(all).toHaveLength(8);
  });

  test('an event that comes twice, and one from before the webhook, make no delivery', async () => {
    const one = await hook();
    const { id: post } = await putPost(site.deps.db);
    const { handle } = webhookSubscriptions.find(({ topic }) => topic === 'content.post.changed')!;
    const payload = { id: post, type: 'post', status: 'publish', before_status: 'publish' };
    const call = { deps: site.deps, topic: 'content.post.changed', payload, log: site.deps.log };
    const take = (id: number, at?: string) =>
      site.deps.db.transaction((tx) => handle({ ...call, tx, id, at }));
    await take(900_001);
    await take(900_001);
    await take(900_002, '2020-01-01 00:00:00');
    await come(one, 1);
    expect((await deliveriesOf(one)).map(({ topic }) => topic)).toEqual(['content.post.updated']);
  });
});

describe('what does not arrive', () => {
  test('settings that cannot be read now are put off, not told as gone', async () => {
    const one = await hook({ topics: ['content.settings.changed'], audience: 'owner' });
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await site.by('administrator').post('/settings', { description: `At ${Date.now()}` });
    await come(one, 1);
    receiver.answer = well;
    const { db, memory } = site.deps;
    await db.run('alter table settings rename to settings_away');
    memory.forget('settings');
    try {
      const put = await until(async () =>
        (await deliveriesOf(one)).find(({ error }) => !error.startsWith('It answered')),
      );
      expect(put).toMatchObject({ state: 'waiting', error: expect.stringContaining('settings') as string });
    } finally {
      await db.run('alter table settings_away rename to settings');
    }
    await db.transaction(async (tx) => {
      await tx.run('update webhook_deliveries set next_at = now() where webhook = $1', [one.id]);
      await wake(tx, [one.id]);
    });
    await settled(one, 'delivered');
    expect(one.got().map(({ body }) => body.data.object)).not.toContain(null);
  });

  test('comes again under the same id, with what is seen then; answers are kept', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    receiver.answer = (_, response) => void response.writeHead(500).end(`Ow${'w'.repeat(3_000)}\0`);
    const id = await makePost();
    const [{ headers }] = (await come(one, 1)) as [Delivered];
    const failed = await until(async () => (await deliveriesOf(one)).find(({ attempts }) => attempts > 0));
    expect(failed).toMatchObject({
      state: 'waiting',
      status: 500,
      error: 'It answered 500.',
      objectId: String(id),
    });
    expect(failed.answer).toBe(`Ow${'w'.repeat(1_022)}`);
    await isFailing(one, true);
    await editor().post(`/posts/${id}`, { title: 'Later' });
    // What was read before the change may arrive after it.
    receiver.answer = ({ text }, response) =>
      void response.writeHead(text.includes('Later') ? 200 : 500).end('Thanks');
    const done = await settled(one, 'delivered');
    expect(done).toMatchObject({
      status: 200,
      answer: 'Thanks',
      error: '',
      messageId: headers['webhook-id'],
    });
    expect(done.attempts).toBe(one.got().length);
    expect(one.got().at(-1)?.body.data.object).toMatchObject({ title: { rendered: 'Later' } });
    await isFailing(one, false);
  });

  test('holds back what came later of the same object, and nothing else', async () => {
    const one = await hook({ topics: ['content.post.*'] });
    const [id, other] = [await makePost(), await makePost()];
    await come(one, 2);
    let refusals = 0;
    receiver.answer = ({ body }, response) => {
      const isRefused = body.data.id === id && refusals < 2;
      if (isRefused) refusals += 1;
      response.writeHead(isRefused ? 500 : 204).end();
    };
    await editor().post(`/posts/${id}`, { title: 'One' });
    await until(() => refusals > 0);
    await editor().delete(`/posts/${id}`);
    await editor().post(`/posts/${other}`, { title: 'Two' });
    const all = await come(one, 7);
    expect(types(all.slice(2).filter(({ body }) => body.data.id === id))).toEqual([
      'content.post.updated',
      'content.post.updated',
      'content.post.updated',
      'content.post.trashed',
    ]);
    expect(types(all.filter(({ body }) => body.data.id === other))).toEqual([
      'content.post.published',
      'content.post.updated',
    ]);
  });

  test('a redirect is never followed', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    receiver.answer = ({ path }, response) =>
      void (path === one.path
        ? response.writeHead(307, { Location: `${receiver.url}/inward` }).end()
        : response.writeHead(204).end());
    await makePost();
    await until(async () => (await deliveriesOf(one))[0]?.error === 'It answered 307.');
    await come(one, 2);
    expect(receiver.got.filter(({ path }) => path === '/inward')).toEqual([]);
  });

  test('Retry-After is waited for', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    receiver.answer = (_, response) => void response.writeHead(429, { 'Retry-After': '3000' }).end();
    await makePost();
    const failed = await until(async () => (await deliveriesOf(one)).find(({ attempts }) => attempts === 1));
    expect(Date.parse(failed.nextAt) - Date.parse(failed.triedAt)).toBeGreaterThan(2_900_000);
  });

  test.each([429, 503])(
    '%i with Retry-After holds all of the webhook until then, and nothing of another address',
    async (status) => {
      const topics = ['content.post.published'];
      const [one, control] = [await hook({ topics }), await hook({ topics })];
      receiver.answer = ({ path }, response) =>
        void response.writeHead(path === one.path ? status : 204, { 'Retry-After': '3000' }).end();
      const { db } = site.deps;
      /** Its round has come to its end, and the next one is far. */
      const rests = (): Promise<unknown> =>
        until(() =>
          db.first(`select id from webhooks where id = $1 and round_at > now() + interval '1 minute'`, [
            one.id,
          ]),
        );
      await makePost();
      await rests();
      for (let made = 0; made < 6; made += 1) await makePost();
      await come(control, 7);
      // Also where a round begins.
      await db.transaction(async (tx) => {
        await tx.run('update webhooks set round_at = null where id = $1', [one.id]);
        await wake(tx, [one.id]);
      });
      await rests();
      expect(one.got()).toHaveLength(1);
      expect(await state(one)).toMatchObject({ state: 'active', waiting: 7 });
      for (const { nextAt } of await deliveriesOf(one))
        expect(Date.parse(nextAt) - Date.now()).toBeGreaterThan(2_500_000);

      const [latest] = (await deliveriesOf(one)) as [Delivery];
      await update(one, { url: `${receiver.url}${one.path}-moved` });
      const moved = await until(() => {
        const all = receiver.got.filter(({ path }) => path === `${one.path}-moved`);
        return all.length >= 6 && all;
      });
      expect(moved.map(({ headers }) => headers['webhook-id'])).toContain(latest.messageId);
    },
  );

  test('somebody who sends again, or tries a webhook, does not wait until its receiver wants anything', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    receiver.answer = (_, response) => void response.writeHead(429, { 'Retry-After': '3000' }).end();
    await makePost();
    const refused = await until(async () => (await deliveriesOf(one)).find(({ attempts }) => attempts === 1));
    receiver.answer = well;
    await site.webhooks.redeliver({ webhook: one.id, delivery: refused.id }, site.admin);
    await settled(one, 'delivered');
    receiver.answer = (_, response) => void response.writeHead(429, { 'Retry-After': '3000' }).end();
    await makePost();
    await come(one, 3);
    await isFailing(one, true);
    receiver.answer = well;
    await site.webhooks.pingWebhook({ id: one.id }, site.admin);
    expect(types(await come(one, 4)).at(-1)).toBe('webhook.ping');
  });

  test('is sent later and later, after four hours at most, and no round begins before', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    const { db } = site.deps;
    /** What it waits for after so many tries, in seconds. */
    const pause = async (tries: number): Promise<number> => {
      const { nextAt, triedAt } = await until(async () =>
        (await deliveriesOf(one)).find(({ attempts }) => attempts === tries),
      );
      return (Date.parse(nextAt) - Date.parse(triedAt)) / 1000;
    };
    receiver.answer = (_, response) => void response.writeHead(429, { 'Retry-After': '3000' }).end();
    await makePost();
    await pause(1);
    receiver.answer = (_, response) => void response.writeHead(500).end();
    for (const [failures, least, most] of [
      [5, 0.75 * 102, 1.25 * 103],
      [12, 3 * 3_600 - 1, 5 * 3_600 + 1],
    ] as const) {
      await until(() =>
        db.first(`select id from webhooks where id = $1 and round_at > now() + interval '1 minute'`, [
          one.id,
        ]),
      );
      await db.run('update webhook_deliveries set attempts = $2, next_at = now() where webhook = $1', [
        one.id,
        failures,
      ]);
      await db.run('update webhooks set quiet_until = null where id = $1', [one.id]);
      await db.transaction((tx) => wake(tx, [one.id]));
      const seconds = await pause(failures + 1);
      expect(seconds).toBeGreaterThan(least);
      expect(seconds).toBeLessThan(most);
    }
  });

  test('what is on its way is claimed for longer than all that a try does, and not for ever', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    receiver.answer = () => undefined;
    await makePost();
    await come(one, 1);
    const row = await site.deps.db.first<{ most: number; left: number }>(
      `select extract(epoch from sending_until - created_at)::float8 as most,
         extract(epoch from sending_until - now())::float8 as left
       from webhook_deliveries where webhook = $1 and sending_until is not null`,
      [one.id],
    );
    const longest = (site.deps.config.WEBHOOK_TIMEOUT_MS + READ_MS) / 1_000;
    expect(row?.most).toBeGreaterThan(longest);
    expect(row?.left).toBeLessThan(longest + 60);
  });

  test('each try is counted by its end, with the time that the receiver took', async () => {
    const ends = async (): Promise<Record<string, number>> => {
      const { values } = await deliveriesTotal.get();
      return Object.fromEntries(values.map(({ labels, value }) => [String(labels.outcome), value]));
    };
    const took = async (): Promise<Record<string, number>> => {
      const { values } = await attemptSeconds.get();
      const of = (part: string): number =>
        values.find(({ metricName }) => metricName?.endsWith(part))?.value ?? 0;
      return { count: of('_count'), sum: of('_sum') };
    };
    const one = await hook({ topics: ['content.post.published'] });
    const [before, tookBefore] = [await ends(), await took()];
    const more = async (outcome: string): Promise<number> =>
      ((await ends())[outcome] ?? 0) - (before[outcome] ?? 0);
    // Long enough to be told from a try that took no time, and from one of which thousands are told for one.
    receiver.answer = (_, response) => void setTimeout(() => response.writeHead(500).end(), 50);
    await makePost();
    await until(async () => (await more('failed')) > 0);
    expect([await more('delivered'), await more('given_up')]).toEqual([0, 0]);
    const { count = 0, sum = 0 } = await took();
    const each = (sum - (tookBefore.sum ?? 0)) / (count - (tookBefore.count ?? 0));
    expect(each).toBeGreaterThan(0.04);
    expect(each).toBeLessThan(40);
    await site.deps.db.run(`update webhook_deliveries set expires_at = now() where webhook = $1`, [one.id]);
    await until(async () => (await more('given_up')) === 1);
    receiver.answer = well;
    await makePost();
    await until(async () => (await more('delivered')) === 1);
    expect(await more('put_off')).toBe(0);
  });

  test('a receiver that stalls holds nobody else, and is asked so much at a time only', async () => {
    const [stalled, other] = [await hook(), await hook()];
    receiver.answer = ({ path }, response) => {
      if (path === other.path) response.writeHead(204).end();
    };
    const ids = await Promise.all(Array.from({ length: 7 }, () => makePost()));
    const told = await come(other, 7);
    expect(told.map(({ body }) => body.data.id).sort()).toEqual([...ids].sort());
    await come(stalled, 4);
    expect(stalled.got()).toHaveLength(4);
  });

  test('however the database joins what it claims, no more are claimed than may be on their way', async () => {
    const { id } = await hook();
    // No round of its own.
    await site.deps.db.run(`update webhooks set round_at = now() where id = $1`, [id]);
    await site.deps.db.run(
      `insert into webhook_deliveries (webhook, event, sequence, topic, kind, object_id, happened_at, expires_at)
       select $1, 'e' || n, n, 'content.post.published', 'post', n, now(), now() + interval '1 hour'
       from generate_series(1, 7) n`,
      [id],
    );
    const claimed = await site.deps.db.transaction(async (tx) => {
      // Row by row, as it does where it believes that the table is all but empty.
      for (const way of ['hashagg', 'sort', 'hashjoin', 'mergejoin', 'material', 'memoize'])
        await tx.run(`set local enable_${way} = off`);
      return claim(tx, id, { atOnce: 4, seconds: 100 });
    });
    expect(claimed).toHaveLength(4);
    // Nobody sends them, and whoever deletes the webhook would wait for that.
    await site.deps.db.run(`delete from webhook_deliveries where webhook = $1`, [id]);
  });

  test('is given up after its time; a receiver at which nothing arrives for as long is told nothing more', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    receiver.answer = (_, response) => void response.writeHead(500).end();
    await makePost();
    await come(one, 1);
    await site.deps.db.run(`update webhook_deliveries set expires_at = now() where webhook = $1`, [one.id]);
    const given = await settled(one, 'given_up');
    expect(given.attempts).toBe(one.got().length);
    expect(await state(one)).toMatchObject({ state: 'active', waiting: 0 });
    await site.deps.db.run(`update webhooks set failing_since = now() - interval '25 hours' where id = $1`, [
      one.id,
    ]);
    await makePost();
    await until(async () => (await state(one)).state === 'disabled');
    expect(await state(one)).toMatchObject({ disabledReason: 'failing', waiting: 0 });
    await expect(
      site.webhooks.redeliver({ webhook: one.id, delivery: given.id }, site.admin),
    ).rejects.toMatchObject({
      code: 'webhook_disabled',
      status: 409,
    });
    receiver.answer = well;
    // It may have been disabled before it was told of the second post, which it is not to be told from now on either.
    await allTakenIn(site.deps);
    const before = one.got().length;
    await update(one, { state: 'active' });
    await site.webhooks.redeliver({ webhook: one.id, delivery: given.id }, site.admin);
    const again = await come(one, before + 1);
    expect(again.at(-1)?.headers['webhook-id']).toBe(given.messageId);
    expect(await state(one)).toMatchObject({ state: 'active', disabledReason: '', failingSince: '' });
  });

  test('sends again what was given up while it was on its way, and then fails', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    let fail = (): unknown => undefined;
    receiver.answer = (_, response) => void (fail = () => response.writeHead(500).end());
    await makePost();
    await come(one, 1);
    await update(one, { state: 'disabled' });
    await update(one, { state: 'active' });
    const given = await settled(one, 'given_up');
    const told = await site.webhooks.redeliver({ webhook: one.id, delivery: given.id }, site.admin);
    expect(told).toMatchObject({ state: 'waiting', error: '' });
    receiver.answer = well;
    fail();
    expect(await settled(one, 'delivered')).toMatchObject({ id: given.id });
    expect(one.got().map(({ headers }) => headers['webhook-id'])).toEqual([given.messageId, given.messageId]);
  });

  test('410 disables at once', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    receiver.answer = (_, response) => void response.writeHead(410).end();
    await makePost();
    await until(async () => (await state(one)).disabledReason === 'gone');
    expect(one.got()).toHaveLength(1);
    expect((await deliveriesOf(one)).map((row) => [row.state, row.status])).toEqual([['given_up', 410]]);
  });

  test.each([
    [410, false],
    [410, true],
    [500, false],
    [500, true],
  ])(
    '%i of a try from before it was disabled and enabled again says nothing of it (sent again: %s)',
    async (status, isSentAgain) => {
      const one = await hook({ topics: ['content.post.published'] });
      let end = (): unknown => undefined;
      receiver.answer = (_, response) => void (end = () => response.writeHead(status).end());
      await makePost();
      await come(one, 1);
      await update(one, { state: 'disabled' });
      expect((await state(one)).disabledAt).not.toBe('');
      const enabled = await update(one, { state: 'active' });
      expect(enabled).toMatchObject({ state: 'active', disabledReason: '', disabledAt: '' });
      const given = await settled(one, 'given_up');
      if (isSentAgain) await site.webhooks.redeliver({ webhook: one.id, delivery: given.id }, site.admin);
      receiver.answer = well;
      end();
      await until(async () => (await deliveriesOf(one)).find(({ attempts }) => attempts > 0));
      await makePost();
      await come(one, isSentAgain ? 3 : 2);
      await until(async () => (await state(one)).waiting === 0);
      expect(await state(one)).toMatchObject({ state: 'active', failingSince: '', disabledAt: '' });
    },
  );

  test.each([410, 500])(
    '%i of an address that it had before says nothing of the one that it has',
    async (status) => {
      const one = await hook({ topics: ['content.post.published'] });
      let end = (): unknown => undefined;
      receiver.answer = (_, response) => void (end = () => response.writeHead(status).end());
      await makePost();
      await come(one, 1);
      // It has failed for longer than anybody waits.
      await site.deps.db.run(
        `update webhooks set failing_since = now() - interval '25 hours' where id = $1`,
        [one.id],
      );
      const moved = `${receiver.url}${one.path}-moved`;
      expect(await update(one, { url: moved })).toMatchObject({ failingSince: '' });
      receiver.answer = well;
      end();
      const [told] = await until(async () => {
        const all = await deliveriesOf(one);
        return all[0]?.state !== 'waiting' && all;
      });
      expect(told?.state).toBe('delivered');
      expect(await state(one)).toMatchObject({ url: moved, state: 'active', failingSince: '' });
      expect(receiver.got.at(-1)?.path).toBe(`${one.path}-moved`);
    },
  );
});

describe('a webhook', () => {
  test('signs with two secrets for a while after a rotation, and never with a third', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    const verified = async (): Promise<boolean[]> => {
      const before = one.got().length;
      await site.webhooks.pingWebhook({ id: one.id }, site.admin);
      const { text, headers, body } = (await come(one, before + 1)).at(-1) as Delivered;
      expect(body).toMatchObject({ type: 'webhook.ping', data: { kind: 'webhook', id: one.id } });
      return secrets.map((secret) => {
        try {
          new Verifier(secret).verify(text, headers);
          return true;
        } catch {
          return false;
        }
      });
    };
    const rotate = async () => (await site.webhooks.rotateSecret({ id: one.id }, site.admin)).secret;
    const secrets = [one.secret, await rotate()];
    expect(await verified()).toEqual([true, true]);
    expect((await state(one)).previousSecretUntil).not.toBe('');
    secrets.push(await rotate());
    expect(await verified()).toEqual([false, true, true]);
    await site.deps.db.run(`update webhook_secrets set ends_at = now() where ends_at is not null`);
    expect(await verified()).toEqual([false, false, true]);
  });

  test('keeps its secret when what seals it is replaced, and waits where it cannot be opened', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    const sealed = (): Promise<{ id: string }[]> =>
      site.deps.db.rows<{ id: string }>('select secret_id as id from webhook_secrets where webhook = $1', [
        one.id,
      ]);
    const [old] = await sealed();
    const purpose = 'sevenfold webhook secret';
    const replaced = {
      ...site.deps,
      webhookSealer: openSealer('a new one,the secret of the tests', purpose),
    };
    await runSweep(webhookSweeps, 'reseal-webhook-secrets', replaced);
    const [anew] = await sealed();
    expect(anew?.id).toBe(replaced.webhookSealer.secretId);
    expect(anew?.id).not.toBe(old?.id);
    const putOff = async (): Promise<number> =>
      (await deliveriesTotal.get()).values.find(({ labels }) => labels.outcome === 'put_off')?.value ?? 0;
    const before = await putOff();
    // The process that delivers knows the old one only.
    await site.webhooks.pingWebhook({ id: one.id }, site.admin);
    const put = await until(async () => (await deliveriesOf(one)).find(({ error }) => error !== ''));
    expect(put).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(put.error).toContain('SPAM_KEY_SECRETS');
    expect(await putOff()).toBeGreaterThan(before);
    expect(one.got()).toEqual([]);
  });

  test('that is deleted is told nothing more, not even what waited or was on its way', async () => {
    const [one, control] = [await hook(), await hook()];
    receiver.answer = ({ path }, response) => {
      if (path === control.path) response.writeHead(204).end();
      else setTimeout(() => response.writeHead(500).end(), 200);
    };
    await Promise.all(Array.from({ length: 6 }, () => makePost()));
    await come(one, 1);
    await site.webhooks.deleteWebhook({ id: one.id }, site.admin);
    const before = one.got().length;
    const id = await makePost();
    await until(() => control.got().some(({ body }) => body.data.id === id));
    expect(one.got()).toHaveLength(before);
    await expect(site.webhooks.getWebhook({ id: one.id }, site.admin)).rejects.toMatchObject({ status: 404 });
    const left = await site.deps.db.first(`select id from webhook_deliveries where webhook = $1`, [one.id]);
    expect(left).toBeUndefined();
  });

  test('is started again where a round was overlooked, and loses what is old', async () => {
    const one = await hook({ topics: ['content.post.published'] });
    await makePost();
    const { id } = await settled(one, 'delivered');
    // As after a restore: something waits and no round is open.
    const { db } = site.deps;
    await until(
      async () =>
        (await db.first('select id from webhooks where id = $1 and round_at is null', [one.id])) !==
        undefined,
    );
    await db.run(`update webhook_deliveries set state = 'waiting', attempts = 0 where id = $1`, [id]);
    await runSweep(webhookSweeps, 'webhook-rounds', site.deps);
    await come(one, 2);
    await settled(one, 'delivered');
    await db.run(`update webhook_deliveries set created_at = now() - interval '31 days' where id = $1`, [id]);
    await runSweep(webhookSweeps, 'old-webhook-deliveries', site.deps);
    expect(await deliveriesOf(one)).toEqual([]);
  });
});
