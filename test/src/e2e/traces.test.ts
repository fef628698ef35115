/**
 * Traces, with a collector that takes what real processes send: what an import leads to is one trace, from the request at
 * the gateway to the index of search engines, whichever process, queue and database it passes; log lines name it. What
 * clients say of traces is not believed, nothing about people is told, and a collector that is gone is nobody's trouble.
 */
import { openDatabase } from '@sevenfold/chassis/db/pool';
import { createLog } from '@sevenfold/chassis/log';
import { until } from '@sevenfold/chassis/testing/until';
import { registerImport } from '@sevenfold/imports/commands';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector';
import { type Programs, startPrograms } from '../support/programs';

const SECRET = 'somebody@private.example';

let collector: Collector;
let site: Programs;

beforeAll(async () => {
  collector = await startCollector();
  site = await startPrograms(['content', 'calendar', 'imports', 'seo'], {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench',
  });
}, 180_000);
afterAll(async () => {
  await site?.stop();
  await collector?.stop();
}, 60_000);

const found = (which: (span: CollectedSpan) => boolean): Promise<CollectedSpan> =>
  until(() => collector.spans.find(which));

async function importOne(headers: Record<string, string>): Promise<void> {
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
            uid: 'traced',
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

test('an import is one trace from the request to the index, and log lines name it', async () => {
  await importOne({ traceparent: CLIENT });
  const isRoot = ({ service, kind, name }: CollectedSpan): boolean =>
    service === 'gateway' && kind === 2 && /^POST .*batch/.test(name);
  const root = await found(isRoot);
  const own = (): CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === root.traceId);
  const has = (service: string, name: RegExp, kind: number) => (): CollectedSpan | undefined =>
    own().find((span) => span.service === service && span.kind === kind && name.test(span.name));
  // Each process sends on its own time.
  await until(has('gateway', /^POST$/, 3));
  await until(has('gateway', /IdentityService\/\w+$/, 3));
  await until(has('content', /IdentityService\/\w+$/, 2));
  await until(has('imports', /^POST .*batch/, 2));
  await until(has('imports', /^send imports\./, 4));
  await until(has('imports', /^process imports\./, 5));
  await until(has('imports', /^sevenfold\.calendar/, 3));
  await until(has('calendar', /^sevenfold\.calendar/, 2));
  await until(has('calendar', /^INSERT events$/, 3));
  await until(has('calendar', /^send calendar\.event\./, 4));
  await until(has('seo', /^process calendar\.event\./, 5));
  await until(has('seo', /^send seo\./, 4));
  await until(has('seo', /^process seo\..*\/index-objects$/, 5));
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
}, 60_000);

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
  expect(site.lines.some(({ outage }) => outage === 'Traces cannot be sent.')).toBe(true);
}, 120_000);
