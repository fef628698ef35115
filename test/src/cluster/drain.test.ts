/** A node is emptied: the budgets allow one pod of each process at a time, and no more. */
import type { Thing } from '../chart/testing/render';
import { get, kubectl, makeNamespace, releaseIn, tryKubectl, untilSo } from './testing/cluster';

const release = releaseIn('drain');
const EXAMPLE = 'autoscaled-calendar.yaml';
const SETS = [
  'monitoring.podMonitor=false',
  ...['calendar.api', 'calendar.worker', 'imports.worker', 'gateway.api'].map(
    (process) => `services.${process}.autoscaling.enabled=false`,
  ),
  'defaults.worker.replicas=2',
];
const NODES = ['node-a', 'node-b', 'node-c'];
const cordon = (...nodes: string[]): Promise<string> => kubectl(['cordon', ...nodes]);
const uncordon = (...nodes: string[]): Promise<string> => kubectl(['uncordon', ...nodes]);
const DRAIN = ['drain', 'node-a', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout'];

beforeAll(async () => {
  await makeNamespace('drain');
  await cordon('node-b', 'node-c');
  await release.install(EXAMPLE, ...SETS);
});
afterAll(async () => {
  await uncordon(...NODES);
  await release.helm('uninstall', '--wait', '--timeout', '5m');
});

const readiness = async (): Promise<[name: string, ready: number, wanted: number][]> =>
  (await release.list('apps/v1/deployments')).map(({ metadata, spec, status }) => [
    metadata.name as string,
    (status.readyReplicas as number | undefined) ?? 0,
    spec.replicas as number,
  ]);
const onNode = async (node: string): Promise<Thing[]> =>
  (await release.list('v1/pods')).filter(({ spec }) => spec.nodeName === node);

test('while those that went find no other place, no second one of a process may go', async () => {
  await cordon(...NODES);
  const { status, text } = await tryKubectl([...DRAIN, '60s']);
  expect([status, text]).toEqual([1, expect.stringMatching(/violate the pod's disruption budget/)]);
  for (const [name, ready, wanted] of await readiness()) expect([name, ready]).toEqual([name, wanted - 1]);
  const budgets = await release.list('policy/v1/poddisruptionbudgets');
  expect(budgets).toHaveLength((await readiness()).length);
  for (const { metadata, status: state } of budgets)
    expect([metadata.name, state.disruptionsAllowed]).toEqual([metadata.name, 0]);
});

test('where there is room elsewhere the node becomes empty, and one of each process was ready all the time', async () => {
  await uncordon('node-b', 'node-c');
  await untilSo(async () => (await readiness()).every(([, ready, wanted]) => ready === wanted));
  const least = new Map<string, number>();
  let over = false;
  const draining = kubectl([...DRAIN, '300s']).finally(() => (over = true));
  while (!over)
    for (const [name, ready, wanted] of await readiness())
      least.set(name, Math.min(least.get(name) ?? Infinity, ready - (wanted - 1)));
  await draining;
  expect([...least].filter(([, spare]) => spare < 0)).toEqual([]);
  expect(await onNode('node-a')).toEqual([]);
  await untilSo(async () => (await readiness()).every(([, ready, wanted]) => ready === wanted));
  expect((await get('/api/v1/nodes/node-a')).spec.unschedulable).toBe(true);
});
