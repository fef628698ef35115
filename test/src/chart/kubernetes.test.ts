/** Every object of every example is one that Kubernetes takes. */
import { examples, helm, chart, ofKind, render } from './testing/render';
import { faultsOf } from './testing/schemas';
import path from 'node:path';

const KUBERNETES = process.env.CHART_KUBERNETES as string;

describe.each(examples)('%s', (example) => {
  test('has nothing that lint finds', () => {
    const { status, stdout, stderr } = helm([
      'lint',
      '--strict',
      '--kube-version',
      KUBERNETES,
      '-f',
      path.join(chart, 'examples', example),
      chart,
    ]);
    expect(`${status} ${stdout}${stderr}`).toMatch(/^0 /);
  });

  test('is made of objects that Kubernetes knows', () => {
    const things = render(example);
    expect(ofKind(things, 'Deployment').length).toBeGreaterThan(0);
    expect(things.flatMap(faultsOf)).toEqual([]);
  });

  test('names each object once, in the namespace of the release', () => {
    const names = render(example).map(
      ({ kind, metadata }) => `${kind} ${metadata.namespace}/${metadata.name}`,
    );
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.filter((name) => !/ site\/rel-sevenfold/.test(name))).toEqual([]);
  });
});

test('a wrong object is found', () => {
  const [deployment] = ofKind(render(examples[0]), 'Deployment');
  const wrong = structuredClone(deployment);
  wrong.spec.template.spec.containers[0].imagePolicy = 'Always';
  wrong.spec.replicas = 'two';
  expect(faultsOf(wrong)).toHaveLength(2);
});
