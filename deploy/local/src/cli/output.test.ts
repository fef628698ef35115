/** How lists come out, as people and as programs read them. */
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
