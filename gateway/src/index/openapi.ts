/** OpenAPI documents of the namespaces, as their services describe them, and a list of the documents. */
import { noRoute } from '@sevenfold/chassis/errors';
import { jsonAnswer } from '../edge/answer';
import type { Answer } from '../edge/exchange';
import type { Descriptions } from './descriptions';
import { errors } from '../edge/errors';
import { table } from '../relay/upstreams';

/** `path` is below `/openapi`. */
export function openApiAnswer(
  siteUrl: string,
  descriptions: Descriptions,
  method: string,
  path: string,
): Answer {
  if (method !== 'GET' && method !== 'HEAD') throw noRoute();
  if (path === '' || path === '/') {
    return jsonAnswer(
      table.map(({ namespace }) => ({ namespace, href: `${siteUrl}/openapi/${namespace}.json` })),
      200,
      { Allow: 'GET' },
    );
  }
  const row = table.find(({ namespace }) => path === `/${namespace}.json`);
  if (!row) throw noRoute();
  const description = descriptions.of(row.namespace);
  if (!description) throw errors.serviceDown(row.service);
  return { status: 200, headers: { Allow: 'GET' }, body: description.openapi };
}
