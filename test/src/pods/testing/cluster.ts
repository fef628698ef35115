/**
 * A site as the chart runs it, on one machine: the hook's containers first, then the pods of each Deployment with their probes; a new
 * version takes the place of the old one pod by pod. What a cluster would have had to mend is a fault here.
 */
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { databaseServices, type ServiceName } from '@sevenfold/catalog/catalog';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { describeExit, within } from '@sevenfold/local/child';
import { prepareDatabases } from '@sevenfold/local/databases';
import { statusOf } from '@sevenfold/local/processes';
import { newFolder } from '@sevenfold/local/testing';
import type { Artefact } from './artefact';
import { openNetwork, resolvConf } from './network';
import { type RunningContainer, startContainer } from './pod';
import { type ContainerPlan, INSTANCE, NAMESPACE, type Plan, type Probe, planOf } from './plan';

const HOOK_MS = 180_000;
const LOG_TAIL = 4_000;

export interface Pod {
  readonly name: string;
  readonly plan: ContainerPlan;
  readonly address: string;
  readonly container: RunningContainer;
  isReady: boolean;
  isLeaving: boolean;
}

export interface Cluster {
  /** Of the Service of the gateway. */
  readonly url: string;
  /** `Authorization` of the first administrator. */
  readonly administrator: string;
  /** How each service comes to its own. */
  readonly databases: Readonly<Record<ServiceName, string>>;
  readonly pods: readonly Pod[];
  /** What should not have happened. */
  readonly faults: readonly string[];
  /** When pods became ready, were not any more, left and ended, and what they said that somebody should look at. */
  story(): readonly string[];
  /** What the hook does before new pods start. */
  migrate(artefact: Artefact): Promise<void>;
  /** Puts new pods in the place of those that run, one after another. */
  roll(artefact: Artefact): Promise<void>;
  /** A program in the place of a process: the same pod otherwise. Answers its exit and what it said. */
  run(
    artefact: Artefact,
    component: string,
    args: readonly string[],
  ): Promise<{ code: number; said: string }>;
  stop(): Promise<void>;
}

/**
 * `artefacts` are what its pods will be of, those they are of at first before the others; `values` the chart's, besides those
 * that say where things are.
 */
