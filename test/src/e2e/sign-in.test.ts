/** A credential's whole way: made by the content service, sent to the gateway, believed by every service, revoked. */
import { dial } from '@sevenfold/chassis/grpc/dial';
import { until } from '@sevenfold/chassis/testing/until';
import { PATIENCE_MS, TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import {
  type IdentityServiceServer,
  IdentityServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import { type Site, startSite } from '../support/site';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});

afterAll(() => site.stop());

const identity = () =>
  dial<IdentityServiceServer>(IdentityServiceService, {
    service: 'content',
    address: `127.0.0.1:${site.content.service.grpcPort}`,
    caller: 'gateway',
    actorSecret: TEST_ACTOR_SECRET,
    deadlineMs: PATIENCE_MS,
  });

const basic = (username: string, secret: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`,
});

const ME = '/rest/core/v2/users/me?context=edit';

test('an application password opens what its user may, until it is revoked', async () => {
  const actor = site.content.users.editor;
  const remote = identity();
  try {
    const made = await remote.createApplicationPassword({ userId: 0, name: 'laptop' }, { actor });
    const headers = basic(actor.username, made.secret);

    const me = await site.client.get(ME, headers);
    expect([me.status, me.body.username]).toEqual([200, actor.username]);
    expect(me.headers.get('cache-control')).toBe('no-cache, must-revalidate, max-age=0');
    const post = await site.client.post(
      '/rest/core/v2/posts',
      { title: 'By the gateway', status: 'publish' },
      headers,
    );
    expect([post.status, post.body.author]).toEqual([201, actor.id]);
    const settings = await site.client.get('/rest/core/v2/settings', headers);
    expect(settings.status).toBe(403);

    await remote.revokeApplicationPassword({ userId: 0, id: made.applicationPassword?.id ?? '' }, { actor });
    let status = 200;
    while (status === 200) ({ status } = await site.client.get(ME, headers));
    expect(status).toBe(401);
  } finally {
    remote.close();
  }
});

test('wrong credentials are refused on what everybody may read', async () => {
  const { status, headers, body } = await site.client.get(
    '/rest/core/v2/posts',
    basic('administrator', 'wrong'),
  );
  expect([status, body.code]).toEqual([401, 'rest_invalid_credentials']);
  expect(headers.get('www-authenticate')).toBe('Basic realm="site.test", charset="UTF-8"');
  expect((await site.client.get('/rest/core/v2/posts')).status).toBe(200);
});

test('a file goes up and comes down through the gateway', async () => {
  const actor = site.content.users.author;
  const remote = identity();
  try {
    const { secret } = await remote.createApplicationPassword({ userId: 0, name: 'camera' }, { actor });
    const picture = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const { status, body } = await site.client.post('/rest/core/v2/media', picture, {
      ...basic(actor.username, secret),
      'Content-Type': 'image/png',
      'Content-Disposition': 'attachment; filename="dot.png"',
    });
    expect([status, body.media_type]).toEqual([201, 'image']);
    const path = new URL(body.source_url as string).pathname;
    const file = await fetch(`${site.url}${path}`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await file.arrayBuffer()).subarray(0, 8)).toEqual(picture.subarray(0, 8));
    const part = await fetch(`${site.url}${path}`, { headers: { Range: 'bytes=0-3' } });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 4]);
  } finally {
    remote.close();
  }
});

test('administrators are told in the console what is wrong with the spam filter, nobody else is', async () => {
  const NOTICES = '/console/api/spamfilter/notices';
  const remote = identity();
  try {
    const as = async (actor: (typeof site.content.users)['editor']) => {
      const { secret } = await remote.createApplicationPassword({ userId: 0, name: 'console' }, { actor });
      return basic(actor.username, secret);
    };
    const administrator = await as(site.content.users.administrator);
    const codes = async () =>
      ((await site.client.get(NOTICES, administrator)).body as { code: string }[]).map(({ code }) => code);
    expect(await codes()).toEqual([]);
    const key = { key: 'aB3dE6gH9jK2' };
    expect((await site.client.post('/rest/spamfilter/v1/key', key, administrator)).status).toBe(200);
    const { db } = site.service('spamfilter').service;
    await db.transaction(async (tx) => {
      await tx.run(`update site_key set secret_id = 'gone'`);
      await tx.first(`select pg_notify('key', '')`);
    });
    await until(async () => (await codes())[0] === 'key_lost');
    for (const [headers, status] of [
      [{}, 401],
      [await as(site.content.users.editor), 403],
    ] as const) {
      const refused = await site.client.get(NOTICES, headers);
      expect([refused.status, refused.body.code]).toEqual([status, 'rest_forbidden']);
    }
  } finally {
    remote.close();
  }
});
