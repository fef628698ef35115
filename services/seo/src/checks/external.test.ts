import type { LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { administrator, editor, startSeo } from '../testing/service';
import { checkSite } from './external';
import { type Surroundings, look } from './look';
import { forbidsIndexing, pageForbidsIndexing } from './robots';

/** Stands for the open internet; every other address is our own network. */
const PUBLIC = '127.0.0.2';

let site: TestService<Deps>;
let server: http.Server;
let origin: string;
let asked: string[];
let answers: Record<string, http.RequestListener>;

const resolve = ((
  name: string,
  _options: unknown,
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) =>
  done(
    null,
    (name === 'public.test' ? [PUBLIC] : [PUBLIC, '127.0.0.1']).map((address) => ({ address, family: 4 })),
  )) as typeof lookup;
const outside: Surroundings = { allowPrivate: false, isPublic: (address) => address === PUBLIC, resolve };

beforeAll(async () => {
  server = http.createServer((request, response) => {
    asked.push(request.url as string);
    const answer = answers[request.url as string];
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.2', done));
  const { port } = server.address() as AddressInfo;
  origin = `http://public.test:${port}`;
  site = await startSeo();
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await site.stop();
});
beforeEach(async () => {
  asked = [];
  answers = { '/': says('<!doctype html><title>A site</title><p>Ferries') };
  await site.deps.db.run(
    `update external_checks set outcome = null, fresh_until = '-infinity', looking_until = '-infinity'`,
  );
});

const says =
  (text: string, headers: http.OutgoingHttpHeaders = {}, status = 200): http.RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(text);
const sends = (to: string): http.RequestListener => says('', { Location: to }, 302);

const good = { score: 'good', label: expect.any(String) as string, can_fetch: true };
const closed = { score: 'bad', label: expect.any(String) as string, can_fetch: false };
const kept = { ...closed, can_fetch: true };
const unknown = { ...closed, score: 'na' };

describe('a look at the site', () => {
  test('asks robots.txt, then the page', async () => {
    expect(await look(origin, outside)).toEqual(good);
    expect(asked).toEqual(['/robots.txt', '/']);
  });

  test.each<[string, Record<string, http.RequestListener>, object]>([
    ['robots.txt closes all', { '/robots.txt': says('User-agent: *\nDisallow: /') }, closed],
    ['robots.txt closes something else', { '/robots.txt': says('User-agent: *\nDisallow: /private/') }, good],
    ['robots.txt closes it to another one', { '/robots.txt': says('User-agent: x\nDisallow: /') }, good],
    ['robots.txt is broken', { '/robots.txt': says('', {}, 500) }, closed],
    ['robots.txt is not there', { '/robots.txt': says('', {}, 410) }, good],
    [
      'robots.txt is elsewhere',
      { '/robots.txt': sends('/r'), '/r': says('User-agent: *\nDisallow: /') },
      closed,
    ],
    ['the header says no', { '/': says('', { 'X-Robots-Tag': 'noarchive, NoIndex' }) }, kept],
    ['one of two headers says no', { '/': says('', { 'X-Robots-Tag': ['x: noindex', 'none'] }) }, kept],
    ['the header says no to others', { '/': says('', { 'X-Robots-Tag': 'otherbot: noindex, none' }) }, good],
    ['the page says no', { '/': says(`<META content='noindex,follow' NAME=Robots>`) }, kept],
    ['the page says nothing', { '/': says('<meta name="robots" content="index, follow">') }, good],
    ['it redirects', { '/': sends('/home/'), '/home/': says('') }, good],
    [
      'it redirects to what is closed',
      { '/': sends('/home/'), '/home/': says('', { 'X-Robots-Tag': 'none' }) },
      kept,
    ],
    ['it redirects without end', { '/': sends('/') }, closed],
    ['it is away', { '/': says('', {}, 503) }, closed],
    ['it is not there', { '/': says('', {}, 404) }, closed],
    ['it breaks off', { '/': (_request, response) => void response.destroy() }, closed],
    ['it never ends', { '/': endless }, good],
    ['it redirects to somewhere that is no web', { '/': sends('file:///etc/passwd') }, closed],
  ])('%s', async (_what, these, outcome) => {
    Object.assign(answers, these);
    expect(await look(origin, outside)).toEqual(outcome);
  });

  test.each(['http://127.0.0.1', 'http://inward.test', 'http://[::1]', 'http://2130706433'])(
    'does not reach %s',
    async (start) => {
      expect(await look(`${start}:${new URL(origin).port}`, outside)).toEqual(unknown);
      answers['/'] = sends(`${start}:${new URL(origin).port}/inside`);
      expect(await look(origin, outside)).toEqual(unknown);
      expect(asked).not.toContain('/inside');
    },
  );

  test('ends at its deadline, whatever hangs', async () => {
    let ended = false;
    answers['/'] = (request) => void request.on('close', () => (ended = true));
    expect(await look(origin, outside)).toEqual(closed);
    expect(asked).toEqual(['/robots.txt', '/']);
    while (!ended) await new Promise(setImmediate);
  });
});

function endless(_request: unknown, response: http.ServerResponse): void {
  const more = (): void => {
    if (!response.destroyed && response.write('x'.repeat(64 * 1024))) setImmediate(more);
  };
  response.on('drain', more).on('error', () => undefined);
  more();
}

test.each([
  ['noindex', true],
  ['none', true],
  ['all', false],
  ['', false],
  ['unavailable_after: 25 Jun 2010 15:00:00 PST, noindex', true],
  ['googlebot: noindex', true],
  ['x: nofollow, googlebot: noindex', true],
  ['noindexing', false],
  [' googlebot : \n none ', true],
  ['otherbot:noindex,nofollow', false],
])('%j forbids indexing: %s', (directives, forbids) => {
  expect(forbidsIndexing(directives)).toBe(forbids);
  expect(pageForbidsIndexing(`<p>x<meta name="robots" content="${directives}">`)).toBe(forbids);
});

// What a foreign page says may be long; it took the fourth power of the length.
test('a long run of spaces costs no more than its length', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(forbidsIndexing(`${spaces}a${spaces}\nb`)).toBe(false);
  expect(forbidsIndexing(`${spaces}noindex${spaces}`)).toBe(true);
});

describe('GET /external_check', () => {
  const deps = (): Pick<Deps, 'db' | 'outside' | 'siteUrl'> => ({ ...site.deps, outside, siteUrl: origin });

  test('many at once, of several processes, look once, and those after them not at all', async () => {
    const found = await Promise.all(Array.from({ length: 8 }, () => checkSite(deps())));
    expect(found).toEqual(Array.from({ length: 8 }, () => good));
    await checkSite(deps());
    expect(asked).toEqual(['/robots.txt', '/']);
  });

  test('a turn whose holder has died is taken by the next one', async () => {
    await site.deps.db.run(`update external_checks set looking_until = now() - interval '1 second'`);
    expect(await checkSite(deps())).toEqual(good);
  });

  test('answers what was found', async () => {
    // site.test is nowhere.
    const { status, body } = await site.as(administrator).get('/external_check');
    expect([status, body]).toEqual([200, { external_check: closed }]);
  });

  test('answers false where it is switched off', async () => {
    const off = await startSeo({ EXTERNAL_CHECK: false });
    try {
      const { status, body } = await off.as(administrator).get('/external_check');
      expect([status, body]).toEqual([200, { external_check: false }]);
    } finally {
      await off.stop();
    }
  });

  test('administrators only', async () => {
    for (const [actor, status] of [
      [undefined, 401],
      [editor, 403],
    ] as const) {
      const { status: told, body } = await site.as(actor).get('/external_check');
      expect([told, body.code]).toEqual([status, 'rest_forbidden']);
    }
    expect(asked).toEqual([]);
  });
});
