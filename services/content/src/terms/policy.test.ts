/** Rights over terms, for every role, through HTTP. */
import type { Answer } from '@sevenfold/chassis/testing/service';
import { makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { taxonomies } from './taxonomies';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const roles = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
type Who = (typeof roles)[number];

const from = (first: Who): readonly Who[] => roles.slice(roles.indexOf(first));
const rights: Record<string, Record<'create' | 'update' | 'delete', readonly Who[]>> = {
  categories: { create: from('editor'), update: from('editor'), delete: from('editor') },
  tags: { create: from('contributor'), update: from('editor'), delete: from('editor') },
  calendar_events_cat: { create: from('author'), update: from('author'), delete: from('author') },
};

let counter = 0;

describe.each(Object.values(taxonomies))('$restBase', ({ name: taxonomy, restBase }) => {
  test.each(roles)('%s', async (who) => {
    const speaker = site.by(who);
    const can = rights[restBase] as NonNullable<(typeof rights)[string]>;
    const refused = who === 'anonymous' ? 401 : 403;
    const expectRight = (right: keyof typeof can, answer: Answer, done: number, code: string): void => {
      if (can[right].includes(who)) expect(answer.status).toBe(done);
      else expect([answer.status, answer.body.code]).toEqual([refused, code]);
    };
    const { id } = await makeTerm(site.deps.db, { taxonomy });
    const item = `/${restBase}/${id}`;

    expectRight(
      'create',
      await speaker.post(`/${restBase}`, { name: `New ${(counter += 1)}` }),
      201,
      'rest_cannot_create',
    );
    expectRight('update', await speaker.get(`/${restBase}?context=edit`), 200, 'rest_forbidden_context');
    expectRight('update', await speaker.get(`${item}?context=edit`), 200, 'rest_forbidden_context');
    for (const method of ['POST', 'PUT', 'PATCH'])
      expectRight(
        'update',
        await speaker.request(method, item, { body: { description: method } }),
        200,
        'rest_cannot_update',
      );

    const read = await speaker.get(item);
    expect(read.status).toBe(200);
    const methods = [
      'GET',
      ...(can.update.includes(who) ? ['POST', 'PUT', 'PATCH'] : []),
      ...(can.delete.includes(who) ? ['DELETE'] : []),
    ];
    expect(read.headers.get('allow')).toBe(methods.join(', '));
    const list = await speaker.get(`/${restBase}`);
    expect(list.headers.get('allow')).toBe(can.create.includes(who) ? 'GET, POST' : 'GET');

    expectRight('delete', await speaker.delete(item), 501, 'rest_cannot_delete');
    expectRight('delete', await speaker.delete(`${item}?force=true`), 200, 'rest_cannot_delete');
    expect((await site.by('anonymous').get(item)).status).toBe(can.delete.includes(who) ? 404 : 200);
  });
});

test('a bad argument counts before a missing right', async () => {
  const answer = await site.by('subscriber').post('/categories', { name: 5 });
  expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param']);
});
