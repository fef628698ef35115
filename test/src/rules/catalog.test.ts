/** What names every service agrees with the catalog, where it cannot be derived from it. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gateway, services, type ServiceRow } from '@sevenfold/catalog/catalog';
import { pulseService } from '@sevenfold/chassis/grpc/pulse';
import { declared } from '../support/declared';

const repository = path.resolve(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(repository, file), 'utf8');
const json = (file: string): Record<string, unknown> => JSON.parse(read(file)) as Record<string, unknown>;

const rows: readonly ServiceRow[] = services;
const names = rows.map(({ name }) => name);

test('a name, a namespace and a port belong to one service', () => {
  for (const values of [
    [...names, gateway.name],
    rows.map(({ namespace }) => namespace),
    rows.flatMap(({ ports }) => [ports.http, ports.grpc]),
  ])
    expect(values.filter((value, at) => values.indexOf(value as never) !== at)).toEqual([]);
});

test('every folder with a service in it has a row, and every row a folder of its name', () => {
  const folders = readdirSync(path.join(repository, 'services')).filter((folder) =>
    existsSync(path.join(repository, 'services', folder, 'src/service.ts')),
  );
  // The chassis is what a service is started with.
  expect(folders.filter((folder) => folder !== 'chassis').sort()).toEqual([...names].sort());
  for (const { name, folder } of rows) {
    expect(folder).toBe(`services/${name}`);
    expect(json(`${folder}/package.json`)['name']).toBe(`@sevenfold/${name}`);
  }
});

test.each(declared.map((one) => [one.row.name, one] as const))(
  '%s calls whom it has an address of, by default where the catalog says',
  (_name, { row, variables }) => {
    const addresses = Object.entries(variables).filter(([name]) => name.endsWith('_GRPC'));
    const wanted = row.calls.map((called) => [
      `${called.toUpperCase()}_GRPC`,
      `127.0.0.1:${rows.find(({ name }) => name === called)?.ports.grpc}`,
    ]);
    expect(addresses.map(([name, variable]) => [name, variable.default])).toEqual(wanted);
  },
);

test.each(declared.map((one) => [one.row.name, one] as const))(
  '%s is given the database and the folder that it has variables for',
  (_name, { row, variables, definition }) => {
    for (const { needs } of row.processes) {
      if ('DATABASE_URL' in variables || definition.migrations) expect(needs).toContain('database');
      if ('UPLOADS_DIR' in variables) expect(needs).toContain('uploads');
    }
    const workers = row.processes.filter(({ role }) => role === 'worker').length;
    const { jobs = [], subscriptions = [], sweeps = [] } = definition;
    expect(workers).toBe(jobs.length + subscriptions.length + sweeps.length > 0 ? 1 : 0);
  },
);

// The chassis knows no service; whoever follows no beats of those it asks takes them for silent.
test('whoever asks others may follow their beats', () => {
  const asking = rows.filter(({ calls }) => calls.length > 0).map(({ name }) => name);
  // The list is in services/chassis/src/grpc/pulse.ts.
  const may = pulseService().methods.watch?.callers ?? [];
  expect([...may].sort()).toEqual([gateway.name, ...asking].sort());
});

test('every workspace is compiled with the tests', () => {
  const { references } = json('test/tsconfig.json') as { references: { path: string }[] };
  const compiled = references.map((reference) => path.join('test', reference.path)).sort();
  const { workspaces } = json('package.json') as { workspaces: string[] };
  const all = workspaces
    .flatMap((pattern) =>
      pattern.endsWith('/*')
        ? readdirSync(path.join(repository, path.dirname(pattern)))
            .map((folder) => path.join(path.dirname(pattern), folder))
            .filter((folder) => existsSync(path.join(repository, folder, 'package.json')))
        : [pattern],
    )
    .filter((folder) => folder !== 'test');
  expect(compiled).toEqual(all.sort());
});

test('the map of the services has a row for each', () => {
  const cells = read('services/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((row) => row[4] !== '–')
    .map((row) => ({ folder: row[1], namespace: row[2], processes: row[4] }));
  const wanted = rows.map(({ name, namespace, processes }) => ({
    folder: `[${name}](${name}/README.md)`,
    namespace,
    processes: processes.map(({ role }) => role).join(', '),
  }));
  const byFolder = (a: { folder?: string }, b: { folder?: string }): number =>
    String(a.folder).localeCompare(String(b.folder));
  expect(cells.sort(byFolder)).toEqual(wanted.sort(byFolder));
});

test('a new service is saved and restored without a line of code', () => {
  const folder = 'deploy/local/src/backup';
  const sources = readdirSync(path.join(repository, folder)).filter((file) => !file.endsWith('.test.ts'));
  const naming = sources.flatMap((file) => {
    const text = read(`${folder}/${file}`);
    return names
      .filter((name) => new RegExp(`['"\`/]${name}['"\`/]`).test(text))
      .map((name) => `${file}: ${name}`);
  });
  expect(naming).toEqual([]);
  // A process that is given something else which lasts: is it in the backup?
  const given = new Set(rows.flatMap(({ processes }) => processes.flatMap(({ needs }) => needs)));
  const saved = ['database', 'uploads', 'files', 'sealing'];
  const lastsNot = ['administrator', 'public', 'addresses'];
  expect([...given].filter((need) => ![...saved, ...lastsNot].includes(need))).toEqual([]);
});

test('the README names every namespace', () => {
  expect(rows.filter(({ namespace }) => !read('README.md').includes(`\`${namespace}\``))).toEqual([]);
});
