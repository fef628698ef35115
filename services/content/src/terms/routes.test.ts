/** Categories, tags and event categories through HTTP: reads, and writes of single terms. Posts: on-posts.test.ts. */
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { lookingAt } from '@sevenfold/chassis/testing/looked-at';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { makeMedia } from '../media/testing/factories';
import { makePost, makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { freeSlug } from './slugs';
import { lockTree } from './store';
import { taxonomies } from './taxonomies';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.deps.db.run('delete from terms where id <> 1');
  await site.deps.db.run('delete from posts');
});

const editor = () => site.by('editor');
const anonymous = () => site.by('anonymous');
const code = ({ status, body }: Answer): [number, string] => [status, body.code];
const names = ({ body }: Answer): string[] => body.map((term: { name: string }) => term.name);
const base = 'http://site.test/rest/core/v2';
const curies = [{ name: 'core', href: 'http://site.test/relations/{rel}', templated: true }];
const term = (fields: object) => makeTerm(site.deps.db, fields as Record<string, unknown>);
const tag = (fields: object) => term({ taxonomy: 'post_tag', ...fields });

describe.each(Object.values(taxonomies))(
  'GET /$restBase',
  ({ name, restBase, hierarchical, linkBase, postsColumn }) => {
    beforeEach(() => site.deps.db.run('delete from terms'));
    afterAll(() =>
      site.deps.db.run(
        `insert into terms (id, taxonomy, name, slug) values (1, 'category', 'Uncategorized', 'uncategorized')`,
      ),
    );

    test('shows terms whole', async () => {
      const one = await term({
        taxonomy: name,
        name: 'One',
        slug: 'one',
        description: 'words',
        own_count: 2,
        external_count: 3,
      });
      await term({ taxonomy: name === 'category' ? 'post_tag' : 'category', name: 'Other' });
      const answer = await anonymous().get(`/${restBase}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-total')).toBe('1');
      expect(answer.headers.get('x-total-pages')).toBe('1');
      expect(answer.headers.get('link')).toBeNull();
      expect(answer.headers.get('allow')).toBe('GET');
      expect(JSON.stringify(answer.body)).toBe(
        JSON.stringify([
          {
            id: one.id,
            count: 5,
            description: 'words',
            link: `http://site.test/${linkBase}/one/`,
            name: 'One',
            slug: 'one',
            taxonomy: name,
            ...(hierarchical ? { parent: 0 } : {}),
            meta: [],
            _links: {
              self: [{ href: `${base}/${restBase}/${one.id}` }],
              collection: [{ href: `${base}/${restBase}` }],
              about: [{ href: `${base}/taxonomies/${name}` }],
              ...(postsColumn
                ? { 'core:post_type': [{ href: `${base}/posts?${postsColumn}=${one.id}` }], curies }
                : {}),
            },
          },
        ]),
      );
    });

    test('orders by everything it names', async () => {
      await term({ taxonomy: name, name: 'beta', slug: 'z', description: 'c', own_count: 1 });
      await term({ taxonomy: name, name: 'Alpha', slug: 'y', description: 'b', own_count: 3 });
      await term({ taxonomy: name, name: 'gamma', slug: 'x', description: 'a', own_count: 2 });
      const by = async (query: string) =>
        names(await anonymous().get(`/${restBase}?${query}`)).map((text) => text[0]);
      expect(await by('')).toEqual(['A', 'b', 'g']);
      expect(await by('order=desc')).toEqual(['g', 'b', 'A']);
      expect(await by('orderby=id')).toEqual(['b', 'A', 'g']);
      expect(await by('orderby=slug')).toEqual(['g', 'A', 'b']);
      expect(await by('orderby=description')).toEqual(['g', 'A', 'b']);
      expect(await by('orderby=count&order=desc')).toEqual(['A', 'g', 'b']);
      expect(await by('orderby=term_group')).toEqual(['b', 'A', 'g']);
      expect(await by('orderby=include')).toEqual(['A', 'b', 'g']);
      expect(await by('orderby=include_slugs&slug=y,z')).toEqual(['A', 'b']);
      expect(await by('orderby=include_slugs&slug=z,y')).toEqual(['b', 'A']);
    });

    test('pages, with true totals beyond the end', async () => {
      for (let n = 1; n <= 5; n++) await term({ taxonomy: name, name: `Term ${n}`, slug: `term-${n}` });
      const second = await anonymous().get(`/${restBase}?per_page=2&page=2`);
      expect(names(second)).toEqual(['Term 3', 'Term 4']);
      expect([second.headers.get('x-total'), second.headers.get('x-total-pages')]).toEqual(['5', '3']);
      expect(second.headers.get('link')).toContain('rel="prev"');
      expect(second.headers.get('link')).toContain('rel="next"');
      const beyond = await anonymous().get(`/${restBase}?per_page=2&page=9`);
      expect([beyond.status, beyond.body]).toEqual([200, []]);
      expect([beyond.headers.get('x-total'), beyond.headers.get('x-total-pages')]).toEqual(['5', '3']);
      const far = await anonymous().get(`/${restBase}?per_page=100&page=9007199254740991`);
      expect([far.status, far.body]).toEqual([200, []]);
    });
  },
);

