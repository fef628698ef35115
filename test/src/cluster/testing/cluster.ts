/** The control plane that `npm run test:cluster` has started, and the chart in it. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@sevenfold/chassis/testing/until';
import { type Thing, chart } from '../../chart/testing/render';

function given(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests by npm run test:cluster`);
  return value;
}

interface Ended {
  readonly status: number | null;
  /** What it said, in the order in which it came. */
  readonly text: string;
}

function run(program: string, args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'pipe' });
    let text = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (text += part));
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, text }));
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

async function rightly(ending: Promise<Ended>): Promise<string> {
  const { status, text } = await ending;
  if (status !== 0) throw new Error(`ended with ${status}: ${text}`);
  return text;
}

export const tryKubectl = (args: readonly string[], input?: string): Promise<Ended> =>
  run(given('CLUSTER_KUBECTL'), args, input);
export const kubectl = (args: readonly string[], input?: string): Promise<string> =>
  rightly(tryKubectl(args, input));

export const apply = (...objects: Thing[]): Promise<string> =>
  kubectl(
    ['apply', '--server-side', '-f', '-'],
    JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }),
  );

/** An answer of the API server; undefined for what is not there. */
export async function get(route: string): Promise<Thing> {
  const response = await fetch(`${given('CLUSTER_URL')}${route}`, {
    headers: { authorization: `Bearer ${given('CLUSTER_TOKEN')}` },
  });
  const text = await response.text();
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${route} was answered with ${response.status}: ${text}`);
  return JSON.parse(text) as Thing;
}

/** What the measuring interfaces answer from now on: processor time by component in thousandths, age of queues in seconds. */
export async function measure(values: {
  readonly cpu?: Readonly<Record<string, number>>;
  readonly queues?: Readonly<Record<string, number>>;
}): Promise<void> {
  const body = JSON.stringify({ cpu: {}, queues: {}, ...values });
  const response = await fetch(given('CLUSTER_METRICS'), { method: 'PUT', body });
  if (!response.ok) throw new Error(`values were answered with ${response.status}`);
}

/** As `until`, but the machine has other things to do as well. */
export const untilSo = <T>(ask: () => Promise<T>): Promise<Exclude<T, false | undefined>> =>
  until(async () => {
    const answer = await ask();
    if (answer === false || answer === undefined) await sleep(200);
    return answer;
  });

/** In which the profile «restricted» of pod security is enforced. */
export const makeNamespace = (name: string): Promise<string> =>
  apply({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: {
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/enforce-version': 'latest',
      },
    },
  });

export interface Release {
  readonly namespace: string;
  /** Of the chart; with `--wait` and what `sets` say, as JSON on the right. */
  try(verb: 'install' | 'upgrade', example: string, ...sets: string[]): Promise<Ended>;
  install(example: string, ...sets: string[]): Promise<string>;
  upgrade(example: string, ...sets: string[]): Promise<string>;
  helm(...args: string[]): Promise<string>;
  /** Objects of the release, such as `apps/v1/deployments`. */
  list(resource: string): Promise<Thing[]>;
  deployment(component: string): Promise<Thing>;
}

const RELEASE = 'rel';
export const NAME = `${RELEASE}-sevenfold`;
const WAIT = ['--wait', '--timeout', '8m'];

export function releaseIn(namespace: string): Release {
  const helm = (...args: string[]): Promise<Ended> => run(given('CHART_HELM'), ['-n', namespace, ...args]);
  const attempt: Release['try'] = (verb, example, ...sets) =>
    helm(
      verb,
      RELEASE,
      chart,
      '-f',
      path.join(chart, 'examples', example),
      ...sets.flatMap((set) => ['--set-json', set]),
      ...WAIT,
    );
  const list: Release['list'] = async (resource) => {
    const parts = resource.split('/');
    const group = parts.length === 2 ? `/api/${parts[0]}` : `/apis/${parts[0]}/${parts[1]}`;
    const query = `labelSelector=app.kubernetes.io/instance%3D${RELEASE}`;
    return (await get(`${group}/namespaces/${namespace}/${parts.at(-1)}?${query}`)).items as Thing[];
  };
  return {
    namespace,
    try: attempt,
    install: (...args) => rightly(attempt('install', ...args)),
    upgrade: (...args) => rightly(attempt('upgrade', ...args)),
    helm: (verb, ...args) => rightly(helm(verb as string, RELEASE, ...args)),
    list,
    deployment: (component) => get(`/apis/apps/v1/namespaces/${namespace}/deployments/${NAME}-${component}`),
  };
}

/** Of the namespace, such as `Job/SuccessfulCreate`. */
export async function events(namespace: string): Promise<Thing[]> {
  return (await get(`/api/v1/namespaces/${namespace}/events`)).items as Thing[];
}

/** What was refused when controllers made pods: by pod security, by quotas, by anything else. */
export const refusals = async (namespace: string): Promise<string[]> =>
  (await events(namespace))
    .filter(({ reason }) => reason === 'FailedCreate')
    .map(({ message }) => message as string);

/** Volumes that claims find without anybody who makes them. */
export const makeVolumes = (count: number): Promise<string> =>
  apply(
    ...Array.from({ length: count }, (_, n) => ({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: `volume-${n}` },
      spec: {
        capacity: { storage: '100Gi' },
        accessModes: ['ReadWriteOnce', 'ReadWriteMany'],
        persistentVolumeReclaimPolicy: 'Retain',
        nfs: { server: 'files.example.org', path: `/${n}` },
      },
    })),
  );
