import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Sealer, openSealer as openSealerFor } from '@sevenfold/chassis/seal';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { resealKey, setKey } from './actions';
import { current } from './current';
import { keySweeps } from './jobs';
import type { Deps } from '../deps';
import { administrator, editor, startSpamfilter } from '../testing/service';

const KEY = 'aB3dE6gH9jK2';
const openSealer = (secrets: string): Sealer => openSealerFor(secrets, 'sevenfold spamfilter key');

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSpamfilter();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.as(administrator).delete('/key');
});

const get = (): Promise<{ status: number; body: unknown; text: string }> =>
  site.as(administrator).get('/key');

describe('GET /key', () => {
  test('answers false where there is none', async () => {
    const { status, text } = await get();
    expect([status, text]).toEqual([200, 'false']);
  });

  test('answers the key as JSON text', async () => {
    await site.as(administrator).post('/key', { key: KEY });
    const { status, text } = await get();
    expect([status, text]).toEqual([200, `"${KEY}"`]);
  });
});

describe.each(['post', 'put', 'patch'] as const)('%s /key', (method) => {
  test.each([
    [KEY, KEY],
    [`  ${KEY}\t\n`, KEY],
    [123_456_789_012, '123456789012'],
  ])('takes %j', async (sent, kept) => {
    const { status, text } = await site.as(administrator)[method]('/key', { key: sent });
    expect([status, text]).toEqual([200, JSON.stringify(kept)]);
    expect((await get()).body).toBe(kept);
  });

  test('takes it in the query and in a form', async () => {
    expect((await site.as(administrator)[method](`/key?key=${KEY}`)).body).toBe(KEY);
    expect((await site.as(administrator)[method]('/key', new URLSearchParams({ key: KEY }))).body).toBe(KEY);
  });

  test.each(['', ' ', 'short', `${KEY}x`, 'aB3dE6gH9jK!', 'aB3dE6 H9jK2', 'äB3dE6gH9jK2', 12, true])(
    'refuses %j and keeps the one there is',
    async (key) => {
      await site.as(administrator).post('/key', { key: KEY });
      const { status, body } = await site.as(administrator)[method]('/key', { key });
      expect([status, body.code]).toEqual([400, 'invalid_key']);
      expect((await get()).body).toBe(KEY);
    },
  );

  test.each([[[]], [{}], [['aB3dE6gH9jK2']]])('refuses %j, which is no text', async (key) => {
    const { status, body } = await site.as(administrator)[method]('/key', { key });
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  });

  test.each([{}, { key: null }, undefined])('misses the key in %j', async (body) => {
    const answer = await site.as(administrator)[method]('/key', body);
    expect([answer.status, answer.body.code, answer.body.data.params]).toEqual([
      400,
      'rest_missing_callback_param',
      ['key'],
    ]);
  });
});

describe('DELETE /key', () => {
  test('answers true, whether there was one or not', async () => {
    await site.as(administrator).post('/key', { key: KEY });
    for (let times = 0; times < 2; times++) {
      const { status, text } = await site.as(administrator).delete('/key');
      expect([status, text]).toEqual([200, 'true']);
      expect((await get()).body).toBe(false);
    }
  });
});

test('administrators only', async () => {
  await site.as(administrator).post('/key', { key: KEY });
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    for (const [actor, status] of [
      [undefined, 401],
      [editor, 403],
    ] as const) {
      const body = ['GET', 'DELETE'].includes(method) ? undefined : { key: 'zzzzzzzzzzzz' };
      const refused = await site.as(actor).request(method, '/key', { body });
      expect([refused.status, refused.body.code]).toEqual([status, 'rest_forbidden']);
      expect(refused.text).not.toContain(KEY);
    }
  expect((await get()).body).toBe(KEY);
});

