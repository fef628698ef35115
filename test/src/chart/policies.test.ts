/** What must hold of every pod and every way between pods, whichever values are given. */
import { gateway, services } from '@sevenfold/catalog/catalog';
import { variables as gatewayVariables } from '@sevenfold/gateway/config';
import { declared } from '../support/declared';
import { type Thing, componentOf, examples, ofKind, podSpecOf, render } from './testing/render';

const WITH_PODS = ['Deployment', 'StatefulSet', 'Job'];
const podsOf = (things: readonly Thing[]): Thing[] => ofKind(things, ...WITH_PODS);
const containersOf = (thing: Thing): Thing[] => podSpecOf(thing).containers;
const processes = [...services, gateway].flatMap(({ name, processes: all }) =>
  all.map(({ role }) => ({ service: name as string, role, name: role === 'api' ? name : `${name}-${role}` })),
);
const named = (things: readonly Thing[], kind: string, component: string): Thing =>
  ofKind(things, kind).find((one) => componentOf(one) === component);

describe.each(examples)('%s', (example) => {
  const things = render(example);

  test('runs each process of the catalog', () => {
    const deployments = ofKind(things, 'Deployment');
    expect(deployments.map(componentOf).sort()).toEqual(processes.map(({ name }) => name).sort());
    for (const { service, role, name } of processes) {
      const [container] = containersOf(named(things, 'Deployment', name));
      expect(container.args).toEqual([
        service === 'gateway' ? 'gateway/dist/program.js' : `services/${service}/dist/program.js`,
      ]);
      if (service !== 'gateway') expect(container.env).toContainEqual({ name: 'ROLE', value: role });
    }
  });

  test('has pods of the restricted profile', () => {
    const pods = podsOf(things);
    expect(pods.length).toBeGreaterThan(processes.length);
    for (const pod of pods) {
      const spec = podSpecOf(pod);
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect([spec.hostNetwork, spec.hostPID, spec.hostIPC]).toEqual([undefined, undefined, undefined]);
      const kinds = spec.volumes.flatMap((volume: Thing) =>
        Object.keys(volume).filter((key) => key !== 'name'),
      );
      const allowed = ['emptyDir', 'secret', 'configMap', 'persistentVolumeClaim'];
      expect(kinds.filter((kind: string) => !allowed.includes(kind))).toEqual([]);
      for (const container of containersOf(pod))
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
  });

  test('bounds what each container and each scratch folder may take', () => {
    for (const pod of podsOf(things)) {
      for (const { resources } of containersOf(pod))
        for (const what of ['requests', 'limits'])
          expect(Object.keys(resources[what] as object).sort()).toEqual(['cpu', 'memory']);
      const scratch = podSpecOf(pod).volumes.filter((volume: Thing) => volume.emptyDir);
      expect(scratch.every(({ emptyDir }: Thing) => emptyDir.sizeLimit)).toBe(true);
      expect(
        containersOf(pod).every(({ volumeMounts }) =>
          volumeMounts.some((one: Thing) => one.mountPath === '/tmp'),
        ),
      ).toBe(true);
    }
  });

  test('asks each process whether it has come up, is ready and lives, and gives it time to go', () => {
    for (const deployment of ofKind(things, 'Deployment')) {
      const spec = podSpecOf(deployment);
      const [container] = containersOf(deployment);
      const paths = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
        (probe) => container[probe].httpGet.path,
      );
      expect(paths).toEqual(['/healthz', '/readyz', '/healthz']);
      const asked = ['startupProbe', 'readinessProbe', 'livenessProbe'].map(
        (probe) => container[probe].httpGet.port,
      );
      // Whether it lives is not asked where a flood takes all connections.
      const isPublic = componentOf(deployment) === 'gateway';
      expect(asked).toEqual(isPublic ? ['metrics', 'public', 'metrics'] : ['http', 'http', 'http']);
      const portOf = (which: string): number =>
        container.ports.find(({ name }: Thing) => name === which)?.containerPort;
      const told = (variable: string): number =>
        Number(container.env.find(({ name }: Thing) => name === variable)?.value);
      expect(portOf(asked[1])).toBe(told('HTTP_PORT'));
      if (isPublic) expect(portOf('metrics')).toBe(told('METRICS_PORT'));
      const secondsOf = (variable: string): number =>
        Number(container.env.find(({ name }: Thing) => name === variable)?.value ?? 0);
      const leave = secondsOf('LEAVE_SECONDS');
      // More than the time for which the gateway keeps a connection that it does not use.
      expect(leave > 4).toBe(!componentOf(deployment).endsWith('-worker'));
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        leave + secondsOf('SHUTDOWN_SECONDS') + 2,
      );
      expect(deployment.spec.strategy.rollingUpdate).toEqual({ maxUnavailable: 0, maxSurge: 1 });
      expect(spec.topologySpreadConstraints.length).toBeGreaterThan(0);
    }
  });

  test('selects by what never changes, and only its own pods', () => {
    const selectors = ofKind(things, 'Deployment', 'StatefulSet').map(
      ({ spec }) => spec.selector.matchLabels,
    );
    for (const selector of selectors)
      expect(Object.keys(selector as object).sort()).toEqual([
        'app.kubernetes.io/component',
        'app.kubernetes.io/instance',
        'app.kubernetes.io/name',
      ]);
    expect(new Set(selectors.map((one) => JSON.stringify(one))).size).toBe(selectors.length);
    for (const { kind, spec, metadata } of ofKind(things, 'Service', 'PodDisruptionBudget')) {
      const selector = kind === 'Service' ? spec.selector : spec.selector.matchLabels;
      const hits = podsOf(things).filter(({ spec: { template } }) =>
        Object.entries(selector as object).every(([key, value]) => template.metadata.labels[key] === value),
      );
      expect(`${metadata.name} ${hits.length}`).toBe(`${metadata.name} 1`);
    }
  });

  test('has an account without a token and a disruption budget for each process', () => {
    for (const { name } of processes) {
      const account = named(things, 'ServiceAccount', name);
      expect(account.automountServiceAccountToken).toBe(false);
      expect(podSpecOf(named(things, 'Deployment', name)).serviceAccountName).toBe(account.metadata.name);
      expect(named(things, 'PodDisruptionBudget', name).spec.maxUnavailable).toBe(1);
    }
  });

  test('scales by itself or has a number of replicas, never both', () => {
    for (const { name } of processes) {
      const deployment = named(things, 'Deployment', name);
      const target = deployment.metadata.name;
      const scalers = ofKind(things, 'HorizontalPodAutoscaler', 'ScaledObject').filter(
        ({ spec }) => spec.scaleTargetRef.name === target,
      );
      expect([name, deployment.spec.replicas === undefined]).toEqual([name, scalers.length === 1]);
    }
  });

  test('has an address without one of its own for whatever is called over gRPC', () => {
    for (const { name, processes: all } of services) {
      if (!all.some(({ role }) => role === 'api')) continue;
      const found = ofKind(things, 'Service').filter((one) => componentOf(one) === name);
      const headless = found.filter(({ spec }) => spec.clusterIP === 'None');
      expect([name, found.length, headless.length]).toEqual([name, 2, 1]);
      const addresses = ofKind(things, 'Deployment')
        .flatMap((one) => containersOf(one)[0].env)
        .filter((one: Thing) => one.name === `${name.toUpperCase()}_GRPC`)
        .map(({ value }: Thing) => value);
      expect(addresses.length).toBeGreaterThan(0);
      expect(new Set(addresses)).toEqual(new Set([`dns:///${headless[0].metadata.name}.site.svc:9090`]));
    }
  });
});

