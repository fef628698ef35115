/**
 * Traces, with a collector that takes what real processes send: what an import leads to is one trace, from the request at
 * the gateway to the index of search engines, whichever process, queue and database it passes; log lines name it. What
 * clients say of traces is not believed, nothing about people is told, and a collector that is gone is nobody's trouble.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { createLog } from '@sevenfold/chassis/log';
import { freePort } from '@sevenfold/chassis/ports';
import { type FakeBucket, startBucket } from '@sevenfold/chassis/testing/bucket';
import { until } from '@sevenfold/chassis/testing/until';
import { type FakeSmtp, startSmtp } from '@sevenfold/forms/testing/smtp';
import { registerImport } from '@sevenfold/imports/commands';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector';
import { type Programs, startPrograms } from '../support/programs';

const SECRET = 'somebody@private.example';

let collector: Collector;
let site: Programs;

let bucket: FakeBucket;
let smtp: FakeSmtp;
/** A cache on the way, which hears what is old. */
const edge = http.createServer((_request, response) => response.end());

/** By its name: addresses are looked for in what is told. */
const named = (url: string): string => url.replace('127.0.0.1', 'localhost');

beforeAll(async () => {
  collector = await startCollector();
  bucket = await startBucket('files');
  smtp = startSmtp(await freePort());
  await smtp.start();
  await new Promise<void>((resolve) => edge.listen(0, '127.0.0.1', resolve));
  site = await startPrograms(['content', 'calendar', 'imports', 'seo', 'forms'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench',
    S3_ENDPOINT: named(bucket.url),
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
    SMTP_HOST: 'localhost',
    SMTP_PORT: String(smtp.port),
    SMTP_STARTTLS: 'never',
    CACHE_KEY_HEADER: 'Surrogate-Key',
    PURGE_URL: `http://localhost:${(edge.address() as AddressInfo).port}/`,
  });
});
afterAll(async () => {
  await site?.stop();
  await collector?.stop();
  await smtp?.stop();
  await bucket?.stop();
  edge.close();
});

const found = (which: (span: CollectedSpan) => boolean): Promise<CollectedSpan> =>
  until(() => collector.spans.find(which));

