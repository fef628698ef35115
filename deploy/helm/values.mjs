/**
 * The values of the chart, as data: each has its kind, its default and a sentence. values.yaml, values.schema.json and the
 * table in the README are made from it (generate.mjs), so none of them can say anything else than the others.
 */

const leaf = (schema, standard, description) => ({ schema, standard, description });
const text = (standard, description, more = {}) => leaf({ type: 'string', ...more }, standard, description);
const whole = (standard, description, more = {}) => leaf({ type: 'integer', ...more }, standard, description);
const flag = (standard, description) => leaf({ type: 'boolean' }, standard, description);
const choice = (options, standard, description) => leaf({ enum: options }, standard, description);
const list = (items, description, standard = []) => leaf({ type: 'array', items }, standard, description);
/** Objects of Kubernetes itself, which the server checks. */
const object = (description, standard = {}) => leaf({ type: 'object' }, standard, description);
const words = (description, standard = {}) =>
  leaf({ type: 'object', additionalProperties: { type: 'string' } }, standard, description);
const group = (members, description) => ({ members, description });

/** As processes take an address that links begin with (kind `site`). */
export const SITE_PATTERN = '^https?://[^/@?#]+(/[^?#]*)?$';
const port = { minimum: 1, maximum: 65535 };
const anyObject = { type: 'object' };
const quantity = { type: ['string', 'integer'] };
const resourceList = {
  type: 'object',
  additionalProperties: false,
  properties: { cpu: quantity, memory: quantity, 'ephemeral-storage': quantity },
};
const resources = (standard) =>
  leaf(
    {
      type: 'object',
      additionalProperties: false,
      properties: { requests: resourceList, limits: resourceList },
    },
    standard,
    'what a container asks for and may take',
  );
/** A key of a Secret that is there. */
export const secretKey = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'key'],
  properties: { name: { type: 'string' }, key: { type: 'string' } },
};

const scaling = (standard) =>
  group(
    {
      enabled: flag(false, 'whether the number of replicas follows the load'),
      minReplicas: whole(standard.minReplicas, 'fewest replicas', { minimum: 1 }),
      maxReplicas: whole(standard.maxReplicas, 'most replicas', { minimum: 1 }),
      cpuPercent: whole(70, 'processor time to aim at, of what is requested; 0: not a measure', {
        minimum: 0,
        maximum: 1000,
      }),
      ...(standard.queues && {
        queueSeconds: whole(
          30,
          'age of the oldest job that is due to aim at, an external metric; 0: not a measure',
          {
            minimum: 0,
          },
        ),
      }),
      scaleDownSeconds: whole(300, 'how long the load must have been less before replicas go', {
        minimum: 0,
        maximum: 3600,
      }),
    },
    'scaling by itself',
  );

const process = (standard) => ({
  replicas: whole(standard.replicas, 'replicas while it does not scale by itself', { minimum: 0 }),
  resources: resources(standard.resources),
  autoscaling: scaling(standard),
  env: leaf({ $ref: 'env' }, {}, 'variables of this kind of process only, before those of its service'),
  shutdownSeconds: whole(25, 'longest time to finish running requests and jobs when stopping', {
    minimum: 1,
    maximum: 300,
  }),
  disruptionBudget: group(
    {
      enabled: flag(true, 'whether there is one'),
      maxUnavailable: leaf(
        { type: ['integer', 'string'] },
        1,
        'replicas that may be taken away at once on purpose',
      ),
    },
    'what node drains have to leave',
  ),
  spread: list(
    anyObject,
    'topology spread constraints; empty: by node and by zone, where that is possible',
    [],
  ),
  nodeSelector: words('labels that its nodes must have'),
  tolerations: list(anyObject, 'tolerations'),
  affinity: object('affinity'),
  priorityClassName: text('', 'priority class'),
  podAnnotations: words('annotations of its pods'),
  podLabels: words('further labels of its pods'),
});