describe('GET /categories, filters', () => {
  test('search is a part of the name or the slug', async () => {
    await term({ name: 'R&amp;D', slug: 'research' });
    await term({ name: '100% _sure_', slug: 'sure' });
    const found = async (text: string) =>
      names(await anonymous().get(`/categories?search=${encodeURIComponent(text)}`));
    expect(await found('r&d')).toEqual(['R&amp;D']);
    expect(await found('SEARC')).toEqual(['R&amp;D']);
    expect(await found('100% _')).toEqual(['100% _sure_']);
    expect(await found('%')).toEqual([]);
    expect(await found('re')).toEqual(['R&amp;D']);
    expect(await found('es')).toEqual([]);
    expect(await found('\\')).toEqual([]);
    expect(await found('a\u0000b')).toEqual([]);
    expect(await found(' ')).toHaveLength(3);
  });

  test('search beside another filter finds what meets both', async () => {
    const made = await term({ name: 'Snow', slug: 'winter-snow', taxonomy: 'post_tag' });
    await term({ name: 'Snow in summer', slug: 'summer-snow', taxonomy: 'post_tag' });
    const found = async (query: string) => names(await anonymous().get(`/tags?${query}`));
    for (const search of ['snow', 'Snow', 'winter', 'sn'])
      expect([search, await found(`slug=winter-snow&search=${search}`)]).toEqual([search, ['Snow']]);
    expect(await found(`include=${made.id}&search=snow`)).toEqual(['Snow']);
    expect(await found(`slug=winter-snow,none&search=snow&orderby=count`)).toEqual(['Snow']);
    expect(await found('slug=winter-snow&search=summer')).toEqual([]);
  });

  test('include, exclude, slug and parent', async () => {
    const a = await term({ name: 'A', slug: 'a' });
    const b = await term({ name: 'B', slug: 'b', parent: a.id });
    const c = await term({ name: 'C', slug: 'c', parent: a.id });
    const found = async (query: string) => names(await anonymous().get(`/categories?${query}`));
    expect(await found(`include=${c.id},${a.id},999999`)).toEqual(['A', 'C']);
    expect(await found(`include[]=${c.id}&include[]=${a.id}&orderby=include`)).toEqual(['C', 'A']);
    expect(await found(`include=${c.id},${a.id}&orderby=include&order=desc`)).toEqual(['A', 'C']);
    expect(await found(`exclude=1,${b.id}`)).toEqual(['A', 'C']);
    expect(await found(`include=${a.id},${b.id}&exclude=${b.id}`)).toEqual(['A']);
    expect(await found('slug=b,C,nothing')).toEqual(['B', 'C']);
    expect(await found(`parent=${a.id}`)).toEqual(['B', 'C']);
    expect(await found('parent=0')).toEqual(['A', 'Uncategorized']);
    expect(await found('parent=0&offset=1')).toEqual(['A', 'Uncategorized']);
    const empty = await anonymous().get('/categories?parent=424242');
    expect([empty.body, empty.headers.get('x-total'), empty.headers.get('x-total-pages')]).toEqual([
      [],
      '0',
      '0',
    ]);
  });

  test('hide_empty leaves out what nothing published carries', async () => {
    await term({ name: 'Full', own_count: 1 });
    await term({ name: 'Outside', external_count: 1 });
    await term({ name: 'Empty' });
    expect(names(await anonymous().get('/categories?hide_empty=true'))).toEqual(['Full', 'Outside']);
    expect(names(await anonymous().get('/categories?hide_empty=0'))).toHaveLength(4);
  });

  test('post: the terms of a post, for those who may read it', async () => {
    const [a, b, c] = [await term({ name: 'A' }), await term({ name: 'B' }), await term({ name: 'C' })];
    const t = await tag({ name: 'T' });
    const post = await makePost(site.deps.db, { categories: [a.id, c.id], tags: [t.id] });
    expect(names(await anonymous().get(`/categories?post=${post.id}`))).toEqual(['A', 'C']);
    expect(
      names(await anonymous().get(`/categories?post=${post.id}&exclude=${a.id}&include=${c.id},${b.id}`)),
    ).toEqual(['C']);
    expect(names(await anonymous().get(`/tags?post=${post.id}`))).toEqual(['T']);
    expect((await anonymous().get(`/calendar_events_cat?post=${post.id}`)).body).toEqual([]);
    const bare = await makePost(site.deps.db);
    expect((await anonymous().get(`/categories?post=${bare.id}`)).body).toEqual([]);
    const draft = await makePost(site.deps.db, {
      status: 'draft',
      author: site.users.author.id,
      categories: [a.id],
    });
    expect(code(await anonymous().get(`/categories?post=${draft.id}`))).toEqual([
      401,
      'rest_forbidden_context',
    ]);
    expect(code(await site.by('subscriber').get(`/categories?post=${draft.id}`))).toEqual([
      403,
      'rest_forbidden_context',
    ]);
    expect(names(await site.by('author').get(`/categories?post=${draft.id}`))).toEqual(['A']);
    expect(code(await anonymous().get('/categories?post=0'))).toEqual([400, 'rest_post_invalid_id']);
    // Only the calendar could tell, and nobody answers there.
    expect(code(await anonymous().get('/tags?post=424242'))).toEqual([503, 'service_unavailable']);
  });

  test('post: those of a file, for those who may read what it is attached to', async () => {
    const { db } = site.deps;
    const by = site.users.author.id;
    const draft = await makePost(db, { status: 'draft', author: by });
    const hidden = await makeMedia(db, { parent: draft.id, author: by });
    const loose = await makeMedia(db, { author: by });
    for (const base of ['categories', 'tags', 'calendar_events_cat']) {
      const ask = (id: number, role: 'anonymous' | 'subscriber' | 'author') =>
        site.by(role).get(`/${base}?post=${id}`);
      expect(code(await ask(hidden.id, 'anonymous'))).toEqual([401, 'rest_forbidden_context']);
      expect(code(await ask(hidden.id, 'subscriber'))).toEqual([403, 'rest_forbidden_context']);
      expect(await ask(hidden.id, 'author')).toMatchObject({ status: 200, body: [] });
      expect(await ask(loose.id, 'anonymous')).toMatchObject({ status: 200, body: [] });
    }
  });

  test('offset works for tags', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await tag({ name, slug: name });
    const answer = await anonymous().get('/tags?offset=1&per_page=2&page=3&parent=7');
    expect(names(answer)).toEqual(['b', 'c']);
    expect(answer.headers.get('x-total')).toBe('4');
  });

  test('names every bad argument', async () => {
    const query =
      'context=x&page=0&per_page=101&exclude=a&include=b&order=up&orderby=fame&hide_empty=maybe&parent=x&post=y';
    const answer = await anonymous().get(`/categories?${query}`);
    expect(code(answer)).toEqual([400, 'rest_invalid_param']);
    expect(Object.keys(answer.body.data.params)).toEqual([
      'context',
      'page',
      'per_page',
      'exclude',
      'include',
      'order',
      'orderby',
      'hide_empty',
      'parent',
      'post',
    ]);
    expect(
      Object.keys((await anonymous().get('/tags?offset=-1&slug=a&per_page=0')).body.data.params),
    ).toEqual(['per_page', 'offset']);
  });
});

