import { until } from '@sevenfold/chassis/testing/until';
import { makePost, makeTerm, makeUser } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.deps.db.run('delete from posts');
  site.deps.memory.forget('posts');
});

const get = (
  query = '',
  role: Parameters<ContentSite['by']>[0] = 'anonymous',
  base = 'posts',
): ReturnType<ReturnType<ContentSite['by']>['get']> => site.by(role).get(`/${base}${query}`);
const idsOf = (answer: { body: { id: number }[] }): number[] => answer.body.map((row) => row.id);
const at = (day: string): object => ({ date_local: `${day} 12:00:00`, date_gmt: `${day} 17:00:00Z` });
const total = (answer: { headers: Headers }): string =>
  `${answer.headers.get('x-total')}/${answer.headers.get('x-total-pages')}`;

/** Posts in the order of the list's rows, oldest first; answers their ids. */
async function make(...rows: Record<string, unknown>[]): Promise<number[]> {
  const ids: number[] = [];
  for (const [index, row] of rows.entries()) {
    const day = `2024-02-${String(index + 1).padStart(2, '0')}`;
    ids.push((await makePost(site.deps.db, { ...at(day), ...row })).id);
  }
  site.deps.memory.forget('posts');
  return ids;
}

describe('Allow', () => {
  test.each([
    ['anonymous', '', 'GET'],
    ['subscriber', '', 'GET'],
    ['contributor', '', 'GET, POST'],
    ['contributor', '?status=draft&author=1', 'GET, POST'],
    ['author', '?sticky=true', 'GET, POST'],
    ['editor', '', 'GET, POST'],
  ] as const)('of a list for %s%s is %s', async (role, query, methods) => {
    expect((await get(query, role)).headers.get('allow')).toBe(methods);
  });
});

