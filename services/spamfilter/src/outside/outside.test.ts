/** The outside service: a real one over HTTP that answers, and misbehaves, as the test says. */
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@sevenfold/chassis/log';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { type CheckResponse, Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import { messageOf } from '../checks/message';
import type { Deps } from '../deps';
import { noticesOf } from '../notices/notices';
import { type Filter, aMessage, openFilter } from '../testing/filter';
import { administrator, startSpamfilter } from '../testing/service';
import { openOutside } from './ask';

interface Asked {
  readonly verb: string;
  readonly fields: Record<string, string>;
}

let server: Server;
let url: string;
let asked: Asked[] = [];
type Answer = (response: ServerResponse, request: IncomingMessage) => void;
const says =
  (word: string, headers: Record<string, string> = {}, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(word);
let answer: Answer = says('false');

let site: TestService<Deps>;
let filter: Filter;
beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      asked.push({ verb: String(request.url), fields: Object.fromEntries(new URLSearchParams(body)) });
      answer(response, request);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/1.1`;
  site = await startSpamfilter({ ROLE: 'all', SPAM_CHECK_URL: `${url}/`, SPAM_KEY: 'abcdef123456' });
  filter = openFilter(site.service.grpcPort);
});
afterAll(async () => {
  filter.close();
  await site.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
  answer = says('false');
});

const weightOf = ({ evidence }: CheckResponse): number | undefined =>
  evidence.find(({ name }) => name === 'outside')?.weight;

let keys = 0;
const aKey = (): string => `comment/${++keys}`;

describe('comment-check', () => {
  test('is asked with all that is known, once for each message', async () => {
    const key = aKey();
    const message = {
      address: '192.0.2.9',
      referrer: 'https://search.example/',
      authorUrl: 'https://ann.example',
    };
    await filter.check(key, message);
    await filter.check(key, message);
    expect(asked).toEqual([
      {
        verb: '/1.1/comment-check',
        fields: expect.objectContaining({
          api_key: 'abcdef123456',
          blog: 'http://site.test',
          user_ip: '192.0.2.9',
          user_agent: expect.stringContaining('Mozilla'),
          referrer: 'https://search.example/',
          permalink: 'https://site.test/ferries/',
          comment_type: 'comment',
          comment_author: 'Ann Miller',
          comment_author_email: 'ann@example.org',
          comment_author_url: 'https://ann.example',
          comment_content: aMessage().content,
        }) as unknown,
      },
    ]);
  });

  test.each<[string, Answer, number]>([
    ['false', says('false\n'), -1.5],
    ['true', says('true'), 3.5],
    ['true, with the tip to discard it', says('true', { 'X-Some-Pro-Tip': 'discard' }), 7],
  ])('%s is evidence', async (_name, given, weight) => {
    answer = given;
    expect(weightOf(await filter.check(aKey()))).toBe(weight);
  });

  test('the tip alone makes a usual message spam, and one with other faults blatant', async () => {
    answer = says('true', { 'x-akin-pro-tip': 'discard' });
    expect((await filter.check(aKey())).verdict).not.toBe(Verdict.VERDICT_HAM);
    const trapped = await filter.check(aKey(), { honeypot: true });
    expect([trapped.verdict, trapped.refuse]).toEqual([Verdict.VERDICT_BLATANT, true]);
  });

  test.each<[string, Answer]>([
    ['is no word of the protocol', says('invalid')],
    ['is a fault', says('true', {}, 500)],
    ['is a redirect', says('', { Location: 'http://127.0.0.1:1/' }, 302)],
    ['is endless', (response) => void response.writeHead(200).end('true'.repeat(100_000))],
    ['is cut off', (response) => void response.socket?.destroy()],
    ['never comes', () => undefined],
  ])('an answer that %s is none, and the rest decides', async (_name, given) => {
    await filter.check(aKey());
    answer = given;
    const before = asked.length;
    const judged = await filter.check(aKey());
    expect(weightOf(judged)).toBeUndefined();
    expect(judged.verdict).toBe(Verdict.VERDICT_HAM);
    expect(asked.length).toBe(before + 1);
    answer = says('false');
    expect(weightOf(await filter.check(aKey()))).toBe(-1.5);
  });
});

describe('a service that is away', () => {
  const log = createLog('spamfilter', 'test', 'silent');
  const message = messageOf(aMessage());
  const open = (more: Partial<Deps['config']> = {}) =>
    openOutside({ ...site.deps.config, SPAM_CHECK_URL: url, ...more }, log);

  test('is left alone after some failures', async () => {
    answer = says('', {}, 503);
    const outside = open();
    for (let at = 0; at < 20; at++) expect(await outside.check('key', message)).toBeUndefined();
    expect(asked).toHaveLength(5);
  });

  test('takes few questions at once', async () => {
    const waiting: ServerResponse[] = [];
    answer = (response) => void waiting.push(response);
    const outside = open();
    const many = Promise.all(Array.from({ length: 60 }, () => outside.check('key', message)));
    await many;
    expect(asked.length).toBeLessThanOrEqual(16);
  });

  test('is not asked without a key, without an address, or at a private one that was not allowed', async () => {
    expect(await open().check(undefined, message)).toBeUndefined();
    expect(await open({ SPAM_CHECK_URL: '' }).check('key', message)).toBeUndefined();
    expect(await open({ OUTBOUND_ALLOW_PRIVATE: false }).check('key', message)).toBeUndefined();
    expect(asked).toEqual([]);
  });
});

describe('what moderators decide', () => {
  const told = (): Asked[] => asked.filter(({ verb }) => verb !== '/1.1/comment-check');
  const reportOf = async (key: string): Promise<unknown> =>
    (await site.deps.db.first<{ report: unknown }>('select report from messages where key = $1', [key]))
      ?.report;

  test('against the verdict is told, once for each change, and the message is not kept longer', async () => {
    const key = aKey();
    await filter.check(key);
    await filter.learn(key, 'spam', 1);
    await filter.learn(key, 'spam', 2);
    await until(() => told().length > 0);
    expect(told()).toEqual([
      {
        verb: '/1.1/submit-spam',
        fields: expect.objectContaining({
          comment_content: aMessage().content,
          api_key: 'abcdef123456',
        }) as unknown,
      },
    ]);
    await until(async () => (await reportOf(key)) === null);
    await filter.learn(key, 'ham', 3);
    await until(() => told().length > 1);
    expect(told().map(({ verb }) => verb)).toEqual(['/1.1/submit-spam', '/1.1/submit-ham']);
  });

  test('in agreement with the verdict is not', async () => {
    const [agreed, other] = [aKey(), aKey()];
    await filter.check(agreed);
    await filter.learn(agreed, 'ham', 1);
    await filter.check(other);
    await filter.learn(other, 'spam', 1, { content: 'another' });
    await until(() => told().length > 0);
    expect(told().map(({ fields }) => fields.comment_content)).toEqual(['another']);
  });

  test('is told again where the service did not take it', async () => {
    let refused = 0;
    answer = (response, request) =>
      request.url?.includes('submit') && refused++ < 1
        ? says('', {}, 503)(response, request)
        : says('ok')(response, request);
    const key = aKey();
    await filter.learn(key, 'spam', 1);
    await until(() => told().length > 1);
    await until(async () => (await reportOf(key)) === null);
  });
});

test('a key that is refused at a check is told to administrators at once, and taken back when it is known again', async () => {
  const own = await startSpamfilter({ SPAM_CHECK_URL: url });
  const asking = openFilter(own.service.grpcPort);
  const codes = async (): Promise<string[]> =>
    noticesOf(await own.deps.key(), own.deps.config).map(({ code }) => code);
  try {
    expect(await codes()).toEqual(['key_missing']);
    await own.as(administrator).post('/key', { key: 'aB3dE6gH9jK2' });
    expect(await codes()).toEqual([]);
    answer = says('invalid');
    const judged = await asking.check(aKey());
    expect([judged.verdict, weightOf(judged)]).toEqual([Verdict.VERDICT_HAM, undefined]);
    expect(await codes()).toEqual(['key_refused']);
    answer = says('false');
    await asking.check(aKey());
    expect(await codes()).toEqual([]);
  } finally {
    asking.close();
    await own.stop();
  }
});
