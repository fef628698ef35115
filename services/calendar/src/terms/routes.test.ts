/** Event categories and event tags through HTTP, with the real content service behind the calendar. */
import { TAGS_HEADER, WANTS_TAGS_HEADER } from '@sevenfold/chassis/http/shows';
import { until } from '@sevenfold/chassis/testing/until';
import { makeTerm } from '@sevenfold/content/testing/factories';
import { makeEvent } from '../testing/factories';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.content.deps.db.run('truncate terms restart identity cascade');
  await site.deps.db.run('truncate events, known_terms');
});

const CATEGORY = 'calendar_events_cat';
const category = (fields: Record<string, unknown> = {}) =>
  makeTerm(site.content.deps.db, { taxonomy: CATEGORY, own_count: 1, ...fields });
const tag = (fields: Record<string, unknown> = {}) =>
  makeTerm(site.content.deps.db, { taxonomy: 'post_tag', own_count: 1, ...fields });
const ROOT = 'http://site.test/rest';
const names = (answer: { body: Record<string, { name: string }[]> }, key = 'categories') =>
  (answer.body[key] ?? []).map(({ name }) => name);

describe('GET /categories', () => {
  test('is an envelope of terms, the used ones in the order of their names', async () => {
    const parent = await category({ name: 'Music', slug: 'music' });
    const child = await category({ name: 'Jazz', slug: 'jazz', parent: parent.id, description: 'all that' });
    await category({ name: 'Unused', slug: 'unused', own_count: 0 });
    await tag({ name: 'a tag' });
    const { status, body, headers } = await site.by('anonymous').get('/categories');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['rest_url', 'total', 'total_pages', 'categories']);
    expect(body).toEqual({
      rest_url: `${ROOT}/calendar/events/v1/categories/`,
      total: 2,
      total_pages: 1,
      categories: [
        {
          id: child.id,
          count: 1,
          description: 'all that',
          name: 'Jazz',
          slug: 'jazz',
          taxonomy: CATEGORY,
          parent: parent.id,
          meta: [],
          url: expect.stringContaining('/events/category/'),
          urls: {
            self: `${ROOT}/calendar/events/v1/categories/${child.id}`,
            collection: `${ROOT}/calendar/events/v1/categories`,
            up: `${ROOT}/calendar/events/v1/categories/${parent.id}`,
          },
        },
        expect.objectContaining({ id: parent.id, parent: 0 }),
      ],
    });
    expect([headers.get('x-total'), headers.get('x-total-pages')]).toEqual(['2', '1']);
    expect(headers.get('allow')).toBe('GET');
  });

  test('has pages; beyond the last one there is nothing, and the way back', async () => {
    for (const name of ['a', 'b', 'c']) await category({ name, slug: name });
    const first = await site.by('anonymous').get('/categories?per_page=2');
    expect(names(first)).toEqual(['a', 'b']);
    expect(first.body).toMatchObject({ total: 3, total_pages: 2 });
    expect(Object.keys(first.body).at(-1)).toBe('next_rest_url');
    expect(first.body.next_rest_url).toBe(`${ROOT}/calendar/events/v1/categories/?per_page=2&page=2`);
    expect(first.headers.get('link')).toContain('rel="next"');
    const second = await site.by('anonymous').get('/categories?per_page=2&page=2');
    expect(names(second)).toEqual(['c']);
    expect(second.body.previous_rest_url).toBe(`${ROOT}/calendar/events/v1/categories/?per_page=2`);
    const beyond = await site.by('anonymous').get('/categories?per_page=2&page=9');
    expect(beyond).toMatchObject({ status: 200, body: { total: 3, total_pages: 2, categories: [] } });
    expect(beyond.body).toHaveProperty('previous_rest_url');
    expect((await site.by('anonymous').get('/categories?page=999999999999')).status).toBe(200);
  });

  test('shows 50 at most', async () => {
    await site.content.deps.db.run(
      `insert into terms (taxonomy, name, slug) select $1, 'n' || n, 'n' || n from generate_series(1, 55) n`,
      [CATEGORY],
    );
    const { body } = await site.by('anonymous').get('/categories?per_page=70&hide_empty=false');
    expect(body.categories).toHaveLength(50);
    expect(body).toMatchObject({ total: 55, total_pages: 2 });
  });

  test('search, slug, include, exclude, parent and order narrow and sort', async () => {
    const [rock, pop] = [
      await category({ name: 'Rock', slug: 'rock' }),
      await category({ name: 'Pop', slug: 'pop' }),
    ];
    await category({ name: 'Pop rock', slug: 'pop-rock', parent: rock.id, own_count: 5 });
    const get = async (query: string) => names(await site.by('anonymous').get(`/categories?${query}`));
    expect(await get('search=rock')).toEqual(['Pop rock', 'Rock']);
    expect(await get('slug=pop')).toEqual(['Pop']);
    expect(await get(`include=${rock.id},${pop.id}`)).toEqual(['Pop', 'Rock']);
    expect(await get(`include=${rock.id},${pop.id}&orderby=include`)).toEqual(['Rock', 'Pop']);
    expect(await get(`exclude=${rock.id}`)).toEqual(['Pop', 'Pop rock']);
    expect(await get(`parent=${rock.id}`)).toEqual(['Pop rock']);
    expect(await get('orderby=count&order=desc')).toEqual(['Pop rock', 'Pop', 'Rock']);
    expect(await get('hide_empty=false')).toHaveLength(3);
  });

  test('post and event are the terms of one event', async () => {
    const [one, two] = [await category({ name: 'one' }), await category({ name: 'two' })];
    const event = await makeEvent(site.deps.db, { category_ids: [two.id] });
    const bare = await makeEvent(site.deps.db);
    const draft = await makeEvent(site.deps.db, { status: 'draft', category_ids: [one.id] });
    const get = (query: string) => site.by('anonymous').get(`/categories?${query}`);
    expect(names(await get(`event=${event.id}`))).toEqual(['two']);
    expect(names(await get(`post=${event.id}`))).toEqual(['two']);
    expect(names(await get(`post=${event.id}&include=${one.id}`))).toEqual([]);
    expect((await get(`event=${bare.id}`)).body).toMatchObject({ total: 0, categories: [] });
    expect((await get(`event=${draft.id}`)).body.data.params).toHaveProperty('event');
    expect(names(await site.by('editor').get(`/categories?event=${draft.id}`))).toEqual(['one']);
    expect((await get('post=999')).body.data.params).toHaveProperty('post');
  });

  test('those of a published event are there before it is counted', async () => {
    const fresh = await category({ name: 'fresh', own_count: 0 });
    const event = await makeEvent(site.deps.db, { category_ids: [fresh.id] });
    const { body } = await site.by('anonymous').get(`/categories?event=${event.id}`);
    expect([body.total, body.categories.map(({ name }: { name: string }) => name)]).toEqual([1, ['fresh']]);
  });

  test('all bad arguments are told together', async () => {
    const other = await tag();
    const bad = await site.by('anonymous').get(`/categories?include=99&exclude=${other.id}&parent=0&event=5`);
    expect(bad).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(bad.body.data.params)).toEqual(['include', 'exclude', 'parent', 'event']);
    for (const query of [
      'order=up',
      'order=ASC',
      'orderby=colour',
      'page=0',
      'per_page=0',
      'per_page=x',
      'include=x',
      'hide_empty=maybe',
    ])
      expect([query, (await site.by('anonymous').get(`/categories?${query}`)).status]).toEqual([query, 400]);
  });
});

