import { type ContentSite, startContent } from '../testing/service';
import { makeComment, makePost } from '../testing/factories';

let site: ContentSite;
let open: number;
const at = (day: number): Record<string, string> => ({
  date_local: `2024-02-${String(day).padStart(2, '0')} 07:00:00`,
  date_gmt: `2024-02-${String(day).padStart(2, '0')} 12:00:00Z`,
});
const ids = (answer: { body: { id: number }[] }): number[] => answer.body.map((row) => row.id);
const comment = async (fields: Record<string, unknown>): Promise<number> =>
  (await makeComment(site.deps.db, fields)).id;
const post = async (fields: Record<string, unknown> = {}): Promise<number> =>
  (await makePost(site.deps.db, fields)).id;

beforeAll(async () => {
  site = await startContent();
  open = await post();
});
afterAll(() => site.stop());

describe('GET /comments', () => {
  test('shows the whole of a comment, newest first', async () => {
    const on = await post({ slug: 'whole', path: '2024/01/02/whole' });
    const first = await comment({ post: on, ...at(1) });
    const second = await comment({
      post: on,
      parent: first,
      author: site.users.author.id,
      author_name: 'Ann',
      author_email: 'ann@visitor.test',
      author_url: 'http://ann.test',
      author_user_agent: 'Browser',
      ...at(2),
    });
    const answer = await site.by('anonymous').get(`/comments?post=${on}`);
    expect(answer.status).toBe(200);
    expect(ids(answer)).toEqual([second, first]);
    expect(answer.headers.get('x-total')).toBe('2');
    expect(answer.headers.get('x-total-pages')).toBe('1');
    expect(answer.body[0]).toEqual({
      id: second,
      post: on,
      parent: first,
      author: site.users.author.id,
      author_name: 'Ann',
      author_url: 'http://ann.test',
      date: '2024-02-02T07:00:00',
      date_gmt: '2024-02-02T12:00:00',
      content: { rendered: expect.stringMatching(/^<p>Comment \d+<\/p>\n$/) as string },
      link: `http://site.test/2024/01/02/whole/#comment-${second}`,
      status: 'approved',
      type: 'comment',
      author_avatar_urls: {
        '24': expect.stringContaining('s=24') as string,
        '48': expect.stringContaining('s=48') as string,
        '96': expect.stringContaining('s=96') as string,
      },
      meta: [],
      _links: {
        self: [{ href: `http://site.test/rest/core/v2/comments/${second}` }],
        collection: [{ href: 'http://site.test/rest/core/v2/comments' }],
        author: [{ embeddable: true, href: `http://site.test/rest/core/v2/users/${site.users.author.id}` }],
        up: [{ embeddable: true, post_type: 'post', href: `http://site.test/rest/core/v2/posts/${on}` }],
        'in-reply-to': [{ embeddable: true, href: `http://site.test/rest/core/v2/comments/${first}` }],
      },
    });
    expect(answer.body[1]._links.children).toEqual([
      { embeddable: true, href: `http://site.test/rest/core/v2/comments?parent=${first}` },
    ]);
    expect(answer.body[1]._links.author).toBeUndefined();
  });

  test('shows less to embed and more to edit', async () => {
    const on = await post();
    await comment({ post: on });
    const embed = await site.by('anonymous').get(`/comments?post=${on}&context=embed`);
    expect(Object.keys(embed.body[0])).toEqual([
      'id',
      'parent',
      'author',
      'author_name',
      'author_url',
      'date',
      'content',
      'link',
      'type',
      'author_avatar_urls',
      '_links',
    ]);
    const edit = await site.by('editor').get(`/comments?post=${on}&context=edit`);
    expect(Object.keys(edit.body[0])).toEqual([
      'id',
      'post',
      'parent',
      'author',
      'author_name',
      'author_email',
      'author_url',
      'author_ip',
      'author_user_agent',
      'date',
      'date_gmt',
      'content',
      'link',
      'status',
      'type',
      'author_avatar_urls',
      'meta',
      '_links',
    ]);
    expect(edit.body[0].content.raw).toMatch(/^Comment/);
    expect(edit.body[0].author_ip).toBe('192.0.2.1');
  });

  test('pages, with totals also beyond the end', async () => {
    const on = await post();
    const all: number[] = [];
    for (const day of [1, 2, 3]) all.unshift(await comment({ post: on, ...at(day) }));
    const first = await site.by('anonymous').get(`/comments?post=${on}&per_page=2`);
    expect(ids(first)).toEqual(all.slice(0, 2));
    expect(first.headers.get('link')).toContain('rel="next"');
    expect(ids(await site.by('anonymous').get(`/comments?post=${on}&per_page=2&page=2`))).toEqual(
      all.slice(2),
    );
    expect(ids(await site.by('anonymous').get(`/comments?post=${on}&per_page=2&offset=1&page=9`))).toEqual(
      all.slice(1),
    );
    const beyond = await site.by('anonymous').get(`/comments?post=${on}&per_page=2&page=90071992547409`);
    expect(beyond.status).toBe(200);
    expect(beyond.body).toEqual([]);
    expect(beyond.headers.get('x-total')).toBe('3');
    expect(beyond.headers.get('x-total-pages')).toBe('2');
  });

  test('filters', async () => {
    const on = await post();
    const one = await comment({ post: on, ...at(1), content_raw: 'Juniper 100% bread' });
    const two = await comment({
      post: on,
      ...at(2),
      parent: one,
      author: site.users.author.id,
      author_name: 'Walnut',
    });
    const three = await comment({
      post: on,
      ...at(3),
      parent: two,
      author_email: 'Three@Mail.test',
      author_ip: '198.51.100.9',
    });
    const anonymous = (query: string) => site.by('anonymous').get(`/comments?post=${on}&${query}`).then(ids);
    const editor = (query: string) => site.by('editor').get(`/comments?post=${on}&${query}`).then(ids);
    expect(await anonymous(`include=${one},${three}`)).toEqual([three, one]);
    expect(await anonymous(`exclude=${one},${three}`)).toEqual([two]);
    expect(await anonymous('parent=0')).toEqual([one]);
    expect(await anonymous(`parent=${one},${two}`)).toEqual([three, two]);
    expect(await anonymous(`parent_exclude=${one}`)).toEqual([three, one]);
    expect(await anonymous('after=2024-02-01T07:00:00')).toEqual([three, two]);
    expect(await anonymous('after=2024-02-01T07:00:01&before=2024-02-03T12:00:00Z')).toEqual([two]);
    expect(await anonymous('after=2024-02-01T07:00:01&before=2024-02-03T12:00:00.001Z')).toHaveLength(2);
    expect(await anonymous('search=JUNIPER%20100%25')).toEqual([one]);
    expect(await anonymous('search=walnut')).toEqual([two]);
    expect(await anonymous('search=100_')).toEqual([]);
    expect(await anonymous('search=three@mail')).toEqual([]);
    expect(await editor('search=three@mail')).toEqual([three]);
    expect(await editor('search=198.51.100')).toEqual([three]);
    expect(await editor(`author=${site.users.author.id}`)).toEqual([two]);
    expect(await editor('author=0')).toEqual([three, one]);
    expect(await editor(`author_exclude=${site.users.author.id}`)).toEqual([three, one]);
    expect(await editor('author_email=three@mail.test')).toEqual([three]);
    const told = await site.by('author').get(`/comments?post=${on}&author_email=three@mail.test`);
    expect([told.status, told.body, told.headers.get('x-total')]).toEqual([200, [], '0']);
    expect(await editor('type=pings')).toEqual([]);
    expect(await editor('type=all')).toEqual([three, two, one]);
  });

  test('orders', async () => {
    const [a, b] = [await post(), await post()];
    const one = await comment({ post: a, ...at(3), parent: 0 });
    const two = await comment({ post: b, ...at(1), parent: one });
    const three = await comment({ post: a, ...at(2), parent: 0 });
    const order = (query: string) => site.by('anonymous').get(`/comments?post=${a},${b}&${query}`).then(ids);
    expect(await order('')).toEqual([one, three, two]);
    expect(await order('order=asc')).toEqual([two, three, one]);
    expect(await order('orderby=date')).toEqual([one, three, two]);
    expect(await order('orderby=id')).toEqual([three, two, one]);
    expect(await order('orderby=id&order=asc')).toEqual([one, two, three]);
    expect(await order('orderby=post&order=asc')).toEqual([three, one, two]);
    expect(await order('orderby=parent&order=asc')).toEqual([three, one, two]);
    expect(await order('orderby=type')).toEqual([three, two, one]);
    for (const direction of ['', '&order=asc', '&order=desc'])
      expect(await order(`orderby=include&include=${two},${three},${one}${direction}`)).toEqual([
        two,
        three,
        one,
      ]);
    expect(await order('orderby=include')).toEqual([one, three, two]);
  });

  test('gives each status to those who may see it', async () => {
    const own = await post({ author: site.users.author.id });
    const on = await post();
    const statuses = ['approved', 'hold', 'spam', 'trash', 'post-trashed'];
    const [approved, hold, spam, trash, gone] = (await Promise.all(
      statuses.map((status, index) => comment({ post: on, status, ...at(9 - index) })),
    )) as [number, number, number, number, number];
    const mine = await comment({ post: on, status: 'hold', author: site.users.author.id, ...at(1) });
    const below = await comment({ post: own, status: 'hold', ...at(10) });
    const ask = async (role: 'editor' | 'author' | 'contributor', status: string): Promise<number[]> => {
      const answer = await site.by(role).get(`/comments?post=${on},${own}&status=${status}`);
      expect(answer.headers.get('x-total')).toBe(String(answer.body.length));
      return ids(answer);
    };
    expect(await ask('editor', 'approve')).toEqual([approved]);
    expect(await ask('editor', 'hold')).toEqual([below, hold, mine]);
    expect(await ask('editor', 'spam')).toEqual([spam]);
    expect(await ask('editor', 'trash')).toEqual([trash]);
    expect(await ask('editor', 'post-trashed')).toEqual([gone]);
    expect(await ask('editor', 'all')).toEqual([below, approved, hold, mine]);
    expect(await ask('editor', 'any')).toEqual([below, approved, hold, spam, trash, mine]);
    expect(await ask('editor', 'approved')).toEqual([]);
    expect(await ask('editor', 'no-such-word')).toEqual([]);
    expect(await ask('author', 'hold')).toEqual([below, mine]);
    expect(await ask('author', 'any')).toEqual([below, approved, mine]);
    expect(await ask('contributor', 'any')).toEqual([approved]);
  });

  test('refuses posts that the caller may not read', async () => {
    const draft = await post({ status: 'draft', author: site.users.author.id });
    const locked = await post({ password: 'secret' });
    await comment({ post: draft });
    const inside = await comment({ post: locked });
    for (const id of [draft, locked]) {
      const answer = await site.by('anonymous').get(`/comments?post=${id}`);
      expect([answer.status, answer.body.code]).toEqual([401, 'rest_cannot_read_post']);
      expect(answer.headers.get('x-total')).toBeNull();
    }
    expect((await site.by('subscriber').get(`/comments?post=${draft}`)).status).toBe(403);
    expect((await site.by('author').get(`/comments?post=${draft}`)).body).toHaveLength(1);
    expect((await site.by('editor').get(`/comments?post=${draft}`)).body).toHaveLength(1);
    expect(ids(await site.by('anonymous').get(`/comments?post=${locked}&password=secret`))).toEqual([inside]);
    expect((await site.by('anonymous').get(`/comments?post=${locked}&password=wrong`)).status).toBe(401);
    expect((await site.by('anonymous').get(`/comments?post=${locked},${open}&password=secret`)).status).toBe(
      401,
    );
    const nothing = await site.by('anonymous').get('/comments?post=999999');
    expect([nothing.status, nothing.body, nothing.headers.get('x-total')]).toEqual([200, [], '0']);
    const none = await site.by('anonymous').get('/comments?post=0');
    expect([none.status, none.body.code]).toEqual([401, 'rest_cannot_read']);
    expect((await site.by('editor').get('/comments?post=0')).status).toBe(200);
  });

  test('keeps some filters for those who edit posts, and names them', async () => {
    for (const [role, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
    ] as const) {
      const answer = await site
        .by(role)
        .get('/comments?status=hold&author=1&author_exclude=2&author_email=a@b.test&type=x');
      expect(answer.status).toBe(status);
      expect(answer.body.code).toBe('rest_forbidden_param');
      expect(answer.body.data.params).toEqual(['author', 'author_exclude', 'author_email', 'type', 'status']);
      const edit = await site.by(role).get('/comments?context=edit');
      expect([edit.status, edit.body.code]).toEqual([status, 'rest_forbidden_context']);
    }
    expect((await site.by('contributor').get('/comments?status=hold')).status).toBe(200);
    expect((await site.by('author').get('/comments?context=edit')).status).toBe(403);
  });

  test.each([
    ['per_page=0', 'per_page', 'rest_out_of_bounds'],
    ['per_page=101', 'per_page', 'rest_out_of_bounds'],
    ['page=0', 'page', 'rest_out_of_bounds'],
    ['offset=-1', 'offset', 'rest_out_of_bounds'],
    ['orderby=name', 'orderby', 'rest_not_in_enum'],
    ['order=up', 'order', 'rest_not_in_enum'],
    ['context=all', 'context', 'rest_not_in_enum'],
    ['after=2024-01-01', 'after', 'rest_invalid_date'],
    ['before=yesterday', 'before', 'rest_invalid_date'],
    ['after=', 'after', 'rest_invalid_date'],
    ['author_email=nobody', 'author_email', 'rest_invalid_email'],
    ['include=one', 'include', 'rest_invalid_type'],
    ['post=x', 'post', 'rest_invalid_type'],
  ])('refuses %s', async (query, name, code) => {
    const answer = await site.by('administrator').get(`/comments?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.body.code).toBe('rest_invalid_param');
    expect(answer.body.data.details[name].code).toBe(code);
  });

  test('survives odd values', async () => {
    for (const query of [
      'search=%00',
      'status=%00',
      'type=%00a',
      'include=9007199254740991',
      'post=-5',
      'parent=-1',
      'search=%25%5C_',
    ])
      expect((await site.by('administrator').get(`/comments?${query}`)).status).toBe(200);
  });

  test('tells which methods the caller may use', async () => {
    const answer = await site.by('anonymous').get(`/comments?post=${open}`);
    expect(answer.headers.get('allow')).toBe('GET, POST');
    expect((await site.by('anonymous').get('/comments')).headers.get('allow')).toBe('GET');
    const options = await site.by('anonymous').request('OPTIONS', '/comments');
    expect(options.status).toBe(200);
    expect(options.body.schema.title).toBe('comment');
    expect(Object.keys(options.body.endpoints[1].args)).not.toContain('type');
  });
});
