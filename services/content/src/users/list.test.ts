import type { Actor } from '@sevenfold/chassis/actor';
import { makePost, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { embedUsers } from './embed';

let site: ContentSite;
let anna: Actor;
let bert: Actor;
let clara: Actor;

beforeAll(async () => {
  site = await startContent();
  const { db } = site.deps;
  anna = await makeUser(db, 'author', {
    username: 'zanna',
    slug: 'writer-b',
    name: 'anna',
    email: 'm@mail.test',
    url: 'http://c.test',
    registered_at: '2020-01-03T00:00:00Z',
  });
  bert = await makeUser(db, 'author', {
    username: 'yberta',
    slug: 'writer-c',
    name: 'Bert',
    email: 'k@mail.test',
    url: 'http://a.test',
    registered_at: '2020-01-01T00:00:00Z',
  });
  clara = await makeUser(db, 'subscriber', {
    username: 'xclara',
    slug: 'writer-a',
    name: 'clara 100%',
    email: 'l@mail.test',
    url: 'http://b.test',
    registered_at: '2020-01-02T00:00:00Z',
  });
  await makePost(db, { author: anna.id });
  await makePost(db, { author: anna.id });
  await makePost(db, { author: bert.id, type: 'page' });
  await makePost(db, { author: clara.id, type: 'page' });
  // What is not published, or is no page or post, shows nobody.
  await makePost(db, { author: site.users.contributor.id, status: 'draft' });
  await makePost(db, { author: site.users.author.id, status: 'private' });
  await makePost(db, { author: site.users.editor.id, type: 'attachment', status: 'inherit' });
  await makePost(db, { author: 0 });
});
afterAll(() => site.stop());

const ids = (answer: { body: { id: number }[] }): number[] => answer.body.map((user) => user.id);
const list = async (role: Parameters<ContentSite['by']>[0], query: string): Promise<number[]> => {
  const answer = await site.by(role).get(`/users${query}`);
  expect(answer.status).toBe(200);
  return ids(answer);
};

describe('GET /users', () => {
  test('shows strangers who has published something, by name, with totals of what they may see', async () => {
    const answer = await site.by('anonymous').get('/users');
    expect(answer.status).toBe(200);
    expect(ids(answer)).toEqual([anna.id, bert.id, clara.id]);
    expect(answer.headers.get('X-Total')).toBe('3');
    expect(answer.headers.get('X-Total-Pages')).toBe('1');
    expect(answer.headers.get('Allow')).toBe('GET');
    expect(Object.keys(answer.body[0])).toEqual([
      'id',
      'name',
      'url',
      'description',
      'link',
      'slug',
      'avatar_urls',
      'meta',
      '_links',
    ]);
  });

  test.each(['subscriber', 'contributor', 'author', 'editor'] as const)(
    'shows no more to %s',
    async (role) => {
      expect(await list(role, '')).toEqual([anna.id, bert.id, clara.id]);
    },
  );

  test('shows everybody to who may list users, in edit context too', async () => {
    const answer = await site.by('administrator').get('/users?context=edit&orderby=id');
    expect(answer.headers.get('X-Total')).toBe('8');
    expect(answer.headers.get('Allow')).toBe('GET, POST');
    expect(ids(answer)).toEqual([...Object.values(site.users), anna, bert, clara].map((user) => user.id));
    expect(answer.body[5]).toMatchObject({
      username: 'zanna',
      email: 'm@mail.test',
      roles: ['author'],
      locale: 'en_US',
    });
  });

  test('pages, offsets, and a page beyond the end', async () => {
    const second = await site.by('anonymous').get('/users?per_page=2&page=2');
    expect(ids(second)).toEqual([clara.id]);
    expect(second.headers.get('X-Total-Pages')).toBe('2');
    expect(second.headers.get('Link')).toBe(
      '<http://site.test/rest/core/v2/users?per_page=2&page=1>; rel="prev"',
    );
    expect(await list('anonymous', '?offset=1&per_page=1')).toEqual([bert.id]);
    const beyond = await site.by('anonymous').get('/users?page=9007199254740991');
    expect([beyond.status, beyond.body, beyond.headers.get('X-Total')]).toEqual([200, [], '3']);
  });

  test('include, exclude and slug', async () => {
    expect(await list('anonymous', `?include=${clara.id},${anna.id},999999`)).toEqual([anna.id, clara.id]);
    expect(await list('anonymous', `?exclude=${anna.id}`)).toEqual([bert.id, clara.id]);
    expect(await list('anonymous', `?include=${anna.id}&exclude=${anna.id}`)).toEqual([anna.id]);
    expect(await list('anonymous', '?slug=writer-a,Writer-B,nobody')).toEqual([anna.id, clara.id]);
    expect(await list('anonymous', `?slug=${site.users.author.username}`)).toEqual([]);
    expect(await list('anonymous', `?include=${site.users.subscriber.id}`)).toEqual([]);
  });

  test('every order, both ways', async () => {
    const [a, b, c] = [anna.id, bert.id, clara.id];
    expect(await list('anonymous', '?orderby=id&order=desc')).toEqual([c, b, a]);
    expect(await list('anonymous', '?orderby=name&order=desc')).toEqual([c, b, a]);
    expect(await list('anonymous', '?orderby=slug')).toEqual([c, a, b]);
    expect(await list('anonymous', '?orderby=url')).toEqual([b, c, a]);
    expect(await list('anonymous', `?orderby=include&include=${b},${c},${a}`)).toEqual([b, c, a]);
    expect(await list('anonymous', '?orderby=include_slugs&slug=writer-c,writer-b,writer-a')).toEqual([
      b,
      a,
      c,
    ]);
    expect(await list('anonymous', '?orderby=include')).toEqual([a, b, c]);
    expect(await list('anonymous', '?orderby=include_slugs')).toEqual([a, b, c]);
    const three = `include=${a},${b},${c}`;
    expect(await list('administrator', `?orderby=registered_date&${three}`)).toEqual([b, c, a]);
    expect(await list('administrator', `?orderby=email&order=desc&${three}`)).toEqual([a, c, b]);
  });

  test('search looks in user name, slug, name and address; in the e-mail address only for who may list users', async () => {
    expect(await list('anonymous', '?search=ZANN')).toEqual([anna.id]);
    expect(await list('anonymous', '?search=iter-c')).toEqual([bert.id]);
    expect(await list('anonymous', '?search=b.test')).toEqual([clara.id]);
    expect(await list('anonymous', '?search=100%25')).toEqual([clara.id]);
    expect(await list('anonymous', '?search=_rite')).toEqual([]);
    expect(await list('anonymous', '?search=')).toHaveLength(3);
    expect(await list('editor', '?search=l@mail')).toEqual([]);
    expect(await list('administrator', '?search=l@mail')).toEqual([clara.id]);
    const found = await site.by('anonymous').get('/users?search=writer&per_page=1');
    expect(found.headers.get('X-Total')).toBe('3');
  });

  test('roles need the right to list users; an unknown role matches nobody', async () => {
    expect(await list('administrator', `?roles=author,editor&orderby=id`)).toEqual([
      site.users.editor.id,
      site.users.author.id,
      anna.id,
      bert.id,
    ]);
    expect(await list('administrator', '?roles=pope')).toEqual([]);
    await refused('/users?roles=author', 'rest_user_cannot_view', 'editor');
  });

  test('who=authors shows all who may write to those who may write', async () => {
    expect(await list('contributor', '?who=authors&orderby=id')).toEqual([
      site.users.administrator.id,
      site.users.editor.id,
      site.users.author.id,
      site.users.contributor.id,
      anna.id,
      bert.id,
    ]);
    await refused('/users?who=authors', 'rest_forbidden_who', 'subscriber');
  });

  test('the edit context and the orders by e-mail and registration need the right to list users', async () => {
    await refused('/users?context=edit', 'rest_forbidden_context', 'editor');
    await refused('/users?orderby=email', 'rest_forbidden_orderby', 'editor');
    await refused('/users?orderby=registered_date', 'rest_forbidden_orderby', 'editor');
  });

  async function refused(path: string, code: string, role: 'editor' | 'subscriber'): Promise<void> {
    for (const [who, status] of [
      ['anonymous', 401],
      [role, 403],
    ] as const) {
      const answer = await site.by(who).get(path);
      expect([answer.status, answer.body.code]).toEqual([status, code]);
    }
  }

  test.each([
    ['context=raw', 'context'],
    ['page=0', 'page'],
    ['page=x', 'page'],
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['offset=-1', 'offset'],
    ['order=up', 'order'],
    ['orderby=login', 'orderby'],
    ['include=a', 'include'],
    ['exclude=1,b', 'exclude'],
    ['who=readers', 'who'],
    ['search[]=x', 'search'],
  ])('%s is 400 and names %s', async (query, name) => {
    const answer = await site.by('administrator').get(`/users?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(answer.body.data.params)).toEqual([name]);
  });

  test('all faults are named together, before any right is asked for', async () => {
    const answer = await site.by('anonymous').get('/users?page=0&order=up&context=edit');
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.data.params).sort()).toEqual(['order', 'page']);
  });
});

describe('_embed of users', () => {
  test('published authors are there, hidden ones are an error in place, unknown ones too', async () => {
    const call = { deps: site.deps, actor: { id: 0, capabilities: new Set() } } as never;
    const found = await embedUsers(call, [anna.id, site.users.subscriber.id, 999_999]);
    expect(found.get(anna.id)).toMatchObject({ id: anna.id, name: 'anna', slug: 'writer-b' });
    expect(found.get(anna.id)).not.toHaveProperty('email');
    expect(found.get(anna.id)).not.toHaveProperty('meta');
    expect(found.get(site.users.subscriber.id)).toMatchObject({ code: 'rest_user_cannot_view', status: 401 });
    expect(found.get(999_999)).toMatchObject({ code: 'rest_user_invalid_id', status: 404 });
  });
});
