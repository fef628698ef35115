/**
 * Rows that a statement takes for itself, so many at a time. PostgreSQL may ask what stands behind `in (select …)` once for each
 * row outside, and with `for update skip locked` it then finds other rows each time: no limit holds. What stands in
 * `any(array(select …))` is asked once, whatever is planned.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const services = path.resolve(__dirname, '../../../services');
const TAKEN_IN_PIECES =
  /\bin\s*\(\s*select\b(?:(?!\bselect\b|`)[^])*?\blimit\b(?:(?!`)[^])*?\bfor\s+(?:no\s+key\s+)?update\b/i;

test.each([
  'where id in (select id from t order by id limit 5 for update skip locked)',
  'where id in (\n select id from t limit greatest(0, $2 - (select 1)) for no key update)',
])('the rule sees %j', (sql) => expect(sql).toMatch(TAKEN_IN_PIECES));

test('no statement takes rows by a limit that may be asked twice', () => {
  const files = readdirSync(services, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.includes('/src/') && file.endsWith('.ts'),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.filter((file) => TAKEN_IN_PIECES.test(readFileSync(path.join(services, file), 'utf8'))),
  ).toEqual([]);
});
