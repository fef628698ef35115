/** A page that is made while it is sent: what fails before the first thing of it is no page. */
import { ApiError } from '@sevenfold/chassis/errors';
import { serve } from '@sevenfold/chassis/http/road';
import { anyone, route } from '@sevenfold/chassis/http/route';
import { type HttpServer, startHttpServer } from '@sevenfold/chassis/http/server';
import { createLog } from '@sevenfold/chassis/log';
import type { CalendarCall } from '../deps';
import { longPage } from './long-page';

let server: HttpServer;
let things: (() => Promise<object | undefined>)[];
beforeAll(async () => {
  const log = createLog('long-page', 'test', 'silent');
  const handle = serve<object>({
    namespace: 'sample/v1',
    resources: [
      {
        name: 'things',
        routes: [
          route({
            methods: ['GET'],
            path: '/things',
            summary: 'Things.',
            args: {},
            permission: anyone,
            handle: (call) => longPage(call as CalendarCall<object>, 'things', things, { total: 2 }, {}),
          }),
        ],
      },
    ],
    deps: {},
    log,
    siteUrl: 'http://site.test',
    actorSecret: 'test',
  });
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log,
    notReady: () => [],
    configure: (app) => app.use((request, response) => void handle(request, response)),
  });
});
afterAll(() => server.stop(0));

const read = (query = ''): Promise<Response> => fetch(`${server.url}/rest/sample/v1/things${query}`);
const lost = (): Promise<never> => Promise.reject(new ApiError('service_unavailable', 503, 'Away.'));
const made = (id: number) => (): Promise<object> => Promise.resolve({ id });
const gone = (): Promise<undefined> => Promise.resolve(undefined);

test.each(['', '?_pretty'])('without the first thing it is the fault of that (%s)', async (query) => {
  for (const beginning of [[lost], [gone, lost]]) {
    things = [...beginning, made(2)];
    const answer = await read(query);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'service_unavailable' }]);
  }
});

test('later it is cut, and whole it is one text', async () => {
  things = [made(1), lost];
  await expect(read().then((answer) => answer.text())).rejects.toThrow();
  things = [made(1), gone, made(2)];
  const whole = { things: [{ id: 1 }, { id: 2 }], total: 2 };
  expect([await (await read()).text(), await (await read('?_pretty')).text()]).toEqual([
    JSON.stringify(whole),
    JSON.stringify(whole, null, 4),
  ]);
  things = [gone];
  expect(await (await read()).text()).toBe('{"things":[],"total":2}');
});