describe('the ways between pods', () => {
  /** Who may open a connection to whom on which port, as `a > b:port`, where both sides of the policies say so. */
  const ways = (things: readonly Thing[]): string[] => {
    const policies = ofKind(things, 'NetworkPolicy');
    const of = (component: string): Thing => policies.find((one) => componentOf(one) === component).spec;
    const peers = (rule: Thing, side: 'from' | 'to'): string[] =>
      (rule[side] ?? []).flatMap((peer: Thing) => peer.podSelector?.matchExpressions?.[0]?.values ?? []);
    const arrows = (component: string, rules: readonly Thing[] | undefined, side: 'from' | 'to'): string[] =>
      (rules ?? []).flatMap((rule) =>
        peers(rule, side).flatMap((peer) =>
          rule.ports.map(({ port }: Thing) =>
            side === 'from' ? `${peer} > ${component}:${port}` : `${component} > ${peer}:${port}`,
          ),
        ),
      );
    const names = processes.map(({ name }) => name as string);
    const taken = new Set(names.flatMap((name) => arrows(name, of(name).ingress, 'from')));
    const sent = names.flatMap((name) => arrows(name, of(name).egress, 'to'));
    const stores = /> (postgresql|redis):/;
    expect(sent.filter((way) => !stores.test(way) && !taken.has(way))).toEqual([]);
    // `helm test` asks the gateway as a client.
    const clients = 'test > gateway:8080';
    expect([...taken].filter((way) => !sent.includes(way) && way !== clients)).toEqual([]);
    return sent.filter((way) => !stores.test(way)).sort();
  };

  test.each(examples)('are those of the catalog: %s', (example) => {
    const called = services.map(({ name }) => name as string);
    const wanted = [
      ...called.flatMap((name) => [`gateway > ${name}:8080`, `gateway > ${name}:9090`]),
      ...services.flatMap(({ name, calls, processes: all }) =>
        all.flatMap(({ role }) =>
          calls.map((callee) => `${role === 'api' ? name : `${name}-${role}`} > ${callee}:9090`),
        ),
      ),
    ];
    expect(ways(render(example))).toEqual(wanted.sort());
  });

  const portsOut = (things: readonly Thing[], component: string, peers: (rule: Thing) => boolean): number[] =>
    ofKind(things, 'NetworkPolicy')
      .find((one) => componentOf(one) === component)
      .spec.egress.filter(peers)
      .flatMap(({ ports }: Thing) => ports.map(({ port }: Thing) => port as number));
  const toAnybody = ({ to }: Thing): boolean => to === undefined;
  const isOutside = ({ to }: Thing): boolean =>
    (to ?? []).some((peer: Thing) => peer.ipBlock?.cidr === '0.0.0.0/0');

  test('lead outside only for those who fetch, never into private networks', () => {
    const things = render('small.yaml');
    for (const { row, variables } of [...declared, { row: gateway, variables: gatewayVariables }])
      for (const { role } of row.processes) {
        const name = role === 'api' ? row.name : `${row.name}-${role}`;
        const out = portsOut(things, name, isOutside);
        expect([name, out]).toEqual([name, 'OUTBOUND_ALLOW_PRIVATE' in variables ? [80, 443] : []]);
      }
    const block = (given: readonly Thing[]): Thing =>
      ofKind(given, 'NetworkPolicy')
        .find((one) => componentOf(one) === 'oembed')
        .spec.egress.find(isOutside).to[0].ipBlock;
    expect(block(things).except).toContain('10.0.0.0/8');
    expect(block(things).except).toContain('169.254.0.0/16');
    const trusting = render('small.yaml', 'services.oembed.env={"OUTBOUND_ALLOW_PRIVATE":true}');
    expect(block(trusting).except).toBeUndefined();
  });

  test('lead to the servers that a process has variables for', () => {
    const things = render('external.yaml');
    expect(portsOut(things, 'calendar', () => true)).toEqual(expect.arrayContaining([6432, 5433, 6380]));
    expect(portsOut(things, 'calendar', () => true)).not.toContain(5432);
    expect(portsOut(things, 'oembed', () => true)).not.toContain(6432);
    expect(portsOut(things, 'forms', toAnybody)).toEqual(expect.arrayContaining([443, 587]));
    expect(portsOut(things, 'calendar', toAnybody)).toEqual([53, 53]);
    expect(portsOut(things, 'migrate', () => true).sort()).toEqual([53, 53, 5432, 5433, 6432, 6432]);
  });

  test('lead to a server whose address is secret on the ports that the values have beside it', () => {
    const secret = (variable: string): string =>
      `services.calendar.secretEnv.${variable}={"name":"own","key":"url"}`;
    const variables = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL'];
    const places = 'services.calendar.database={"port":6432,"directPort":5433,"replicaPort":5434}';
    // Neither is the bundled one, which others are still led to.
    const things = render('small.yaml', ...variables.map(secret), places, 'redis.port=6380');
    expect(portsOut(things, 'calendar', toAnybody)).toEqual([53, 53, 6432, 5433, 5434, 6380]);
    expect(portsOut(things, 'migrate', toAnybody)).toEqual([53, 53, 6432, 5433]);
    expect(portsOut(things, 'content', toAnybody)).toEqual([53, 53]);
    const own = render('small.yaml', 'services.calendar.database={"host":"db.example.org","port":6432}');
    expect(portsOut(own, 'calendar', toAnybody)).toEqual([53, 53, 6432]);
  });

  test('lead to the mail server on the port that the values say', () => {
    const things = render(
      'small.yaml',
      'services.forms.env={"SMTP_HOST":"mail.example.org","SMTP_PORT":2525}',
    );
    for (const name of ['forms', 'forms-worker'])
      expect(portsOut(things, name, toAnybody)).toEqual([53, 53, 25, 465, 587, 2525]);
    const usual = render('small.yaml', 'env={"SMTP_PORT":465}');
    expect(portsOut(usual, 'forms', toAnybody)).toEqual([53, 53, 25, 465, 587]);
  });

  test.each([
    ['http://collector.monitoring:4318', 4318],
    ['https://traces.example.org', 443],
    ['http://traces.example.org/otlp', 80],
  ])('lead to the collector of traces, where there is one: %s', (address, port) => {
    const things = render('small.yaml', `env={"OTEL_EXPORTER_OTLP_ENDPOINT":"${address}"}`);
    for (const name of ['gateway', 'calendar', 'calendar-worker', 'oembed'])
      expect([name, ...portsOut(things, name, toAnybody)]).toContain(port);
    expect(portsOut(render('small.yaml'), 'calendar', toAnybody)).not.toContain(port);
  });

  test.each(['services.gateway.env', 'env'])(
    'lead to the cache on the way for those who tell it what to drop: %s',
    (given) => {
      const set = `${given}={"PURGE_URL":"http://varnish.cache:6081"}`;
      const things = render('small.yaml', set);
      expect(portsOut(things, 'gateway', toAnybody)).toContain(6081);
      expect(portsOut(things, 'calendar', toAnybody)).not.toContain(6081);
      const peers = [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'cache' } } }];
      const bounded = render('small.yaml', set, `networkPolicies.cache=${JSON.stringify(peers)}`);
      const isCache = ({ to }: Thing): boolean => JSON.stringify(to) === JSON.stringify(peers);
      expect(portsOut(bounded, 'gateway', isCache)).toEqual([6081]);
    },
  );

  test.each(['autoscaled-calendar.yaml', 'production.yaml'])(
    'lead from Prometheus to the metrics of all, which the queues of workers are told by: %s',
    (example) => {
      const things = render(example);
      const isPrometheus = ({ from }: Thing): boolean =>
        (from ?? []).some(
          (peer: Thing) =>
            peer.namespaceSelector?.matchLabels['kubernetes.io/metadata.name'] === 'monitoring',
        );
      for (const { name } of processes) {
        const { ingress } = named(things, 'NetworkPolicy', name).spec;
        const [container] = containersOf(named(things, 'Deployment', name));
        const where = name === 'gateway' ? 'metrics' : 'http';
        const { containerPort } = container.ports.find((one: Thing) => one.name === where);
        const open = ingress.filter(isPrometheus).flatMap(({ ports }: Thing) => ports as Thing[]);
        expect([name, open]).toEqual([name, [{ protocol: 'TCP', port: containerPort }]]);
      }
    },
  );

  test('are closed for whatever has no rule of its own', () => {
    const rest = ofKind(render('small.yaml'), 'NetworkPolicy').find(
      (one) => componentOf(one) === 'rest',
    ).spec;
    expect(rest.policyTypes).toEqual(['Ingress', 'Egress']);
    expect([rest.ingress, rest.egress]).toEqual([undefined, undefined]);
    expect(Object.keys(rest.podSelector.matchLabels as object)).not.toContain('app.kubernetes.io/component');
  });

  test('are free where the switch is off', () => {
    expect(ofKind(render('small.yaml', 'networkPolicies.enabled=false'), 'NetworkPolicy')).toEqual([]);
  });
});

