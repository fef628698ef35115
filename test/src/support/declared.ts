/** What services declare, for tests of it and for the benchmark, which runs without a test around it. */
import { createRequire } from 'node:module';
import { stranger } from '@sevenfold/chassis/actor';
import type { Variables } from '@sevenfold/chassis/config';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import * as catalog from '@sevenfold/catalog/catalog';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a table mixes services with handlers of different kinds
type AnyService = ServiceDefinition<any, any>;

interface Declared {
  readonly row: catalog.ServiceRow;
  readonly definition: AnyService;
  readonly variables: Variables;
}

const load = createRequire(__filename);

/** Every service of the catalog, by what its folder exports; a row whose folder says something else does not load. */
function declaredBy(row: catalog.ServiceRow): Declared {
  const { name, namespace } = row;
  const definition = (load(`@sevenfold/${name}/service`) as Record<string, AnyService>)[`${name}Service`];
  const { variables } = load(`@sevenfold/${name}/config`) as { variables: Variables };
  if (definition?.name !== name || definition.namespace !== namespace)
    throw new Error(`services/${name}/src/service.ts declares no ${name}Service of ${namespace}.`);
  return { row, definition, variables };
}

/** Every service of the site, for tests of what they declare. */
export const declared: readonly Declared[] = catalog.services.map(declaredBy);

/** Of a stranger who sends no argument, for asking a route's permission of lists that need nothing else. */
export const byStranger = {
  deps: {} as never,
  actor: stranger,
  subject: undefined,
  args: {},
  sent: new Set<string>(),
};
