/** Types, statuses and taxonomies through HTTP: who sees which entries, in which shape. */
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const roles = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;
type Who = (typeof roles)[number];
const refused = (who: Who): number => (who === 'anonymous' ? 401 : 403);
const get = (who: Who, path: string) => site.by(who).get(path);
const base = 'http://site.test/rest/core/v2';
const curies = [{ name: 'core', href: 'http://site.test/relations/{rel}', templated: true }];

describe('GET /types', () => {
  test('is an object keyed by name', async () => {
    const { status, body } = await get('anonymous', '/types');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['post', 'page', 'attachment']);
    expect(JSON.stringify(body.post)).toBe(
      JSON.stringify({
        description: '',
        hierarchical: false,
        has_archive: false,
        name: 'Posts',
        slug: 'post',
        taxonomies: ['category', 'post_tag'],
        rest_base: 'posts',
        rest_namespace: 'core/v2',
        _links: {
          collection: [{ href: `${base}/types` }],
          'core:items': [{ href: `${base}/posts` }],
          curies,
        },
      }),
    );
    expect(body.page).toMatchObject({ hierarchical: true, taxonomies: [], rest_base: 'pages' });
    expect(body.attachment).toMatchObject({ name: 'Media', rest_base: 'media' });
  });

  test('shows less when embedded', async () => {
    const { body } = await get('anonymous', '/types?context=embed');
    expect(Object.keys(body.post)).toEqual(['name', 'slug', 'rest_base', '_links']);
  });

  test.each([
    ['anonymous', undefined],
    ['subscriber', undefined],
    ['contributor', ['post', 'attachment']],
    ['author', ['post', 'attachment']],
    ['editor', ['post', 'page', 'attachment']],
    ['administrator', ['post', 'page', 'attachment']],
  ] as const)('in edit context %s sees %s', async (who, names) => {
    const { status, body } = await get(who, '/types?context=edit');
    if (names) expect(Object.keys(body)).toEqual(names);
    else expect([status, body.code]).toEqual([refused(who), 'rest_cannot_view']);
  });

  test('refuses an unknown context', async () => {
    const { status, body } = await get('anonymous', '/types?context=all');
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['context']]);
  });
});

describe('GET /types/{type}', () => {
  test('shows rights, words and features to those who edit', async () => {
    const { body } = await get('editor', '/types/page?context=edit');
    expect(Object.keys(body)).toEqual([
      'capabilities',
      'description',
      'hierarchical',
      'has_archive',
      'visibility',
      'viewable',
      'labels',
      'name',
      'slug',
      'supports',
      'taxonomies',
      'rest_base',
      'rest_namespace',
      '_links',
    ]);
    expect(body.capabilities).toMatchObject({
      edit_posts: 'edit_pages',
      create_posts: 'edit_pages',
      read: 'read',
    });
    expect(body.supports).toMatchObject({ title: true, 'page-attributes': true });
    expect(Object.keys(body.labels)).toHaveLength(34);
    expect(body.labels).toMatchObject({ name: 'Pages', parent_item_colon: 'Parent page:' });
  });

  test('edit context takes the right to edit that type', async () => {
    expect((await get('author', '/types/post?context=edit')).status).toBe(200);
    for (const who of ['anonymous', 'subscriber', 'author'] as const) {
      const { status, body } = await get(who, '/types/page?context=edit');
      expect([status, body.code]).toEqual([refused(who), 'rest_forbidden_context']);
    }
  });

  test.each(['calendar_events', 'calendar_venue', 'calendar_organizer', 'revision'])(
    '%s is not shown',
    async (type) => {
      for (const who of ['anonymous', 'administrator'] as const) {
        const { status, body } = await get(who, `/types/${type}`);
        expect([status, body.code]).toEqual([refused(who), 'rest_cannot_read_type']);
      }
    },
  );

  test('an unknown one is 404', async () => {
    const { status, body } = await get('administrator', '/types/constructor');
    expect([status, body.code]).toEqual([404, 'rest_type_invalid']);
  });
});

