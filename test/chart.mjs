/** `npm run test:chart`: the chart and the Compose file, without a cluster. Needs Go the first time (chart-tools.mjs). */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { KUBERNETES, chartTools } from './chart-tools.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const tools = chartTools();
if (!tools) {
  console.error('The chart is NOT CHECKED: helm has to be built, and Go (https://go.dev) is missing here.');
  process.exit(process.env.CI ? 1 : 0);
}
const jest = path.join(here, '../node_modules/jest/bin/jest.js');
const { status } = spawnSync(
  process.execPath,
  [jest, '-c', path.join(here, 'chart.config.cjs'), ...process.argv.slice(2)],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      CHART_HELM: tools.helm,
      CHART_SCHEMAS: tools.schemas.join(path.delimiter),
      CHART_KUBERNETES: KUBERNETES,
    },
  },
);
process.exit(status ?? 1);