/** The same with no defaults: what is absent comes from `defaults`. */
const standards = {
  api: {
    replicas: 2,
    minReplicas: 2,
    maxReplicas: 10,
    resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { cpu: '2', memory: '512Mi' } },
  },
  worker: {
    replicas: 1,
    minReplicas: 1,
    maxReplicas: 6,
    queues: true,
    resources: { requests: { cpu: '50m', memory: '160Mi' }, limits: { cpu: '2', memory: '512Mi' } },
  },
};
export const processValues = (role) => process(standards[role]);

const volume = (what, size) => ({
  bucket: text('', `bucket of ${what}; empty: a volume`),
  existingClaim: text('', `claim of a volume for ${what} that is there; empty: one is made`),
  size: text(size, 'size of that volume'),
  storageClassName: text('', 'its storage class; empty: the usual one of the cluster'),
  accessMode: choice(
    ['ReadWriteMany', 'ReadWriteOnce'],
    'ReadWriteMany',
    'ReadWriteOnce is enough only where all pods run on one node',
  ),
});

const bundled = (image, size, memory) => ({
  image: text(image, 'image of the bundled server'),
  size: text(size, 'size of its volume'),
  storageClassName: text('', 'storage class of its volume'),
  resources: resources({ requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '2', memory } }),
});

