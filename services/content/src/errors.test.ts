/** Whatever its code: an error that is one of arguments names them, as those do that are found together (BEHAVIOUR.md 4). */
import { makePost, makeTerm, makeUser } from './testing/factories';
import { type ContentSite, startContent } from './testing/service';

let site: ContentSite;
let post: number;
beforeAll(async () => {
  site = await startContent();
  post = (await makePost(site.deps.db)).id;
  await makeTerm(site.deps.db, { taxonomy: 'category', name: 'Taken', slug: 'taken' });
  await makeTerm(site.deps.db, { taxonomy: 'post_tag', name: 'Loose', slug: 'loose' });
  await makeUser(site.deps.db, 'author', { username: 'somebody', email: 'somebody@site.test' });
});
afterAll(() => site?.stop());

type Row = readonly [
  code: string,
  method: 'get' | 'post',
  path: string,
  args: object,
  names: readonly string[],
];

const comment = { content: 'Well said', author_name: 'Ann', author_email: 'ann@site.test' };
const user = { username: 'new', email: 'new@site.test', password: 'a long password' };
const rows: readonly Row[] = [
  ['rest_post_exists', 'post', '/posts', { id: 5, title: 'x' }, ['id']],
  ['empty_content', 'post', '/posts', {}, ['title', 'content', 'excerpt']],
  ['rest_invalid_author', 'post', '/posts', { title: 'x', author: 99_999 }, ['author']],
  ['rest_post_invalid_id', 'post', '/pages', { title: 'x', parent: 99_999 }, ['parent']],
  [
    'rest_invalid_field',
    'post',
    '/posts',
    { title: 'x', sticky: true, password: 'y' },
    ['sticky', 'password'],
  ],
  ['rest_orderby_include_missing_include', 'get', '/posts?orderby=include', {}, ['include']],
  ['rest_no_search_term_defined', 'get', '/posts?orderby=relevance', {}, ['search']],
  ['rest_post_invalid_page_number', 'get', '/posts?page=99', {}, ['page']],
  ['rest_search_window', 'get', '/posts?search=word&page=2000', {}, ['page']],
  ['rest_search_window', 'get', '/posts?search=word&offset=20000', {}, ['offset']],
  ['rest_search_window', 'get', '/media?search=word&offset=20000', {}, ['offset']],
  ['rest_search_window', 'get', '/comments?search=word&offset=20000', {}, ['offset']],
  ['rest_search_window', 'get', '/users?search=word&offset=20000', {}, ['offset']],
  ['rest_search_window', 'get', '/tags?search=word&offset=20000', {}, ['offset']],
  ['rest_term_invalid', 'post', '/categories', { name: 'x', parent: 99_999 }, ['parent']],
  ['rest_taxonomy_not_hierarchical', 'post', '/tags', { name: 'x', parent: 1 }, ['parent']],
  ['empty_term_name', 'post', '/categories', { name: ' <b> </b>' }, ['name']],
  ['term_exists', 'post', '/categories', { name: 'Taken' }, ['name']],
  ['rest_user_exists', 'post', '/users', { ...user, id: 5 }, ['id']],
  ['rest_user_invalid_role', 'post', '/users', { ...user, roles: ['king'] }, ['roles']],
  [
    'existing_user_login',
    'post',
    '/users',
    { ...user, username: 'somebody', email: 'somebody@site.test' },
    ['username', 'email'],
  ],
  ['rest_comment_exists', 'post', '/comments', { ...comment, id: 5 }, ['id']],
  ['rest_invalid_comment_type', 'post', '/comments', { ...comment, type: 'pingback' }, ['type']],
  ['rest_comment_author_invalid', 'post', '/comments', { ...comment, author: 99_999 }, ['author']],
  ['rest_comment_content_invalid', 'post', '/comments', { ...comment, content: ' ' }, ['content']],
  [
    'comment_author_column_length',
    'post',
    '/comments',
    { ...comment, author_name: 'n'.repeat(300), author_url: `https://site.test/${'u'.repeat(300)}` },
    ['author_name', 'author_url'],
  ],
];

test.each(rows)('%s, %s %s', async (code, method, path, args, names) => {
  const caller = site.by('administrator');
  const sent = path === '/comments' ? { ...args, post } : args;
  const { status, body } = await (method === 'get' ? caller.get(path) : caller.post(path, sent));
  expect(body).toMatchObject({ code, data: { status } });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(Object.keys(body.data.params)).toEqual(names);
  for (const name of names)
    expect(body.data.details[name]).toEqual({
      code: name === names[0] ? code : expect.stringMatching(/^[a-z_]+$/),
      message: body.data.params[name],
      data: { param: name },
    });
});

test.each([
  [
    '/users',
    { ...user, username: 'somebody', roles: ['king'] },
    400,
    { roles: 'rest_user_invalid_role', username: 'existing_user_login' },
  ],
  [
    '/pages',
    { title: 'x', author: 99_999, parent: 99_998, featured_media: 99_997 },
    400,
    {
      author: 'rest_invalid_author',
      parent: 'rest_post_invalid_id',
      featured_media: 'rest_invalid_param',
    },
  ],
])('what only a look at others can tell is told together, %s', async (path, args, status, codes) => {
  const answer = await site.by('administrator').post(path, args);
  const { code, data } = answer.body;
  expect([answer.status, code]).toEqual([status, Object.values(codes)[0]]);
  expect(Object.keys(data.params)).toEqual(Object.keys(codes));
  const told = Object.entries<{ code: string }>(data.details).map(([name, detail]) => [name, detail.code]);
  expect(Object.fromEntries(told)).toEqual(codes);
});
