/** The chart as helm renders it, as objects; each set of values once for a test file. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

const repository = path.resolve(__dirname, '../../../..');
export const chart = path.join(repository, 'deploy/helm/sevenfold');
export const inChart = (file: string): string => readFileSync(path.join(chart, file), 'utf8');
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- objects of Kubernetes, whose shapes its schemas check
export type Thing = any;
export const yaml = (text: string): Thing => parse(text, { merge: true, logLevel: 'error' });

export const examples: readonly string[] = readdirSync(path.join(chart, 'examples')).sort();
const NAMESPACE = 'site';
const RELEASE = 'rel';

function tool(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run these tests by their own command`);
  return value;
}
export const kubernetes = (): string => tool('CHART_KUBERNETES');
export const schemaFiles = (): string[] => tool('CHART_SCHEMAS').split(path.delimiter);

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function helm(args: readonly string[], env: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr } = spawnSync(tool('CHART_HELM'), args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    // Nothing of whoever runs the tests is asked or changed.
    env: { ...process.env, KUBECONFIG: '/dev/null', HELM_NAMESPACE: NAMESPACE, ...env },
  });
  return { status, stdout, stderr };
}

/** How `helm template` is asked; `values` are given as a file of values is. */
export const templateArgs = (example: string | undefined, sets: readonly string[]): string[] => [
  'template',
  RELEASE,
  chart,
  '--kube-version',
  kubernetes(),
  ...(example ? ['-f', path.join(chart, 'examples', example)] : []),
  ...sets.flatMap((set) => ['--set-json', set]),
];

const rendered = new Map<string, Thing[]>();

/** `sets` such as `services.calendar.api.replicas=3`, with JSON on the right. Throws what helm says. */
export function render(example: string | undefined, ...sets: string[]): Thing[] {
  const key = [example, ...sets].join('\n');
  const known = rendered.get(key);
  if (known) return known;
  const text = execFileSync(tool('CHART_HELM'), templateArgs(example, sets), {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, KUBECONFIG: '/dev/null', HELM_NAMESPACE: NAMESPACE },
  });
  const things = parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0] as Error;
    const thing = document.toJS() as Thing;
    return thing ? [thing] : [];
  });
  rendered.set(key, things);
  return things;
}

export const ofKind = (things: readonly Thing[], ...kinds: string[]): Thing[] =>
  things.filter(({ kind }) => kinds.includes(kind as string));

export const componentOf = (thing: Thing): string =>
  thing.metadata.labels['app.kubernetes.io/component'] as string;

export const podSpecOf = ({ spec }: Thing): Thing => spec.template.spec;