describe('GET /statuses', () => {
  const open = [
    'publish',
    'calendar-ea-success',
    'calendar-ea-failed',
    'calendar-ea-schedule',
    'calendar-ea-pending',
    'calendar-ea-draft',
  ];
  const all = [
    'publish',
    'future',
    'draft',
    'pending',
    'private',
    ...open.slice(1),
    'calendar-ignored',
    'trash',
  ];

  test.each(roles)('%s', async (who) => {
    const edits = !['anonymous', 'subscriber'].includes(who);
    expect(Object.keys((await get(who, '/statuses')).body)).toEqual(edits ? all : open);
    const inEdit = await get(who, '/statuses?context=edit');
    if (edits) expect(Object.keys(inEdit.body)).toEqual(all);
    else expect([inEdit.status, inEdit.body.code]).toEqual([refused(who), 'rest_cannot_view']);
  });

  test('shows these fields', async () => {
    const { body } = await get('editor', '/statuses');
    expect(JSON.stringify(body.publish)).toBe(
      JSON.stringify({
        name: 'Published',
        public: true,
        queryable: true,
        slug: 'publish',
        date_floating: false,
        _links: { archives: [{ href: `${base}/posts` }] },
      }),
    );
    expect(body.draft).toMatchObject({
      public: false,
      queryable: false,
      date_floating: true,
      _links: { archives: [{ href: `${base}/posts?status=draft` }] },
    });
    expect(Object.keys((await get('anonymous', '/statuses/publish?context=embed')).body)).toEqual([
      'name',
      'slug',
      '_links',
    ]);
    expect((await get('editor', '/statuses/draft?context=edit')).body).toMatchObject({
      private: false,
      protected: true,
      show_in_list: true,
    });
    expect((await get('editor', '/statuses/private?context=edit')).body).toMatchObject({
      private: true,
      protected: false,
    });
  });

  test('a public one is open in edit context too', async () => {
    const { status, body } = await get('anonymous', '/statuses/publish?context=edit');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'name',
      'private',
      'protected',
      'public',
      'queryable',
      'show_in_list',
      'slug',
      'date_floating',
      '_links',
    ]);
  });

  test('others take the right to edit posts', async () => {
    for (const who of ['anonymous', 'subscriber'] as const) {
      const { status, body } = await get(who, '/statuses/draft');
      expect([status, body.code]).toEqual([refused(who), 'rest_cannot_read_status']);
    }
    expect((await get('contributor', '/statuses/draft')).status).toBe(200);
  });

  test('states of the machinery are for nobody', async () => {
    for (const name of [
      'inherit',
      'auto-draft',
      'request-pending',
      'request-confirmed',
      'request-failed',
      'request-completed',
    ]) {
      const { status, body } = await get('administrator', `/statuses/${name}`);
      expect([status, body.code]).toEqual([403, 'rest_cannot_read_status']);
    }
  });

  test.each(['any', 'nonsense'])('%s is 404', async (name) => {
    const { status, body } = await get('administrator', `/statuses/${name}`);
    expect([status, body.code]).toEqual([404, 'rest_status_invalid']);
  });
});

describe('GET /taxonomies', () => {
  test('is an object keyed by name', async () => {
    const { body } = await get('anonymous', '/taxonomies');
    expect(Object.keys(body)).toEqual(['category', 'post_tag', 'calendar_events_cat']);
    expect(JSON.stringify(body.post_tag)).toBe(
      JSON.stringify({
        name: 'Tags',
        slug: 'post_tag',
        description: '',
        types: ['post', 'calendar_events'],
        hierarchical: false,
        rest_base: 'tags',
        rest_namespace: 'core/v2',
        _links: {
          collection: [{ href: `${base}/taxonomies` }],
          'core:items': [{ href: `${base}/tags` }],
          curies,
        },
      }),
    );
  });

  test('can be those of one post type', async () => {
    const names = async (type: string) =>
      Object.keys((await get('anonymous', `/taxonomies?type=${type}`)).body);
    expect(await names('post')).toEqual(['category', 'post_tag']);
    expect(await names('calendar_events')).toEqual(['post_tag', 'calendar_events_cat']);
    const none = await get('anonymous', '/taxonomies?type=page');
    expect([none.status, none.text]).toEqual([200, '{}']);
  });

  test.each([
    ['anonymous', undefined],
    ['subscriber', undefined],
    ['contributor', ['category', 'post_tag', 'calendar_events_cat']],
    ['administrator', ['category', 'post_tag', 'calendar_events_cat']],
  ] as const)('in edit context %s sees %s', async (who, names) => {
    const { status, body } = await get(who, '/taxonomies?context=edit');
    if (names) expect(Object.keys(body)).toEqual(names);
    else expect([status, body.code]).toEqual([refused(who), 'rest_cannot_view']);
  });
});

describe('GET /taxonomies/{taxonomy}', () => {
  test('shows rights, words and places to those who assign', async () => {
    const { body } = await get('contributor', '/taxonomies/category?context=edit');
    expect(Object.keys(body)).toEqual([
      'name',
      'slug',
      'capabilities',
      'description',
      'labels',
      'types',
      'show_cloud',
      'hierarchical',
      'rest_base',
      'rest_namespace',
      'visibility',
      '_links',
    ]);
    expect(body.capabilities).toEqual({
      manage_terms: 'manage_categories',
      edit_terms: 'edit_categories',
      delete_terms: 'delete_categories',
      assign_terms: 'assign_categories',
    });
    expect(body.visibility).toMatchObject({ public: true, show_admin_column: true });
    expect(Object.keys(body.labels)).toHaveLength(30);
    const events = (await get('author', '/taxonomies/calendar_events_cat?context=edit')).body;
    expect(events.capabilities).toEqual({
      manage_terms: 'publish_calendar_events',
      edit_terms: 'publish_calendar_events',
      delete_terms: 'publish_calendar_events',
      assign_terms: 'edit_calendar_events',
    });
    expect(Object.keys(events.labels)).toEqual([...Object.keys(body.labels), 'archives']);
  });

  test('is refused, hidden or unknown', async () => {
    const code = async (who: Who, path: string) => {
      const { status, body } = await get(who, path);
      return [status, body.code];
    };
    expect(await code('anonymous', '/taxonomies/category?context=edit')).toEqual([
      401,
      'rest_forbidden_context',
    ]);
    expect(await code('subscriber', '/taxonomies/category?context=edit')).toEqual([
      403,
      'rest_forbidden_context',
    ]);
    expect(await code('anonymous', '/taxonomies/post_format')).toEqual([401, 'rest_forbidden']);
    expect(await code('administrator', '/taxonomies/post_format')).toEqual([403, 'rest_forbidden']);
    expect(await code('administrator', '/taxonomies/tags')).toEqual([404, 'rest_taxonomy_invalid']);
    expect(await code('administrator', '/taxonomies/bad.name')).toEqual([404, 'rest_no_route']);
  });
});
