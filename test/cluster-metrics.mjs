/**
 * The two interfaces of a cluster by which a HorizontalPodAutoscaler measures, as metrics-server and prometheus-adapter
 * serve them: what they answer is what a test has set (`PUT /values`). The API server hands requests on to here.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import https from 'node:https';
import { ask, create } from './cluster-plane.mjs';

const GROUPS = {
  'metrics.k8s.io': { name: 'pods', kind: 'PodMetrics' },
  'external.metrics.k8s.io': { name: 'jobs_oldest_seconds', kind: 'ExternalMetricValueList' },
};
const COMPONENT = 'app.kubernetes.io/component';
const NAMESPACE = 'kube-system';
const SERVICE = 'metrics-of-tests';

/** Answers where values are set: processor time in thousandths by component, age of queues in seconds by component. */
export async function startMetrics(plane) {
  let values = { cpu: {}, queues: {} };
  const own = {
    cert: readFileSync(plane.ca),
    key: readFileSync(plane.ca.replace(/\.crt$/, '.key')),
  };
  const server = https.createServer(own, (request, response) => {
    void answer(request).then(
      ([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify(body));
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });

  async function answer(request) {
    const { pathname, searchParams } = new URL(request.url, plane.url);
    if (request.method === 'PUT') {
      let text = '';
      for await (const part of request) text += part;
      values = JSON.parse(text);
      return [200, values];
    }
    const [, , group, version, , namespace, resource] = pathname.split('/');
    const known = GROUPS[group];
    if (!known || version !== 'v1beta1') return [404, {}];
    if (!resource) return [200, resourcesOf(group)];
    const selector = searchParams.get('labelSelector') ?? '';
    const items = resource === 'pods' ? await usages(namespace, selector) : ages(namespace, selector);
    return [
      200,
      {
        kind: resource === 'pods' ? 'PodMetricsList' : known.kind,
        apiVersion: `${group}/v1beta1`,
        metadata: {},
        items,
      },
    ];
  }

  async function usages(namespace, selector) {
    const { text } = await ask(
      plane,
      `/api/v1/namespaces/${namespace}/pods?labelSelector=${encodeURIComponent(selector)}`,
    );
    return JSON.parse(text)
      .items.filter(({ status }) => status.phase === 'Running')
      .map(({ metadata, spec }) => ({
        metadata: { name: metadata.name, namespace, labels: metadata.labels },
        timestamp: new Date().toISOString(),
        window: '10s',
        containers: spec.containers.map(({ name }) => ({
          name,
          usage: { cpu: `${values.cpu[metadata.labels[COMPONENT]] ?? 0}m`, memory: '64Mi' },
        })),
      }));
  }

  /** Only for who names the namespace, the release and the process, as Prometheus has them for labels. */
  function ages(namespace, selector) {
    const labels = Object.fromEntries(selector.split(',').map((one) => one.split('=')));
    const component = labels.app_kubernetes_io_component;
    const isWhole = labels.namespace === namespace && labels.app_kubernetes_io_instance;
    if (!isWhole || values.queues[component] === undefined) return [];
    return [
      {
        metricName: 'jobs_oldest_seconds',
        metricLabels: labels,
        timestamp: new Date().toISOString(),
        value: String(values.queues[component]),
      },
    ];
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  await register(plane, port);
  return {
    url: `https://127.0.0.1:${port}/values`,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const resourcesOf = (group) => ({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/v1beta1`,
  resources: [{ ...GROUPS[group], singularName: '', namespaced: true, verbs: ['get', 'list'] }],
});

/** A Service that only names this machine: no proxy of a node has to lead there. */
async function register(plane, port) {
  const objects = [
    [
      `/api/v1/namespaces/${NAMESPACE}/services`,
      {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: SERVICE },
        spec: { type: 'ExternalName', externalName: 'localhost' },
      },
    ],
    ...Object.keys(GROUPS).map((group) => [
      '/apis/apiregistration.k8s.io/v1/apiservices',
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: `v1beta1.${group}` },
        spec: {
          group,
          version: 'v1beta1',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { name: SERVICE, namespace: NAMESPACE, port },
        },
      },
    ]),
  ];
  for (const [route, body] of objects) await create(plane, route, body);
}
