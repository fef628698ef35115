/** What the values promise: nothing unknown is taken, variables are typed as their processes read them, all of it is made. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { declared } from '../support/declared';
import { variables as gatewayVariables } from '@sevenfold/gateway/config';
import { type Variables } from '@sevenfold/chassis/config';
import { type RedisAddress, readRedisAddress } from '@sevenfold/chassis/queue/address';
import {
  chart,
  componentOf,
  examples,
  helm,
  inChart,
  ofKind,
  podSpecOf,
  render,
  templateArgs,
  type Thing,
  yaml,
} from './testing/render';

const services: readonly (readonly [string, Variables])[] = [
  ...declared.map(({ row, variables }) => [row.name, variables as Variables] as const),
  ['gateway', gatewayVariables],
];

const environmentOf = (things: readonly Thing[], component: string): Thing[] =>
  podSpecOf(ofKind(things, 'Deployment').find((one) => componentOf(one) === component)).containers[0].env;

test('what is made of the catalog and the configuration data is what is there', () => {
  const generate = path.join(chart, '../generate.mjs');
  expect(() => execFileSync(process.execPath, [generate, '--check'], { stdio: 'pipe' })).not.toThrow();
});

describe.each([
  ['an unknown key', 'sites={}'],
  ['an unknown service', 'services.blog={"env":{}}'],
  ['an unknown key of a process', 'services.content.api={"replica":3}'],
  ['a worker where there is none', 'services.oembed.worker={"replicas":1}'],
  ['a variable of another service', 'services.content.env={"GEO_RADIUS_KM":1}'],
  ['a variable that the chart sets', 'services.content.env={"DATABASE_URL":"x"}'],
  ['a secret as a value', 'services.forms.env={"SMTP_URL":"smtp://a:b@c"}'],
  ['a variable of the wrong kind', 'services.calendar.env={"GEO_RADIUS_KM":"far"}'],
  ['a number that is too large', 'services.imports.env={"IMPORT_AT_ONCE":17}'],
  ['a variable that nobody knows, for all', 'env={"LIMIT":1}'],
  ['a bad address', 'site.url="example.org"'],
  ['an address that tells a password', 'site.url="https://ann:opensesame@site.example"'],
  [
    'an address that no path fits behind',
    'services.gateway.env={"FRONTEND_URL":"https://site.example/?lang=en"}',
  ],
])('refused: %s', (_what, set) => {
  test('by its schema', () => {
    const { status, stderr } = helm(templateArgs('small.yaml', [set]));
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/values don't meet the specifications of the schema/);
  });
});

test.each([
  'env',
  'defaults.api.env',
  ...['forms', 'gateway'].flatMap((name) => [`services.${name}`, `services.${name}.env`]),
  'services.forms.secretEnv',
])('a section without anything in it is one that is left out: %s', (section) => {
  // Without a cluster secrets are new each time.
  const made = (...sets: string[]): Thing[] =>
    render('small.yaml', ...sets).filter(({ kind }) => kind !== 'Secret');
  expect(made(`${section}=null`)).toEqual(made());
});

test('without a database and without Redis it says what to set', () => {
  expect(helm(templateArgs(undefined, [])).stderr).toMatch(
    /Where is the database of \w+\? Set postgresql\.host/,
  );
  expect(helm(templateArgs(undefined, ['postgresql.host="db"'])).stderr).toMatch(
    /Where is Redis\? Set redis\.host/,
  );
});

test.each([
  ['services.content.api={"autoscaling":{"enabled":true,"cpuPercent":0}}', /no measure: set cpuPercent\./],
  [
    'services.content.worker={"autoscaling":{"enabled":true,"cpuPercent":0,"queueSeconds":0}}',
    /no measure: set cpuPercent or queueSeconds\./,
  ],
  [
    'services.content.api={"autoscaling":{"enabled":true,"minReplicas":5,"maxReplicas":2}}',
    /more minReplicas \(5\) than maxReplicas \(2\)/,
  ],
])('values that contradict each other are refused: %s', (set, said) => {
  expect(helm(templateArgs('small.yaml', [set])).stderr).toMatch(said);
});

test('a route without a Gateway says what to set', () => {
  const route = ['gatewayApi.enabled=true'];
  expect(helm(templateArgs('small.yaml', route)).stderr).toContain(
    'Which Gateway does the site belong to? Set gatewayApi.parentRefs.',
  );
  const parentRefs = [{ name: 'public', namespace: 'gateways' }];
  const things = render('small.yaml', ...route, `gatewayApi.parentRefs=${JSON.stringify(parentRefs)}`);
  expect(ofKind(things, 'HTTPRoute').map(({ spec }) => spec.parentRefs as Thing)).toEqual([parentRefs]);
});

describe('a store of files', () => {
  const ENDPOINT = 'storage.s3.endpoint="https://s3.example.org"';
  const BUCKET = 'storage.uploads.bucket="media"';

  test.each([
    ['storage.uploads', BUCKET],
    ['storage.files', 'storage.files.bucket="media"'],
  ])('%s: a bucket without an address says what to set', (_what, bucket) => {
    const { status, stderr } = helm(templateArgs('small.yaml', [bucket, 'storage.s3.secret="keys"']));
    expect(status).not.toBe(0);
    expect(stderr).toContain('Where is the bucket media? Set storage.s3.endpoint');
  });

  test.each([[[ENDPOINT, BUCKET]], [[ENDPOINT]]])('without keys says what to set: %j', (sets) => {
    const { status, stderr } = helm(templateArgs('small.yaml', sets));
    expect(status).not.toBe(0);
    expect(stderr).toContain('Where are the keys of the object storage? Set storage.s3.secret');
  });

  test.each(['storage.s3.secret', 'secrets.existing'])('takes them from %s', (value) => {
    const things = render('small.yaml', ENDPOINT, BUCKET, `${value}="mine"`);
    for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
      expect(environmentOf(things, 'content')).toContainEqual({
        name,
        valueFrom: { secretKeyRef: { name: 'mine', key: name } },
      });
  });
});

describe('the Service of the gateway', () => {
  const specOf = (...sets: string[]): Thing =>
    ofKind(render('small.yaml', ...sets), 'Service').find((one) => componentOf(one) === 'gateway').spec;

  test.each(['NodePort', 'LoadBalancer'])('%s keeps the addresses of clients', (type) => {
    const set = `gateway.service.type="${type}"`;
    expect(specOf(set)).toMatchObject({ type, externalTrafficPolicy: 'Local' });
    const spread = specOf(set, 'gateway.service.externalTrafficPolicy="Cluster"');
    expect(spread).toMatchObject({ type, externalTrafficPolicy: 'Cluster' });
  });

  test('says nothing of it inside of the cluster, where Kubernetes does not take it', () => {
    expect(specOf()).toMatchObject({ type: 'ClusterIP' });
    expect(specOf()).not.toHaveProperty('externalTrafficPolicy');
  });
});

test.each([
  ['mail', 'forms', 'SMTP_TLS_CA', '/tls/mail/ca.crt'],
  ['redis', 'content', 'REDIS_TLS_CA', '/tls/redis/ca.crt'],
  ['postgresql', 'content', 'DATABASE_URL', '?sslrootcert=/tls/postgresql/ca.crt'],
])('%s.caSecret: the authority is a file where %s looks for it', (what, component, variable, place) => {
  for (const [sets, isSet] of [
    [[`${what}.caSecret="authority"`], true],
    [[], false],
  ] as const) {
    const things = render('small.yaml', ...sets);
    const deployments = ofKind(things, 'Deployment');
    const mounted = deployments.filter((one) => JSON.stringify(podSpecOf(one)).includes('"authority"'));
    expect(mounted.length > 0).toBe(isSet);
    const own = podSpecOf(deployments.find((one) => componentOf(one) === component));
    const said = own.containers[0].env.find((one: Thing) => one.name === variable)?.value ?? '';
    expect(said.endsWith(place)).toBe(isSet);
    const volume = own.volumes.find((one: Thing) => one.secret?.secretName === 'authority');
    const mount = own.containers[0].volumeMounts.find((one: Thing) => one.name === volume?.name);
    expect([volume !== undefined, mount?.mountPath]).toEqual([isSet, isSet ? `/tls/${what}` : undefined]);
  }
});

describe('where nobody may read metrics', () => {
  const scaling = 'services.imports.worker.autoscaling={"enabled":true}';
  test.each([
    ['monitoring.podMonitor', 'monitoring.podMonitor=true'],
    ['monitoring.serviceMonitor', 'monitoring.serviceMonitor=true'],
    ['monitoring.alerts', 'monitoring.alerts=true'],
    ['the scaling of imports-worker by its queue', scaling],
  ])('%s says what to set', (what, set) => {
    const { status, stderr } = helm(templateArgs('small.yaml', [set]));
    expect(status).not.toBe(0);
    expect(stderr).toContain(
      `Who may read the metrics that ${what} needs? Set networkPolicies.metrics to the peers`,
    );
  });

  test('what needs none of them is made, and so is all of it without policies', () => {
    for (const sets of [
      ['services.calendar.api.autoscaling={"enabled":true}'],
      ['services.imports.worker.autoscaling={"enabled":true,"queueSeconds":0}'],
      ['networkPolicies.enabled=false', 'monitoring.podMonitor=true', scaling],
    ])
      expect(helm(templateArgs('small.yaml', sets))).toMatchObject({ status: 0 });
  });
});

describe('where ServiceMonitors alone tell Prometheus, which know neither the gateway nor the workers', () => {
  const only = ['networkPolicies.enabled=false', 'monitoring.serviceMonitor=true'];
  const scaling = 'services.imports.worker.autoscaling={"enabled":true}';
  test.each([
    ['monitoring.alerts', 'monitoring.alerts=true'],
    ['the scaling of imports-worker by its queue', scaling],
    ['the scaling of imports-worker by its queue', scaling, 'autoscaling.keda=true'],
  ])('%s says what to set', (what, ...sets) => {
    const { status, stderr } = helm(templateArgs('small.yaml', [...only, ...sets]));
    expect(status).not.toBe(0);
    expect(stderr).toContain(`the workers, whose metrics ${what} needs. Set monitoring.podMonitor`);
  });

  test('what needs neither is made, and so is all of it with a PodMonitor or with monitors of somebody else', () => {
    for (const sets of [
      only,
      [...only, 'services.imports.worker.autoscaling={"enabled":true,"queueSeconds":0}'],
      [...only, 'monitoring.podMonitor=true', 'monitoring.alerts=true', scaling],
      ['networkPolicies.enabled=false', 'monitoring.alerts=true', scaling],
    ])
      expect(helm(templateArgs('small.yaml', sets))).toMatchObject({ status: 0 });
  });
});

test('alerts about those who are gone last as long as the fault may: they remember for days', () => {
  const { groups } = yaml(inChart('files/alerts.yaml'));
  const rules = groups.flatMap(({ rules: all }: Thing) => all as Thing[]);
  const gone = rules.filter(({ expr }: Thing) => / unless /.test(expr as string));
  expect(gone.map(({ alert }: Thing) => alert as string)).toEqual([
    'SevenfoldGatewayGone',
    'SevenfoldWorkersSilent',
  ]);
  for (const { alert, expr } of gone) expect(`${alert} ${expr}`).toMatch(/max_over_time\(.*\[\d+d\]\)/);
  const explained = Array.from(
    inChart('../../README.md').matchAll(/^\| `(Sevenfold\w+)`/gm),
    ([, name]) => name,
  );
  expect(explained).toEqual(rules.map(({ alert }: Thing) => alert as string));
});

describe('the notes after an install', () => {
  /** Helm shows them only to whoever has a cluster, so a copy of the chart makes an object of them. */
  const notes = (...sets: string[]): string => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sevenfold-chart-'));
    try {
      cpSync(chart, folder, { recursive: true });
      cpSync(path.join(chart, 'templates/NOTES.txt'), path.join(folder, 'files/notes'));
      writeFileSync(
        path.join(folder, 'templates/told.yaml'),
        'told: {{ tpl (.Files.Get "files/notes") . | toJson }}',
      );
      const args = templateArgs('small.yaml', sets).map((word) => (word === chart ? folder : word));
      const { stdout, stderr } = helm([...args, '--show-only', 'templates/told.yaml']);
      expect(stderr).toBe('');
      return yaml(stdout).told as string;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  const MAIL = 'There is no mail server';

  test('say that mail goes nowhere, where it does', () => {
    expect(notes()).toContain(MAIL);
    expect(notes('services.forms.secretEnv.SMTP_URL={"name":"mail","key":"url"}')).not.toContain(MAIL);
    expect(notes('services.forms.env={"SMTP_HOST":"mail.example.org"}')).not.toContain(MAIL);
    expect(notes('env={"SMTP_HOST":"mail.example.org"}')).not.toContain(MAIL);
  });

  test('say whom the gateway sees, where it is reached through nodes', () => {
    const type = 'gateway.service.type="LoadBalancer"';
    const cluster = 'gateway.service.externalTrafficPolicy="Cluster"';
    const clients = 'networkPolicies.clients=[{"ipBlock":{"cidr":"192.0.2.0/24"}}]';
    const [LOCAL, SPREAD, LET_IN] = ['Only nodes with a gateway take', 'Every node takes', 'has to let in'];
    expect(notes()).not.toMatch(`${LOCAL}|${SPREAD}`);
    expect(notes(type)).toContain(LOCAL);
    expect(notes(type)).not.toContain(LET_IN);
    expect(notes(type, clients)).toContain(LET_IN);
    expect(notes(type, cluster)).toContain(SPREAD);
    // A proxy in front says who asks.
    const trusting = notes(type, cluster, 'services.gateway.env={"TRUST_PROXY":true}');
    expect(trusting).not.toMatch(`${LOCAL}|${SPREAD}`);
  });

  test('say which ports are open for addresses that are secret, unless a port of their own is told', () => {
    const address = 'services.content.secretEnv.DATABASE_URL={"name":"own","key":"url"}';
    const direct = 'services.content.secretEnv.DATABASE_DIRECT_URL={"name":"own","key":"direct"}';
    const queues = 'services.content.secretEnv.REDIS_URL={"name":"own","key":"redis"}';
    const UNSEEN = 'Nobody sees here which ports';
    expect(notes()).not.toContain(UNSEEN);
    expect(notes(address, 'networkPolicies.enabled=false')).not.toContain(UNSEEN);
    const told = notes(address, direct, queues, 'services.content.database={"port":6432}');
    expect(told).toContain(UNSEEN);
    expect(told).not.toContain('DATABASE_URL of content');
    expect(told).toContain(
      'DATABASE_DIRECT_URL of content: 6432, unless services.content.database.directPort is another one',
    );
    expect(told).toContain('REDIS_URL of content: 6379, unless redis.port is another one');
    expect(notes(address)).toContain(
      'DATABASE_URL of content: 5432, unless services.content.database.port is another one',
    );
    const ports = 'services.content.database={"port":6432,"directPort":5433}';
    expect(notes(address, direct, ports)).not.toContain(UNSEEN);
  });
});

