/** `npm run test:chart`: the chart and the Compose file, without a cluster. Needs Go the first time (chart-tools.mjs). */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { apart } from './apart.mjs';
import { KUBERNETES, chartTools } from './chart-tools.mjs';

const tools = chartTools();
if (!tools) {
  console.error('The chart is NOT CHECKED: helm has to be built, and Go (https://go.dev) is missing here.');
  process.exit(process.env.CI ? 1 : 0);
}
const { status } = spawnSync(
  ...apart('chart', process.argv.slice(2), {
    CHART_HELM: tools.helm,
    CHART_SCHEMAS: tools.schemas.join(path.delimiter),
    CHART_KUBERNETES: KUBERNETES,
  }),
);
process.exit(status ?? 1);
