/** The life of a release: installed, upgraded, an upgrade that fails, rolled back, taken away. */
import type { Thing } from '../chart/testing/render';
import { NAME, events, get, makeNamespace, refusals, releaseIn, untilSo } from './testing/cluster';

const NAMESPACE = 'releases';
const EXAMPLE = 'autoscaled-calendar.yaml';
// Without what scales by itself, so that numbers of replicas are those of the values.
const PLAIN = [
  'monitoring.podMonitor=false',
  ...['gateway', 'calendar', 'imports'].flatMap((name) => [
    `services.${name}.api.autoscaling.enabled=false`,
    ...(name === 'gateway' ? [] : [`services.${name}.worker.autoscaling.enabled=false`]),
  ]),
];
const release = releaseIn(NAMESPACE);

beforeAll(() => makeNamespace(NAMESPACE));

const images = async (): Promise<string[]> => [
  ...new Set(
    (await release.list('v1/pods'))
      .filter(({ metadata }) => metadata.ownerReferences[0].kind === 'ReplicaSet')
      .filter(({ metadata }) => !metadata.deletionTimestamp)
      .map(({ spec }) => spec.containers[0].image as string),
  ),
];
const secrets = async (): Promise<Thing> =>
  (await get(`/api/v1/namespaces/${NAMESPACE}/secrets/${NAME}-secrets`)).data;
/** How many Jobs of the hook came to their end; the hook itself takes them away. */
const migrations = async (): Promise<number> =>
  (await events(NAMESPACE))
    .filter(
      ({ reason, involvedObject }) => reason === 'Completed' && involvedObject.name === `${NAME}-migrate`,
    )
    .reduce((sum, { count }) => sum + Math.max(1, (count as number | undefined) ?? 1), 0);
const versions = async (): Promise<Record<string, [number, string]>> =>
  Object.fromEntries(
    (await release.list('apps/v1/deployments')).map(({ metadata, spec }) => [
      metadata.name as string,
      [metadata.generation as number, spec.template.spec.containers[0].image as string],
    ]),
  );

let kept: Thing;

test('an installation prepares the databases first, then everything becomes ready; no pod is refused', async () => {
  await release.install(EXAMPLE, ...PLAIN);
  expect(await migrations()).toBe(1);
  const completed = (await events(NAMESPACE)).find(
    ({ reason, involvedObject }) => reason === 'Completed' && involvedObject.kind === 'Job',
  );
  const deployments = await release.list('apps/v1/deployments');
  expect(deployments.length).toBeGreaterThan(12);
  for (const { metadata, spec, status } of deployments) {
    expect([metadata.name, status.readyReplicas]).toEqual([metadata.name, spec.replicas]);
    expect(Date.parse(metadata.creationTimestamp as string)).toBeGreaterThanOrEqual(
      Date.parse((completed.lastTimestamp ?? completed.eventTime) as string),
    );
  }
  expect(await get(`/apis/batch/v1/namespaces/${NAMESPACE}/jobs/${NAME}-migrate`)).toBeUndefined();
  expect(await refusals(NAMESPACE)).toEqual([]);
  kept = await secrets();
  expect(Object.keys(kept as object)).toContain('ACTOR_SECRET');
});

test('its test runs as a Job and tells that it went well', async () => {
  expect(await release.helm('test')).toMatch(/Phase:\s+Succeeded/);
});

test('an upgrade prepares again, replaces every pod while enough of each stay ready, and keeps the secrets', async () => {
  const before = await release.list('apps/v1/deployments');
  const least = new Map(before.map(({ metadata }) => [metadata.name as string, Infinity]));
  let over = false;
  const upgrading = release.upgrade(EXAMPLE, ...PLAIN, 'image.tag="next"').finally(() => (over = true));
  while (!over)
    for (const { metadata, status } of await release.list('apps/v1/deployments')) {
      const name = metadata.name as string;
      least.set(
        name,
        Math.min(least.get(name) as number, (status.availableReplicas as number | undefined) ?? 0),
      );
    }
  await upgrading;
  expect(await migrations()).toBe(2);
  expect(await untilSo(async () => (await images()).length === 1 && images())).toEqual(['sevenfold:next']);
  for (const { metadata, spec } of before)
    expect([metadata.name, least.get(metadata.name as string)]).toEqual([metadata.name, spec.replicas]);
  expect(await secrets()).toEqual(kept);
  expect(await refusals(NAMESPACE)).toEqual([]);
});

test('an upgrade whose databases cannot be prepared stops there: the pods of before go on', async () => {
  const [before, pods] = [
    await versions(),
    (await release.list('v1/pods')).map(({ metadata }) => metadata.uid as string),
  ];
  const { status, text } = await release.try(
    'upgrade',
    EXAMPLE,
    ...PLAIN,
    'image.tag="fails"',
    'migrations.backoffLimit=0',
  );
  expect([status, text]).toEqual([1, expect.stringContaining('pre-upgrade hooks failed')]);
  expect(await versions()).toEqual(before);
  const now = (await release.list('v1/pods')).filter(({ status: { phase } }) => phase === 'Running');
  const serving = pods.filter((uid) => now.some(({ metadata }) => metadata.uid === uid));
  expect(serving).toHaveLength(now.length);
  expect(await secrets()).toEqual(kept);
});

test('a rollback brings back the program of before, and keeps the secrets', async () => {
  await release.helm('rollback', '1', '--wait', '--timeout', '8m');
  expect(await untilSo(async () => (await images()).length === 1 && images())).toEqual(['sevenfold:0.1.0']);
  expect(await secrets()).toEqual(kept);
});

test('after all that another upgrade goes well', async () => {
  await release.upgrade(EXAMPLE, ...PLAIN, 'image.tag="later"');
  expect(await untilSo(async () => (await images()).length === 1 && images())).toEqual(['sevenfold:later']);
  expect(await secrets()).toEqual(kept);
});

test('what is taken away leaves the secrets, and who installs again finds them', async () => {
  await release.helm('uninstall', '--wait', '--timeout', '5m');
  expect(await release.list('apps/v1/deployments')).toEqual([]);
  expect(await secrets()).toEqual(kept);
  await release.install(EXAMPLE, ...PLAIN);
  expect(await secrets()).toEqual(kept);
  await release.helm('uninstall', '--wait', '--timeout', '5m');
});
