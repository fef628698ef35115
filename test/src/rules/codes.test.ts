/**
 * Rules over error codes: every code that a client can see is a row of one table, of the chassis, of a service (with the
 * rows that its resources bring) or of the gateway; errors are made by the makers of these tables, which know no other; no row is left over.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { type CodeTable, commonCodes } from '@sevenfold/chassis/errors';
import { codes as gatewayCodes } from '@sevenfold/gateway/edge/errors';
import { declared } from '../support/declared';

const top = path.resolve(__dirname, '../../..');

interface Place {
  readonly name: string;
  readonly folder: string;
  readonly tables: readonly CodeTable[];
}

const services: readonly Place[] = [
  ...declared.map(({ row, definition }) => ({
    name: row.name,
    folder: `services/${row.name}`,
    tables: [definition.codes ?? {}, ...definition.resources.map(({ codes = {} }) => codes)],
  })),
  { name: 'gateway', folder: 'gateway', tables: [gatewayCodes] },
];
const places: readonly Place[] = [
  { name: 'chassis', folder: 'services/chassis', tables: [commonCodes] },
  ...services,
];

/** Our own sources in a folder, without tests. */
function sourcesOf(folder: string): { readonly file: string; readonly text: string }[] {
  const src = path.join(top, folder, 'src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing(\/|\.ts$)/.test(file))
    .map((file) => ({
      file: `${folder}/src/${file}`,
      text: readFileSync(path.join(src, file), 'utf8'),
    }));
}

const all = ['services/publishing', 'services/text', ...places.map(({ folder }) => folder)].flatMap(
  sourcesOf,
);

/** Where a fault of one argument is written down with a code of its own. */
const codesIn = (text: string): string[] =>
  [...text.matchAll(/\bcode: ['`]([a-z_-]+)['`]/g)].map((match) => match[1] as string);

test('the sources are found', () => {
  expect(all.length).toBeGreaterThan(300);
});

test('errors are made by the makers of the tables', () => {
  const files = all.filter(({ text }) => /new ApiError\(\s*['`]/.test(text)).map(({ file }) => file);
  expect(files).toEqual([]);
});

test.each(places.map((place) => [place.name, place] as const))('the codes of %s', (name, place) => {
  const codes: CodeTable = Object.assign({}, ...new Set(place.tables));
  const own = Object.keys(codes);
  const sources = sourcesOf(place.folder);
  // Resources of one folder may bring one table; two tables have no code in common.
  expect(own).toHaveLength([...new Set(place.tables)].flatMap(Object.keys).length);
  // A code in a table is told, and does not repeat one that everybody can answer with.
  expect(own.filter((code) => !/^[a-z]+([_-][a-z]+)*$/.test(code))).toEqual([]);
  expect(own.filter((code) => (codes[code] as string).length < 10)).toEqual([]);
  if (name !== 'chassis') expect(own.filter((code) => code in commonCodes)).toEqual([]);

  const unknown = sources.flatMap(({ file, text }) =>
    codesIn(text)
      .filter((code) => !own.includes(code) && !(code in commonCodes))
      .map((code) => `${file}: ${code}`),
  );
  expect(unknown).toEqual([]);

  // The table itself names each once; a template such as `${one}-not-found` names several.
  const users = name === 'chassis' ? all : sources;
  const text = users.map((source) => source.text).join('\n');
  const isUsed = (code: string): boolean => {
    const tail = /[_-][a-z]+([_-][a-z]+)*$/.exec(code)?.[0] ?? code;
    const head = /^[a-z]+([_-][a-z]+)*[_-]/.exec(code)?.[0] ?? code;
    return (
      (text.match(new RegExp(`['\`]${code}['\`]`, 'g')) ?? []).length > (/-/.test(code) ? 1 : 0) ||
      text.includes(`}${tail}\``) ||
      text.includes(`\`${head}\${`)
    );
  };
  expect(own.filter((code) => !isUsed(code))).toEqual([]);
});
