/** The faults that are put into files, and that a file with all of them switched off is what it was. */
import { transformSync } from '@swc/core';
import { instrument } from './operators';

const texts = (source: string): string[] =>
  instrument('x.ts', source).mutants.map(
    ({ operator, original, mutated }) => `${operator}: ${original} → ${mutated}`,
  );

test.each<[string, string[]]>([
  ['if (a) go();', ['condition: a → true', 'condition: a → false', 'call: go(); → ']],
  ['x = a < 5;', ['comparison: a < 5 → (a) <= (5)', 'comparison: a < 5 → (a) >= (5)', 'constant: 5 → 5 + 1']],
  ['x = !a;', ['negation: !a → a']],
  ['x = a && b;', ['comparison: a && b → (a) || (b)']],
  ["x = 'a b' + c;", []],
  ['x = list.every(f);', ['method: every → some']],
  ['const f = () => a;', ['return: a → undefined']],
  ['x = /^a$/i;', ['pattern: /^a$/i → /a$/i', 'pattern: /^a$/i → /^a/i', 'pattern: /^a$/i → /^a$/']],
  ["log.info('x');", []],
  ["logFault(log, error, {}, 'x');", []],
  ['type A = 5; interface B { c: true }', []],
  [
    "q('select 1 from a where b = $1 and c is null');",
    [
      "call: q('select 1 from a where b = $1 and c is null'); → ",
      "statement: 'select 1 from a where b = $1 and c is null' → 'select 1 from a where true and c is null'",
      "statement: 'select 1 from a where b = $1 and c is null' → 'select 1 from a where b = $1 and true'",
    ],
  ],
])('%s', (source, expected) => {
  expect(texts(source)).toEqual(expected);
});

const SAMPLE = `
  export function sum(list: readonly number[], from = 0): number {
    let total = from; // a comment
    for (let i = 0; i < list.length; i++) if (list[i]! > 1) total += list[i] ?? 0;
    if (total > 9) Object.freeze(list);
    else total += 2;
    return list.some((one) => one === 7) ? \`\${total + 1} \${list.length}\`.length : total;
  }
  export const result = sum([1, 2, 3]);`;

function run(mutant: number): unknown {
  const { code } = transformSync(instrument('x.ts', SAMPLE).text, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  const exported: { result?: unknown } = {};
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- runs what it made
  new Function('exports', 'process', code)(exported, { env: { MUTANT: String(mutant) } });
  return exported.result;
}

test('without a fault a file is what it was; each fault changes it alone', () => {
  expect(run(0)).toBe(7);
  const { mutants } = instrument('x.ts', SAMPLE);
  const changed = mutants.filter(({ id }) => run(id) !== 7);
  expect(changed.map(({ operator, mutated }) => `${operator} ${mutated}`)).toEqual(
    expect.arrayContaining(['constant 0 + 1', 'comparison (list[i]!) <= (1)', 'condition true']),
  );
  expect(mutants.map(({ id }) => id)).toEqual(mutants.map((_, index) => index + 1));
});