describe('GET /tags', () => {
  test('are all tags of posts, without parents', async () => {
    const one = await tag({ name: 'blue' });
    await category();
    const { body } = await site.by('anonymous').get('/tags?parent=77');
    expect(body.tags).toHaveLength(1);
    expect(Object.keys(body.tags[0])).toEqual([
      'id', 'count', 'description', 'name', 'slug', 'taxonomy', 'meta', 'url', 'urls',
    ]); // prettier-ignore
    expect(body.tags[0].urls).toEqual({
      self: `${ROOT}/calendar/events/v1/tags/${one.id}`,
      collection: `${ROOT}/calendar/events/v1/tags`,
    });
  });

  test('of an event', async () => {
    const one = await tag({ name: 'blue' });
    const event = await makeEvent(site.deps.db, { tag_ids: [one.id] });
    await tag({ name: 'red' });
    expect(names(await site.by('anonymous').get(`/tags?event=${event.id}`), 'tags')).toEqual(['blue']);
  });
});

describe('GET /categories/{id} and /tags/{id}', () => {
  test('are the term with its links in core/v2', async () => {
    const parent = await category();
    const { id } = await category({ parent: parent.id });
    const { status, body, headers } = await site.by('anonymous').get(`/categories/${id}`);
    expect(status).toBe(200);
    const core = `${ROOT}/core/v2`;
    expect(body._links).toEqual({
      self: [{ href: `${core}/calendar_events_cat/${id}` }],
      collection: [{ href: `${core}/calendar_events_cat` }],
      about: [{ href: `${core}/taxonomies/calendar_events_cat` }],
      up: [{ embeddable: true, href: `${core}/calendar_events_cat/${parent.id}` }],
    });
    expect(headers.get('allow')).toBe('GET');
    const one = await tag();
    const found = await site.by('anonymous').get(`/tags/${one.id}`);
    expect(found.body._links).toMatchObject({
      'core:post_type': [{ href: `${core}/posts?tags=${one.id}` }],
      curies: [{ name: 'core', href: 'http://site.test/relations/{rel}', templated: true }],
    });
  });

  test('what is not there, or is of another taxonomy, is not found', async () => {
    const [one, other] = [await tag(), await category()];
    for (const path of ['/categories/999', `/categories/${one.id}`, `/tags/${other.id}`, '/tags/0'])
      expect(await site.by('anonymous').get(path)).toMatchObject({
        status: 404,
        body: { code: 'rest_term_invalid' },
      });
  });

  test('shows a change in core/v2 at once', async () => {
    const { id } = await category({ name: 'before' });
    expect((await site.by('anonymous').get(`/categories/${id}`)).body.name).toBe('before');
    await site.content.by('editor').put(`/calendar_events_cat/${id}`, { name: 'after' });
    expect((await site.by('anonymous').get(`/categories/${id}`)).body.name).toBe('after');
  });

  test('shows a change in core/v2 at once where answers are remembered, beside the category above it, too', async () => {
    const parent = await category({ name: 'above' });
    const { id } = await category({ name: 'before', parent: parent.id });
    const read = () =>
      fetch(`${site.url}/rest/calendar/events/v1/categories/${id}?_embed`, {
        headers: { [WANTS_TAGS_HEADER]: '1' },
      });
    const shown = async () => {
      const body = (await (await read()).json()) as { name: string; _embedded: { up: { name: string }[] } };
      return [body.name, body._embedded.up[0]?.name];
    };
    // Nothing is remembered before the news of both services are heard.
    await makeEvent(site.deps.db);
    await until(async () => (await read()).headers.has(TAGS_HEADER));
    expect(await shown()).toEqual(['before', 'above']);
    await site.content.by('editor').put(`/calendar_events_cat/${id}`, { name: 'after' });
    expect(await shown()).toEqual(['after', 'above']);
    await site.content.by('editor').put(`/calendar_events_cat/${parent.id}`, { name: 'over it' });
    expect(await shown()).toEqual(['after', 'over it']);
  });
});