describe('GET /categories/{id}', () => {
  test('shows one, below its parents', async () => {
    const top = (await editor().post('/categories', { name: 'Top' })).body;
    const middle = (await editor().post('/categories', { name: 'Middle', parent: top.id })).body;
    const low = (await editor().post('/categories', { name: 'Low', parent: middle.id })).body;
    const answer = await anonymous().get(`/categories/${low.id}?_embed`);
    expect(answer.body.link).toBe('http://site.test/category/top/middle/low/');
    expect(Object.keys(answer.body._links)).toEqual([
      'self',
      'collection',
      'about',
      'up',
      'core:post_type',
      'curies',
    ]);
    expect(answer.body._links.up).toEqual([{ embeddable: true, href: `${base}/categories/${middle.id}` }]);
    expect(answer.body._embedded.up).toEqual([
      {
        id: middle.id,
        link: 'http://site.test/category/top/middle/',
        name: 'Middle',
        slug: 'middle',
        taxonomy: 'category',
        _links: expect.objectContaining({ up: [{ embeddable: true, href: `${base}/categories/${top.id}` }] }),
      },
    ]);
    expect(Object.keys((await anonymous().get(`/categories/${low.id}?context=embed`)).body)).toEqual([
      'id',
      'link',
      'name',
      'slug',
      'taxonomy',
      '_links',
    ]);
  });

  test('unknown ids and those of other taxonomies are 404', async () => {
    const other = await tag({ name: 'T' });
    for (const id of [0, 424242, other.id, '9007199254740991'])
      expect(code(await anonymous().get(`/categories/${id}`))).toEqual([404, 'rest_term_invalid']);
    expect(code(await anonymous().get('/categories/99999999999999999999'))).toEqual([
      400,
      'rest_invalid_param',
    ]);
  });
});

