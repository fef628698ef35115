/** Every example values file, as the API server takes it: each object accepted, each pod admitted and ready. */
import { readFileSync } from 'node:fs';
import { type Thing, examples, ofKind, render, schemaFiles } from '../chart/testing/render';
import {
  apply,
  get,
  kubectl,
  makeNamespace,
  makeVolumes,
  refusals,
  releaseIn,
  tryKubectl,
} from './testing/cluster';

beforeAll(async () => {
  // What clusters have besides: definitions of the kinds that the chart may ask for.
  for (const file of schemaFiles().filter((one) => one.endsWith('.yaml')))
    await kubectl(
      ['apply', '--server-side', '-f', '-'],
      readFileSync(file, 'utf8').replace(/^.*\{\{.*$\n?/gm, ''),
    );
  for (const name of [
    'httproutes.gateway.networking.k8s.io',
    'scaledobjects.keda.sh',
    'certificates.cert-manager.io',
  ])
    await kubectl(['wait', '--for=condition=Established', `crd/${name}`, '--timeout=120s']);
  await makeVolumes(12);
});

/** Where the server has a thing that the chart asked for. */
function routeOf({ apiVersion, kind, metadata }: Thing, namespace: string): string {
  const base = (apiVersion as string).includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const name = (kind as string).toLowerCase();
  const plural = name.endsWith('y')
    ? `${name.slice(0, -1)}ies`
    : name.endsWith('s')
      ? `${name}es`
      : `${name}s`;
  return `${base}/namespaces/${namespace}/${plural}/${metadata.name}`;
}

const isHook = ({ metadata }: Thing): boolean => Boolean(metadata.annotations?.['helm.sh/hook']);

describe.each(examples)('%s', (example) => {
  const namespace = `example-${example.replace('.yaml', '')}`;
  const release = releaseIn(namespace);
  const sets =
    example === 'production.yaml' ? ['gatewayApi={"enabled":true,"parentRefs":[{"name":"public"}]}'] : [];
  afterAll(() => release.helm('uninstall', '--wait', '--timeout', '5m'));

  test('is installed: no object and no pod is refused, and all become ready', async () => {
    await makeNamespace(namespace);
    await release.install(example, ...sets);
    expect(await refusals(namespace)).toEqual([]);
    const wanted = render(example, ...sets).filter((thing) => !isHook(thing));
    const missing: string[] = [];
    for (const thing of wanted)
      if (!(await get(routeOf(thing, namespace)))) missing.push(routeOf(thing, namespace));
    expect(missing).toEqual([]);
    expect(ofKind(wanted, 'NetworkPolicy').length).toBeGreaterThan(12);
    for (const { metadata, spec, status } of await release.list('apps/v1/deployments'))
      expect([metadata.name, status.readyReplicas]).toEqual([metadata.name, spec.replicas]);
  });

  test('is upgraded to itself', async () => {
    await release.upgrade(example, ...sets);
    expect(await refusals(namespace)).toEqual([]);
  });
});

test('the namespaces do refuse what is not restricted, and the server what it does not know', async () => {
  await makeNamespace('strict');
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'loose', namespace: 'strict' },
    spec: { containers: [{ name: 'loose', image: 'sevenfold' }] },
  };
  const { status, text } = await tryKubectl(['apply', '-f', '-'], JSON.stringify(pod));
  expect([status, text]).toEqual([1, expect.stringContaining('violates PodSecurity "restricted:latest"')]);
  const route = {
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'HTTPRoute',
    metadata: { name: 'r', namespace: 'strict' },
  };
  await expect(apply({ ...route, spec: { hostnames: ['not a host'] } })).rejects.toThrow(/hostnames/);
});
