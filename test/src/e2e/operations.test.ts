/**
 * What those who run a site look at, on a whole stack of real processes: its logs from the first start on, how one request
 * is followed through them, its connections to PostgreSQL, and what each process tells on `/metrics`.
 */
import { readFileSync, readdirSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { services } from '@sevenfold/catalog/catalog';
import { shareOut } from '@sevenfold/chassis/db/shares';
import { freePort } from '@sevenfold/chassis/ports';
import { until } from '@sevenfold/chassis/testing/until';
import { Client } from 'pg';
import { declared } from '../support/declared';
import { type TestStack, startTestStack } from '../support/stack';
import { superuserUrl } from '../support/superuser';

let stack: TestStack;
let gatewayMetrics: string;

beforeAll(async () => {
  const port = await freePort();
  gatewayMetrics = `http://127.0.0.1:${port}`;
  stack = await startTestStack({ LOG_LEVEL: 'info', METRICS_PORT: String(port), SAMPLES: 'on' });
});
afterAll(() => stack?.stop());

interface Line {
  readonly process: string;
  readonly level?: string;
  readonly requestId?: string;
  readonly msg?: string;
  readonly text: string;
}

/** Lines of all processes; what is no JSON was written by no log of ours. */
function lines(): Line[] {
  const folder = path.join(stack.dataDir, 'logs');
  return readdirSync(folder).flatMap((file) =>
    textLines(path.join(folder, file)).map((text) => {
      const told = text.startsWith('{') ? (JSON.parse(text) as Omit<Line, 'process' | 'text'>) : {};
      return { ...told, process: path.basename(file, '.log'), text };
    }),
  );
}

/** Whole ones: the last may be written just now. */
const textLines = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '');

const alarming = (): string[] =>
  lines()
    .filter(({ level }) => level !== 'info' && level !== 'debug')
    .map(({ process, text }) => `${process}: ${text.slice(0, 400)}`);

const send = async (
  method: string,
  where: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> => {
  const isData = typeof body === 'object' && !Buffer.isBuffer(body);
  const answer = await fetch(`${stack.url}${where}`, {
    method,
    headers: { ...(isData && { 'Content-Type': 'application/json' }), ...headers },
    body: isData ? JSON.stringify(body) : (body as string | undefined),
  });
  const text = await answer.text();
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : text };
};
const asAdministrator = (more: Record<string, string> = {}): Record<string, string> => ({
  Authorization: stack.administrator,
  ...more,
});

test('the first start writes neither a warning nor an error into any log', () => {
  expect(new Set(lines().map(({ process }) => process)).size).toBeGreaterThan(services.length);
  expect(alarming()).toEqual([]);
  const postgres = textLines(path.join(stack.dataDir, 'postgres', 'postgres.log'));
  expect(postgres.filter((line) => / (WARNING|ERROR|FATAL|PANIC): /.test(line))).toEqual([]);
  const redis = textLines(path.join(stack.dataDir, 'redis', 'redis.log'));
  // Those about the kernel are the machine's.
  const alarms = redis.filter((line) => /warning|error|fail|fatal/i.test(line));
  expect(alarms.filter((line) => !/overcommit|Transparent Huge/.test(line))).toEqual([]);
});

test('one request is found in the logs of all that it caused', async () => {
  const id = `followed-${Date.now()}`;
  const made = await send(
    'POST',
    '/rest/calendar/events/v1/events',
    {
      title: 'Followed',
      // The content service makes it.
      categories: ['Followed'],
      start_date: '2031-05-05 10:00:00',
      end_date: '2031-05-05 11:00:00',
      status: 'publish',
    },
    asAdministrator({ 'X-Request-Id': id }),
  );
  expect(made.status).toBe(201);
  await until(() =>
    ['gateway: request', 'calendar: request', 'content: call', 'seo-worker: domain event'].every((one) =>
      told(id).includes(one),
    ),
  );
});

test('and so is one that leaves work for later', async () => {
  const media = '/rest/core/v2/media';
  const headers = { 'Content-Disposition': 'attachment; filename=a.png', 'Content-Type': 'image/png' };
  const made = await send('POST', media, PIXEL, asAdministrator(headers));
  expect(made.status).toBe(201);
  const id = `later-${Date.now()}`;
  const { id: file } = made.body as { id: number };
  const gone = await send(
    'DELETE',
    `${media}/${file}?force=true`,
    undefined,
    asAdministrator({ 'X-Request-Id': id }),
  );
  expect(gone.status).toBe(200);
  await until(() => told(id).includes('content-worker: job'));
});

