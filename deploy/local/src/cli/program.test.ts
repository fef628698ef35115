/** What holds for every command, and what it costs to ask for help. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Command } from 'commander';
import { groups, programFor } from './program';

const main = path.resolve(__dirname, '../../dist/cli/main.js');

const names = groups.map(({ name }) => name.split(' ')[0] as string);

const within = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(within)];

test('every command that lists something can print it for people and for programs', async () => {
  const commands = within(await programFor(names));
  const lists = commands.filter((command) => /^list\b/.test(command.description()));
  expect(lists.length).toBeGreaterThanOrEqual(7);
  const formats = lists.map((command) => [
    command.name(),
    command.options.find(({ long }) => long === '--format')?.argChoices,
  ]);
  expect(formats).toEqual(lists.map((command) => [command.name(), ['table', 'json', 'csv']]));
});

test('no password is taken as an argument, which every account of the machine reads in the list of processes', async () => {
  const commands = within(await programFor(names));
  const taken = commands.flatMap((command) => [
    ...command.options.filter(({ required, optional }) => required || optional).map(({ long }) => `${long}`),
    ...command.registeredArguments.map((argument) => argument.name()),
  ]);
  const told = taken.filter((name) => /pass(word|phrase)|secret|token|credential/.test(name));
  expect(told).toContain('--password-file');
  expect(told.filter((name) => !name.endsWith('-file'))).toEqual([]);
});

test.each([
  ['status', '--url'],
  ['imports', 'push', 'a.ics', '--url'],
  ['seo', 'show'],
])('what is no address is told at once: %s %s', (...args) => {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args, 'nope.example'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect([status, stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('must be an address, such as https://site.example.'),
  ]);
  expect(status).not.toBe(0);
});

test('a command that stands alone is called as the table says', async () => {
  const program = await programFor(names);
  for (const { name } of groups) {
    const [first, ...args] = name.split(' ');
    const command = program.commands.find((one) => one.name() === first);
    expect([name, command?.registeredArguments.length]).toEqual([name, args.length]);
  }
});

test('help loads no service: whoever asks for it does not wait', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      '-e',
      `process.on('exit', () => console.log('LOADED ' + Object.keys(require.cache).join(' ')));
       process.argv.splice(1, 0, ${JSON.stringify(main)});
       require(${JSON.stringify(main)});`,
      '--',
      '--help',
    ],
    { encoding: 'utf8', timeout: 60_000 },
  );
  expect([status, stdout]).toEqual([0, expect.stringContaining('Operates a Sevenfold site.')]);
  const loaded = (stdout.split('LOADED ')[1] ?? '').trim().split(' ');
  expect(loaded).toContain(path.resolve(__dirname, '../../dist/cli/program.js'));
  expect(
    loaded.filter((file) => /\/(content|calendar|imports|forms|seo|spamfilter|pg|grpc-js)\//.test(file)),
  ).toEqual([]);
});
