import { makeComment, makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { MOST_WRONG } from './guesses';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

describe('GET /posts/<id>', () => {
  test('answers every field of a view, with links, to anybody', async () => {
    const { id } = await makePost(site.deps.db, {
      slug: 'whole',
      path: '2024/01/02/whole',
      guid: 'http://site.test/2024/01/02/whole/',
      author: site.users.author.id,
      featured_media: 5,
      categories: [1],
      tags: [],
      date_local: '2024-01-02 03:04:05',
      date_gmt: '2024-01-02 08:04:05Z',
      modified_local: '2024-01-03 03:04:05.5',
      modified_gmt: '2024-01-03 08:04:05.5Z',
      title_html: 'Whole',
      content_html: '<p>Body</p>\n',
      excerpt_html: '<p>Short</p>\n',
      revision_count: 2,
      last_revision: 99,
    });
    const answer = await site.by('anonymous').get(`/posts/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('link')).toBe(
      '<http://site.test/2024/01/02/whole/>; rel="alternate"; type=text/html',
    );
    expect(answer.headers.get('allow')).toBe('GET');
    const base = 'http://site.test/rest/core/v2';
    expect(answer.body).toEqual({
      id,
      date: '2024-01-02T03:04:05',
      date_gmt: '2024-01-02T08:04:05',
      guid: { rendered: 'http://site.test/2024/01/02/whole/' },
      modified: '2024-01-03T03:04:05',
      modified_gmt: '2024-01-03T08:04:05',
      slug: 'whole',
      status: 'publish',
      type: 'post',
      link: 'http://site.test/2024/01/02/whole/',
      title: { rendered: 'Whole' },
      content: { rendered: '<p>Body</p>\n', protected: false },
      excerpt: { rendered: '<p>Short</p>\n', protected: false },
      author: site.users.author.id,
      featured_media: 5,
      comment_status: 'open',
      ping_status: 'open',
      sticky: false,
      template: '',
      format: 'standard',
      meta: [],
      categories: [1],
      tags: [],
      _links: {
        self: [{ href: `${base}/posts/${id}` }],
        collection: [{ href: `${base}/posts` }],
        about: [{ href: `${base}/types/post` }],
        author: [{ embeddable: true, href: `${base}/users/${site.users.author.id}` }],
        replies: [{ embeddable: true, href: `${base}/comments?post=${id}` }],
        'version-history': [{ count: 2, href: `${base}/posts/${id}/revisions` }],
        'predecessor-version': [{ id: 99, href: `${base}/posts/${id}/revisions/99` }],
        'core:featuredmedia': [{ embeddable: true, href: `${base}/media/5` }],
        'core:attachment': [{ href: `${base}/media?parent=${id}` }],
        'core:term': [
          { taxonomy: 'category', embeddable: true, href: `${base}/categories?post=${id}` },
          { taxonomy: 'post_tag', embeddable: true, href: `${base}/tags?post=${id}` },
        ],
        curies: [{ name: 'core', href: 'http://site.test/relations/{rel}', templated: true }],
      },
    });
  });

  test('embed context shows less', async () => {
    const { id } = await makePost(site.deps.db);
    const { body } = await site.by('anonymous').get(`/posts/${id}?context=embed`);
    expect(Object.keys(body)).toEqual([
      'id',
      'date',
      'slug',
      'type',
      'link',
      'title',
      'excerpt',
      'author',
      'featured_media',
      '_links',
    ]);
  });

  test('edit context shows raw texts and what the caller may do', async () => {
    const { id } = await makePost(site.deps.db, { author: site.users.author.id, title_raw: 'Crème brûlée' });
    const editor = await site.by('editor').get(`/posts/${id}?context=edit`);
    expect(editor.status).toBe(200);
    expect(editor.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(editor.body.title.raw).toBe('Crème brûlée');
    expect(editor.body.generated_slug).toBe('creme-brulee');
    expect(editor.body.permalink_template).toBe('http://site.test/2024/01/02/%postname%/');
    expect(editor.body).toMatchObject({ password: '', guid: { raw: expect.any(String) } });
    expect(editor.body.content).toMatchObject({ raw: expect.any(String), block_version: 0 });
    expect(editor.body.excerpt.raw).toBe('');
    const actions = (body: { _links: object }): string[] =>
      Object.keys(body._links).filter((name) => name.startsWith('core:action-'));
    expect(actions(editor.body)).toEqual([
      'core:action-publish',
      'core:action-unfiltered-html',
      'core:action-sticky',
      'core:action-assign-author',
      'core:action-create-categories',
      'core:action-assign-categories',
      'core:action-create-tags',
      'core:action-assign-tags',
    ]);
    const author = await site.by('author').get(`/posts/${id}?context=edit`);
    expect(actions(author.body)).toEqual([
      'core:action-publish',
      'core:action-assign-categories',
      'core:action-create-tags',
      'core:action-assign-tags',
    ]);
  });

  test('edit context needs the right to edit', async () => {
    const { id } = await makePost(site.deps.db);
    expect(await site.by('anonymous').get(`/posts/${id}?context=edit`)).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden_context' },
    });
    for (const role of ['subscriber', 'contributor', 'author'] as const)
      expect(await site.by(role).get(`/posts/${id}?context=edit`)).toMatchObject({
        status: 403,
        body: { code: 'rest_forbidden_context' },
      });
  });

  test.each(['draft', 'pending', 'private', 'future', 'trash', 'calendar-ignored'])(
    '%s is for those who may see it',
    async (status) => {
      const { id } = await makePost(site.deps.db, { status, author: site.users.contributor.id });
      const answers = await Promise.all(
        (['anonymous', 'subscriber', 'author', 'contributor', 'editor', 'administrator'] as const).map(
          async (role) => (await site.by(role).get(`/posts/${id}`)).status,
        ),
      );
      expect(answers).toEqual([401, 403, 403, 200, 200, 200]);
    },
  );

  test('an unfinished post is linked by its id; a private one carries a word', async () => {
    const draft = await makePost(site.deps.db, { status: 'draft' });
    expect((await site.by('editor').get(`/posts/${draft.id}`)).body.link).toBe(
      `http://site.test/?p=${draft.id}`,
    );
    const hidden = await makePost(site.deps.db, { status: 'private', title_html: 'Mine' });
    const { body } = await site.by('editor').get(`/posts/${hidden.id}`);
    expect(body.title.rendered).toBe('Private: Mine');
    expect(body.link).toMatch(/^http:\/\/site\.test\/2024\/01\/02\/post-\d+\/$/);
  });

  test('unknown ids, ids of other types and ids too large are 404', async () => {
    const page = await makePost(site.deps.db, { type: 'page' });
    for (const id of [page.id, 0, 99999999, '9007199254740991'])
      expect(await site.by('anonymous').get(`/posts/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'rest_post_invalid_id', data: { status: 404 } },
      });
    expect((await site.by('anonymous').get('/posts/99999999999999999999')).status).toBe(400);
    expect((await site.by('anonymous').get('/posts/1?context=unknown')).body.data.params).toHaveProperty(
      'context',
    );
  });
});

describe('a password', () => {
  let id: number;
  beforeAll(async () => {
    ({ id } = await makePost(site.deps.db, { password: 'open sesame', title_html: 'Locked' }));
  });

  test('hides content and excerpt from everybody in view context', async () => {
    for (const role of ['anonymous', 'administrator'] as const) {
      const { status, body } = await site.by(role).get(`/posts/${id}`);
      expect(status).toBe(200);
      expect(body.title.rendered).toBe('Locked');
      expect(body.content).toEqual({ rendered: '', protected: true });
      expect(body.excerpt).toEqual({ rendered: '', protected: true });
    }
  });

  test('opens them when it is sent', async () => {
    const { body } = await site.by('anonymous').get(`/posts/${id}?password=open%20sesame`);
    expect(body.content).toEqual({ rendered: expect.stringContaining('Body'), protected: true });
    expect(body.excerpt.rendered).toContain('Body');
  });

  test('is not needed in edit context, which shows it', async () => {
    const { body } = await site.by('editor').get(`/posts/${id}?context=edit`);
    expect(body.password).toBe('open sesame');
    expect(body.content).toMatchObject({
      raw: expect.stringContaining('Body'),
      rendered: expect.stringContaining('Body'),
    });
  });

  test('is 403 when wrong, and when the post has none', async () => {
    const wrong = { status: 403, body: { code: 'rest_post_incorrect_password' } };
    expect(await site.by('anonymous').get(`/posts/${id}?password=x`)).toMatchObject(wrong);
    const plain = await makePost(site.deps.db);
    expect(await site.by('anonymous').get(`/posts/${plain.id}?password=x`)).toMatchObject(wrong);
    expect((await site.by('anonymous').get(`/posts/${plain.id}?password=`)).status).toBe(200);
  });

  test('is told by no answer to arguments that are wrong, since it is not counted there', async () => {
    const comment = await makeComment(site.deps.db, { post: id });
    for (const [path, allow] of [
      [`/posts/${id}`, 'GET'],
      [`/comments/${comment.id}`, null],
    ])
      for (const password of ['open%20sesame', 'wrong']) {
        const { status, headers } = await site
          .by('anonymous')
          .get(`${path}?password=${password}&context=none`);
        expect([path, password, status, headers.get('allow')]).toEqual([path, password, 400, allow]);
      }
  });

  // The last of this file: what was wrong counts for a minute.
  test('is 429 for an address that was wrong too often, wherever it was tried; whoever edits needs none', async () => {
    const { db } = site.deps;
    const comment = await makeComment(db, { post: id });
    const elsewhere = await makePost(db);
    const answer = await makeComment(db, { post: elsewhere.id, parent: comment.id });
    const ask = (path: string) => site.by('anonymous').get(path);
    const tries = [
      `/posts/${id}?password=wrong`,
      `/comments?post=${id}&password=wrong`,
      `/comments/${comment.id}?password=wrong`,
    ];
    const statuses: number[] = [];
    // Of one that is sent for another post nobody learns whether it is that of this one.
    for (const password of ['open%20sesame', 'wrong']) {
      const { body } = await ask(`/comments/${answer.id}?password=${password}&_embed=in-reply-to`);
      expect(body._embedded['in-reply-to']).toEqual([expect.objectContaining({ code: 'rest_cannot_read' })]);
    }
    for (let n = 0; n < MOST_WRONG + 2; n++) statuses.push((await ask(tries[n % tries.length]!)).status);
    expect(new Set(statuses.slice(0, MOST_WRONG - 1))).toEqual(new Set([401, 403]));
    expect(statuses.slice(MOST_WRONG)).toEqual([429, 429]);
    const right = await ask(`/posts/${id}?password=open%20sesame`);
    expect(right).toMatchObject({ status: 429, body: { code: 'rest_too_many_attempts' } });
    expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
    const said = {
      post: id,
      content: 'Hi',
      author_name: 'A',
      author_email: 'a@b.example',
      password: 'open sesame',
    };
    expect((await site.by('anonymous').post('/comments', said)).status).toBe(429);
    expect((await ask(`/posts/${id}`)).status).toBe(200);
    expect((await site.by('editor').get(`/posts/${id}?password=x&context=edit`)).status).toBe(403);
  });
});

describe('GET /pages/<id>', () => {
  test('has parent and order instead of what belongs to a blog', async () => {
    const parent = await makePost(site.deps.db, { type: 'page', slug: 'top', path: 'top' });
    const { id } = await makePost(site.deps.db, {
      type: 'page',
      slug: 'below',
      path: 'top/below',
      parent: parent.id,
      menu_order: 3,
    });
    const { status, body } = await site.by('anonymous').get(`/pages/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'id',
      'date',
      'date_gmt',
      'guid',
      'modified',
      'modified_gmt',
      'slug',
      'status',
      'type',
      'link',
      'title',
      'content',
      'excerpt',
      'author',
      'featured_media',
      'parent',
      'menu_order',
      'comment_status',
      'ping_status',
      'template',
      'meta',
      '_links',
    ]);
    expect(body).toMatchObject({ link: 'http://site.test/top/below/', parent: parent.id, menu_order: 3 });
    expect(body._links.up).toEqual([
      { embeddable: true, href: `http://site.test/rest/core/v2/pages/${parent.id}` },
    ]);
    expect(body._links).not.toHaveProperty('core:term');
    const edit = await site.by('editor').get(`/pages/${id}?context=edit`);
    expect(edit.body.permalink_template).toBe('http://site.test/top/%pagename%/');
    expect(Object.keys(edit.body._links).filter((name) => name.includes('action'))).toEqual([
      'core:action-publish',
      'core:action-unfiltered-html',
      'core:action-assign-author',
    ]);
    expect((await site.by('anonymous').get(`/posts/${id}`)).status).toBe(404);
  });

  test('_embed puts the parent in, or the error that stands for it', async () => {
    const open = await makePost(site.deps.db, { type: 'page', title_html: 'Open' });
    const shut = await makePost(site.deps.db, { type: 'page', status: 'draft' });
    const under = (parent: number): Promise<{ id: number }> =>
      makePost(site.deps.db, { type: 'page', parent });
    const one = await site.by('anonymous').get(`/pages/${(await under(open.id)).id}?_embed=up`);
    expect(one.body._embedded.up[0]).toMatchObject({
      id: open.id,
      title: { rendered: 'Open' },
      _links: expect.anything(),
    });
    expect(one.body._embedded.up[0]).not.toHaveProperty('content');
    const two = await site.by('anonymous').get(`/pages/${(await under(shut.id)).id}?_embed=up`);
    expect(two.body._embedded.up[0]).toMatchObject({ code: 'rest_forbidden', data: { status: 401 } });
    const three = await site.by('anonymous').get(`/pages/${(await under(87654321)).id}?_embed=up`);
    expect(three.body._embedded.up[0].data.status).toBe(404);
  });
});