describe('by switch', () => {
  test('certificates name each process as its callers do', () => {
    const things = render('production.yaml');
    for (const { name } of processes) {
      const { spec } = named(things, 'Certificate', name);
      const deployment = podSpecOf(named(things, 'Deployment', name));
      expect(deployment.volumes).toContainEqual(
        expect.objectContaining({ secret: { secretName: spec.secretName, defaultMode: 0o440 } }),
      );
    }
    expect(named(things, 'Certificate', 'content').spec.dnsNames).toContain(
      'rel-sevenfold-content-grpc.site.svc',
    );
  });

  test('workers follow the age of their queues, over KEDA or as an external metric', () => {
    const keda = named(render('autoscaled-calendar.yaml'), 'ScaledObject', 'imports-worker').spec.triggers;
    expect(keda).toEqual([
      expect.objectContaining({
        type: 'prometheus',
        metadata: {
          serverAddress: 'http://prometheus.monitoring:9090',
          query:
            'max(jobs_oldest_seconds{app_kubernetes_io_component="imports-worker",app_kubernetes_io_instance="rel",namespace="site"})',
          threshold: '15',
        },
      }),
    ]);
    const plain = render('autoscaled-calendar.yaml', 'autoscaling.keda=false');
    const metrics = named(plain, 'HorizontalPodAutoscaler', 'calendar-worker').spec.metrics;
    expect(metrics.map(({ type }: Thing) => type)).toEqual(['Resource', 'External']);
    expect(named(plain, 'HorizontalPodAutoscaler', 'calendar').spec).toMatchObject({
      minReplicas: 3,
      maxReplicas: 20,
    });
  });

  test('replicas come and go at the same pace, whoever scales', () => {
    const slow = 'services.calendar.worker.autoscaling={"enabled":true,"scaleDownSeconds":900}';
    const keda = render('autoscaled-calendar.yaml', slow);
    const plain = render('autoscaled-calendar.yaml', slow, 'autoscaling.keda=false');
    const wanted = { calendar: 300, 'calendar-worker': 900, 'imports-worker': 300, gateway: 300 };
    for (const [name, seconds] of Object.entries(wanted)) {
      const { advanced, cooldownPeriod } = named(keda, 'ScaledObject', name).spec;
      expect(cooldownPeriod).toBeUndefined();
      const { behavior } = named(plain, 'HorizontalPodAutoscaler', name).spec;
      expect(behavior).toEqual({
        scaleUp: { stabilizationWindowSeconds: 0 },
        scaleDown: { stabilizationWindowSeconds: seconds },
      });
      expect(advanced.horizontalPodAutoscalerConfig).toEqual({ behavior });
    }
  });

  test('the databases are prepared before new pods, of bundled servers after they are there', () => {
    const hook = (example: string): string =>
      named(render(example), 'Job', 'migrate').metadata.annotations['helm.sh/hook'];
    expect(hook('production.yaml')).toBe('pre-install,pre-upgrade');
    expect(hook('small.yaml')).toBe('post-install,pre-upgrade');
    const job = named(render('external.yaml'), 'Job', 'migrate');
    const keeping = declared
      .filter(({ definition }) => definition.migrations)
      .map(({ row }) => row.name as string);
    expect(
      containersOf(job)
        .map(({ name }) => name as string)
        .sort(),
    ).toEqual(keeping.sort());
    const { env } = containersOf(job).find(({ name }) => name === 'calendar');
    expect(env.map(({ name }: Thing) => name as string).sort()).toEqual([
      'DATABASE_DIRECT_URL',
      'DATABASE_PASSWORD',
      'DATABASE_URL',
      'INSTANCE_ID',
      'LOG_LEVEL',
      'ROLE',
    ]);
  });

  test('who reads has the address of the replicas, and may go there', () => {
    const objects = render('external.yaml');
    const addressed = ofKind(objects, 'Deployment').filter((one) =>
      containersOf(one).some(({ env }) =>
        (env as Thing[]).some(({ name, value }) => {
          if (name !== 'DATABASE_REPLICA_URL') return false;
          expect(value).toContain('@readers.calendar.example.org:5434/sevenfold_calendar');
          return true;
        }),
      ),
    );
    expect(addressed.map(({ metadata }) => metadata.name as string)).toEqual([
      expect.stringMatching(/-calendar$/),
    ]);
    const policy = named(objects, 'NetworkPolicy', 'calendar');
    expect(JSON.stringify(policy.spec.egress)).toContain('5434');
    expect(render('production.yaml').some((one) => JSON.stringify(one).includes('REPLICA'))).toBe(false);
  });

  test('files are in buckets or on volumes that outlive the release', () => {
    expect(ofKind(render('production.yaml'), 'PersistentVolumeClaim')).toEqual([]);
    const claims = ofKind(render('small.yaml'), 'PersistentVolumeClaim');
    expect(claims.map(({ metadata }) => metadata.annotations['helm.sh/resource-policy'])).toEqual([
      'keep',
      'keep',
    ]);
  });
});
