/**
 * `npm run test:cluster [TESTS…]`: the chart on a control plane of Kubernetes itself; only nodes and pods are simulated. Needs Go
 * the first time (cluster-tools.mjs); ends with 3 where that is missing, and then nothing was checked.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { apart } from './apart.mjs';
import { KUBERNETES, chartTools } from './chart-tools.mjs';
import { startMetrics } from './cluster-metrics.mjs';
import { startPlane } from './cluster-plane.mjs';
import { clusterTools } from './cluster-tools.mjs';

const NOT_CHECKED = 3;
const here = path.dirname(fileURLToPath(import.meta.url));

function findTools() {
  try {
    const [chart, cluster] = [chartTools(), clusterTools()];
    if (chart && cluster) return { chart, cluster };
    console.error(
      'NOTHING IS CHECKED: helm and Kubernetes have to be built, and Go (https://go.dev) is missing here.',
    );
  } catch (error) {
    console.error(`NOTHING IS CHECKED: helm and Kubernetes could not be built: ${error.message}`);
    console.error(
      'Go fetches their sources from the module proxy: `go env GOPROXY` says which one is asked.',
    );
  }
  process.exit(NOT_CHECKED);
}

const { chart, cluster } = findTools();
// Those that are built are kept; from here on a signal has to stop what runs first.
let running;
let wanted;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    wanted = signal;
    running?.kill('SIGTERM');
  });

const plane = await startPlane(cluster, [path.join(here, 'src/cluster/testing/job-fails.yaml')]);
let status = 1;
try {
  const metrics = await startMetrics(plane);
  if (!wanted) {
    running = spawn(
      ...apart('cluster', process.argv.slice(2), {
        KUBECONFIG: plane.kubeconfig,
        NODE_EXTRA_CA_CERTS: plane.ca,
        CHART_HELM: chart.helm,
        CHART_SCHEMAS: chart.schemas.join(path.delimiter),
        CHART_KUBERNETES: KUBERNETES,
        CLUSTER_KUBECTL: cluster.program('kubectl'),
        CLUSTER_URL: plane.url,
        CLUSTER_TOKEN: plane.token,
        CLUSTER_METRICS: metrics.url,
      }),
    );
    [status] = await once(running, 'exit');
  }
  if (status !== 0 && !wanted) console.error(plane.logs().join('\n'));
  await metrics.stop();
} finally {
  await plane.stop();
}
process.exit(wanted ? 1 : (status ?? 1));
