/** What an answer shows is gathered and told where somebody asks for it, and only there. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '../log';
import { serve } from './road';
import { anyone, reply, route } from './route';
import { EVERYTHING, HEARD_HEADER, TAGS_HEADER, WANTS_TAGS_HEADER, joinTags } from './shows';

let gathered = 0;
const gather = <T>(tags: T): T => {
  gathered += 1;
  return tags;
};
const server = createServer((request, response) => void handle(request, response));
const handle = serve({
  namespace: 'sample/v1',
  resources: [
    {
      name: 'shown',
      routes: [
        route({
          methods: ['GET'],
          path: '/shown',
          summary: 'Two rows.',
          args: {},
          permission: anyone,
          shows: {
            rows: 'row',
            lists: () => gather(['rows']),
            also: ({ id }: { id: number }) => gather([`friend:${id + 1}`]),
          },
          handle: () => reply.list([{ id: 1 }, { id: 2 }], 2),
        }),
      ],
    },
  ],
  deps: {},
  log: createLog('test', 'api', 'silent'),
  siteUrl: 'http://site.test',
  actorSecret: 'test',
  heard: () => '7',
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

const ask = async (headers: Record<string, string>): Promise<(string | null)[]> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/rest/sample/v1/shown`;
  const answer = await fetch(url, { headers: { ...headers, Connection: 'close' } });
  expect(await answer.json()).toEqual([{ id: 1 }, { id: 2 }]);
  return [answer.headers.get(HEARD_HEADER), answer.headers.get(TAGS_HEADER)];
};

test('asked for, tags come with the answer', async () => {
  expect(await ask({ [WANTS_TAGS_HEADER]: '1' })).toEqual(['7', 'rows|row:1,2|friend:2,3']);
});

test('otherwise none are made', async () => {
  gathered = 0;
  expect(await ask({})).toEqual([null, null]);
  expect(gathered).toBe(0);
});

test('any news of a service stands for all that is shown of it, and for nothing of others', () => {
  const shown = ['note', 'note:1', 'other/term', 'other/term:1', 'other/term:2'];
  expect(joinTags(shown)).toBe('note|other/term|note:1|other/term:1,2');
  expect(joinTags([...shown, EVERYTHING])).toBe('other/term|*|other/term:1,2');
});
