/** Gateways ask every few seconds: who has what there is to tell is told no more than that. */
import {
  type DescribeServiceServer,
  DescribeServiceService,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import { anyone, reply, route } from '../http/route';
import { createLog } from '../log';
import { describeService } from './describe';
import { dialer } from './dial';
import { startGrpcServer } from './serve';

test('an answer that the caller has already is empty; one that has changed is whole', async () => {
  let day = 1;
  const things = route({
    methods: ['GET'],
    path: '/things',
    summary: 'List',
    description: 'Things.',
    args: { since: { type: 'string', description: 'From when on.', default: () => `2030-01-0${day}` } },
    permission: anyone,
    handle: () => reply.plain([]),
  });
  const described = {
    namespace: 'sample/v1',
    title: 'Sample',
    description: 'A sample.',
    resources: [{ name: 'things', routes: [things] }],
  };
  const actorSecret = 'test';
  const server = await startGrpcServer({
    host: '127.0.0.1',
    port: 0,
    services: [describeService(described, 'http://site.test/rest')],
    actorSecret,
    log: createLog('test', 'api', 'silent'),
  });
  const remote = dialer({ caller: 'gateway', actorSecret })<DescribeServiceServer>(DescribeServiceService, {
    service: 'sample',
    address: `127.0.0.1:${server.port}`,
  });
  try {
    const first = await remote.describe({});
    expect(first.routesJson).toContain('2030-01-01');
    const { digest } = first;
    expect(await remote.describe({ known: digest })).toEqual({
      namespace: 'sample/v1',
      routesJson: '',
      openapiJson: '',
      digest,
    });
    // What another version told is not what this one has to tell.
    expect(await remote.describe({ known: 'another' })).toEqual(first);
    day = 2;
    const second = await remote.describe({ known: digest });
    expect(second.routesJson).toContain('2030-01-02');
    expect(second.openapiJson).toBe(first.openapiJson);
    expect(second.digest).not.toBe(digest);
  } finally {
    remote.close();
    await server.stop(1_000);
  }
});
