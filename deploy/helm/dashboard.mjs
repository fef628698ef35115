/** The dashboard of Grafana, made of its panels as data: what is watched, and by which query. */

const quantile = (part, metric, by) =>
  `histogram_quantile(${part}, sum by (${by}, le) (rate(${metric}_bucket{namespace="$namespace"}[$__rate_interval])))`;
const rate = (metric, by, labels = '') =>
  `sum by (${by}) (rate(${metric}{namespace="$namespace"${labels}}[$__rate_interval]))`;
const most = (metric, by, labels = '') => `max by (${by}) (${metric}{namespace="$namespace"${labels}})`;

const panels = [
  ['Requests', 'reqps', '{{upstream}}', rate('gateway_request_duration_seconds_count', 'upstream')],
  [
    'Failed requests',
    'reqps',
    '{{upstream}} {{status}}',
    rate('gateway_request_duration_seconds_count', 'upstream, status', ',status=~"5..",status!="501"'),
  ],
  [
    'Time of requests, 99 of 100',
    's',
    '{{upstream}}',
    quantile(0.99, 'gateway_request_duration_seconds', 'upstream'),
  ],
  ['Reads of the cache', 'reqps', '{{result}}', rate('gateway_cache_reads_total', 'result')],
  [
    'Busiest routes',
    'reqps',
    '{{method}} {{route}}',
    `topk(10, ${rate('gateway_route_duration_seconds_count', 'service, method, route')})`,
  ],
  [
    'Routes that fail',
    'reqps',
    '{{method}} {{route}}',
    `topk(10, ${rate('gateway_route_duration_seconds_count', 'service, method, route', ',status="5xx"')} > 0)`,
  ],
  [
    'Routes at the gateway, 99 of 100',
    's',
    '{{method}} {{route}}',
    `topk(10, ${quantile(0.99, 'gateway_route_duration_seconds', 'service, method, route')})`,
  ],
  [
    'Time by what the cache did, 99 of 100',
    's',
    '{{cache}}',
    quantile(0.99, 'gateway_route_duration_seconds', 'cache'),
  ],
  ['Services away', 'none', '{{upstream}}', most('gateway_breaker_open', 'upstream')],
  [
    'Routes, 99 of 100',
    's',
    '{{route}}',
    `topk(10, ${quantile(0.99, 'http_request_duration_seconds', 'route')})`,
  ],
  [
    'Calls between services, 99 of 100',
    's',
    '{{service}}',
    quantile(0.99, 'grpc_client_duration_seconds', 'service'),
  ],
  [
    'Connections to PostgreSQL',
    'none',
    '{{pool}} {{state}}',
    'sum by (pool, state) (database_connections{namespace="$namespace"})',
  ],
  ['Waiting for a connection', 'none', '{{pool}}', most('database_waiting', 'pool')],
  ['Jobs', 'none', '{{queue}} {{state}}', most('jobs', 'queue, state')],
  ['Age of the oldest job', 's', '{{queue}}', most('jobs_oldest_seconds', 'queue')],
  ['Tries of jobs', 'ops', '{{queue}} {{outcome}}', rate('jobs_total', 'queue, outcome')],
  ['Age of the outbox', 's', '{{kind}}', most('outbox_oldest_seconds', 'kind')],
  ['Imports', 'none', '{{state}}', most('imports', 'state')],
  ['Spans', 'ops', '{{outcome}}', rate('trace_spans_total', 'outcome')],
  [
    'Processor time',
    'none',
    '{{app_kubernetes_io_component}}',
    rate('process_cpu_seconds_total', 'app_kubernetes_io_component'),
  ],
  [
    'Memory',
    'bytes',
    '{{app_kubernetes_io_component}}',
    most('process_resident_memory_bytes', 'app_kubernetes_io_component'),
  ],
];

const WIDTH = 8;
const HEIGHT = 8;
const ACROSS = 3;

export const dashboard = () => ({
  uid: 'sevenfold',
  title: 'Sevenfold',
  tags: ['sevenfold'],
  schemaVersion: 39,
  editable: true,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  templating: {
    list: [
      { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus' },
      {
        name: 'namespace',
        type: 'query',
        label: 'Namespace',
        datasource: { type: 'prometheus', uid: '${datasource}' },
        query: 'label_values(gateway_cache_bytes, namespace)',
        refresh: 2,
      },
    ],
  },
  panels: panels.map(([title, unit, legendFormat, expr], at) => ({
    id: at + 1,
    type: 'timeseries',
    title,
    datasource: { type: 'prometheus', uid: '${datasource}' },
    gridPos: { x: (at % ACROSS) * WIDTH, y: Math.floor(at / ACROSS) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: [{ refId: 'A', expr, legendFormat }],
  })),
});
