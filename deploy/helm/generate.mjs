/**
 * `node deploy/helm/generate.mjs [--check]`: what the chart takes from the catalog and the processes' configuration data:
 * files/catalog.json, values.yaml, values.schema.json, the dashboard, and the tables in the README; and the Compose files. `--check` compares instead of writing.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';
import { composeYaml, replicasYaml } from '../compose/compose.mjs';
import { chartCatalog } from './catalog.mjs';
import { dashboard } from './dashboard.mjs';
import { schemaOf } from './schema.mjs';
import { readmeTables, valuesYaml } from './texts.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const root = path.join(here, '../..');
const { gateway, services } = require(path.join(root, 'services/catalog/dist/catalog.js'));
const rows = [...services, gateway].map((row) => ({
  ...row,
  variables: require(path.join(root, row.folder, 'dist/config.js')).variables,
}));

const chart = path.join(here, 'sevenfold');
const formatted = async (text, file) =>
  prettier.format(text, { ...(await prettier.resolveConfig(file)), filepath: file });
const catalog = chartCatalog(rows);
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** What stands between the marks, made anew. */
function filled(text, tables) {
  return Object.entries(tables).reduce((whole, [name, table]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [from, to] = [whole.indexOf(open), whole.indexOf(close)];
    if (from < 0 || to < from) throw new Error(`The README has no place for the table ${name}.`);
    return `${whole.slice(0, from + open.length)}\n\n${table}\n\n${whole.slice(to)}`;
  }, text);
}

const readme = path.join(chart, 'README.md');
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const wanted = {
  '../../compose.yaml': composeYaml(rows, version),
  '../../compose.replicas.yaml': replicasYaml(rows),
  'files/catalog.json': json(catalog),
  'files/dashboards/sevenfold.json': json(dashboard()),
  'values.schema.json': json(schemaOf(catalog, rows)),
  'values.yaml': valuesYaml(catalog, rows),
  'README.md': filled(readFileSync(readme, 'utf8'), readmeTables(rows)),
};
for (const [name, text] of Object.entries(wanted)) {
  const file = path.join(chart, name);
  const made = await formatted(text, file);
  if (existsSync(file) && readFileSync(file, 'utf8') === made) continue;
  if (process.argv.includes('--check')) {
    console.error(`${name} of the chart is not what the catalog says: run \`npm run chart\` and commit.`);
    process.exitCode = 1;
  } else writeFileSync(file, made);
}
