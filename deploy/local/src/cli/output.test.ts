/** How lists come out, as people and as programs read them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { printList } from './output';

const rows = [
  { id: 1, name: 'Ann "the boat"', roles: ['editor', 'author'], where: { city: 'Lisbon' }, left: null },
  { id: 2, name: '=cmd|calc', roles: [], where: {}, left: 'red\u001b[31m,\nnext' },
];

let out: string;
beforeEach(() => {
  out = '';
  jest.spyOn(console, 'log').mockImplementation((text: string) => void (out += `${text}\n`));
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => (out += String(text)) !== '');
});
afterEach(() => jest.restoreAllMocks());

test('as a table, with what fits on a line, and nothing that steers a terminal', () => {
  printList(rows, { format: 'table' }, ({ id, left }) => ({ id, left }));
  expect(out).toBe('id  left\n1\n2   red [31m, next\n');
  out = '';
  printList([], { format: 'table' });
  expect(out).toBe('none\n');
});

test('as JSON, whole', () => {
  printList(rows, { format: 'json' }, ({ id }) => ({ id }));
  expect(JSON.parse(out)).toEqual(rows);
});

test('as CSV, whole, and no cell is a formula', () => {
  printList(rows, { format: 'csv' }, ({ id }) => ({ id }));
  expect(out).toBe(
    [
      'id,name,roles,where,left',
      '1,"Ann ""the boat""","editor,author","{""city"":""Lisbon""}",',
      '2,\'=cmd|calc,,{},"red\u001b[31m,\nnext"',
      '',
    ].join('\r\n'),
  );
});

const compiled = (name: string): string => JSON.stringify(path.resolve(__dirname, '../../dist/cli', name));
const runs = (code: string) => spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' });
const PRESSED = `process.kill(process.pid, 'SIGINT')`;

test('a bar gives the terminal back its cursor and its long lines, when a signal ends the command, too', () => {
  const { status, stderr } = runs(`
    process.stderr.isTTY = true;
    require(${compiled('output.js')}).progressBar('{value}', 1);
    setInterval(() => undefined, 1_000);
    ${PRESSED};
  `);
  const last = (sign: string): number => stderr.lastIndexOf(`\u001b[?${sign}`);
  expect([status, last('25h') > last('25l'), last('7h') > last('7l')]).toEqual([130, true, true]);
});

test('what a command clears away when it is stopped goes to its end, though Ctrl-C is pressed again', () => {
  const { status, stdout } = runs(`
    require(${compiled('signals.js')}).exitOnSignals();
    process.once('exit', () => {
      ${PRESSED};
      console.log('cleared away');
    });
    setInterval(() => undefined, 1_000);
    ${PRESSED};
  `);
  expect([status, stdout]).toEqual([130, 'cleared away\n']);
});
