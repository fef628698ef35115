import { databaseServices } from '@sevenfold/catalog/catalog';
import { environmentOf, stopWithinOf, topology, type StackContext } from './topology';

const context: StackContext = {
  siteUrl: 'https://site.example',
  timezone: 'Europe/Berlin',
  logLevel: 'warn',
  redisUrl: 'redis://127.0.0.1:1',
  redisPrefix: 'mine',
  instanceId: 'abc',
  databaseUrls: Object.fromEntries(databaseServices.map((service) => [service, `postgres://${service}`])),
  actorSecret: 'secret',
  sealingSecret: 'seal',
  tokenKey: 'sign',
  uploadsDir: '/data/uploads',
  filesDir: '/data/files',
  publicHost: '0.0.0.0',
  administrator: { username: 'admin', password: 'pass', email: 'a@b', applicationPassword: 'app' },
  ports: Object.fromEntries(
    topology.map((spec, index) => [
      spec.name,
      { http: 1000 + index, ...(spec.grpc && { grpc: 2000 + index }) },
    ]),
  ),
  inherited: {
    PATH: '/bin',
    SMTP_URL: 'smtp://mail',
    PORT: '8080',
    ADMIN_PASSWORD: 'given',
    DATABASE_URL: 'postgres://root',
    DATABASE_DIRECT_URL: 'postgres://root',
    npm_config_x: 'y',
  },
};

const grpcOf = (name: string): string => `127.0.0.1:${context.ports[name]?.grpc}`;

const environment = (name: string): NodeJS.ProcessEnv =>
  environmentOf(
    topology.find((spec) => spec.name === name)!,
    topology,
    context,
  );

test('a process is killed only when what it was given to leave and to finish is over', () => {
  expect(stopWithinOf(environment('gateway'))).toBe(10_000);
  const patient = { ...context, inherited: { LEAVE_SECONDS: '5', SHUTDOWN_SECONDS: '60' } };
  const gateway = topology.find(({ name }) => name === 'gateway')!;
  expect(stopWithinOf(environmentOf(gateway, topology, patient))).toBe(67_000);
});

describe('the environment', () => {
  it('of the content service', () => {
    expect(environment('content')).toEqual({
      PATH: '/bin',
      SMTP_URL: 'smtp://mail',
      NODE_ENV: 'production',
      ROLE: 'api',
      HTTP_HOST: '127.0.0.1',
      HTTP_PORT: String(context.ports.content?.http),
      GRPC_PORT: String(context.ports.content?.grpc),
      DATABASE_URL: 'postgres://content',
      REDIS_URL: 'redis://127.0.0.1:1',
      REDIS_PREFIX: 'mine',
      INSTANCE_ID: 'abc',
      SITE_URL: 'https://site.example',
      SITE_TIMEZONE: 'Europe/Berlin',
      ACTOR_SECRET: 'secret',
      SPAM_KEY_SECRETS: 'seal',
      UPLOADS_DIR: '/data/uploads',
      LOG_LEVEL: 'warn',
      SHUTDOWN_SECONDS: '8',
      CONTENT_GRPC: grpcOf('content'),
      CALENDAR_GRPC: grpcOf('calendar'),
      IMPORTS_GRPC: grpcOf('imports'),
      FORMS_GRPC: grpcOf('forms'),
      SPAMFILTER_GRPC: grpcOf('spamfilter'),
      SEO_GRPC: grpcOf('seo'),
      OEMBED_GRPC: grpcOf('oembed'),
      ADMIN_USERNAME: 'admin',
      ADMIN_PASSWORD: 'pass',
      ADMIN_EMAIL: 'a@b',
      ADMIN_APPLICATION_PASSWORD: 'app',
    });
  });

  it('of a worker has no gRPC port and no administrator', () => {
    const worker = environment('calendar-worker');
    expect(worker).toMatchObject({
      ROLE: 'worker',
      HTTP_PORT: String(context.ports['calendar-worker']?.http),
      DATABASE_URL: 'postgres://calendar',
      CONTENT_GRPC: grpcOf('content'),
    });
    for (const name of ['GRPC_PORT', 'ADMIN_USERNAME', 'ADMIN_PASSWORD', 'UPLOADS_DIR', 'PORT'])
      expect(worker).not.toHaveProperty(name);
  });

  it('of a service with files has a private folder of its name', () => {
    for (const name of ['forms', 'forms-worker'])
      expect(environment(name)).toMatchObject({ FILES_DIR: '/data/files/forms' });
    expect(environment('content')).not.toHaveProperty('FILES_DIR');
  });

  it('gives the secret for sealing to those who seal, after what the operator set', () => {
    const spec = topology.find(({ name }) => name === 'spamfilter-worker')!;
    expect(environment('spamfilter')).toMatchObject({ SPAM_KEY_SECRETS: 'seal' });
    const inherited = { SPAM_KEY_SECRETS: 'new' };
    expect(environmentOf(spec, topology, { ...context, inherited })).toMatchObject({
      SPAM_KEY_SECRETS: 'new,seal',
    });
    expect(environment('content-worker')).toMatchObject({ SPAM_KEY_SECRETS: 'seal' });
    const other = topology.find(({ name }) => name === 'calendar')!;
    expect(environmentOf(other, topology, { ...context, inherited })).not.toHaveProperty('SPAM_KEY_SECRETS');
  });

  it('gives the secret that signs tokens to the gateway alone, after what the operator set', () => {
    const spec = topology.find(({ name }) => name === 'gateway')!;
    expect(environment('gateway')).toMatchObject({ TOKEN_KEYS: 'sign' });
    const inherited = { TOKEN_KEYS: 'new' };
    expect(environmentOf(spec, topology, { ...context, inherited })).toMatchObject({
      TOKEN_KEYS: 'new,sign',
    });
    const other = topology.find(({ name }) => name === 'content')!;
    expect(environmentOf(other, topology, { ...context, inherited })).not.toHaveProperty('TOKEN_KEYS');
  });

  it('of the gateway has the public address and every HTTP address, but no database', () => {
    const gateway = environment('gateway');
    expect(gateway).toMatchObject({
      HTTP_HOST: '0.0.0.0',
      CONTENT_HTTP: `http://127.0.0.1:${context.ports.content?.http}`,
      OEMBED_HTTP: `http://127.0.0.1:${context.ports.oembed?.http}`,
      UPLOADS_DIR: '/data/uploads',
    });
    for (const name of ['DATABASE_URL', 'GRPC_PORT', 'GATEWAY_HTTP', 'ADMIN_PASSWORD'])
      expect(gateway).not.toHaveProperty(name);
  });
});

it('every process has a name of its own and a database where it is said to have one', () => {
  expect(new Set(topology.map((spec) => spec.name)).size).toBe(topology.length);
  for (const spec of topology) {
    if (spec.needs.includes('database')) expect(databaseServices).toContain(spec.service);
  }
});
