/** What the chart says for a site on one machine: its objects, and of them what a container is started with. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NO_LIMITS } from '@sevenfold/gateway/limits/testing';
import { parseAllDocuments } from 'yaml';
import { type Thing, componentOf, helm, kubernetes, ofKind, podSpecOf } from '../../chart/testing/render';
import type { Door } from './network';

export const NAMESPACE = 'site';
const RELEASE = 'rel';
const SECRET = 'site-secrets';
/** How the chart names a site that is not named. */
export const INSTANCE = `${NAMESPACE}.${RELEASE}`;

export interface Site {
  /** Address of the Service of the gateway. */
  readonly front: string;
  readonly postgresUrl: string;
  readonly redisUrl: string;
  readonly replicas: number;
  /** Besides those that say where things are. */
  readonly values: object;
}

export interface Probe {
  readonly path: string;
  readonly port: number;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failures: number;
}

export interface ContainerPlan {
  /** Of the Deployment, or of the Job and its container. */
  readonly name: string;
  readonly component: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly user: number;
  /** By the path inside: the name of what lasts, or memory. */
  readonly volumes: Readonly<Record<string, { readonly lasting: string } | 'memory'>>;
  readonly ports: Readonly<Record<string, number>>;
  readonly probes: Readonly<Record<'startup' | 'readiness' | 'liveness', Probe>> | undefined;
  readonly replicas: number;
  readonly preStopMs: number;
  readonly graceMs: number;
}

export interface Plan {
  readonly migrations: readonly ContainerPlan[];
  readonly processes: readonly ContainerPlan[];
  readonly doors: readonly Door[];
}

export type Secrets = Readonly<Record<string, string>>;

interface Values {
  readonly [name: string]: unknown;
  readonly env: Readonly<Record<string, unknown>>;
}

/** As somebody who tries the chart on his own servers would say it. */
function valuesOf({ front, postgresUrl, redisUrl, replicas, values }: Site): Values {
  const postgres = new URL(postgresUrl);
  const redis = new URL(redisUrl);
  return {
    site: { url: front, logLevel: 'warn' },
    secrets: { existing: SECRET },
    postgresql: { host: postgres.hostname, port: Number(postgres.port) },
    redis: { host: redis.hostname, port: Number(redis.port), username: redis.username },
    defaults: { api: { replicas }, worker: { replicas } },
    // All clients of a test come from one address.
    env: NO_LIMITS,
    ...values,
  };
}

export function planOf(chart: string, site: Site, secrets: Secrets): Plan {
  const things = render(chart, ofItsTime(chart, valuesOf(site)));
  const hook = ofKind(things, 'Job').find((job) => job.metadata.name.endsWith('-migrate'));
  return {
    migrations: podSpecOf(hook).containers.map((container: Thing) =>
      containerOf(hook, container, secrets, `${hook.metadata.name}-${container.name}`),
    ),
    processes: ofKind(things, 'Deployment').map((deployment) =>
      containerOf(deployment, podSpecOf(deployment).containers[0], secrets, deployment.metadata.name),
    ),
    doors: ofKind(things, 'Service').map(({ metadata, spec }) => ({
      name: metadata.name,
      namespace: metadata.namespace,
      component: spec.selector['app.kubernetes.io/component'],
      isHeadless: spec.clusterIP === 'None',
      ports: spec.ports,
    })),
  };
}

/** A chart of a version before refuses variables that came later. */
function ofItsTime(chart: string, values: Values): object {
  const schema = JSON.parse(readFileSync(path.join(chart, 'values.schema.json'), 'utf8')) as Thing;
  const isKnown = ([name]: [string, unknown]): boolean => name in schema.properties.env.properties;
  return { ...values, env: Object.fromEntries(Object.entries(values.env).filter(isKnown)) };
}

function render(chart: string, values: object): Thing[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'sevenfold-values-'));
  try {
    const file = path.join(folder, 'values.json');
    writeFileSync(file, JSON.stringify(values));
    const { status, stdout, stderr } = helm([
      ...['template', RELEASE, chart, '--kube-version', kubernetes(), '-f', file],
    ]);
    if (status !== 0) throw new Error(`helm template: ${stderr}`);
    return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Thing) ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function containerOf(owner: Thing, container: Thing, secrets: Secrets, name: string): ContainerPlan {
  const pod = podSpecOf(owner);
  if (container.securityContext.readOnlyRootFilesystem !== true)
    throw new Error(`${name}: its root is not read-only, which is not tried here`);
  const ports: Record<string, number> = Object.fromEntries(
    (container.ports ?? []).map((port: Thing) => [port.name, port.containerPort]),
  );
  const probeOf = (probe: Thing): Probe => ({
    path: probe.httpGet.path,
    port: ports[probe.httpGet.port] as number,
    periodMs: probe.periodSeconds * 1000,
    timeoutMs: probe.timeoutSeconds * 1000,
    failures: probe.failureThreshold,
  });
  return {
    name,
    component: componentOf(owner),
    args: container.args,
    env: environmentOf(container.env, secrets),
    user: pod.securityContext.runAsUser,
    volumes: Object.fromEntries(
      container.volumeMounts.map(({ name: volume, mountPath }: Thing) => [
        mountPath,
        sourceOf(pod.volumes.find((one: Thing) => one.name === volume)),
      ]),
    ),
    ports,
    probes: container.startupProbe && {
      startup: probeOf(container.startupProbe),
      readiness: probeOf(container.readinessProbe),
      liveness: probeOf(container.livenessProbe),
    },
    replicas: owner.spec.replicas ?? 1,
    preStopMs: (container.lifecycle?.preStop.sleep.seconds ?? 0) * 1000,
    graceMs: (pod.terminationGracePeriodSeconds ?? 30) * 1000,
  };
}

function sourceOf({ name, emptyDir, persistentVolumeClaim }: Thing): { lasting: string } | 'memory' {
  if (emptyDir) return 'memory';
  if (!persistentVolumeClaim) throw new Error(`The volume ${name} is of a kind that is not tried here.`);
  return { lasting: persistentVolumeClaim.claimName };
}

/** As a cluster makes it: what stands before may be named in `$(…)`. */
function environmentOf(rows: readonly Thing[], secrets: Secrets): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { name, value, valueFrom } of rows) {
    if (valueFrom) {
      const { name: secret, key } = valueFrom.secretKeyRef;
      const found = secret === SECRET ? secrets[key] : undefined;
      if (found === undefined) throw new Error(`${name}: there is no key ${key} in the Secret ${secret}`);
      env[name] = found;
    } else
      env[name] = String(value ?? '').replace(/\$\((\w+)\)/g, (whole, other: string) => env[other] ?? whole);
  }
  return env;
}
