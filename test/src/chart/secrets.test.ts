/** Secrets are generated once: what an upgrade finds in the cluster it keeps. The cluster is one that knows Secrets alone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { type Thing, ofKind, render, templateArgs } from './testing/render';

let secrets: Map<string, Thing>;
let server: http.Server;
let folder: string;

const answers: Readonly<Record<string, object>> = {
  '/version': { major: '1', minor: '33', gitVersion: 'v1.33.4' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': { kind: 'APIGroupList', apiVersion: 'v1', groups: [] },
  '/api/v1': {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'secrets', singularName: 'secret', namespaced: true, kind: 'Secret', verbs: ['get'] },
    ],
  },
};

beforeAll(async () => {
  secrets = new Map();
  server = http.createServer((request, response) => {
    const [where = ''] = (request.url ?? '').split('?');
    const found = answers[where] ?? secrets.get(where);
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(
        found ?? { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, reason: 'NotFound' },
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  folder = mkdtempSync(path.join(tmpdir(), 'chart-'));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(
    path.join(folder, 'config'),
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'here',
      contexts: [{ name: 'here', context: { cluster: 'here', user: '' } }],
      clusters: [{ name: 'here', cluster: { server: url } }],
    }),
  );
});
afterEach(() => secrets.clear());
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** As an installation or an upgrade renders: it may look into the cluster, which this process answers for. */
async function rendered(...sets: string[]): Promise<Thing[]> {
  const args = [...templateArgs('small.yaml', sets), '--dry-run=server', '--is-upgrade'];
  const child = spawn(process.env.CHART_HELM as string, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      KUBECONFIG: path.join(folder, 'config'),
      HELM_NAMESPACE: 'site',
      HELM_CACHE_HOME: folder,
    },
  });
  let [output, faults] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (faults += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(faults);
  return parseAllDocuments(output).flatMap((one) => (one.toJS() as Thing) ?? []);
}

const dataOf = (things: readonly Thing[], name: string): Record<string, string> =>
  ofKind(things, 'Secret').find(({ metadata }) => metadata.name === name).data;

test('an upgrade keeps every key, and adds one that is new', async () => {
  const place = '/api/v1/namespaces/site/secrets/rel-sevenfold-secrets';
  const first = await rendered();
  const installed = dataOf(first, 'rel-sevenfold-secrets');
  expect(Object.values(installed).every((value) => Buffer.from(value, 'base64').length === 40)).toBe(true);
  expect(new Set(Object.values(installed)).size).toBe(Object.keys(installed).length);
  // The copy that hooks read is of the same values, and only of what they need.
  const copied = dataOf(first, 'rel-sevenfold-hook-secrets');
  expect(Object.entries(copied).every(([key, value]) => installed[key] === value)).toBe(true);
  expect(Object.keys(copied).every((key) => key.endsWith('_DATABASE_PASSWORD'))).toBe(true);

  // Without a cluster that remembers it would be others.
  expect(dataOf(await rendered(), 'rel-sevenfold-secrets')).not.toEqual(installed);

  const { REDIS_PASSWORD: gone, ...others } = installed;
  const data = { ...others, OWN: Buffer.from('added by hand').toString('base64') };
  secrets.set(place, { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'rel-sevenfold-secrets' }, data });
  const upgraded = dataOf(await rendered('site.title="Another"'), 'rel-sevenfold-secrets');
  expect(upgraded).toEqual({ ...data, REDIS_PASSWORD: expect.any(String) });
  expect(upgraded.REDIS_PASSWORD).not.toBe(gone);
});

test('the keys of a store may have been put into it by hand', async () => {
  const place = '/api/v1/namespaces/site/secrets/rel-sevenfold-secrets';
  const keys = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
  const holding = (...names: string[]): Thing => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'rel-sevenfold-secrets' },
    data: Object.fromEntries(names.map((name) => [name, Buffer.from('by hand').toString('base64')])),
  });
  const store = ['storage.s3.endpoint="https://s3.example.org"', 'storage.uploads.bucket="media"'];
  secrets.set(place, holding(keys[0] as string));
  await expect(rendered(...store)).rejects.toThrow('Where are the keys of the object storage?');
  secrets.set(place, holding(...keys));
  expect(dataOf(await rendered(...store), 'rel-sevenfold-secrets')).toMatchObject(holding(...keys).data);
});

test('the Secret outlives the release', () => {
  const [secret] = ofKind(render('small.yaml'), 'Secret').filter(
    ({ metadata }) => !metadata.name.includes('hook'),
  );
  expect(secret.metadata.annotations['helm.sh/resource-policy']).toBe('keep');
});

test('one that is there is used, and none is made', () => {
  const things = render('production.yaml');
  expect(ofKind(things, 'Secret')).toEqual([]);
  const used = ofKind(things, 'Deployment', 'Job')
    .flatMap(({ spec }) => spec.template.spec.containers as Thing[])
    .flatMap(({ env }) => env as Thing[])
    .flatMap(({ valueFrom }) => valueFrom?.secretKeyRef?.name ?? []);
  expect([...new Set(used)].sort()).toEqual(['mail', 'sevenfold', 'sevenfold-s3']);
});

test('the secret that signs tokens is the gateway’s, which starts where a Secret of its operator’s has none', () => {
  const named = ofKind(render('production.yaml'), 'Deployment', 'Job').flatMap(({ metadata, spec }) =>
    (spec.template.spec.containers as Thing[])
      .flatMap(({ env }) => env as Thing[])
      .filter(({ name }) => name === 'TOKEN_KEYS')
      .map(({ valueFrom }) => [metadata.name, valueFrom.secretKeyRef]),
  );
  expect(named).toEqual([
    [expect.stringMatching(/-gateway$/), { name: 'sevenfold', key: 'TOKEN_KEYS', optional: true }],
  ]);
});
