/** A site whose processes all open as many connections as they may fits a PostgreSQL server as it comes. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceRow } from '@sevenfold/catalog/catalog';
import { shareOut } from '@sevenfold/chassis/db/shares';
import { declared } from '../support/declared';

/** `max_connections` less those that are kept for superusers. */
const SERVER_TAKES = 100 - 3;
/** For a migration, the command line, and somebody who looks. */
const TO_SPARE = 5;

const rows = declared
  .filter(({ definition }) => definition.migrations !== undefined)
  .flatMap(({ row, definition }) =>
    (row as ServiceRow).processes.map(({ role }) => {
      const { most, usual, apart } = shareOut(definition.connections, role);
      const kept = Object.entries(apart).map(([name, count]) => `${count} ${name}`);
      return {
        name: `${row.name}-${role}`,
        most,
        told: `${usual} usual, 1 listening${kept.map((one) => `, ${one}`).join('')}`,
      };
    }),
  );
const all = rows.reduce((sum, { most }) => sum + most, 0);

test('all processes together leave some of 100 connections free', () => {
  // Where a new process takes too many: fewer `connections` for others, in their service.ts.
  expect(all).toBeLessThanOrEqual(SERVER_TAKES - TO_SPARE);
});

test('the table of the chassis tells how many each process opens', () => {
  const readme = readFileSync(path.resolve(__dirname, '../../../services/chassis/README.md'), 'utf8');
  const cells = Array.from(
    readme.matchAll(/^\| `([\w-]+-(?:api|worker))` +\| +(\d+) \| (.+?) +\|$/gm),
    ([, name, most, told]) => ({
      name,
      most: Number(most),
      told,
    }),
  );
  // In the order of the catalog.
  expect(cells).toEqual(rows);
  expect(readme).toContain(`${all} in all`);
});