test('a post embeds its terms: one list for each taxonomy, in the order of names', async () => {
  const [b, a] = [await term({ name: 'b' }), await term({ name: 'A' })];
  const t = await tag({ name: 'T' });
  const post = await makePost(site.deps.db, { categories: [a.id, b.id], tags: [t.id] });
  const { body } = await anonymous().get(`/posts/${post.id}?_embed=core:term`);
  const lists = body._embedded['core:term'] as { name: string; _links: object }[][];
  expect(lists.map((list) => list.map(({ name }) => name))).toEqual([['A', 'b'], ['T']]);
  expect(Object.keys(lists[0]?.[0] ?? {})).toEqual(['id', 'link', 'name', 'slug', 'taxonomy', '_links']);
});

describe('POST /categories', () => {
  test('creates', async () => {
    const parent = await term({ name: 'Parent', slug: 'parent' });
    const answer = await editor().post('/categories', {
      name: ' <b>News</b> & views ',
      description: '<em>All</em> <script>bad()</script>of it',
      slug: 'Füße',
      parent: parent.id,
      meta: { a: 1 },
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe(`${base}/categories/${answer.body.id}`);
    expect(answer.headers.get('allow')).toBe('GET, POST');
    expect(answer.body).toMatchObject({
      count: 0,
      name: 'News &amp; views',
      description: expect.stringContaining('<em>All</em>'),
      slug: 'fusse',
      taxonomy: 'category',
      parent: parent.id,
      meta: [],
      link: 'http://site.test/category/parent/fusse/',
    });
    expect(answer.body.description).not.toContain('script');
    expect((await anonymous().get(`/categories/${answer.body.id}`)).body).toEqual(answer.body);
    expect(
      await site.deps.db.rows(
        `select payload from outbox where name = 'content.term.changed' order by id desc limit 1`,
      ),
    ).toEqual([
      {
        payload: {
          id: answer.body.id,
          taxonomy: 'category',
          name: 'News &amp; views',
          slug: 'fusse',
          link: '/category/parent/fusse/',
        },
      },
    ]);
  });

  test('a name on its level is there once, whatever its case', async () => {
    const first = (await editor().post('/categories', { name: 'Sport' })).body;
    for (const body of [{ name: 'sport' }, { name: 'SPORT', slug: 'sport' }, { name: '<i>Sport</i>' }]) {
      const answer = await editor().post('/categories', body);
      expect(code(answer)).toEqual([400, 'term_exists']);
      expect(answer.body.data).toMatchObject({ status: 400, term_id: first.id });
    }
    const own = await editor().post('/categories', { name: 'Sport', slug: 'games' });
    expect([own.status, own.body.slug]).toEqual([201, 'games']);
    const again = await editor().post('/categories', { name: 'Sport', slug: 'games' });
    expect(again.body.data.term_id).toBe(own.body.id);
  });

  test('a taken slug is numbered, below a parent the parent is appended', async () => {
    const slugOf = async (fields: object) => (await editor().post('/categories', fields)).body.slug;
    expect(await slugOf({ name: 'Music' })).toBe('music');
    expect(await slugOf({ name: 'Other', slug: 'music' })).toBe('music-2');
    expect(await slugOf({ name: 'Another', slug: 'music' })).toBe('music-3');
    const parent = (await editor().post('/categories', { name: 'Old Times' })).body.id;
    expect(await slugOf({ name: 'Music', parent })).toBe('music-old-times');
    expect(await slugOf({ name: 'Tunes', slug: 'music', parent })).toBe('music-old-times-2');
    const tags = async (fields: object) => (await editor().post('/tags', fields)).body.slug;
    expect(await tags({ name: 'Music' })).toBe('music');
    expect(await tags({ name: '!!!' })).toBe('21-21-21');
    expect(await tags({ name: '日本' })).toBe('%e6%97%a5%e6%9c%ac');
    expect(await tags({ name: 'C', slug: '---' })).toBe('c');
    expect(await tags({ name: 'C++' })).toBe('c-2');
    expect(await tags({ name: '語'.repeat(150) })).toMatch(/^(%[0-9a-f]{2}){45}-[0-9a-f]{8}$/);
  });

  test('a long slug that is taken is numbered as often as it is asked for', async () => {
    const slug = 'x'.repeat(200);
    for (const end of ['x', '-2', '-3', '-4']) {
      const { status, body } = await editor().post('/categories', { name: `Long ${end}`, slug });
      expect([status, body.slug.slice(-end.length), body.slug.length]).toEqual([201, end, 200]);
    }
  });

  test('where many slugs begin with one, only its numbered forms are looked at', async () => {
    const { db } = site.deps;
    await db.run(
      `insert into terms (taxonomy, name, slug) select 'post_tag', 'The ' || n, 'the-x' || n from generate_series(1, 3000) as n`,
    );
    await tag({ name: 'The', slug: 'the' });
    await tag({ name: 'The 2', slug: 'the-2' });
    await db.run('vacuum analyze terms');
    const { db: watched, lookedAt } = lookingAt(db);
    expect(await freeSlug(watched, taxonomies.post_tag, 'the', 0)).toBe('the-3');
    expect(lookedAt.get('terms')).toBeLessThan(10);
  });

  test('a chain ends where the slugs above a term are too long together', async () => {
    const slug = (letter: string): string => letter.repeat(199);
    let parent = 0;
    const letters = [...'abcdefghijklmnop'];
    const answers: Answer[] = [];
    for (const letter of letters) {
      const answer = await editor().post('/categories', { name: letter, slug: slug(letter), parent });
      answers.push(answer);
      if (answer.status !== 201) break;
      parent = answer.body.id;
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(11).fill(201), 400]);
    expect(Object.keys(answers.at(-1)?.body.data.params)).toEqual(['parent']);
    const [top, next] = answers.map(({ body }) => body.id);
    const other = (await editor().post('/categories', { name: 'Other', slug: slug('z') })).body.id;
    const moved = await editor().post(`/categories/${top}`, { parent: other });
    expect([moved.status, Object.keys(moved.body.data.params)]).toEqual([400, ['parent']]);
    const grown = await editor().post(`/categories/${next}`, { slug: 'y'.repeat(200) });
    expect(grown.status).toBe(200);
    const tooLong = await editor().post(`/categories/${top}`, { slug: 'w'.repeat(200) });
    expect([tooLong.status, Object.keys(tooLong.body.data.params)]).toEqual([400, ['slug']]);
    expect((await anonymous().get(`/categories/${top}`)).body.slug).toBe(slug('a'));
  });

  test('a chain that is longer already is written back, and becomes shorter', async () => {
    const { db } = site.deps;
    const chain: { id: number; slug: string; parent: number }[] = [];
    let path = '';
    for (const letter of 'abcdefghijklmn') {
      const parent = chain.at(-1)?.id ?? 0;
      const { id, slug } = await makeTerm(db, {
        ...{ name: letter, slug: `deep-${letter.repeat(190)}`, parent, parent_path: path },
      });
      chain.push({ id, slug, parent });
      path = path === '' ? slug : `${path}/${slug}`;
    }
    const [top, last] = [chain[0]!, chain.at(-1)!];
    const same = await editor().post(`/categories/${last.id}`, { description: 'Other', parent: last.parent });
    expect([same.status, same.body.description]).toEqual([200, 'Other']);
    expect((await editor().post(`/categories/${top.id}`, { slug: `${top.slug}a` })).status).toBe(400);
    expect((await editor().post(`/categories/${top.id}`, { slug: 'deep' })).status).toBe(200);
    expect((await anonymous().get(`/categories/${last.id}`)).body.link).toContain('/deep/deep-b');
  });

  test('faults', async () => {
    expect(code(await editor().post('/categories', {}))).toEqual([400, 'rest_missing_callback_param']);
    expect(code(await editor().post('/categories', { name: null }))).toEqual([
      400,
      'rest_missing_callback_param',
    ]);
    for (const name of ['', '  ', '<b></b>', '\u0000'])
      expect(code(await editor().post('/categories', { name }))).toEqual([400, 'empty_term_name']);
    const bad = await editor().post('/categories', {
      name: 'x'.repeat(201),
      description: 1,
      slug: [],
      parent: 'a',
      meta: 'b',
    });
    expect(Object.keys(bad.body.data.params)).toEqual(['name', 'description', 'slug', 'parent', 'meta']);
    const long = await editor().post('/categories', { name: 'N', description: 'x'.repeat(5_001) });
    expect([long.status, Object.keys(long.body.data.params)]).toEqual([400, ['description']]);
    const other = await tag({ name: 'T' });
    for (const parent of [424242, -1, other.id])
      expect(code(await editor().post('/categories', { name: 'N', parent }))).toEqual([
        400,
        'rest_term_invalid',
      ]);
    for (const parent of [0, 1])
      expect(code(await editor().post('/tags', { name: 'N', parent }))).toEqual([
        400,
        'rest_taxonomy_not_hierarchical',
      ]);
    expect((await editor().post('/categories', { name: '&'.repeat(200) })).status).toBe(201);
    expect((await editor().post('/categories', { name: '語'.repeat(200) })).status).toBe(201);
  });

  test('twenty at once make one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => editor().post('/tags', { name: 'Same' })),
    );
    const made = answers.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 201) continue;
      expect(code(answer)).toEqual([400, 'term_exists']);
      expect(answer.body.data.term_id).toBe(made[0]?.body.id);
    }
    const numbered = await Promise.all(
      Array.from({ length: 20 }, (_, n) => editor().post('/tags', { name: `Name ${n}`, slug: 'shared' })),
    );
    const slugs = numbered.map(({ body }) => body.slug as string);
    expect(new Set(slugs)).toEqual(
      new Set(['shared', ...Array.from({ length: 19 }, (_, n) => `shared-${n + 2}`)]),
    );
  });
});