export const values = {
  nameOverride: text('', 'instead of the name of the chart, in names of objects'),
  fullnameOverride: text('', 'instead of the name of the release and the chart'),
  image: group(
    {
      registry: text('', 'registry, such as registry.example.org; empty: that of the cluster'),
      repository: text('sevenfold', 'name of the image'),
      tag: text('', 'tag; empty: the version of the chart'),
      digest: text('', 'digest, which counts before the tag', { pattern: '^$|^sha256:[0-9a-f]{64}$' }),
      pullPolicy: choice(['IfNotPresent', 'Always', 'Never'], 'IfNotPresent', 'when it is fetched'),
      pullSecrets: list({ type: 'string' }, 'names of Secrets for the registry'),
    },
    'one image for all processes',
  ),
  site: group(
    {
      url: text('http://site.example.org', 'public address of the site; links in answers start with it', {
        pattern: SITE_PATTERN,
      }),
      timezone: text('UTC', 'time zone of a new site'),
      title: text('Sevenfold', 'title of a new site'),
      instanceId: text('', 'whose databases these are; empty: namespace and name of the release', {
        pattern: '^[\\w.-]{0,60}$',
      }),
      logLevel: choice(
        ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
        'info',
        'least severe level that is logged',
      ),
    },
    'the site',
  ),
  administrator: group(
    {
      username: text('admin', 'first account of a site that has none'),
      email: text('admin@example.org', 'its e-mail address'),
    },
    'the first administrator; the passwords are in the Secret',
  ),
  env: leaf({ $ref: 'env' }, {}, 'variables for every process that knows them'),
  secrets: group(
    {
      existing: text(
        '',
        'Secret that is there, with the keys that the README lists; empty: one is generated and kept over upgrades',
      ),
    },
    'secrets of the site',
  ),
  postgresql: group(
    {
      bundled: group(
        {
          enabled: flag(false, 'whether a PostgreSQL of one replica is started, for trying out'),
          ...bundled('docker.io/library/postgres:18-bookworm', '10Gi', '1Gi'),
        },
        'a PostgreSQL in the release',
      ),
      host: text('', 'host of the PostgreSQL server or of the pooler in front of it'),
      port: whole(5432, 'its port', port),
      directHost: text('', 'host past the pooler, for listening and migrations; empty: `host`'),
      directPort: whole(5432, 'its port', port),
      replicaHost: text('', 'host of servers that follow it, for reading; empty: none'),
      replicaPort: whole(5432, 'its port', port),
      prefix: text('sevenfold_', 'begins the names of databases and roles', {
        pattern: '^[a-z_][a-z0-9_]{0,39}$',
      }),
      parameters: text('', 'parameters of the address, such as `sslmode=verify-full`'),
      caSecret: text(
        '',
        'Secret whose `ca.crt` signed the certificate of the server; adds `sslrootcert` to the parameters',
      ),
    },
    'PostgreSQL: a database and a role for each service, named by the prefix and the service',
  ),
  redis: group(
    {
      bundled: group(
        {
          enabled: flag(false, 'whether a Redis of one replica is started, for trying out'),
          ...bundled('docker.io/library/redis:7-bookworm', '2Gi', '512Mi'),
        },
        'a Redis in the release',
      ),
      host: text('', 'host of the Redis server, or of a Sentinel'),
      port: whole(6379, 'its port', port),
      sentinel: group(
        {
          master: text(
            '',
            'name of the master as the Sentinels have it; empty: `redis.host` is the server itself',
          ),
          others: list(
            { type: 'string', pattern: '^[^\\s/@?&]+:\\d+$' },
            'further Sentinels, each as host:port',
          ),
          auth: flag(false, 'whether the Sentinels want the password of the Secret as well'),
          serverPort: whole(6379, 'port of the servers that they name, for the network policies', port),
        },
        'Sentinels that know which of several servers is the master',
      ),
      username: text('', 'user; empty: the default one'),
      auth: flag(true, 'whether it wants the password of the Secret'),
      tls: flag(false, 'whether it speaks TLS, and the Sentinels with it'),
      caSecret: text('', 'Secret whose `ca.crt` signed its certificate; empty: those the system trusts'),
      prefix: text('sevenfold', 'prefix of every key', { pattern: '^[\\w.-]{1,60}$' }),
    },
    'Redis, for queues and domain events',
  ),
  mail: group(
    {
      caSecret: text(
        '',
        'Secret whose `ca.crt` signed the certificate of the mail server; empty: those the system trusts',
      ),
    },
    'the mail server, which `SMTP_URL` or `SMTP_HOST` of the forms names',
  ),
  storage: group(
    {
      s3: group(
        {
          endpoint: text('', 'address of an S3-compatible store'),
          region: text('us-east-1', 'region of the buckets'),
          secret: text(
            '',
            'Secret with S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY; empty: the one of the site',
          ),
          port: whole(443, 'port of the endpoint, for the network policies', port),
        },
        'object storage',
      ),
      uploads: group(volume('the media files', '20Gi'), 'the media files, which the public sees'),
      files: group(volume('what visitors submit', '10Gi'), 'private files of the forms'),
    },
    'where files are kept',
  ),
  grpcTls: group(
    {
      enabled: flag(
        false,
        'whether processes speak TLS to each other over gRPC, with certificates on both sides',
      ),
      existingSecret: text(
        '',
        'Secret with tls.crt, tls.key and ca.crt, one for all processes; empty: cert-manager makes one for each',
      ),
      issuerRef: group(
        {
          name: text('', 'issuer of cert-manager'),
          kind: choice(['Issuer', 'ClusterIssuer'], 'Issuer', 'its kind'),
          group: text('cert-manager.io', 'its group'),
        },
        'who signs',
      ),
      duration: text('2160h', 'how long a certificate is good'),
      renewBefore: text('720h', 'how long before the end it is made anew'),
    },
    'encryption between the processes',
  ),
  gateway: group(
    {
      service: group(
        {
          type: choice(
            ['ClusterIP', 'NodePort', 'LoadBalancer'],
            'ClusterIP',
            'type of the Service of the gateway',
          ),
          port: whole(80, 'its port', port),
          externalTrafficPolicy: choice(
            ['Local', 'Cluster'],
            'Local',
            'not of ClusterIP; `Local`: only by nodes with a gateway, clients told apart; `Cluster`: by all nodes',
          ),
          annotations: words('its annotations'),
        },
        'the Service of the gateway',
      ),
    },
    'how the gateway is reached in the cluster',
  ),
  ingress: group(
    {
      enabled: flag(false, 'whether there is an Ingress for the host of `site.url`'),
      className: text('', 'ingress class'),
      annotations: words('its annotations'),
      tlsSecret: text('', 'Secret with the certificate of the site; empty: no TLS at the Ingress'),
    },
    'from outside, by Ingress',
  ),
  gatewayApi: group(
    {
      enabled: flag(false, 'whether there is an HTTPRoute for the host of `site.url`'),
      parentRefs: list(anyObject, 'Gateways that it belongs to'),
      annotations: words('its annotations'),
    },
    'from outside, by the Gateway API',
  ),
  networkPolicies: group(
    {
      enabled: flag(true, 'whether only the ways of the design are open'),
      clients: list(anyObject, 'peers that may reach the gateway; empty: everybody'),
      metrics: list(
        anyObject,
        'peers that may read metrics; empty: nobody, which monitors, alerts and scaling by queues do not allow',
        [],
      ),
      dns: list(anyObject, 'peers that answer DNS; empty: whoever listens on port 53'),
      postgresql: list(anyObject, 'peers that are PostgreSQL; empty: whoever listens on its ports'),
      redis: list(anyObject, 'peers that are Redis, Sentinels included; empty: whoever listens on its ports'),
      s3: list(anyObject, 'peers that are the object storage; empty: whoever listens on its port'),
      collector: list(anyObject, 'peers that collect traces; empty: whoever listens on its port'),
      cache: list(
        anyObject,
        'peers that are the cache on the way, which is told what to drop; empty: whoever listens on its port',
      ),
      mailPorts: list({ type: 'integer', ...port }, 'ports of the mail server', [25, 465, 587]),
      outsidePorts: list({ type: 'integer', ...port }, 'ports of other sites that may be fetched', [80, 443]),
      privateNetworks: list({ type: 'string' }, 'networks that count as inside, and are not fetched from', [
        '10.0.0.0/8',
        '100.64.0.0/10',
        '169.254.0.0/16',
        '172.16.0.0/12',
        '192.168.0.0/16',
      ]),
    },
    'who may speak to whom',
  ),
  autoscaling: group(
    {
      keda: flag(false, 'whether KEDA scales (ScaledObject), instead of HorizontalPodAutoscalers'),
      prometheus: text('http://prometheus.monitoring:9090', 'where KEDA asks for the age of queues'),
    },
    'what scaling by itself stands on',
  ),
  monitoring: group(
    {
      podMonitor: flag(false, 'whether a PodMonitor tells Prometheus of all processes'),
      serviceMonitor: flag(
        false,
        'whether ServiceMonitors do, for what serves behind the gateway; alerts and queues need `podMonitor`',
      ),
      interval: text('30s', 'how often'),
      labels: words('labels that Prometheus looks for'),
      alerts: flag(false, 'whether there is a PrometheusRule with the alerts'),
      dashboards: flag(false, 'whether there is a ConfigMap with the dashboards of Grafana'),
      dashboardLabels: words('labels that Grafana looks for', { grafana_dashboard: '1' }),
    },
    'Prometheus and Grafana',
  ),
  migrations: group(
    {
      enabled: flag(
        true,
        'whether the databases are prepared before new pods start; services do it themselves, too',
      ),
      deadlineSeconds: whole(
        1800,
        'how long that may take; Helm waits for it as long as `--timeout` says, by itself five minutes',
        { minimum: 30 },
      ),
      backoffLimit: whole(4, 'how often it is tried again', { minimum: 0 }),
      resources: resources({
        requests: { cpu: '50m', memory: '96Mi' },
        limits: { cpu: '1', memory: '256Mi' },
      }),
    },
    'preparing the databases',
  ),
  leaveSeconds: whole(5, 'how long a pod that is to end still serves, until nobody is sent to it any more', {
    minimum: 0,
    maximum: 120,
  }),
  revisionHistoryLimit: whole(5, 'former versions of a Deployment that are kept', { minimum: 0 }),
  commonLabels: words('labels of all objects'),
  defaults: group(
    {
      api: group(processValues('api'), 'what serves'),
      worker: group(processValues('worker'), 'what works through queues'),
    },
    'for all processes; `services.NAME.api` and `services.NAME.worker` may say otherwise, key by key',
  ),
};
