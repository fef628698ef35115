/**
 * The whole site as the chart starts it, from the file system of the image (or of what is packed): its commands, variables, user and read-only
 * root, two replicas of everything.
 */
import { execFile } from 'node:child_process';
import { sharedFile } from '@sevenfold/chassis/testing/shared';
import { artefacts } from './testing/artefact';
import { type Cluster, startCluster } from './testing/cluster';

const REPLICAS = Number(process.env.PODS_REPLICAS ?? '2');
const checker = sharedFile('contract/check-contract.mjs');
const { now } = artefacts();

/** A picture of one point. */
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let cluster: Cluster;

const ask = (path: string): Promise<Response> =>
  fetch(cluster.url + path, { headers: { Authorization: cluster.administrator } });

beforeAll(async () => {
  cluster = await startCluster([now], REPLICAS);
}, 600_000);

afterAll(() => cluster?.stop(), 120_000);

(checker ? test : test.skip)('answers the contract without a difference (../shared)', async () => {
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [checker as string, cluster.url], (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
  expect(output.trim().split('\n').slice(-40)).toEqual(['0 differences']);
});

test('each replica takes its share', async () => {
  // At the same time, as clients are: one after the other they would all go over one connection.
  const paths = ['core/v2/posts', 'calendar/events/v1/venues', 'contact-form/v1/contact-forms'].flatMap(
    (path) => Array.from({ length: 30 }, (_, round) => `/rest/${path}?per_page=${round + 1}`),
  );
  const answers = await Promise.all(paths.map(ask));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  const served = await Promise.all(
    cluster.pods
      .filter(({ plan }) => ['content', 'calendar', 'forms'].includes(plan.component))
      .map(async ({ name, address, plan }) => {
        const metrics = await (await fetch(`http://${address}:${plan.ports.http}/metrics`)).text();
        return [name, /^http_request_duration_seconds_count\{[^}]*\} [1-9]/m.test(metrics)];
      }),
  );
  expect(served).toHaveLength(3 * REPLICAS);
  expect(served.filter(([, isServing]) => !isServing)).toEqual([]);
});

test('what is uploaded is kept in the volume, and shown whichever replica is asked', async () => {
  const image = await fetch(`${cluster.url}/rest/core/v2/media`, {
    method: 'POST',
    headers: {
      Authorization: cluster.administrator,
      'Content-Type': 'image/png',
      'Content-Disposition': 'attachment; filename="dot.png"',
    },
    body: Buffer.from(DOT, 'base64'),
  });
  expect(image.status).toBe(201);
  const { source_url: url } = (await image.json()) as { source_url: string };
  for (let round = 0; round < 6; round++) {
    const file = await fetch(url);
    expect([file.status, Buffer.from(await file.arrayBuffer()).toString('base64')]).toEqual([200, DOT]);
  }
});

test.each([
  ['its own code', '/app/written', 'EROFS'],
  ['the system', '/etc/written', 'EROFS'],
  ['the temporary folder', '/tmp/written', 'written'],
])('a process that writes to %s', async (_what, file, outcome) => {
  const program = `try { require('fs').writeFileSync('${file}', ''); console.log('written') } catch (error) { console.log(error.code) }
    console.log(process.getuid(), process.getgid(), /NoNewPrivs:\\s*1/.test(require('fs').readFileSync('/proc/self/status', 'utf8')))`;
  const { code, said } = await cluster.run(now, 'content', ['node', '-e', program]);
  expect([code, said]).toEqual([0, `${outcome}\n1000 1000 true\n`]);
});

test('nothing went wrong with any pod', () => {
  expect(cluster.faults).toEqual([]);
});