test.each(examples)(
  '%s gives each process variables that it knows, and each one that it cannot do without',
  (example) => {
    const things = render(example);
    for (const [service, variables] of services)
      for (const deployment of ofKind(things, 'Deployment').filter(
        (one) => podSpecOf(one).containers[0].name === service,
      )) {
        const names = environmentOf(things, componentOf(deployment)).map(({ name }: Thing) => name as string);
        const parts = ['DATABASE_PASSWORD', 'REDIS_PASSWORD'];
        expect(names.filter((name) => !(name in variables) && !parts.includes(name))).toEqual([]);
        const required = Object.entries(variables).filter(([, one]) => one.default === undefined);
        expect(required.filter(([name]) => !names.includes(name)).map(([name]) => name)).toEqual([]);
        expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
      }
  },
);

test('a variable reaches those it is meant for, in the text that they read', () => {
  const things = render(
    'small.yaml',
    'env={"UPLOAD_LIMIT_BYTES":134217728,"FORM_LIMIT_BYTES":33554432}',
    'services.calendar.env={"GEO_RADIUS_KM":12.5,"DEFAULT_CURRENCY_SYMBOL":"€"}',
    'services.calendar.api.env={"GEO_RADIUS_KM":7}',
    'services.content.env={"TRASH_ENABLED":false,"UPLOAD_LIMIT_BYTES":2097152}',
  );
  const valueOf = (component: string, name: string): string | undefined =>
    environmentOf(things, component).find((one) => one.name === name)?.value;
  expect(valueOf('gateway', 'UPLOAD_LIMIT_BYTES')).toBe('134217728');
  expect(valueOf('gateway', 'FORM_LIMIT_BYTES')).toBe('33554432');
  expect(valueOf('content', 'UPLOAD_LIMIT_BYTES')).toBe('2097152');
  expect(valueOf('content', 'TRASH_ENABLED')).toBe('false');
  expect(valueOf('calendar', 'GEO_RADIUS_KM')).toBe('7');
  expect(valueOf('calendar-worker', 'GEO_RADIUS_KM')).toBe('12.5');
  expect(valueOf('calendar', 'DEFAULT_CURRENCY_SYMBOL')).toBe('€');
  expect(valueOf('seo', 'UPLOAD_LIMIT_BYTES')).toBeUndefined();
});

