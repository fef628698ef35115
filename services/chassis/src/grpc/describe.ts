/**
 * How the gateway learns what a service answers: its routes for the index, and its OpenAPI document. Gateways ask again and again:
 * who has what there is to tell is told no more than that.
 */
import { createHash } from 'node:crypto';
import {
  DescribeServiceService,
  type DescribeServiceServer,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import { describeRoutes } from '../http/describe';
import { openApi } from '../http/openapi';
import { readExamples } from '../http/openapi-examples';
import { type Resource, anyone } from '../http/route';
import { version } from '../version';
import { type RpcService, rpcService } from './method';

interface Described<D> {
  readonly namespace: string;
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource<D>[];
  readonly examples?: string;
}

const NOTHING = { routesJson: '', openapiJson: '' };

const digestOf = (...texts: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest('base64url');
};

/** `root` is `<SITE_URL>/rest`. */
export function describeService<D>(
  { namespace, title, description, resources, examples }: Described<D>,
  root: string,
): RpcService {
  const info = { title, description, version };
  const openapiJson = JSON.stringify(openApi(namespace, resources, info, root, readExamples(examples)));
  return rpcService<DescribeServiceServer>(DescribeServiceService, {
    describe: {
      callers: ['gateway'],
      permission: anyone,
      // Built on each call: defaults such as a window of dates are computed.
      handle: ({ known }) => {
        const routesJson = JSON.stringify(describeRoutes(namespace, resources, root));
        const digest = digestOf(routesJson, openapiJson);
        const told = digest === known ? NOTHING : { routesJson, openapiJson };
        return Promise.resolve({ namespace, digest, ...told });
      },
    },
  });
}