describe('POST /categories and /tags', () => {
  test('make a term of the content service', async () => {
    const parent = await category();
    const made = await site
      .by('author')
      .post('/categories', { name: 'Théâtre', description: 'on <b>stage</b>', parent: parent.id });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe(`${ROOT}/core/v2/calendar_events_cat/${made.body.id}`);
    expect(made.body).toMatchObject({
      name: 'Théâtre',
      slug: 'theatre',
      description: 'on <b>stage</b>',
      parent: parent.id,
      count: 0,
      _links: { self: [{ href: made.headers.get('location') }] },
    });
    const core = await site.content.by('anonymous').get(`/calendar_events_cat/${made.body.id}`);
    expect(core.body).toMatchObject({ name: 'Théâtre', parent: parent.id });
    const number = await site.by('contributor').post('/tags', { name: 2030, slug: 'year' });
    expect(number).toMatchObject({ status: 201, body: { name: '2030', slug: 'year', taxonomy: 'post_tag' } });
  });

  test('refuse what the content service refuses', async () => {
    const existing = await category({ name: 'Twice' });
    const post = (path: string, body: object) => site.by('editor').post(path, body);
    expect(await post('/categories', { name: 'twice' })).toMatchObject({
      status: 400,
      body: { code: 'term_exists', data: { status: 400, term_id: existing.id } },
    });
    expect(await post('/categories', {})).toMatchObject({
      status: 400,
      body: { code: 'rest_missing_callback_param', data: { params: ['name'] } },
    });
    expect(await post('/categories', { name: '  ' })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { name: expect.any(String) as string } } },
    });
    expect(await post('/categories', { name: 'x', parent: 999 })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { params: { parent: expect.any(String) as string } } },
    });
    expect(await post('/tags', { name: 'x', parent: existing.id })).toMatchObject({
      status: 400,
      body: { code: 'rest_taxonomy_not_hierarchical' },
    });
    expect((await post('/categories', { name: ['x'] })).body.data.params).toHaveProperty('name');
    expect((await post('/categories', { name: 'x', parent: 'y' })).body.data.params).toHaveProperty('parent');
  });

  test.each([
    ['anonymous', 401, 401],
    ['subscriber', 403, 403],
    ['contributor', 403, 201],
    ['author', 201, 201],
    ['editor', 201, 201],
    ['administrator', 201, 201],
  ] as const)('by %s', async (role, forCategories, forTags) => {
    const made = await site.by(role).post('/categories', { name: 'New' });
    expect(made.status).toBe(forCategories);
    if (forCategories > 300) expect(made.body.code).toBe('rest_cannot_create');
    expect(made.headers.get('allow')).toBe(forCategories > 300 ? 'GET' : 'GET, POST');
    expect((await site.by(role).post('/tags', { name: 'New' })).status).toBe(forTags);
  });
});