test('the servers of the release are where they are, whatever the values still say of others', () => {
  const left = [
    ...['port=6380', 'tls=true', 'username="me"', 'auth=false', 'sentinel.master="main"'].map(
      (one) => `redis.${one}`,
    ),
    ...['port=6432', 'directHost="db.example.org"', 'replicaHost="db.example.org"'].map(
      (one) => `postgresql.${one}`,
    ),
  ];
  const addressesIn = (things: readonly Thing[]): unknown =>
    environmentOf(things, 'content').filter(({ name }) => /^(?:REDIS|DATABASE)_.*URL$/.test(name));
  expect(addressesIn(render('small.yaml', ...left))).toEqual(addressesIn(render('small.yaml')));
});

test('Redis is where the values say: a server, or Sentinels with all of their ports open', () => {
  const redisOf = (things: readonly Thing[]): RedisAddress =>
    readRedisAddress(
      environmentOf(things, 'calendar-worker')
        .find(({ name }) => name === 'REDIS_URL')
        .value.replaceAll('$(REDIS_PASSWORD)', 'word'),
    );
  expect(redisOf(render('production.yaml'))).toEqual({ password: 'word', database: 0 });
  const external = render('external.yaml');
  expect(redisOf(external)).toEqual({
    username: 'sevenfold',
    password: 'word',
    database: 0,
    sentinels: {
      master: 'main',
      places: [1, 2, 3].map((n) => ({ host: `sentinel-${n}.db.example.org`, port: 26_379 })),
      password: 'word',
      tls: true,
    },
  });
  const policy = ofKind(external, 'NetworkPolicy').find((one) => componentOf(one) === 'calendar-worker');
  const open = policy.spec.egress.find(({ to }: Thing) => to?.[0].ipBlock?.cidr === '192.0.2.64/28');
  expect(open.ports.map(({ port }: Thing) => port as number)).toEqual([26_379, 6_380]);
});

