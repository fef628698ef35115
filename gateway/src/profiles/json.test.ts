/** Bodies that come in many small pieces: translated as those that come at once, and as quickly. */
import { jsonTranslator } from './json';
import { compileNodes } from './nodes';
import { compileSwaps } from './swaps';
import { wordpress } from './wordpress';

const node = compileNodes(compileSwaps(wordpress, 'https://site.test'))('coreArguments');

function translated(pieces: Iterable<string>): string {
  const translator = jsonTranslator(node);
  const told = Array.from(pieces, (piece) => Buffer.from(translator.write(Buffer.from(piece))));
  return Buffer.concat([...told, translator.end()]).toString();
}

test.each([
  ['{"status":"publish,tribe-ea-draft"}', '{"status":"publish,calendar-ea-draft"}'],
  ['{"status":"tribe-ea\\u002ddraft"}', '{"status":"calendar-ea-draft"}'],
  ['{"a\\"\\\\\\"":"\\\\","status":"tribe-ignored"}', '{"a\\"\\\\\\"":"\\\\","status":"calendar-ignored"}'],
])('%s, letter by letter', (sent, told) => {
  expect(translated(sent)).toBe(told);
  expect(translated([sent])).toBe(told);
});

test('the end of a text that comes in small pieces is looked for only where it was not yet', () => {
  const text = ['"', '\\"'.repeat(8_000), ...'b'.repeat(16_000), '":1,'];
  const pieces = ['{', ...text, ...text, ...text, ...text, '"status":"tribe-ignored"}'];
  const started = process.cpuUsage();
  expect(translated(pieces)).toBe(pieces.join('').replace('tribe', 'calendar'));
  // From its beginning each time it would be seconds.
  expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
});