describe('POST, PUT, PATCH /categories/{id}', () => {
  test('change what was sent', async () => {
    const { id } = await term({ name: 'Old', slug: 'old', description: 'kept' });
    for (const method of ['POST', 'PUT', 'PATCH']) {
      const answer = await editor().request(method, `/categories/${id}`, {
        body: { name: `${method} <i>&</i>` },
      });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ id, name: `${method} &amp;`, slug: 'old', description: 'kept' });
      expect(answer.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE');
    }
    expect(
      (await editor().put(`/categories/${id}`, { slug: 'New Slug', description: '' })).body,
    ).toMatchObject({
      name: 'PATCH &amp;',
      slug: 'new-slug',
      description: '',
    });
    expect((await editor().put(`/categories/${id}`, { slug: '' })).body.slug).toBe('patch');
    expect((await editor().put(`/categories/${id}`, {})).status).toBe(200);
  });

  test('a description from before there was a limit may be sent back, and no other of its length', async () => {
    const { id } = await makeTerm(site.deps.db, { description: 'x'.repeat(6_000) });
    const { body } = await editor().get(`/categories/${id}?context=edit`);
    const renamed = await editor().put(`/categories/${id}`, { ...body, name: 'Renamed' });
    expect([renamed.status, renamed.body.name, renamed.body.description.length]).toEqual([
      200,
      'Renamed',
      6_000,
    ]);
    const other = await editor().put(`/categories/${id}`, { description: 'y'.repeat(6_000) });
    expect([other.status, Object.keys(other.body.data.params)]).toEqual([400, ['description']]);
  });

  test('an existing name is allowed, an existing slug is not', async () => {
    await term({ name: 'First', slug: 'first' });
    const { id } = await term({ name: 'Second', slug: 'second' });
    expect((await editor().put(`/categories/${id}`, { name: 'First' })).body).toMatchObject({
      name: 'First',
      slug: 'second',
    });
    const clash = await editor().put(`/categories/${id}`, { slug: 'first', description: 'lost' });
    expect(code(clash)).toEqual([409, 'duplicate_term_slug']);
    expect((await anonymous().get(`/categories/${id}`)).body).toMatchObject({
      slug: 'second',
      description: '',
    });
    expect((await editor().put(`/categories/${id}`, { slug: 'second' })).status).toBe(200);
    expect((await editor().put(`/categories/${id}`, { slug: '' })).body.slug).toBe('first-2');
    const parent = await term({ name: 'Parent', slug: 'parent' });
    expect((await editor().put(`/categories/${id}`, { slug: 'first', parent: parent.id })).body.slug).toBe(
      'first-parent',
    );
  });

  test('parents: loops count as none, links follow', async () => {
    const a = await term({ name: 'A', slug: 'a' });
    const b = (await editor().post('/categories', { name: 'B', parent: a.id })).body;
    const c = (await editor().post('/categories', { name: 'C', parent: b.id })).body;
    expect((await editor().put(`/categories/${a.id}`, { parent: a.id })).body.parent).toBe(0);
    expect((await editor().put(`/categories/${a.id}`, { parent: c.id })).body.parent).toBe(0);
    expect((await editor().put(`/categories/${a.id}`, { slug: 'z' })).body.link).toBe(
      'http://site.test/category/z/',
    );
    expect((await anonymous().get(`/categories/${c.id}`)).body.link).toBe('http://site.test/category/z/b/c/');
    expect((await editor().put(`/categories/${b.id}`, { parent: 0 })).body.link).toBe(
      'http://site.test/category/b/',
    );
    expect((await anonymous().get(`/categories/${c.id}`)).body.link).toBe('http://site.test/category/b/c/');
    expect(code(await editor().put(`/categories/${b.id}`, { parent: 424242 }))).toEqual([
      400,
      'rest_term_invalid',
    ]);
    const [x, y] = [await term({ name: 'X', slug: 'x' }), await term({ name: 'Y', slug: 'y' })];
    await Promise.all([
      editor().put(`/categories/${x.id}`, { parent: y.id }),
      editor().put(`/categories/${y.id}`, { parent: x.id }),
    ]);
    const parents = [
      (await anonymous().get(`/categories/${x.id}`)).body.parent,
      (await anonymous().get(`/categories/${y.id}`)).body.parent,
    ];
    expect(parents.filter((parent) => parent === 0)).toHaveLength(1);
  });

  test('faults', async () => {
    const { id } = await tag({ name: 'T' });
    expect(code(await editor().put(`/tags/${id}`, { parent: 1 }))).toEqual([
      400,
      'rest_taxonomy_not_hierarchical',
    ]);
    expect(code(await editor().put(`/tags/${id}`, { name: ' ' }))).toEqual([400, 'empty_term_name']);
    for (const collection of ['tags', 'categories', 'calendar_events_cat']) {
      const made = await editor().post(`/${collection}`, { name: 'Kept' });
      const { status, body } = await editor().put(`/${collection}/${made.body.id}`, {
        name: null,
        description: 'New',
      });
      expect([collection, status, body.name, body.description]).toEqual([collection, 200, 'Kept', 'New']);
    }
    expect(code(await editor().put('/tags/424242', { name: 'N' }))).toEqual([404, 'rest_term_invalid']);
    expect(code(await editor().put(`/categories/${id}`, { name: 'N' }))).toEqual([404, 'rest_term_invalid']);
    const bad = await editor().put(`/tags/${id}`, { name: [], slug: 5 });
    expect(Object.keys(bad.body.data.params)).toEqual(['name', 'slug']);
  });
});

