/** How the gateway learns what a service answers: its routes for the index, and its OpenAPI document. */
import {
  DescribeServiceService,
  type DescribeServiceServer,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import { describeRoutes } from '../http/describe';
import { openApi } from '../http/openapi';
import { type Resource, anyone } from '../http/route';
import { version } from '../version';
import { type RpcService, rpcService } from './serve';

interface Described<D> {
  readonly namespace: string;
  readonly title: string;
  readonly description: string;
  readonly resources: readonly Resource<D>[];
}

/** `root` is `<SITE_URL>/rest`. */
export function describeService<D>(
  { namespace, title, description, resources }: Described<D>,
  root: string,
): RpcService {
  const info = { title, description, version };
  const openapiJson = JSON.stringify(openApi(namespace, resources, info, root));
  return rpcService<DescribeServiceServer>(DescribeServiceService, {
    describe: {
      callers: ['gateway'],
      permission: anyone,
      // Built on each call: defaults such as a window of dates are computed.
      handle: () =>
        Promise.resolve({
          namespace,
          routesJson: JSON.stringify(describeRoutes(namespace, resources, root)),
          openapiJson,
        }),
    },
  });
}