describe('a key that the configuration fixes', () => {
  let fixed: TestService<Deps>;
  beforeAll(async () => {
    fixed = await startSpamfilter({ SPAM_KEY: KEY });
  });
  afterAll(() => fixed.stop());

  test('is read, and neither changed nor removed', async () => {
    expect((await fixed.as(administrator).get('/key')).body).toBe(KEY);
    for (const [method, body] of [
      ['POST', { key: 'zzzzzzzzzzzz' }],
      ['PUT', { key: 'wrong' }],
      ['PATCH', { key: KEY }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await fixed.as(administrator).request(method, '/key', { body });
      expect([answer.status, answer.body.code]).toEqual([409, 'hardcoded_key']);
    }
    expect(await current(fixed.deps)).toBe(KEY);
    expect(await fixed.deps.db.rows('select from site_key')).toEqual([]);
  });

  test('and is none keeps the service from starting, without being told', async () => {
    const error = await startSpamfilter({ SPAM_KEY: 'no key at all', LOG_LEVEL: 'silent' }).then(
      () => new Error('it started'),
      (thrown: Error) => thrown,
    );
    expect(error.message).toBe('SPAM_KEY must have exactly 12 letters and digits.');
  });
});

describe('how it is kept', () => {
  const row = async (): Promise<{ secret_id: string; sealed: Buffer }> =>
    (await site.deps.db.first('select secret_id, sealed from site_key')) as never;

  test('sealed under the newest secret; older ones still open', async () => {
    await site.as(administrator).post('/key', { key: KEY });
    const before = await row();
    const rotated = { ...site.deps, sealer: openSealer('a new secret,the secret of the tests') };
    expect(await resealKey(rotated)).toBe('sealed anew');
    expect(await resealKey(rotated)).toBe('as it was');
    const after = await row();
    expect(after.secret_id).toBe(openSealer('a new secret').secretId);
    expect(after.sealed.equals(before.sealed)).toBe(false);
    expect(
      openSealer('a new secret').open(
        (await site.deps.db.first('select secret_id as "secretId", nonce, sealed from site_key')) as never,
      ),
    ).toBe(KEY);
  });

  test('a key that was replaced while it was sealed anew stays replaced', async () => {
    await site.as(administrator).post('/key', { key: KEY });
    const slow = openSealer('a new secret,the secret of the tests');
    const rotated = {
      ...site.deps,
      db: {
        ...site.deps.db,
        transaction: async (work: never) => {
          await site.as(administrator).post('/key', { key: 'zzzzzzzzzzzz' });
          return site.deps.db.transaction(work);
        },
      } as Deps['db'],
      sealer: slow,
    };
    await resealKey(rotated);
    expect((await get()).body).toBe('zzzzzzzzzzzz');
  });

  test('under a secret that is gone: said clearly, used by nobody, set anew or removed', async () => {
    await site.as(administrator).post('/key', { key: KEY });
    await site.deps.db.run(`update site_key set secret_id = 'gone'`);
    site.deps.memory.forget('key');
    const lost = await get();
    expect([lost.status, (lost.body as { code: string }).code]).toEqual([409, 'key_lost']);
    expect(await current(site.deps)).toBeUndefined();
    expect(await resealKey(site.deps)).toBe('lost');
    await runSweep(keySweeps, 'reseal-key', site.deps);
    expect((await site.as(administrator).post('/key', { key: KEY })).body).toBe(KEY);
    await site.deps.db.run(`update site_key set sealed = '\\x00'`);
    site.deps.memory.forget('key');
    expect((await get()).status).toBe(409);
    expect((await site.as(administrator).delete('/key')).body).toBe(true);
    expect((await get()).body).toBe(false);
  });

  test('not at all where no secret is configured', async () => {
    const bare = await startSpamfilter({ SPAM_KEY_SECRETS: '' });
    try {
      expect((await bare.as(administrator).get('/key')).body).toBe(false);
      const { status, body } = await bare.as(administrator).post('/key', { key: KEY });
      expect([status, body.code]).toEqual([409, 'key_not_storable']);
    } finally {
      await bare.stop();
    }
  });
});

describe('with an address to ask', () => {
  let outside: http.Server;
  let answer: http.RequestListener;
  let asked: string[];
  let asking: TestService<Deps>;
  beforeAll(async () => {
    outside = http.createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push(body);
        answer(request, response);
      });
    });
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
    const { port } = outside.address() as AddressInfo;
    asking = await startSpamfilter({ SPAM_VERIFY_URL: `http://127.0.0.1:${port}/1.1/verify-key` });
  });
  afterAll(async () => {
    await asking.stop();
    outside.closeAllConnections();
    await new Promise((resolve) => outside.close(resolve));
  });
  beforeEach(async () => {
    asked = [];
    await asking.as(administrator).delete('/key');
  });
  const says =
    (word: string, status = 200): http.RequestListener =>
    (_request, response) =>
      void response.writeHead(status).end(word);
  const set = (): Promise<{ status: number; body: { code?: string } }> =>
    asking.as(administrator).post('/key', { key: KEY });
  const verified = async (): Promise<unknown> =>
    (await asking.deps.db.first<{ verified: string }>('select verified from site_key'))?.verified;

  test('a valid key is kept', async () => {
    answer = says(' valid\n');
    expect((await set()).body).toBe(KEY);
    expect(asked).toEqual([`key=${KEY}&blog=http%3A%2F%2Fsite.test`]);
    expect(await verified()).toBe('valid');
  });

  test('an invalid key is refused', async () => {
    answer = says('invalid');
    const { status, body } = await set();
    expect([status, body.code]).toEqual([400, 'invalid_key']);
    expect((await asking.as(administrator).get('/key')).body).toBe(false);
  });

  test('a text that is no key is refused without asking', async () => {
    expect((await asking.as(administrator).post('/key', { key: 'x' })).status).toBe(400);
    expect(asked).toEqual([]);
  });

  test.each<[string, http.RequestListener]>([
    ['an error', says('valid', 500)],
    ['a redirect', (_request, response) => void response.writeHead(302, { Location: '/x' }).end('valid')],
    ['nonsense', says('<html>')],
    ['too much', says('valid'.repeat(5_000))],
    ['a cut connection', (request) => void request.socket.destroy()],
  ])('the form decides when the answer is %s, and it is asked again later', async (_name, bad) => {
    answer = bad;
    expect((await set()).body).toBe(KEY);
    expect(await verified()).toBe('unasked');
    await runSweep(keySweeps, 'verify-key', asking.deps);
    expect(await verified()).toBe('unasked');
    answer = says('valid');
    await runSweep(keySweeps, 'verify-key', asking.deps);
    expect(await verified()).toBe('valid');
    const times = asked.length;
    await runSweep(keySweeps, 'verify-key', asking.deps);
    expect(asked).toHaveLength(times);
  });

  test('a key that is refused later is known to be, and kept; no answer changes nothing', async () => {
    answer = says('valid');
    await set();
    for (const [word, known] of [
      ['nonsense', 'valid'],
      ['invalid', 'invalid'],
      ['nonsense', 'invalid'],
      ['valid', 'valid'],
    ] as const) {
      answer = says(word);
      await runSweep(keySweeps, 'verify-key-daily', asking.deps);
      expect(await asking.deps.key()).toEqual({ state: 'stored', key: KEY, verified: known });
    }
  });

  test('an address that says nothing holds nobody up for long', async () => {
    answer = () => undefined;
    expect((await set()).body).toBe(KEY);
    expect(await verified()).toBe('unasked');
  });

  test('whoever goes while it is asked has changed nothing', async () => {
    answer = says('valid');
    await set();
    const going = new AbortController();
    answer = () => going.abort(new Error('gone'));
    await expect(setKey(asking.deps, 'zzzzzzzzzzzz', going.signal)).rejects.toThrow('gone');
    expect((await asking.as(administrator).get('/key')).body).toBe(KEY);
    expect(await verified()).toBe('valid');
  });

  test('a private address is not asked unless that is allowed', async () => {
    answer = says('invalid');
    const guarded = await startSpamfilter({
      SPAM_VERIFY_URL: asking.deps.config.SPAM_VERIFY_URL,
      OUTBOUND_ALLOW_PRIVATE: false,
    });
    try {
      expect((await guarded.as(administrator).post('/key', { key: KEY })).body).toBe(KEY);
      expect(asked).toEqual([]);
    } finally {
      await guarded.stop();
    }
  });
});
