import { type Variables, ConfigError, POSTGRES, WEB, readConfig } from './config';
import { databaseVariables, storeVariables } from './variables';

const variables = {
  PORT: { kind: 'port', default: 8080, description: 'port' },
  SECRET: { kind: 'string', secret: true, description: 'a secret' },
  SIZE: { kind: 'integer', default: 3, min: 1, max: 9, description: 'size' },
  SITE: { kind: 'url', default: 'http://a', description: 'site' },
  ON: { kind: 'boolean', default: false, description: 'switch' },
  ROLE: { kind: 'string', oneOf: ['api', 'worker'], default: 'api', description: 'role' },
} as const satisfies Variables;

test('reads, converts and defaults', () => {
  expect(readConfig(variables, { SECRET: 's', SIZE: '9', SITE: 'http://b/', ON: 'yes', PORT: '' })).toEqual({
    PORT: 8080,
    SECRET: 's',
    SIZE: 9,
    SITE: 'http://b',
    ON: true,
    ROLE: 'api',
  });
});

test('names every fault at once, and no secret', () => {
  const read = (): unknown =>
    readConfig(variables, { PORT: '99999', SIZE: '10', SITE: 'nope', ON: 'perhaps', ROLE: 'both' });
  expect(read).toThrow(ConfigError);
  try {
    read();
  } catch (error) {
    expect((error as ConfigError).faults.map((fault) => fault.split(/[: ]/)[0])).toEqual([
      'PORT',
      'SECRET',
      'SIZE',
      'SITE',
      'ON',
      'ROLE',
    ]);
  }
  expect(() =>
    readConfig({ KEY: { kind: 'integer', secret: true, description: '' } }, { KEY: 'hunter2' }),
  ).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }));
});

test('a list of secrets has at least one', () => {
  const secrets = { KEYS: { kind: 'secrets', secret: true, description: 'keys' } } as const;
  expect(readConfig(secrets, { KEYS: 'new, old' }).KEYS).toBe('new, old');
  for (const none of [',', ' , ']) expect(() => readConfig(secrets, { KEYS: none })).toThrow('KEYS');
});

test('origins are written as browsers send them', () => {
  const origins = { ORIGINS: { kind: 'origins', default: '', description: 'origins' } } as const;
  const read = (text: string): string => readConfig(origins, { ORIGINS: text }).ORIGINS;
  expect(read('https://a.example, http://b.example:81')).toBe('https://a.example,http://b.example:81');
  for (const bad of ['*', 'a.example', 'https://a.example/', 'https://a.example/x', 'https://a.example,,'])
    expect(() => read(bad)).toThrow('ORIGINS');
});

test('what links of a site begin with tells nobody a password, and paths fit behind it', () => {
  const site = { SITE: { kind: 'site', default: '', description: 'site' } } as const;
  const read = (text: string): string => readConfig(site, { SITE: text }).SITE;
  expect(read('https://a.example/')).toBe('https://a.example');
  expect(read('http://[::1]:81/below/')).toBe('http://[::1]:81/below');
  for (const bad of ['a.example', 'ftp://a.example', 'http://a.example/?b', 'http://a.example#'])
    expect(() => read(bad)).toThrow(/SITE: must .*\(got/);
  for (const bad of ['http://me:hunter2@a.example', 'http://me:hunter2@a:example']) {
    expect(() => read(bad)).toThrow('SITE: must');
    expect(() => read(bad)).not.toThrow('hunter2');
  }
});

test('what links begin with is written as headers and browsers want it', () => {
  const site = { SITE: { kind: 'site', description: 'site' } } as const;
  const read = (text: string): string => readConfig(site, { SITE: text }).SITE;
  expect(read('https://пример.example')).toBe('https://xn--e1afmkfd.example');
  expect(read('https://a.example/über uns/')).toBe('https://a.example/%C3%BCber%20uns');
  expect(read(' HTTPS://A.example:443\n')).toBe('https://a.example');
});

test('of addresses the protocol counts, and of servers nothing comes after them', () => {
  const address = { AT: { kind: 'url', protocols: WEB, description: 'address' } } as const;
  const server = { AT: { ...address.AT, isServer: true } } as const;
  const database = { AT: { kind: 'url', protocols: POSTGRES, description: 'database' } } as const;
  expect(readConfig(address, { AT: ' http://a:81/below/?b\n' }).AT).toBe('http://a:81/below/?b');
  expect(readConfig(server, { AT: 'http://[::1]:81/' }).AT).toBe('http://[::1]:81');
  expect(readConfig(database, { AT: 'postgres:///db?host=/run' }).AT).toBe('postgres:///db?host=/run');
  for (const bad of ['content:8080', 'ftp://a', 'a'])
    expect(() => readConfig(server, { AT: bad })).toThrow(/AT: must .*\(got/);
  for (const bad of ['http://a/below', 'http://a?b', 'http://a#'])
    expect(() => readConfig(server, { AT: bad })).toThrow(/AT: must end/);
  expect(() => readConfig(database, { AT: 'localhost:5432/db' })).toThrow('postgres://');
  const { DATABASE_REPLICA_URL } = databaseVariables;
  expect(() => readConfig({ DATABASE_REPLICA_URL }, { DATABASE_REPLICA_URL: 'replica:5432/db' })).toThrow(
    'DATABASE_REPLICA_URL: must start with postgres://',
  );
  expect(() => readConfig(storeVariables, { S3_ENDPOINT: 'minio:9000' })).toThrow(
    'S3_ENDPOINT: must start with http://',
  );
  for (const bad of ['http://me:hunter2@a', 'http://me:hunter2@a:b'])
    expect(() => readConfig(server, { AT: bad })).toThrow(/^(?!.*hunter2).*AT: must/s);
});

test('addresses of gRPC have a host and a port', () => {
  const peer = { AT: { kind: 'grpc', description: 'peer' } } as const;
  const good = [
    'content:9090',
    '[::1]:9090',
    'dns:///content-headless.site:9090',
    'dns:[::1]:1',
    'unix:/run/a.sock',
  ];
  for (const one of good) expect(readConfig(peer, { AT: ` ${one}\n` }).AT).toBe(one);
  for (const bad of [
    'content',
    'http://content:9090',
    'dns:///content',
    '::1:9090:x',
    'content:',
    'a b:1',
    ':1',
  ])
    expect(() => readConfig(peer, { AT: bad })).toThrow(/AT: must be a host and a port.*\(got/);
});