describe('POST, PUT, PATCH of an item', () => {
  test.each(['post', 'put', 'patch'] as const)('%s changes what is named', async (method) => {
    const { id, slug } = await category({ name: 'Old', description: 'kept' });
    const changed = await site.by('author')[method](`/categories/${id}`, { name: 'New' });
    expect(changed).toMatchObject({ status: 200, body: { id, name: 'New', slug, description: 'kept' } });
    expect((await site.content.by('anonymous').get(`/calendar_events_cat/${id}`)).body.name).toBe('New');
    expect((await site.by('anonymous').get(`/categories/${id}`)).body.name).toBe('New');
  });

  test('parent 0 takes a category out of its tree; a slug in use is refused', async () => {
    const parent = await category({ slug: 'taken' });
    const { id } = await category({ parent: parent.id });
    expect((await site.by('editor').put(`/categories/${id}`, { parent: 0 })).body.parent).toBe(0);
    expect(await site.by('editor').put(`/categories/${id}`, { slug: 'taken' })).toMatchObject({
      status: 409,
      body: { code: 'duplicate_term_slug' },
    });
    expect((await site.by('editor').put('/categories/999', { name: 'x' })).status).toBe(404);
  });

  test.each([
    ['anonymous', 401, 401],
    ['subscriber', 403, 403],
    ['contributor', 403, 403],
    ['author', 200, 403],
    ['editor', 200, 200],
  ] as const)('by %s', async (role, forCategories, forTags) => {
    const [one, two] = [await category(), await tag()];
    const changed = await site.by(role).put(`/categories/${one.id}`, { name: 'x' });
    expect(changed.status).toBe(forCategories);
    if (forCategories > 300) expect(changed.body.code).toBe('rest_cannot_update');
    expect((await site.by(role).put(`/tags/${two.id}`, { name: 'x' })).status).toBe(forTags);
  });
});

describe('DELETE of an item', () => {
  test('is for good and answers what was there', async () => {
    const { id } = await category({ name: 'Gone' });
    await site.deps.db.run(
      `insert into known_terms (id, taxonomy, name, slug) values ($1, $2, 'Gone', 'gone')`,
      [id, CATEGORY],
    );
    const former = await site.by('author').delete(`/categories/${id}`);
    expect(former).toMatchObject({ status: 200, body: { id, name: 'Gone', taxonomy: CATEGORY } });
    expect(former.body).not.toHaveProperty('deleted');
    expect((await site.content.by('anonymous').get(`/calendar_events_cat/${id}`)).status).toBe(404);
    expect((await site.by('author').delete(`/categories/${id}`)).status).toBe(404);
    expect(await site.deps.db.rows('select id from known_terms')).toEqual([]);
  });

  test.each([
    ['anonymous', 401, 401],
    ['subscriber', 403, 403],
    ['contributor', 403, 403],
    ['author', 200, 403],
    ['editor', 200, 200],
  ] as const)('by %s', async (role, forCategories, forTags) => {
    const [one, two] = [await category(), await tag()];
    const gone = await site.by(role).delete(`/categories/${one.id}`);
    expect(gone.status).toBe(forCategories);
    if (forCategories > 300) expect(gone.body.code).toBe('rest_cannot_delete');
    expect((await site.by(role).delete(`/tags/${two.id}`)).status).toBe(forTags);
  });
});