async function importOne(uid: string, headers: Record<string, string>): Promise<void> {
  const log = createLog('traces', 'test', 'silent');
  const db = openDatabase({ url: site.databases.imports as string, size: 1, application: 'traces', log });
  const { importId, batchHash } = await registerImport({ db }, {}).finally(() => db.close());
  const answer = await fetch(
    `${site.url}/rest/calendar/event-aggregator/v1/import/${importId}/batch?batch_hash=${batchHash}`,
    {
      method: 'POST',
      headers: { Authorization: site.administrator, 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify({
        batch_hash: batchHash,
        status: { data: { total: 1, done: 0 }, batch: { total: 1, done: 0 } },
        percentage_complete: 100,
        events: [
          {
            uid,
            title: 'A traced event',
            description: `Ask ${SECRET}`,
            start_date: '2031-05-01',
            start_hour: '10',
            timezone: 'Europe/Brussels',
            venue: { venue: 'Room' },
          },
        ],
      }),
    },
  );
  expect([answer.status, await answer.text()]).toEqual([200, expect.anything()]);
}

const THEIRS = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const CLIENT = `00-${THEIRS.traceId}-${THEIRS.spanId}-01`;

const postOf = (body: object): RequestInit => ({
  method: 'POST',
  headers: { Authorization: site.administrator, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/** Where an import comes by, in order: the service, the name of a span there, and its kind. */
const WAY: readonly (readonly [string, RegExp, number])[] = [
  ['gateway', /^POST$/, 3],
  ['imports', /^POST .*batch/, 2],
  ['imports', /^send imports\./, 4],
  ['imports', /^process imports\./, 5],
  ['imports', /^sevenfold\.calendar/, 3],
  ['calendar', /^sevenfold\.calendar/, 2],
  ['calendar', /^INSERT events$/, 3],
  ['calendar', /^send calendar\.event\./, 4],
  ['seo', /^process calendar\.event\./, 5],
  ['seo', /^send seo\./, 4],
  ['seo', /^process seo\..*\/index-objects$/, 5],
];
/** An index that is compared as a whole at its start may find an event before it hears of it: that is another trace. */
const TRIES = 3;
const TRY_MS = 30_000;

/** The root of an import that came all the way, and its spans as of now. */
async function traced(): Promise<{ root: CollectedSpan; own: () => CollectedSpan[] }> {
  const isRoot = ({ service, kind, name }: CollectedSpan): boolean =>
    service === 'gateway' && kind === 2 && /^POST .*batch/.test(name);
  let missing: readonly unknown[] = [];
  for (let number = 1; number <= TRIES; number++) {
    await importOne(`traced-${number}`, { traceparent: CLIENT });
    const root = await until(() => collector.spans.filter(isRoot)[number - 1]);
    const own = (): CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === root.traceId);
    const begun = performance.now();
    await until(() => {
      const spans = own();
      missing = WAY.filter(
        ([service, name, kind]) =>
          !spans.some((span) => span.service === service && span.kind === kind && name.test(span.name)),
      );
      return missing.length === 0 || performance.now() - begun > TRY_MS;
    });
    if (missing.length === 0) return { root, own };
  }
  throw new Error(`no import came all the way; the last one not by ${missing.join('; ')}`);
}

test('an import is one trace from the request to the index, and log lines name it', async () => {
  const { root, own } = await traced();
  // Whoever asks first is looked up.
  for (const [service, kind] of [
    ['gateway', 3],
    ['content', 2],
  ] as const)
    await found(
      (span) => span.service === service && span.kind === kind && /IdentityService\/\w+$/.test(span.name),
    );
  // All of it hangs together, and what the client said is no more than a hint.
  expect(root.traceId).not.toBe(THEIRS.traceId);
  expect(root.links).toMatchObject([THEIRS]);
  await until(() => {
    const ids = new Set(own().map(({ spanId }) => spanId));
    return own().every(({ spanId, parentSpanId = '' }) => spanId === root.spanId || ids.has(parentSpanId));
  });
  for (const service of ['gateway', 'imports', 'calendar', 'seo'])
    await until(() =>
      site.lines.some((line) => line.service === service && line.trace_id === root.traceId && line.span_id),
    );
});

test('what the console asks for is part of its request, whose client is believed no more', async () => {
  const headers = { Authorization: site.administrator, traceparent: CLIENT };
  const answer = await fetch(`${site.url}/console/api/imports`, { headers });
  expect([answer.status, (await answer.arrayBuffer()).byteLength > 0]).toEqual([200, true]);
  const asked = await found(({ service, name }) => service === 'imports' && /\/ListImports$/.test(name));
  const root = await found(
    ({ service, kind, traceId, parentSpanId = '' }) =>
      service === 'gateway' && kind === 2 && traceId === asked.traceId && parentSpanId === '',
  );
  expect(root.links).toMatchObject([THEIRS]);
  expect(collector.spans.filter(({ traceId }) => traceId === THEIRS.traceId)).toEqual([]);
});

const CLIENT_KIND = 3;

test('files in a store, mail and calls to a cache on the way are steps, whoever they are about', async () => {
  const uploaded = await fetch(`${site.url}/rest/core/v2/media`, {
    method: 'POST',
    headers: {
      Authorization: site.administrator,
      'Content-Type': 'text/plain',
      'Content-Disposition': `attachment; filename="${SECRET}.txt"`,
    },
    body: SECRET,
  });
  expect([uploaded.status, (await uploaded.arrayBuffer()).byteLength > 0]).toEqual([201, true]);
  const stored = await found(
    ({ service, name, attributes }) =>
      service === 'content' && name === 'PUT' && attributes['server.address'] === 'localhost',
  );
  expect(stored).toMatchObject({ kind: CLIENT_KIND, attributes: { 'http.response.status_code': 200 } });
  await found(
    ({ service, name, traceId }) =>
      service === 'content' && name === 'POST /core/v2/media' && traceId === stored.traceId,
  );

  // The file is news to the cache on the way: told by itself, since nobody waits for it.
  const purged = await found(
    ({ service, name, attributes }) =>
      service === 'gateway' && name === 'POST' && attributes['server.address'] === 'localhost',
  );
  expect(purged).toMatchObject({ kind: CLIENT_KIND, attributes: { 'http.response.status_code': 200 } });
  expect(purged.parentSpanId ?? '').toBe('');

  const forms = `${site.url}/rest/contact-form/v1/contact-forms`;
  const made = (await (await fetch(forms, postOf({ title: 'Write to us' }))).json()) as { id: number };
  const sent = await fetch(
    `${forms}/${made.id}/feedback`,
    postOf({
      _contact_form_unit_tag: `contact-form-f${made.id}-p1-o1`,
      'your-name': 'Ann',
      'your-email': SECRET,
      'your-subject': 'A traced event',
      'your-message': `Ask ${SECRET}`,
    }),
  );
  expect([sent.status, await sent.json()]).toEqual([200, expect.objectContaining({ status: 'mail_sent' })]);
  const mailed = await found(({ service, name }) => service === 'forms' && name === 'SMTP send');
  expect(mailed).toMatchObject({
    kind: CLIENT_KIND,
    attributes: { 'network.protocol.name': 'smtp', 'server.address': 'localhost' },
  });
  await found(
    ({ service, name, spanId }) =>
      service === 'forms' && /^process forms\./.test(name) && spanId === mailed.parentSpanId,
  );
  expect(smtp.taken.some(({ raw }) => raw.includes(SECRET))).toBe(true);
}, 120_000);

test('what is told names what is done, and nothing of what clients sent', async () => {
  const path = '/rest/core/v2/posts';
  const asked = await fetch(`${site.url}${path}?search=${encodeURIComponent(SECRET)}`);
  expect(asked.status).toBe(200);
  await asked.arrayBuffer();
  const missed = await fetch(`${site.url}/rest/core/v2/users/${encodeURIComponent(SECRET)}`);
  await missed.arrayBuffer();
  const { traceId } = await found(
    ({ service, name }) => service === 'content' && name === 'GET /core/v2/posts',
  );
  await found(
    (span) => span.traceId === traceId && span.service === 'content' && span.name === 'SELECT posts',
  );
  const root = await found(
    (span) => span.traceId === traceId && span.service === 'gateway' && span.kind === 2,
  );
  expect(root.attributes).toMatchObject({
    'http.request.method': 'GET',
    'http.route': '/core/v2/posts',
    'http.response.status_code': 200,
  });
  expect(collector.bodies.join('')).toContain('test bench');
  for (const text of [SECRET, encodeURIComponent(SECRET), 'private.example', 'A traced event', '127.0.0.1'])
    expect(collector.bodies.join('')).not.toContain(text);
});

test('log lines tell no more of clients than that', async () => {
  const hidden = ['hunter2-secret', 'Bearer-secret', SECRET, encodeURIComponent(SECRET), 'Private words'];
  const at = `/rest/core/v2/users/${encodeURIComponent(SECRET)}/${SECRET}`;
  const before = site.lines.length;
  const basic = Buffer.from(`${SECRET}:hunter2-secret`).toString('base64');
  const asked: readonly [string, RequestInit][] = [
    [at, {}],
    [`/rest/core/v2/posts?search=Private+words&author_email=${SECRET}&password=hunter2-secret`, {}],
    ['/rest/core/v2/users/me', { headers: { Authorization: `Basic ${basic}` } }],
    ['/rest/core/v2/users/me', { headers: { Authorization: 'Bearer Bearer-secret' } }],
    [
      '/rest/core/v2/comments',
      postOf({ post: 1, author_name: 'A', author_email: SECRET, content: 'Private words' }),
    ],
    ['/rest/core/v2/users', postOf({ username: 'one', email: SECRET, password: 'hunter2-secret' })],
    [
      '/rest/core/v2/posts',
      { ...postOf({ title: 'Private words' }), body: `{"title": "Private words ${SECRET}` },
    ],
    ['/rest/calendar/events/v1/organizers', postOf({ organizer: 'Private words', email: SECRET })],
  ];
  for (const [where, init] of asked) {
    const answer = await fetch(site.url + where, init);
    await answer.arrayBuffer();
    expect(answer.status).toBeLessThan(500);
  }
  const told = (): readonly string[] => site.lines.slice(before).map((line) => JSON.stringify(line));
  // Of each request a line of the gateway's, and of the service's where it came to one.
  // The lines of requests before may come among them.
  await until(
    () =>
      told().filter((line) => line.includes('"gateway"')).length >= asked.length &&
      told().some((line) => line.includes('/rest/core/v2/users/[hidden]/[hidden]')),
  );
  for (const text of [...hidden, basic, site.administrator.slice('Basic '.length)])
    expect(told().filter((line) => line.includes(text))).toEqual([]);
});

test('a collector that is gone costs spans, which are counted, and nothing else', async () => {
  await collector.stop();
  const lost = async (): Promise<number> => {
    const told = await (await fetch(site.metrics.calendar as string)).text();
    return Number(/^trace_spans_total\{outcome="lost"\} (\d+)/m.exec(told)?.[1]);
  };
  const before = await lost();
  const ask = async (): Promise<number> => {
    const { status, body } = await fetch(`${site.url}/rest/calendar/events/v1/events`, {
      headers: { Authorization: site.administrator },
    });
    await body?.cancel();
    return status;
  };
  await until(async () => {
    expect(await ask()).toBe(200);
    return (await lost()) > before;
  });
  await until(() => site.lines.some(({ outage }) => outage === 'Traces cannot be sent.'));
});