describe('paging', () => {
  test('newest first, ten a page, with totals and links', async () => {
    const ids = (await make(...Array.from({ length: 12 }, () => ({})))).reverse();
    const first = await get();
    expect(idsOf(first)).toEqual(ids.slice(0, 10));
    expect(total(first)).toBe('12/2');
    expect(first.headers.get('link')).toBe('<http://site.test/rest/core/v2/posts?page=2>; rel="next"');
    const second = await get('?page=2&per_page=5&order=desc');
    expect(idsOf(second)).toEqual(ids.slice(5, 10));
    expect(second.headers.get('link')).toBe(
      '<http://site.test/rest/core/v2/posts?page=1&per_page=5&order=desc>; rel="prev", ' +
        '<http://site.test/rest/core/v2/posts?page=3&per_page=5&order=desc>; rel="next"',
    );
  });

  test('a page beyond the last is 400, unless nothing matches at all', async () => {
    await make({}, {});
    expect(await get('?page=2')).toMatchObject({
      status: 400,
      body: { code: 'rest_post_invalid_page_number' },
    });
    const none = await get('?page=2&search=nowhere');
    expect(none).toMatchObject({ status: 200, body: [] });
    expect(total(none)).toBe('0/0');
  });

  test('offset replaces page; beyond the end it finds nothing, and the total stays true', async () => {
    const ids = (await make({}, {}, {})).reverse();
    const some = await get('?offset=1&page=9');
    expect(idsOf(some)).toEqual(ids.slice(1));
    expect(total(some)).toBe('3/1');
    const beyond = await get('?offset=50');
    expect(beyond).toMatchObject({ status: 200, body: [] });
    expect(total(beyond)).toBe('3/1');
  });

  test.each(['all', 'filtered'])(
    'far pages of %s posts hold the same rows in the same order',
    async (kind) => {
      // A filter that all of them pass: such lists take other roads.
      const filter = kind === 'filtered' ? '&search=many' : '';
      await site.deps.db.run(
        `insert into posts (type, status, slug, date_local, date_gmt, modified_local, modified_gmt, title_raw)
       select 'post', 'publish', 'many-' || n, timestamp '2020-01-01' + n / 2 * interval '1 minute',
              timestamptz '2020-01-01Z' + n / 2 * interval '1 minute', now(), now(), 'Many ' || n
         from generate_series(1, 700) n`,
      );
      site.deps.memory.forget('posts');
      const all: number[] = [];
      for (let page = 1; page <= 7; page++)
        all.push(...idsOf(await get(`?per_page=100&page=${page}&_fields=id${filter}`)));
      expect(new Set(all).size).toBe(700);
      const rows = await site.deps.db.rows<{ id: number }>(
        'select id from posts order by date_gmt desc, id desc',
      );
      expect(all).toEqual(rows.map((row) => row.id));
      expect(idsOf(await get(`?per_page=30&page=24&_fields=id${filter}`))).toEqual(all.slice(690));
      expect(idsOf(await get(`?per_page=30&page=20&order=asc&_fields=id${filter}`))).toEqual(
        [...all].reverse().slice(570, 600),
      );
    },
  );

  test.each(['per_page=0', 'per_page=101', 'per_page=-1', 'per_page=x', 'page=0', 'page=1.5', 'offset=-1'])(
    '%s is 400',
    async (query) => {
      const answer = await get(`?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(answer.body.data.params)).toEqual([query.split('=')[0]]);
    },
  );
});

describe('who sees what', () => {
  let own: number[];
  beforeEach(async () => {
    const mine = { author: site.users.contributor.id };
    own = await make(
      { status: 'draft', ...mine },
      { status: 'private', ...mine },
      { status: 'publish', ...mine },
      { status: 'draft' },
      { status: 'private' },
      { status: 'publish' },
      { status: 'trash', status_before_trash: 'draft' },
      { status: 'trash', status_before_trash: 'draft', ...mine },
      { status: 'trash', status_before_trash: 'publish', ...mine },
    );
  });

  test('strangers get what is published', async () => {
    const answer = await get();
    expect(idsOf(answer)).toEqual([own[5], own[2]]);
    expect(total(answer)).toBe('2/1');
  });

  test.each(['draft', 'trash', 'private', 'any', 'publish,draft', 'nonsense'])(
    'status=%s by a stranger is 400, as an argument error',
    async (status) => {
      for (const role of ['anonymous', 'subscriber'] as const)
        expect(await get(`?status=${status}`, role)).toMatchObject({
          status: 400,
          body: {
            code: 'rest_invalid_param',
            data: {
              params: { status: expect.any(String) },
              details: { status: { code: 'rest_forbidden_status' } },
            },
          },
        });
    },
  );

  test('an unknown status by somebody who may ask is told to be unknown', async () => {
    expect(await get('?status=nonsense', 'editor')).toMatchObject({
      status: 400,
      body: { data: { details: { status: { code: 'rest_not_in_enum' } } } },
    });
  });

  test('a contributor finds his own drafts, and the total counts only those', async () => {
    const answer = await get('?status=draft', 'contributor');
    expect(idsOf(answer)).toEqual([own[0]]);
    expect(total(answer)).toBe('1/1');
    expect(idsOf(await get('?status=any', 'contributor'))).toEqual([own[5], own[2], own[1], own[0]]);
    expect(idsOf(await get('?status=trash', 'contributor'))).toEqual([own[8], own[7]]);
  });

  test('an editor finds all; any leaves out the trash unless it is named too', async () => {
    expect(idsOf(await get('?status=draft,private', 'editor'))).toEqual([own[4], own[3], own[1], own[0]]);
    expect(total(await get('?status=any', 'editor'))).toBe('6/1');
    expect(total(await get('?status[]=any&status[]=trash', 'editor'))).toBe('9/1');
  });

  test('edit context holds what the caller may edit', async () => {
    expect(await get('?context=edit')).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden_context' },
    });
    expect(await get('?context=edit', 'subscriber')).toMatchObject({ status: 403 });
    const published = await get('?context=edit', 'contributor');
    expect(published).toMatchObject({ status: 200, body: [] });
    expect(total(published)).toBe('0/0');
    const drafts = await get('?context=edit&status=any,trash', 'contributor');
    expect(idsOf(drafts)).toEqual([own[7], own[1], own[0]]);
    expect(total(drafts)).toBe('3/1');
    expect(drafts.body[0].title.raw).toBeDefined();
    expect(total(await get('?context=edit', 'editor'))).toBe('2/1');
  });
});

describe('filters', () => {
  test('author and author_exclude', async () => {
    const [one, two] = [await makeUser(site.deps.db), await makeUser(site.deps.db)];
    const [a, b, c] = await make({ author: one.id }, { author: two.id }, {});
    expect(idsOf(await get(`?author=${one.id}`))).toEqual([a]);
    expect(idsOf(await get(`?author=${one.id},${two.id}`))).toEqual([b, a]);
    expect(idsOf(await get(`?author_exclude[]=${one.id}`))).toEqual([c, b]);
    expect(idsOf(await get('?author=777777'))).toEqual([]);
    expect((await get('?author=x')).status).toBe(400);
  });

  test('include, exclude: an id in both stays', async () => {
    const [a, b, c] = await make({}, {}, {});
    expect(idsOf(await get(`?include=${a},${c}`))).toEqual([c, a]);
    expect(idsOf(await get(`?exclude=${b}`))).toEqual([c, a]);
    expect(idsOf(await get(`?include=${a}&exclude=${a}`))).toEqual([a]);
    expect(idsOf(await get('?include=0'))).toEqual([]);
  });

  test('slug: any of them, cleaned as slugs are', async () => {
    const [a, b] = await make({ slug: 'one' }, { slug: 'two' }, { slug: 'three' });
    expect(idsOf(await get('?slug=one,two,nothing'))).toEqual([b, a]);
    expect(idsOf(await get('?slug=ONE'))).toEqual([a]);
    expect(idsOf(await get('?slug=!'))).toEqual([]);
  });

  test('after and before are strict, and bare dates are of the site', async () => {
    const [a, b, c] = await make({}, {}, {});
    expect(idsOf(await get('?after=2024-02-01T12:00:00'))).toEqual([c, b]);
    expect(idsOf(await get('?before=2024-02-03T17:00:00Z'))).toEqual([b, a]);
    expect(idsOf(await get('?before=2024-02-03T17:00:00.5Z'))).toHaveLength(3);
    expect(idsOf(await get('?after=2024-02-03T17:00:00.5Z'))).toEqual([]);
    expect(idsOf(await get('?after=2024-02-01T11:59:59&before=2024-02-02T13:00:00%2B01:00'))).toEqual([a]);
    for (const value of ['2024-02-01', 'x', '', '2024-13-01T00:00:00'])
      expect(await get(`?after=${value}`)).toMatchObject({
        status: 400,
        body: { data: { details: { after: { code: 'rest_invalid_date' } } } },
      });
  });

  test('categories and tags: any inside, both between, never children', async () => {
    const [one, two, three] = [
      await makeTerm(site.deps.db),
      await makeTerm(site.deps.db),
      await makeTerm(site.deps.db, { taxonomy: 'post_tag' }),
    ];
    const [a, b, c] = await make(
      { categories: [one.id] },
      { categories: [two.id], tags: [three.id] },
      { categories: [one.id, two.id], tags: [three.id] },
    );
    expect(idsOf(await get(`?categories=${one.id}`))).toEqual([c, a]);
    expect(idsOf(await get(`?categories=${one.id},${two.id}`))).toEqual([c, b, a]);
    expect(idsOf(await get(`?categories=${one.id}&tags=${three.id}`))).toEqual([c]);
    expect(idsOf(await get(`?categories_exclude=${one.id}`))).toEqual([b]);
    expect(idsOf(await get(`?tags_exclude=${three.id}`))).toEqual([a]);
    expect(idsOf(await get('?categories=999999'))).toEqual([]);
    expect(total(await get(`?categories=${one.id}`))).toBe('2/1');
  });

  test('sticky', async () => {
    const [a, b] = await make({ sticky: true }, {});
    expect(idsOf(await get('?sticky=true'))).toEqual([a]);
    expect(idsOf(await get('?sticky=0'))).toEqual([b]);
    expect(idsOf(await get(`?sticky=true&include=${b}`))).toEqual([]);
    expect((await get('?sticky=maybe')).status).toBe(400);
  });

  test('of pages: parent, parent_exclude and menu_order', async () => {
    const page = { type: 'page' };
    const [top, second] = await make({ ...page, menu_order: 2 }, { ...page, menu_order: 1 });
    const [child] = await make({ ...page, parent: top });
    const pages = (query: string): Promise<number[]> => get(query, 'anonymous', 'pages').then(idsOf);
    expect(await pages('?parent=0&order=asc')).toEqual([top, second]);
    expect(await pages(`?parent=${top}`)).toEqual([child]);
    expect(await pages('?parent_exclude=0')).toEqual([child]);
    expect(await pages('?menu_order=2')).toEqual([top]);
    expect(await pages('?orderby=menu_order&order=asc')).toEqual([child, second, top]);
    expect((await get('?menu_order=99999999999', 'anonymous', 'pages')).status).toBe(400);
    expect((await get('?orderby=menu_order')).status).toBe(400);
  });
});

describe('order', () => {
  test.each(['id', 'slug', 'title', 'author', 'modified', 'parent', 'date'])(
    'by %s, both ways',
    async (orderby) => {
      const [a, b, c] = await make(
        { slug: 'b', title_raw: 'beta', author: 2, modified_gmt: '2024-03-02Z' },
        { slug: 'a', title_raw: 'Alpha', author: 1, modified_gmt: '2024-03-03Z' },
        { slug: 'c', title_raw: 'gamma', author: 3, modified_gmt: '2024-03-01Z' },
      );
      const ascending = {
        id: [a, b, c],
        slug: [b, a, c],
        title: [b, a, c],
        author: [b, a, c],
        modified: [c, a, b],
        parent: [a, b, c],
        date: [a, b, c],
      }[orderby] as number[];
      expect(idsOf(await get(`?orderby=${orderby}&order=asc`))).toEqual(ascending);
      expect(idsOf(await get(`?orderby=${orderby}`))).toEqual([...ascending].reverse());
    },
  );

  test('include and include_slugs give the order of the lists', async () => {
    const [a, b, c] = await make({ slug: 'x' }, { slug: 'y' }, { slug: 'z' });
    expect(idsOf(await get(`?orderby=include&include=${b},${c},${a}`))).toEqual([b, c, a]);
    expect(idsOf(await get('?orderby=include_slugs&slug=y,z,x'))).toEqual([b, c, a]);
    expect(idsOf(await get('?orderby=include_slugs'))).toEqual([c, b, a]);
    expect(idsOf(await get(`?orderby=include&include=${b},${c},${a}&page=2&per_page=2`))).toEqual([a]);
  });

  test('include without ids and relevance without search are 400, as is an unknown order', async () => {
    expect((await get('?orderby=include')).body.code).toBe('rest_orderby_include_missing_include');
    expect((await get('?orderby=relevance')).body.code).toBe('rest_no_search_term_defined');
    expect((await get('?orderby=random')).body.data.details.orderby.code).toBe('rest_not_in_enum');
    expect((await get('?order=up')).status).toBe(400);
  });
});

describe('search', () => {
  test('words are parts of words, all of them, anywhere; phrases are literal; minus excludes', async () => {
    const [a, b, c] = await make(
      { title_raw: 'Red Apples', content_raw: 'a basket' },
      { title_raw: 'Green', content_raw: 'apple tree, red leaves' },
      { title_raw: 'Pears', excerpt_raw: 'no APPLE', content_raw: '100% juice' },
    );
    expect(idsOf(await get('?search=apple'))).toEqual([c, b, a]);
    expect(idsOf(await get('?search=red+APPLE'))).toEqual([b, a]);
    expect(idsOf(await get('?search=%22apple+tree%22'))).toEqual([b]);
    expect(idsOf(await get('?search=apple+-red'))).toEqual([c]);
    expect(idsOf(await get('?search=100%25'))).toEqual([c]);
    expect(idsOf(await get('?search=_'))).toEqual([]);
    expect(idsOf(await get('?search='))).toEqual([c, b, a]);
    expect(total(await get('?search=apple&per_page=1'))).toBe('3/3');
  });

  test('relevance: phrase in the title, all words there, any word there, phrase in the text, the rest', async () => {
    const [rest, text, any, all, phrase] = await make(
      { title_raw: 'x', content_raw: 'blue and bird' },
      { title_raw: 'x', content_raw: 'a blue bird' },
      { title_raw: 'bird', content_raw: 'blue' },
      { title_raw: 'bird of blue', content_raw: '' },
      { title_raw: 'The blue bird', content_raw: '' },
    );
    const answer = await get('?search=blue+bird&orderby=relevance');
    expect(idsOf(answer)).toEqual([phrase, all, any, text, rest]);
    expect(total(answer)).toBe('5/1');
  });

  test('does not read out what a password hides', async () => {
    const [locked] = await make({ content_raw: 'treasure', password: 'x', author: site.users.author.id });
    expect(idsOf(await get('?search=treasure'))).toEqual([]);
    expect(idsOf(await get('?search=treasure', 'contributor'))).toEqual([]);
    expect(idsOf(await get('?search=treasure', 'author'))).toEqual([locked]);
    expect(idsOf(await get('?search=treasure', 'editor'))).toEqual([locked]);
  });
});

describe('totals', () => {
  test('follow every write at once, also those of other connections', async () => {
    await make({}, {});
    expect(total(await get())).toBe('2/1');
    expect(total(await get('?search=Post'))).toBe('2/1');
    await site.by('editor').post('/posts', { title: 'Post three', status: 'publish' });
    expect(total(await get())).toBe('3/1');
    expect(total(await get('?search=Post'))).toBe('3/1');
    await site.deps.db.run(`update posts set status = 'draft'`);
    // Another process wrote: this one hears of it through PostgreSQL.
    await until(async () => total(await get()) === '0/0');
    expect(total(await get('?status=draft', 'editor'))).toBe('3/1');
  });

  test('the counters agree with the rows after inserts, moves and deletions', async () => {
    await make({}, { status: 'draft' }, { type: 'page' }, {});
    await site.deps.db.run(`update posts set status = 'private' where type = 'post' and status = 'publish'`);
    await site.deps.db.run(`delete from posts where type = 'page'`);
    const counted = await site.deps.db.rows(
      'select type, status, sum(n) as n from post_counts group by type, status having sum(n) <> 0 order by 1, 2',
    );
    expect(counted).toEqual([
      { type: 'post', status: 'draft', n: 1 },
      { type: 'post', status: 'private', n: 2 },
    ]);
  });
});

describe('posts kept as text', () => {
  test('a list answers the same from memory, and with _fields, _embed and _pretty', async () => {
    await make({ author: site.users.author.id }, {});
    const first = await get();
    const second = await get();
    expect(second.body).toEqual(first.body);
    expect(second.text).toBe(first.text);
    expect((await get('?_pretty')).body).toEqual(first.body);
    expect((await get('?_fields=id,title')).body).toEqual(
      first.body.map((row: { id: number; title: object }) => ({ id: row.id, title: row.title })),
    );
    expect((await get('?_embed=author')).body[1]._embedded.author).toHaveLength(1);
    expect((await get('?context=embed')).body[0]).not.toHaveProperty('content');
  });

  test('every change shows at once, made here or elsewhere', async () => {
    const [id] = await make({ title_html: 'Old' });
    expect((await get()).body[0].title.rendered).toBe('Old');
    await site.by('editor').post(`/posts/${id}`, { title: 'New' });
    expect((await get()).body[0].title.rendered).toBe('New');
    await site.deps.db.run(`update posts set title_html = 'Elsewhere' where id = $1`, [id]);
    expect((await get()).body[0].title.rendered).toBe('Elsewhere');
  });

  test('nothing kept for an editor reaches a stranger', async () => {
    const [locked, hidden] = await make({ password: 'x' }, { status: 'private' });
    await get('?status=any&context=edit', 'editor');
    await get('?status=any', 'editor');
    const { body } = await get();
    expect(body.map((row: { id: number }) => row.id)).toEqual([locked]);
    expect(body[0].content).toEqual({ rendered: '', protected: true });
    expect((await get(`?include=${hidden}`)).body).toEqual([]);
  });
});
