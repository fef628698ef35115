/** values.schema.json: refuses what is not known, and types each variable by the configuration data of its processes. */
import { freeVariables, secretVariables } from './catalog.mjs';
import { SITE_PATTERN, processValues, secretKey, values } from './values.mjs';

const TYPES = {
  integer: 'integer',
  port: 'integer',
  'duration-seconds': 'integer',
  number: 'number',
  boolean: 'boolean',
};

function variableSchema({ kind, oneOf, min, max, description }) {
  if (oneOf) return { enum: [...oneOf], description };
  const type = TYPES[kind] ?? 'string';
  return {
    type,
    description,
    ...(min !== undefined && { minimum: min }),
    ...(max !== undefined && { maximum: max }),
    ...(kind === 'port' && { minimum: 0, maximum: 65535 }),
    ...(kind === 'url' && { pattern: '^$|^[a-z][a-z0-9+.-]*://' }),
    ...(kind === 'site' && { pattern: `^$|${SITE_PATTERN}` }),
  };
}

const closed = (properties, more = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
});

const envSchema = (row) =>
  closed(Object.fromEntries(freeVariables(row).map(([name, one]) => [name, variableSchema(one)])));

/** Any `env` leaf becomes that of the place where it stands. */
function schemaFor(node, env) {
  if (node.members)
    return closed(
      Object.fromEntries(Object.entries(node.members).map(([name, one]) => [name, schemaFor(one, env)])),
      { description: node.description },
    );
  const { schema, description } = node;
  return schema.$ref === 'env' ? { ...env, description } : { ...schema, description };
}

/** Of every service that knows the variable the narrowest bounds. */
function commonEnv(rows) {
  const properties = {};
  for (const row of rows)
    for (const [name, one] of freeVariables(row)) {
      const schema = variableSchema(one);
      const known = properties[name];
      if (known?.maximum !== undefined && schema.maximum !== undefined)
        schema.maximum = Math.min(known.maximum, schema.maximum);
      properties[name] = { ...known, ...schema };
    }
  return closed(properties);
}

const optionalPort = { type: 'integer', minimum: 1, maximum: 65535 };
export const databasePlace = {
  host: { type: 'string', description: 'instead of `postgresql.host`' },
  port: { ...optionalPort, description: 'instead of `postgresql.port`' },
  directHost: { type: 'string', description: 'instead of `postgresql.directHost`' },
  directPort: { ...optionalPort, description: 'instead of `postgresql.directPort`' },
  replicaHost: { type: 'string', description: 'instead of `postgresql.replicaHost`' },
  replicaPort: { ...optionalPort, description: 'instead of `postgresql.replicaPort`' },
  name: { type: 'string', description: 'name of the database' },
  user: { type: 'string', description: 'role' },
};

function serviceSchema(row) {
  const env = envSchema(row);
  const roles = row.processes.map(({ role }) => [
    role,
    schemaFor({ members: processValues(role), description: `the ${role} processes` }, env),
  ]);
  return closed({
    env: { ...env, description: 'variables of the service' },
    secretEnv: closed(Object.fromEntries(secretVariables(row).map(([name]) => [name, secretKey])), {
      description: 'variables that are taken from a Secret',
    }),
    ...('DATABASE_URL' in row.variables && { database: closed(databasePlace) }),
    ...Object.fromEntries(roles),
  });
}

export function schemaOf(catalog, rows) {
  const own = Object.entries(values).map(([name, node]) => [name, schemaFor(node, commonEnv(rows))]);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the chart sevenfold',
    ...closed({
      ...Object.fromEntries(own),
      services: closed(Object.fromEntries(rows.map((row) => [row.name, serviceSchema(row)]))),
      // Helm's own.
      global: { type: 'object' },
    }),
  };
}