/** Who said what for the request of this id. */
const told = (id: string): string[] =>
  lines()
    .filter(({ requestId }) => requestId === id)
    .map(({ process, msg }) => `${process}: ${msg}`);

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

test("a client's mistake is logged by nobody above info", async () => {
  const bad = '/rest/core/v2/posts';
  const cut = (bytes: string): Promise<void> =>
    new Promise((resolve) => {
      const socket = net.connect(Number(new URL(stack.url).port), '127.0.0.1', () =>
        socket.write(bytes, () => socket.destroy()),
      );
      socket.on('error', () => undefined);
      socket.on('close', () => resolve());
    });
  const json = { 'Content-Type': 'application/json' };
  const sent: [number, ...Parameters<typeof send>][] = [
    [404, 'GET', '/rest/none/v1/nothing'],
    [404, 'GET', `${bad}/99999999`],
    [400, 'GET', `${bad}?per_page=many&status[]=x`],
    [401, 'GET', bad, undefined, { Authorization: 'Basic bm9ib2R5Om5vdGhpbmc=' }],
    [401, 'POST', bad, { title: 'x' }],
    [400, 'POST', bad, '{"title":', asAdministrator(json)],
    [400, 'POST', bad, { title: 'x', status: 'no such' }, asAdministrator()],
    [400, 'POST', '/rest/calendar/events/v1/events', { title: '' }, asAdministrator()],
    [
      400,
      'POST',
      '/rest/core/v2/media',
      'no file',
      asAdministrator({ 'Content-Type': 'multipart/form-data; boundary=x' }),
    ],
    [404, 'GET', '/rest/oembed/1.0/embed?url=http://elsewhere.test/'],
    [404, 'GET', '/uploads/../../etc/passwd'],
    [404, 'POST', '/rest/contact-form/v1/contact-forms/99999/feedback', {}],
  ];
  for (const [status, ...request] of sent)
    expect([request[1], (await send(...request)).status]).toEqual([request[1], status]);
  const event = { title: 'x', start_date: '2031-05-05 10:00:00', end_date: '2031-05-05 11:00:00' };
  // Addresses that nobody answers at, and keys that are none: whatever the answer, the mistake is the client's.
  for (const request of [
    [
      'POST',
      '/rest/calendar/events/v1/events',
      { ...event, image: 'http://no-such-host.invalid/x.png' },
      asAdministrator(),
    ],
    ['POST', '/rest/spamfilter/v1/key', { key: 'no such key' }, asAdministrator()],
    ['GET', '/rest/oembed/1.0/proxy?url=http://no-such-host.invalid/x', undefined, asAdministrator()],
    ['POST', '/rest/calendar/event-aggregator/v1/import/none/batch', { hash: 'wrong' }],
  ] as Parameters<typeof send>[])
    expect((await send(...request)).status).toBeLessThan(500);
  await cut('NO HTTP AT ALL\r\n\r\n');
  await cut(
    `POST ${bad} HTTP/1.1\r\nHost: x\r\nAuthorization: ${stack.administrator}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"ti`,
  );
  await cut(
    `POST /rest/core/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: ${stack.administrator}\r\nContent-Disposition: attachment; filename=a.png\r\nContent-Length: 100000\r\n\r\nxx`,
  );
  await cut('GET /rest/ HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20));
  // A request that is answered now is in the log after all of these.
  const last = `last-${Date.now()}`;
  await send('GET', '/rest/core/v2/posts/1', undefined, { 'X-Request-Id': last });
  await until(() => lines().some(({ requestId, process }) => requestId === last && process === 'gateway'));
  expect(alarming()).toEqual([]);
});

test('no process opens more connections than its service declares, and each has one that listens', async () => {
  const asked = Array.from({ length: 60 }, (_, n) =>
    Promise.all([
      send(
        'GET',
        `/rest/core/v2/posts?page=1&per_page=${n + 1}&search=of ${n}`,
        undefined,
        asAdministrator(),
      ),
      send('GET', `/rest/calendar/events/v1/events?per_page=${(n % 50) + 1}&search=the ${n}`),
      send('GET', `/rest/core/v2/users?per_page=${n + 1}`),
    ]),
  );
  await Promise.all(asked);
  const client = new Client({ connectionString: superuserUrl(stack) });
  await client.connect();
  const { rows } = await client.query<{ name: string; listens: boolean; count: number }>(
    `select regexp_replace(application_name, '^([a-z]+-(api|worker)).*', '\\1') as name,
       application_name like '%-listener' as listens, count(*)::int
     from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() group by 1, 2`,
  );
  await client.end();
  const counted = (name: string, only?: boolean): number =>
    rows
      .filter((row) => row.name === name && (only === undefined || row.listens === only))
      .reduce((sum, row) => sum + row.count, 0);
  const expected = declared.flatMap(({ row, definition }) =>
    definition.migrations === undefined
      ? []
      : row.processes.map(({ role }) => ({
          name: `${row.name}-${role}`,
          ...shareOut(definition.connections, role),
        })),
  );
  expect(rows.map(({ name }) => name).filter((name) => !expected.some((one) => one.name === name))).toEqual(
    [],
  );
  for (const { name, most } of expected) {
    expect([name, counted(name) <= most]).toEqual([name, true]);
    expect([name, counted(name, true)]).toEqual([name, 1]);
  }
});

interface Metric {
  readonly name: string;
  readonly kind: string;
  readonly labels: string;
}

/** Of one page: what there is, with the labels of those that have samples. Node's own are described elsewhere. */
async function metricsOf(url: string): Promise<Metric[]> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, kind]) => ({ name, kind }) as Metric)
    .filter(({ name }) => !/^(nodejs|process)_/.test(name))
    .map(({ name, kind }) => {
      const samples = Array.from(
        text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, 'gm')),
      );
      const labels = samples.flatMap(([, found]) =>
        Array.from((found ?? '').matchAll(/(\w+)="/g), ([, label]) => label as string),
      );
      return {
        name,
        kind,
        labels: [...new Set(labels)]
          .filter((label) => label !== 'le')
          .sort()
          .join(', '),
      };
    });
}

