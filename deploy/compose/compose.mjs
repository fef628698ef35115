/** deploy/compose.yaml and its override, made of the catalog and the configuration data: what each process is given. */

const DATABASE_PREFIX = 'sevenfold_';

/** By variable: its value in the Compose file. A process gets those that it knows. */
const given = {
  SITE_URL: '${SITE_URL:-http://localhost:8080}',
  SITE_TIMEZONE: '${SITE_TIMEZONE:-UTC}',
  LOG_LEVEL: '${LOG_LEVEL:-info}',
  INSTANCE_ID: 'compose',
  ACTOR_SECRET: '${ACTOR_SECRET:?run deploy/compose/secrets.sh}',
  REDIS_URL: 'redis://redis:6379',
  S3_ENDPOINT: 'http://storage:9000',
  S3_ACCESS_KEY_ID: 'sevenfold',
  S3_SECRET_ACCESS_KEY: '${S3_SECRET:?run deploy/compose/secrets.sh}',
  S3_BUCKET: 'uploads',
  FILES_S3_BUCKET: 'files',
  FILES_DIR: '/tmp/files',
  SMTP_URL: 'smtp://mail:1025',
  SPAM_KEY_SECRETS: '${SPAM_KEY_SECRET:?run deploy/compose/secrets.sh}',
  TOKEN_KEYS: '${TOKEN_KEY:?run deploy/compose/secrets.sh}',
  SHUTDOWN_SECONDS: '25',
};
/** Only what serves makes the first account. */
const administrator = {
  ADMIN_USERNAME: '${ADMIN_USERNAME:-admin}',
  ADMIN_PASSWORD: '${ADMIN_PASSWORD:?run deploy/compose/secrets.sh}',
  ADMIN_EMAIL: '${ADMIN_EMAIL:-admin@example.org}',
};
const GRPC_PORT = 9090;
const HTTP_PORT = 8080;
const METRICS_PORT = 9100;

const addressesOf = ({ variables }, rows) =>
  Object.fromEntries(
    rows.flatMap(({ name }) =>
      [
        [`${name.toUpperCase()}_HTTP`, `http://${name}:${HTTP_PORT}`],
        // Each call goes to the next of the replicas that the name stands for.
        [`${name.toUpperCase()}_GRPC`, `dns:///${name}:${GRPC_PORT}`],
      ].filter(([variable]) => variable in variables),
    ),
  );

function environmentOf(row, role, rows) {
  const { name, variables, processes } = row;
  const { needs } = processes.find((one) => one.role === role);
  const known = (values) => Object.entries(values).filter(([variable]) => variable in variables);
  return Object.fromEntries([
    ...('ROLE' in variables ? [['ROLE', role]] : []),
    ...('GRPC_PORT' in variables && role === 'api' ? [['GRPC_PORT', String(GRPC_PORT)]] : []),
    ...('METRICS_PORT' in variables ? [['METRICS_PORT', String(METRICS_PORT)]] : []),
    ...('DATABASE_URL' in variables
      ? [
          [
            'DATABASE_URL',
            `postgresql://${DATABASE_PREFIX}${name}:\${DATABASE_PASSWORD:?run deploy/compose/secrets.sh}@postgresql:5432/${DATABASE_PREFIX}${name}`,
          ],
        ]
      : []),
    ...known(given),
    ...(needs.includes('administrator') ? known(administrator) : []),
    ...Object.entries(addressesOf(row, rows)),
  ]);
}

const processesOf = (rows) =>
  rows.flatMap((row) =>
    row.processes.map(({ role, needs }) => ({
      row,
      role,
      name: role === 'api' ? row.name : `${row.name}-${role}`,
      isPublic: needs.includes('public'),
    })),
  );

function processYaml({ row, role, name, isPublic }, rows) {
  const environment = Object.entries(environmentOf(row, role, rows));
  return [
    `  ${name}:`,
    '    <<: *process',
    `    command: ['${row.folder}/dist/program.js']`,
    '    environment:',
    ...environment.map(([variable, value]) => `      ${variable}: '${value}'`),
    ...(isPublic
      ? [
          '    # The only door: everything else is reached through it.',
          '    ports:',
          `      - '\${PORT:-8080}:${HTTP_PORT}'`,
        ]
      : []),
  ].join('\n');
}

const databasesOf = (rows) =>
  rows.filter(({ variables }) => 'DATABASE_URL' in variables).map(({ name }) => name);

