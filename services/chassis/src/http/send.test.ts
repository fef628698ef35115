/** What feeds a streamed answer ends with it, whoever comes to read it. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import { until } from '../testing/until';
import { serve } from './road';
import { anyone, reply, route } from './route';

let begun = 0;
let ended = 0;
async function* pieces(): AsyncGenerator<string> {
  begun += 1;
  try {
    for (;;) yield 'piece';
  } finally {
    ended += 1;
  }
}

const streamed = route({
  methods: ['GET'],
  path: '/pieces',
  summary: 'Goes on for ever.',
  args: { late: { type: 'boolean', default: false, description: 'Answers when the client has gone.' } },
  permission: anyone,
  handle: async ({ args, request }) => {
    const all = pieces();
    await all.next();
    if (args.late) await once(request.signal(), 'abort');
    return reply.stream(all, 'text/plain');
  },
});

let server: http.Server;
let url: string;
beforeAll(async () => {
  const handle = serve({
    namespace: 'sample/v1',
    resources: [{ name: 'pieces', routes: [streamed] }],
    deps: {},
    log: pino({ level: 'silent' }),
    siteUrl: 'http://site.test',
    actorSecret: 'test',
  });
  server = http.createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest/sample/v1/pieces`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  begun = 0;
  ended = 0;
});

test.each([
  ['HEAD', ''],
  ['GET', ''],
  ['GET', '?late=true'],
])('%s %s', async (method, query) => {
  const request = http.request(url + query, { method, agent: false }).on('error', () => undefined);
  request.on('response', (response) => response.destroy());
  request.end();
  await until(() => begun === 1);
  if (query !== '') request.destroy();
  await until(() => ended === 1);
});
