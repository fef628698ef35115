/** What is made before the objects of a release: Helm takes it for no part of it, so it has to be right for as long as it stays. */
import { type Thing, componentOf, examples, inChart, ofKind, podSpecOf, render } from './testing/render';

const POLICY = 'helm.sh/hook-delete-policy';
const hooksOf = (things: readonly Thing[]): Thing[] =>
  things.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined);
const preparing = (things: readonly Thing[]): Thing[] =>
  hooksOf(things).filter((one) => componentOf(one) === 'migrate');
const jobOf = (things: readonly Thing[]): Thing => preparing(things).find(({ kind }) => kind === 'Job');

/** Whether Kubernetes would hold the pods of a Job to a network policy. */
const binds = ({ spec }: Thing, job: Thing): boolean => {
  const { labels } = job.spec.template.metadata;
  const { matchLabels = {}, matchExpressions = [] } = spec.podSelector;
  return (
    Object.entries(matchLabels as object).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }: Thing) => {
      if (!['In', 'NotIn'].includes(operator as string)) throw new Error(`${operator} is not known here`);
      return values.includes(labels[key]) === (operator === 'In');
    })
  );
};

describe.each(examples)('%s', (example) => {
  const things = render(example);

  test('what the Job needs stays when Helm waits no longer, since the Job goes on', () => {
    const job = jobOf(things);
    const { serviceAccountName, containers } = podSpecOf(job);
    const read = containers
      .flatMap(({ env }: Thing) => env as Thing[])
      .flatMap(({ valueFrom }: Thing) => valueFrom?.secretKeyRef?.name ?? []) as string[];
    const others = preparing(things).filter((one) => one !== job);
    const needed = others.filter(
      ({ kind, metadata, ...rest }) =>
        (kind === 'ServiceAccount' && metadata.name === serviceAccountName) ||
        (kind === 'Secret' && read.includes(metadata.name as string)) ||
        (kind === 'NetworkPolicy' && binds(rest, job)),
    );
    expect(needed).toEqual(others);
    expect(needed.map(({ kind }) => kind as string)).toEqual(
      expect.arrayContaining(['ServiceAccount', 'NetworkPolicy']),
    );
    // With `hook-succeeded` Helm removes them when a later hook fails, and a time-out is a failure to it.
    for (const { kind, metadata } of needed)
      expect([kind, metadata.annotations[POLICY]]).toEqual([kind, 'before-hook-creation']);
    expect(job.metadata.annotations[POLICY]).toBe('before-hook-creation,hook-succeeded');
  });

  test('the Job has one policy, which an upgrade without policies is not bound by, nor by the one for the rest', () => {
    const policies = ofKind(things, 'NetworkPolicy');
    const job = jobOf(things);
    expect(policies.filter((one) => binds(one, job)).map(componentOf)).toEqual(['migrate']);
    const free = jobOf(render(example, 'networkPolicies.enabled=false'));
    expect(policies.filter((one) => binds(one, free)).map(componentOf)).toEqual([]);
  });

  test('the command that takes the rest away after an uninstallation names all of it, and nothing else', () => {
    const [, kinds = '', components = ''] =
      /delete (\S+) \\?\s+-l 'app\.kubernetes\.io\/instance=site,app\.kubernetes\.io\/component in \(([^)]*)\)'/.exec(
        inChart('../../README.md'),
      ) ?? [];
    const isNamed = (one: Thing): boolean =>
      kinds.split(',').includes(one.kind.toLowerCase() as string) &&
      components.split(',').includes(componentOf(one));
    const told = (all: readonly Thing[]): string[] => all.map((one) => `${one.kind} of ${componentOf(one)}`);
    expect(told(hooksOf(things).filter((one) => !isNamed(one)))).toEqual([]);
    const kept = things.filter(({ metadata }) => metadata.annotations?.['helm.sh/resource-policy']);
    expect(told(kept.filter(isNamed))).toEqual([]);
  });
});