export const composeYaml = (
  rows,
  version,
) => `# Made by \`npm run chart\` from the catalog of the services. The whole site on one machine, with servers of its own:
#
#   deploy/image.sh                                    builds the image
#   deploy/compose/secrets.sh                          writes deploy/.env with passwords, once
#   docker compose -f deploy/compose.yaml up --wait    then http://localhost:8080, log in as admin; mails are at http://localhost:8025
#
# With \`-f deploy/compose.replicas.yaml\` besides there are two of every process.
name: sevenfold

# What all processes have in common: one image, the program is the command, nothing is written but below /tmp.
x-process: &process
  image: '\${SEVENFOLD_IMAGE:-sevenfold:${version}}'
  restart: unless-stopped
  user: '1000:1000'
  read_only: true
  tmpfs:
    - /tmp
  cap_drop:
    - ALL
  security_opt:
    - no-new-privileges:true
  # More than SHUTDOWN_SECONDS: requests and jobs are finished first.
  stop_grace_period: 35s
  # Any order of start is right, since each waits for what it needs; this keeps the log quiet.
  depends_on:
    postgresql:
      condition: service_healthy
    redis:
      condition: service_healthy
    buckets:
      condition: service_completed_successfully

services:
  # A database and a role for each service, made when the volume is empty.
  postgresql:
    image: docker.io/library/postgres:18-bookworm
    restart: unless-stopped
    command: ['-c', 'max_connections=300']
    environment:
      # A backend that held much for a statement gives it back (deploy/local/src/postgres.ts).
      MALLOC_TRIM_THRESHOLD_: '1048576'
      MALLOC_MMAP_THRESHOLD_: '1048576'
      POSTGRES_PASSWORD: '\${POSTGRES_PASSWORD:?run deploy/compose/secrets.sh}'
      DATABASE_PASSWORD: '\${DATABASE_PASSWORD:?run deploy/compose/secrets.sh}'
      DATABASES: '${databasesOf(rows)
        .map((name) => `${DATABASE_PREFIX}${name}`)
        .join(' ')}'
    volumes:
      - postgresql:/var/lib/postgresql
      - ./compose/databases.sh:/docker-entrypoint-initdb.d/databases.sh:ro
    healthcheck:
      test: ['CMD', 'pg_isready', '-U', 'postgres', '-h', '127.0.0.1']
      interval: 2s
      timeout: 5s
      retries: 60

  # Queues, domain events, limits. What it forgets is put back from PostgreSQL.
  redis:
    image: docker.io/library/redis:7-bookworm
    restart: unless-stopped
    command: ['redis-server', '--appendonly', 'yes', '--maxmemory-policy', 'noeviction']
    volumes:
      - redis:/data
    healthcheck:
      test: ['CMD', 'redis-cli', 'ping']
      interval: 2s
      timeout: 5s
      retries: 60

  # Files of the site, in buckets; any store with the interface of S3 will do.
  storage:
    image: docker.io/minio/minio:RELEASE.2025-04-22T22-12-26Z
    restart: unless-stopped
    command: ['server', '/data']
    environment: &storage
      MINIO_ROOT_USER: sevenfold
      MINIO_ROOT_PASSWORD: '\${S3_SECRET:?run deploy/compose/secrets.sh}'
    volumes:
      - storage:/data
    healthcheck:
      test: ['CMD', 'mc', 'ready', 'local']
      interval: 2s
      timeout: 5s
      retries: 60

  # Ends when the buckets are there.
  buckets:
    image: docker.io/minio/minio:RELEASE.2025-04-22T22-12-26Z
    depends_on:
      storage:
        condition: service_healthy
    environment: *storage
    entrypoint:
      - sh
      - -ec
      - |
        mc alias set site http://storage:9000 "$$MINIO_ROOT_USER" "$$MINIO_ROOT_PASSWORD"
        mc mb --ignore-existing site/${given.S3_BUCKET} site/${given.FILES_S3_BUCKET}

  # Takes every mail and sends none on: http://localhost:8025 shows them.
  mail:
    image: docker.io/axllent/mailpit:v1.21
    restart: unless-stopped
    ports:
      - '127.0.0.1:8025:8025'

${processesOf(rows)
  .map((one) => processYaml(one, rows))
  .join('\n\n')}

volumes:
  postgresql: {}
  redis: {}
  storage: {}
`;

export const replicasYaml = (
  rows,
) => `# Made by \`npm run chart\`. Two of every process: calls between services are balanced by the callers, and each gateway has a
# port of its own (8080, 8081), for a balancer in front of them.
services:
${processesOf(rows)
  .map(({ name, isPublic }) =>
    [
      `  ${name}:`,
      '    deploy:',
      '      replicas: 2',
      ...(isPublic ? ['    ports: !override', `      - '8080-8081:${HTTP_PORT}'`] : []),
    ].join('\n'),
  )
  .join('\n')}
`;
