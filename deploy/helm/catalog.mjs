/**
 * What the templates loop over. Which variables the chart itself sets is said here, by name; all others are the
 * operator's, in `services.NAME.env`. Nothing here knows a service by name.
 */

/** Set by the chart from its other values, its Services and its Secrets. */
const SET = new Set(
  `ROLE HTTP_HOST HTTP_PORT GRPC_PORT METRICS_PORT SITE_URL SITE_TIMEZONE SITE_TITLE LOG_LEVEL LEAVE_SECONDS SHUTDOWN_SECONDS INSTANCE_ID
  ACTOR_SECRET SPAM_KEY_SECRETS TOKEN_KEYS ADMIN_USERNAME ADMIN_PASSWORD ADMIN_EMAIL ADMIN_APPLICATION_PASSWORD
  DATABASE_URL DATABASE_DIRECT_URL DATABASE_REPLICA_URL REDIS_URL REDIS_TLS_CA REDIS_PREFIX
  S3_ENDPOINT S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY S3_BUCKET UPLOADS_DIR FILES_S3_BUCKET FILES_DIR
  GRPC_TLS_CERT GRPC_TLS_KEY GRPC_TLS_CA SMTP_TLS_CA`.split(/\s+/),
);
const ADDRESS = /^([A-Z]+)_(HTTP|GRPC)$/;
/** What may be taken from a Secret of the operator's instead. */
const REPLACEABLE = ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL'];

const isSet = (name) => SET.has(name) || ADDRESS.test(name);
export const freeVariables = ({ variables }) =>
  Object.entries(variables).filter(([name, { secret }]) => !secret && !isSet(name));
export const secretVariables = ({ variables }) =>
  Object.entries(variables).filter(
    ([name, { secret }]) => secret && (!isSet(name) || REPLACEABLE.includes(name)),
  );

/** Whether the processes send requests to sites and servers outside, by what they have variables for. */
const waysOf = (variables) => ({
  database: 'DATABASE_URL' in variables,
  redis: 'REDIS_URL' in variables,
  s3: 'S3_ENDPOINT' in variables,
  mail: 'SMTP_URL' in variables,
  outside: 'OUTBOUND_ALLOW_PRIVATE' in variables,
  cache: 'PURGE_URL' in variables,
});

const STORES = {
  uploads: { folder: 'UPLOADS_DIR', bucket: 'S3_BUCKET' },
  files: { folder: 'FILES_DIR', bucket: 'FILES_S3_BUCKET' },
};

export function chartCatalog(rows) {
  const isPublic = ({ processes }) => processes.some(({ needs }) => needs.includes('public'));
  return {
    services: Object.fromEntries(
      rows.map((row) => [
        row.name,
        {
          program: `${row.folder}/dist/program.js`,
          public: isPublic(row),
          // What stands in front asks all of them.
          calls: row.calls ? [...row.calls] : rows.filter(({ calls }) => calls).map(({ name }) => name),
          ...waysOf(row.variables),
          stores: Object.entries(STORES)
            .filter(([, { folder }]) => folder in row.variables)
            .map(([name, variables]) => ({ name, ...variables })),
          variables: Object.keys(row.variables),
          free: freeVariables(row).map(([name]) => name),
          addresses: Object.keys(row.variables).flatMap((variable) => {
            const [, service, kind] = ADDRESS.exec(variable) ?? [];
            return service && rows.some(({ name }) => name === service.toLowerCase())
              ? [{ variable, service: service.toLowerCase(), kind: kind.toLowerCase() }]
              : [];
          }),
          processes: row.processes.map(({ role }) => ({
            name: role === 'api' ? row.name : `${row.name}-${role}`,
            role,
          })),
        },
      ]),
    ),
  };
}