export async function startCluster(
  artefacts: readonly [Artefact, ...Artefact[]],
  replicas: number,
  values: object = {},
): Promise<Cluster> {
  const folder = newFolder(tmpdir(), 'sevenfold-pods-');
  const network = await openNetwork();
  const gateway = network.newAddress();
  const { adminUrl, redisUrl } = testServers();
  const site = { front: `http://${gateway}`, postgresUrl: adminUrl, redisUrl, replicas, values };
  const passwords = Object.fromEntries(
    databaseServices.map((name) => [name, randomBytes(12).toString('hex')]),
  ) as Record<ServiceName, string>;
  const secrets: Record<string, string> = {
    ...Object.fromEntries(
      Object.entries(passwords).map(([name, password]) => [
        `${name.toUpperCase()}_DATABASE_PASSWORD`,
        password,
      ]),
    ),
    REDIS_PASSWORD: new URL(redisUrl).password,
    ...Object.fromEntries(
      ['ACTOR_SECRET', 'SPAM_KEY_SECRETS', 'TOKEN_KEYS', 'ADMIN_PASSWORD', 'ADMIN_APPLICATION_PASSWORD'].map(
        (key) => [key, randomBytes(20).toString('hex')],
      ),
    ),
  };
  const faults: string[] = [];
  const pods: Pod[] = [];
  // All at once: while helm works nothing else does here, neither names nor balancers.
  const plans = new Map(artefacts.map((one) => [one, planOf(one.chart, site, secrets)]));
  const planFor = (one: Artefact): Plan => plans.get(one) as Plan;
  const [artefact] = artefacts;
  const told: string[] = [];
  const tell = (words: string): void => void told.push(`${new Date().toISOString().slice(11)} ${words}`);
  let made = 0;
  let databases: Cluster['databases'];

  const containerOf = (from: Artefact, plan: ContainerPlan, more: Partial<ContainerPlan> = {}) => {
    made += 1;
    const { component, args, env, user, volumes } = { ...plan, ...more };
    const name = `${component}-${made}`;
    return startContainer({
      name,
      artefact: from,
      args,
      user,
      env: { ...env, HOSTNAME: name },
      volumes: Object.fromEntries(
        Object.entries(volumes).map(([inside, source]) => [
          inside,
          source === 'memory' ? source : lasting(source.lasting, user),
        ]),
      ),
      resolvConf: resolvConf(network, NAMESPACE),
      folder: path.join(folder, name),
    });
  };
  /** A volume that many pods have. */
  const lasting = (name: string, user: number): string => {
    const place = path.join(folder, 'volumes', name);
    mkdirSync(place, { recursive: true });
    chownSync(place, user, user);
    return place;
  };

  const startPod = (from: Artefact, plan: ContainerPlan): Pod => {
    const address = network.newAddress();
    const pod: Pod = {
      name: `${plan.component}-${made + 1}`,
      plan,
      address,
      // All pods share the machine's interfaces, so each says which address is its own: the one thing that is not the chart's.
      container: containerOf(from, plan, { env: { ...plan.env, HTTP_HOST: address } }),
      isReady: false,
      isLeaving: false,
    };
    pods.push(pod);
    void pod.container.exited.then((exit) => {
      tell(`${pod.name} ended`);
      pods.splice(pods.indexOf(pod), 1);
      pod.isReady = false;
      if (!pod.isLeaving || exit.code !== 0)
        faults.push(`${pod.name}: ${describeExit(exit)}\n${tailOf(pod.container.logFile)}`);
    });
    return pod;
  };

  const stopPod = async (pod: Pod): Promise<void> => {
    const { container, plan } = pod;
    pod.isLeaving = true;
    tell(`${pod.name} is to end`);
    const over = Date.now() + plan.graceMs;
    await within(container.exited, plan.preStopMs);
    container.signal('SIGTERM');
    await within(container.exited, over - Date.now());
    if (!pods.includes(pod)) return;
    faults.push(`${pod.name} did not end in its ${plan.graceMs} ms\n${tailOf(container.logFile)}`);
    container.kill();
    await container.exited;
  };

  const bringUp = async (from: Artefact, plan: ContainerPlan): Promise<void> => {
    const pod = startPod(from, plan);
    if (!(await becomeReady(pod, faults, tell)))
      throw new Error(
        [`${pod.name} did not become ready`, ...faults, tailOf(pod.container.logFile)].join('\n'),
      );
  };

  const migrate = async (from: Artefact): Promise<void> => {
    await Promise.all(
      planFor(from).migrations.map(async (plan) => {
        const container = containerOf(from, plan);
        await within(container.exited, HOOK_MS);
        container.kill();
        const exit = await container.exited;
        if (exit.code !== 0)
          throw new Error(`${plan.name}: ${describeExit(exit)}\n${tailOf(container.logFile)}`);
      }),
    );
  };

  const stop = async (): Promise<void> => {
    await Promise.all([...pods].map(stopPod));
    await network.close();
    rmSync(folder, { recursive: true, force: true });
  };

  try {
    databases = await prepareDatabases({ adminUrl, passwords, instanceId: INSTANCE });
    await migrate(artefact);
    const plan = planFor(artefact);
    await network.open(plan.doors, { gateway }, ({ component }, port) =>
      pods
        .filter((pod) => pod.isReady && !pod.isLeaving && pod.plan.component === component)
        .map(({ address, plan: { ports } }) => ({ address, port: ports[port] as number })),
    );
    await Promise.all(
      plan.processes.flatMap((one) => Array.from({ length: one.replicas }, () => bringUp(artefact, one))),
    );
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }

  return {
    url: site.front,
    administrator: `Basic ${Buffer.from(`admin:${secrets.ADMIN_APPLICATION_PASSWORD}`).toString('base64')}`,
    databases,
    pods,
    faults,
    story: () => [...told, ...warningsIn(folder)],
    migrate,
    roll: async (to) => {
      const leaving: Promise<void>[] = [];
      for (const plan of planFor(to).processes)
        for (const old of pods.filter((pod) => pod.plan.component === plan.component && !pod.isLeaving)) {
          await bringUp(to, plan);
          leaving.push(stopPod(old));
        }
      await Promise.all(leaving);
    },
    run: async (from, component, args) => {
      const plan = planFor(from).processes.find((one) => one.component === component) as ContainerPlan;
      const container = containerOf({ ...from, entrypoint: [] }, plan, { args });
      const { code } = await container.exited;
      return { code: code ?? -1, said: tailOf(container.logFile) };
    },
    stop,
  };
}

/** The probes of a pod, for as long as it runs; resolves when it is ready the first time, or has ended before. */
function becomeReady(pod: Pod, faults: string[], tell: (words: string) => void): Promise<boolean> {
  const { probes, name } = { ...pod, probes: pod.plan.probes as NonNullable<ContainerPlan['probes']> };
  let over = false;
  void pod.container.exited.then(() => (over = true));
  const ask = async ({ path: place, port, timeoutMs }: Probe): Promise<boolean> => {
    const status = (await statusOf(`http://${pod.address}:${port}${place}`, timeoutMs)) ?? 0;
    return status >= 200 && status < 400;
  };
  return new Promise((resolve) => {
    const startup = async (): Promise<boolean> => {
      for (let failures = 0; !over && failures < probes.startup.failures; failures += 1) {
        if (await ask(probes.startup)) return true;
        await within(pod.container.exited, probes.startup.periodMs);
      }
      return false;
    };
    const again = async (probe: Probe, tell: (failures: number) => void): Promise<void> => {
      for (let failures = 0; !over; await within(pod.container.exited, probe.periodMs)) {
        failures = (await ask(probe)) ? 0 : failures + 1;
        if (!over) tell(failures);
      }
    };
    void startup().then((hasStarted) => {
      if (!hasStarted) return resolve(false);
      void again(probes.liveness, (failures) => {
        if (failures >= probes.liveness.failures) faults.push(`${name} would be killed: it does not answer`);
      });
      void again(probes.readiness, (failures) => {
        const was = pod.isReady;
        if (failures === 0) pod.isReady = true;
        else if (failures >= probes.readiness.failures) pod.isReady = false;
        if (pod.isReady !== was) tell(`${name} is ${pod.isReady ? 'ready' : 'not ready'}`);
        if (failures === 0) resolve(true);
      }).then(() => resolve(false));
    });
  });
}

/** Lines of all pods' logs; those of pods that have ended are kept with the others. */
const warningsIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) =>
    textOf(path.join(folder, name, 'log'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => `${name}: ${line.slice(0, 500)}`),
  );

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const tailOf = (file: string): string => textOf(file).slice(-LOG_TAIL);