describe('DELETE /categories/{id}', () => {
  test('needs force, and answers the former term', async () => {
    const { id } = await term({ name: 'Gone', slug: 'gone' });
    expect(code(await editor().delete(`/categories/${id}`))).toEqual([501, 'rest_trash_not_supported']);
    const answer = await editor().delete(`/categories/${id}?force=true`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      deleted: true,
      previous: {
        id,
        count: 0,
        description: '',
        link: 'http://site.test/category/gone/',
        name: 'Gone',
        slug: 'gone',
        taxonomy: 'category',
        parent: 0,
        meta: [],
      },
    });
    expect(code(await editor().delete(`/categories/${id}?force=true`))).toEqual([404, 'rest_term_invalid']);
    expect(
      await site.deps.db.rows(
        `select payload from outbox where name = 'content.term.deleted' order by id desc limit 1`,
      ),
    ).toEqual([{ payload: { id, taxonomy: 'category' } }]);
  });

  test('children go to the grandparent', async () => {
    const a = (await editor().post('/categories', { name: 'A' })).body;
    const b = (await editor().post('/categories', { name: 'B', parent: a.id })).body;
    const c = (await editor().post('/categories', { name: 'C', parent: b.id })).body;
    const d = (await editor().post('/categories', { name: 'D', parent: c.id })).body;
    await editor().delete(`/categories/${b.id}?force=true`);
    expect((await anonymous().get(`/categories/${c.id}`)).body).toMatchObject({
      parent: a.id,
      link: 'http://site.test/category/a/c/',
    });
    expect((await anonymous().get(`/categories/${d.id}`)).body).toMatchObject({
      parent: c.id,
      link: 'http://site.test/category/a/c/d/',
    });
  });

  test('never the default category', async () => {
    for (const query of ['', '?force=true'])
      expect(code(await site.by('administrator').delete(`/categories/1${query}`))).toEqual([
        403,
        'rest_cannot_delete',
      ]);
    expect((await editor().get('/categories/1?context=edit')).headers.get('allow')).toBe(
      'GET, POST, PUT, PATCH',
    );
    const { id } = await term({ name: 'Chosen' });
    await site.by('administrator').post('/settings', { default_category: id });
    expect(code(await editor().delete(`/categories/${id}?force=true`))).toEqual([403, 'rest_cannot_delete']);
    await site.by('administrator').post('/settings', { default_category: null });
    expect((await editor().delete(`/categories/${id}?force=true`)).status).toBe(200);
  });

  test('nor the one that becomes it while its deletion waits', async () => {
    const { id } = await term({ name: 'Chosen meanwhile' });
    const { db } = site.deps;
    const [chosen, deleted] = await db.transaction(async (tx) => {
      await lockTree(tx, 'category', 'alone');
      const choice = site.by('administrator').post('/settings', { default_category: id });
      await untilLocked(db, '%pg_advisory_xact_lock_shared(hashtext%');
      const deletion = editor().delete(`/categories/${id}?force=true`);
      await untilLocked(db, '%pg_advisory_xact_lock(hashtext%');
      return [choice, deletion] as const;
    });
    expect((await chosen).status).toBe(200);
    expect(code(await deleted)).toEqual([403, 'rest_cannot_delete']);
    expect((await editor().get(`/categories/${id}`)).status).toBe(200);
    await site.by('administrator').post('/settings', { default_category: null });
  });
});