test('Sentinels have the password of the Secret where the server itself wants none', () => {
  const variables = environmentOf(render('external.yaml', 'redis.auth=false'), 'calendar-worker');
  const { value } = variables.find(({ name }) => name === 'REDIS_URL');
  expect(readRedisAddress(value as string).sentinels?.password).toBe('$(REDIS_PASSWORD)');
  expect(variables.map(({ name }) => name as string)).toContain('REDIS_PASSWORD');
});

test('no secret of a process is written into an object', () => {
  const secret = services.flatMap(([, variables]) =>
    Object.entries(variables).flatMap(([name, one]) => (one.secret ? [name] : [])),
  );
  const plain = examples
    .flatMap((example) => ofKind(render(example), 'Deployment', 'Job', 'StatefulSet'))
    .flatMap((one) => podSpecOf(one).containers as Thing[])
    .flatMap(({ env }) => (env ?? []) as Thing[])
    .filter(({ name, value }) => value !== undefined && secret.includes(name as string));
  // Addresses hold the password by a reference only.
  expect(
    plain.filter(({ value }) => !/^[a-z+]+:\/\/[\w-]*:\$\(\w+_PASSWORD\)@/.test(value as string)),
  ).toEqual([]);
});

test('alerts and dashboards ask for metrics that there are', () => {
  const told = new Set(
    Array.from(inChart('../../METRICS.md').matchAll(/^\| `(\w+)`/gm), ([, name]) => name as string),
  );
  const texts = [inChart('files/alerts.yaml'), inChart('files/dashboards/sevenfold.json')];
  const asked = texts.flatMap((text) =>
    Array.from(
      text.matchAll(/\b([a-z]+(?:_[a-z]+)+?)(?:_bucket|_count)?(?=\{|\[| [=>]|\) [=>])/g),
      ([, name]) => name as string,
    ),
  );
  expect(asked.length).toBeGreaterThan(20);
  const known = (name: string): boolean =>
    told.has(name) || /^process_/.test(name) || name === 'histogram_quantile';
  expect(asked.filter((name) => !known(name))).toEqual([]);
});