test('the table of metrics is what the processes tell', async () => {
  const pages: Record<string, Metric[]> = { gateway: await metricsOf(gatewayMetrics) };
  for (const [name, { http }] of Object.entries(stack.run().services))
    if (name !== 'gateway') pages[name] = await metricsOf(http);
  const table = readFileSync(path.resolve(__dirname, '../../../deploy/METRICS.md'), 'utf8');
  const rows = Array.from(
    table.matchAll(/^\| `(\w+)` +\| (\w+) +\| (.*?) +\| (.*?) +\| .+\|$/gm),
    ([, name, kind, labels, processes]) => ({ name, kind, labels: labels?.replaceAll('`', ''), processes }),
    // This stack has none; replica.test.ts reads what is told of them.
  ).filter(({ processes }) => processes !== 'services with a replica');
  const told = new Map<string, Metric & { in: string[] }>();
  for (const [page, metrics] of Object.entries(pages))
    for (const metric of metrics) {
      const known = told.get(metric.name);
      told.set(metric.name, {
        ...metric,
        labels: metric.labels || (known?.labels ?? ''),
        in: [...(known?.in ?? []), page],
      });
    }
  const kindsOf = (names: readonly string[]): string => {
    const all = Object.keys(pages);
    const groups: [string, (name: string) => boolean][] = [
      ['all', () => true],
      ['gateway', (name) => name === 'gateway'],
      ['services', (name) => name !== 'gateway'],
      ['workers', (name) => name.endsWith('-worker')],
      ['services with a database', (name) => name !== 'gateway' && name !== 'oembed'],
    ];
    const fitting = groups.find(([, is]) => all.every((name) => is(name) === names.includes(name)));
    return fitting?.[0] ?? names.join(', ');
  };
  const real = [...told.values()].map(({ name, kind, labels, in: pagesOf }) => ({
    name,
    kind,
    labels,
    processes: kindsOf(pagesOf),
  }));
  const byName = (a: { name?: string }, b: { name?: string }): number =>
    String(a.name).localeCompare(String(b.name));
  expect(rows.sort(byName)).toEqual(real.sort(byName));
});
