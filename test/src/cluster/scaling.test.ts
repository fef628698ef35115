/** Replicas follow what is measured: processor time of what serves, age of the queue of what works. */
import type { Thing } from '../chart/testing/render';
import { makeNamespace, measure, releaseIn, untilSo } from './testing/cluster';

const release = releaseIn('scaling');
const SETS = [
  'autoscaling.keda=false',
  'monitoring.podMonitor=false',
  ...['calendar.api', 'calendar.worker', 'imports.worker', 'gateway.api'].map(
    (process) => `services.${process}.autoscaling.scaleDownSeconds=0`,
  ),
];

beforeAll(async () => {
  await measure({});
  await makeNamespace('scaling');
  await release.install('autoscaled-calendar.yaml', ...SETS);
});
afterAll(() => release.helm('uninstall', '--wait', '--timeout', '5m'));

const ready = async (component: string): Promise<number> =>
  ((await release.deployment(component)).status.readyReplicas as number | undefined) ?? 0;
const becomes = (component: string, count: number): Promise<boolean> =>
  untilSo(async () => (await ready(component)) === count);
const scalerOf = async (component: string): Promise<Thing> =>
  (await release.list('autoscaling/v2/horizontalpodautoscalers')).find(
    ({ metadata }) => metadata.labels['app.kubernetes.io/component'] === component,
  );

test('what serves: between its fewest and its most, by its processor time', async () => {
  // Of 500m that are requested 60 % are aimed at.
  await measure({ cpu: { calendar: 900 }, queues: {} });
  expect(await becomes('calendar', 20)).toBe(true);
  await measure({ cpu: { calendar: 30 }, queues: {} });
  expect(await becomes('calendar', 3)).toBe(true);
});

test('what works: by the age of its oldest job, asked for by the labels that the README tells', async () => {
  await measure({ queues: { 'imports-worker': 45, 'calendar-worker': 1 } });
  expect(await becomes('imports-worker', 6)).toBe(true);
  expect(await ready('calendar-worker')).toBe(1);
  await measure({ queues: { 'imports-worker': 0, 'calendar-worker': 1 } });
  expect(await becomes('imports-worker', 1)).toBe(true);
});

test('who scales says that it can', async () => {
  for (const component of ['calendar', 'imports-worker', 'gateway']) {
    const conditions = await untilSo(async () => {
      const { status } = await scalerOf(component);
      return (
        status.conditions?.some((one: Thing) => one.type === 'ScalingActive' && one.status === 'True') &&
        (status.conditions as Thing[])
      );
    });
    expect(conditions.find(({ type }: Thing) => type === 'AbleToScale')?.status).toBe('True');
  }
});

test('an upgrade leaves the number of replicas to who scales', async () => {
  await measure({ cpu: { calendar: 900 }, queues: { 'imports-worker': 1 } });
  await becomes('calendar', 20);
  await release.upgrade('autoscaled-calendar.yaml', ...SETS, 'image.tag="next"');
  expect((await release.deployment('calendar')).spec.replicas).toBe(20);
});
