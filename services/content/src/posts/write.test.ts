import { WANTS_WROTE_HEADER, WROTE_HEADER, messagesOf } from '@sevenfold/chassis/news/wrote';
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { makeMedia } from '../media/testing/factories';
import { makePost, makeTerm } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { renderAnew } from './render-anew';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

type Role = Parameters<ContentSite['by']>[0];
const create = (
  body: object,
  role: Role = 'editor',
  base = 'posts',
): ReturnType<ReturnType<ContentSite['by']>['post']> => site.by(role).post(`/${base}`, body);
const updateBy = (role: Role, id: number, body: object, base = 'posts'): ReturnType<typeof create> =>
  site.by(role).post(`/${base}/${id}`, body);
const update = (id: number, body: object, base = 'posts'): ReturnType<typeof create> =>
  updateBy('editor', id, body, base);
const events = (id: number): Promise<object[]> =>
  site.deps.db
    .rows<{ payload: object }>(
      `select payload from outbox where kind = 'event' and channel = 'content.post.changed' and (payload->>'id')::bigint = $1 order by id`,
      [id],
    )
    .then((rows) => rows.map((row) => row.payload));
const ownCount = async (id: number): Promise<number> =>
  (await site.deps.db.first<{ own_count: number }>('select own_count from terms where id = $1', [id]))
    ?.own_count ?? -1;

describe('texts that are too long', () => {
  const fault = async (body: object, id?: number) => {
    const answer = await (id === undefined ? create(body, 'author') : updateBy('editor', id, body));
    return [answer.status, Object.keys(answer.body.data?.params ?? {})];
  };

  test.each([
    ['title', 5_000],
    ['excerpt', 20_000],
  ] as const)('%s has a longest length, and what is there already may be sent back', async (name, most) => {
    expect(await fault({ [name]: 'x'.repeat(most + 1) })).toEqual([400, [name]]);
    expect(await fault({ [name]: { raw: 'x'.repeat(most) } })).toEqual([201, []]);
    const long = 'y'.repeat(2 * most);
    const { id } = await makePost(site.deps.db, { [`${name}_raw`]: long });
    expect(await fault({ [name]: { raw: long }, content: 'Changed' }, id)).toEqual([200, []]);
    expect(await fault({ [name]: `${long}y` }, id)).toEqual([400, [name]]);
    // It is counted as people count.
    expect(await fault({ [name]: '🌊'.repeat(most) })).toEqual([201, []]);
    expect(await fault({ [name]: '🌊'.repeat(most + 1) })).toEqual([400, [name]]);
  });
});

describe('excerpts of what sets no words apart', () => {
  const excerptOf = async (content: string): Promise<string> =>
    (await create({ title: 'Long', content, status: 'publish' })).body.excerpt.rendered;

  test.each(['日', 'ก', '字&amp;'])('end after some hundred letters: %s', async (letter) => {
    const excerpt = await excerptOf(letter.repeat(50_000));
    expect(excerpt.length).toBeLessThan(3_000);
    expect(excerpt).toMatch(/^<p>.{599,}[^&\w] \[&hellip;\]<\/p>\n$/su);
    expect(await excerptOf(letter.repeat(100))).toBe(`<p>${letter.repeat(100)}</p>\n`);
  });
});

describe('POST /posts', () => {
  test('makes a draft without slug, in the default category, and answers it in edit context', async () => {
    const answer = await create({ title: 'A Title', content: 'One\n\nTwo' }, 'contributor');
    expect(answer.status).toBe(201);
    const { id } = answer.body;
    expect(answer.headers.get('location')).toBe(`http://site.test/rest/core/v2/posts/${id}`);
    expect(answer.body).toMatchObject({
      status: 'draft',
      slug: '',
      link: `http://site.test/?p=${id}`,
      guid: { raw: `http://site.test/?p=${id}` },
      title: { raw: 'A Title', rendered: 'A Title' },
      content: { raw: 'One\n\nTwo', rendered: '<p>One</p>\n<p>Two</p>\n', protected: false },
      excerpt: { raw: '', rendered: '<p>One Two</p>\n' },
      author: site.users.contributor.id,
      categories: [1],
      tags: [],
      comment_status: 'open',
      sticky: false,
      format: 'standard',
      template: '',
      meta: [],
    });
    expect(answer.body._links).toHaveProperty('core:action-assign-tags');
    expect(await events(id)).toEqual([
      { id, type: 'post', status: 'draft', before_status: '', link: `/?p=${id}` },
    ]);
  });

  test('shows a bounded part of what half a megabyte of galleries names, by its writer or when a picture comes later', async () => {
    const { db } = site.deps;
    const { id: picture } = await makeMedia(db);
    const repeated = `[gallery ids="${`${picture},`.repeat(100)}"]\n`.repeat(1_000);
    const answer = await create({ content: repeated }, 'contributor');
    expect(answer.status).toBe(201);
    expect(answer.body.content.rendered.match(/<figure /g)).toHaveLength(1_000);
    expect(answer.body.content.rendered.length).toBeLessThan(2_000_000);

    const { body: draft } = await create({ content: '[gallery]\n'.repeat(50_000) }, 'author');
    const { id: late } = await makeMedia(db, { author: site.users.author.id });
    expect((await site.by('author').post(`/media/${late}`, { post: draft.id })).status).toBe(200);
    await db.transaction((tx) => renderAnew(tx, site.deps, draft.id));
    const { rendered } = (await site.by('author').get(`/posts/${draft.id}?context=edit`)).body.content;
    expect(rendered.match(/<figure /g)).toHaveLength(1_000);
    expect(rendered.length).toBeLessThan(2_000_000);
  });

  test('published, it has slug, permalink, guid and a chosen date', async () => {
    const { body } = await create({
      title: 'Über Fjörd & Co',
      status: 'publish',
      date: '2024-05-06T07:08:09',
    });
    expect(body).toMatchObject({
      slug: 'uber-fjord-co',
      date: '2024-05-06T07:08:09',
      date_gmt: '2024-05-06T11:08:09',
      link: 'http://site.test/2024/05/06/uber-fjord-co/',
      guid: { raw: 'http://site.test/2024/05/06/uber-fjord-co/' },
    });
  });

  test('takes everything there is', async () => {
    const category = await makeTerm(site.deps.db, { name: 'Zulu' });
    const other = await makeTerm(site.deps.db, { name: 'Alfa' });
    const tag = await makeTerm(site.deps.db, { taxonomy: 'post_tag' });
    const { status, body } = await create({
      title: { raw: 'All' },
      content: { raw: 'c' },
      excerpt: { raw: 'e' },
      slug: 'My Slug!',
      status: 'publish',
      author: site.users.author.id,
      comment_status: 'closed',
      ping_status: 'closed',
      format: 'aside',
      sticky: true,
      template: '',
      meta: { unknown: 1 },
      categories: [category.id, other.id, 999999, category.id],
      tags: [tag.id],
      unknown_field: 'ignored',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      slug: 'my-slug',
      author: site.users.author.id,
      excerpt: { raw: 'e', rendered: '<p>e</p>\n' },
      comment_status: 'closed',
      ping_status: 'closed',
      format: 'aside',
      sticky: true,
      categories: [other.id, category.id],
      tags: [tag.id],
      meta: [],
    });
    expect(await ownCount(category.id)).toBe(1);
    expect(await ownCount(tag.id)).toBe(1);
  });

  test('an explicit empty list, or one of unknown ids, means no category', async () => {
    expect((await create({ title: 'x', categories: [] })).body.categories).toEqual([]);
    expect((await create({ title: 'x', categories: [987654] })).body.categories).toEqual([]);
  });

  test('reads form bodies and the query too', async () => {
    const form = await site
      .by('editor')
      .request('POST', '/posts', { body: new URLSearchParams({ title: 'Form' }) });
    expect(form.body.title.raw).toBe('Form');
    const query = await site.by('editor').post('/posts?title=Query&status=publish');
    expect(query.body).toMatchObject({ slug: 'query', title: { raw: 'Query' } });
  });

  test.each([{}, { title: '' }, { title: { rendered: 'x' } }, { title: 5 }, { content: '', excerpt: '' }])(
    'nothing textual in %j is 400 empty_content',
    async (body) => {
      expect(await create(body)).toMatchObject({ status: 400, body: { code: 'empty_content' } });
    },
  );

  test('an excerpt alone suffices; without a title the id is the slug', async () => {
    const { status, body } = await create({ excerpt: 'only', status: 'publish' });
    expect(status).toBe(201);
    expect(body.slug).toBe(String(body.id));
  });

  test('strips what authors may not write, and leaves it to editors', async () => {
    const html = '<p onclick="x()">a</p><script>alert(1)</script>';
    const author = await create({ title: '<em>T</em><script>x</script>', content: html }, 'author');
    expect(author.body.content.raw).not.toMatch(/script>|onclick/);
    expect(author.body.title.raw).toContain('<em>T</em>');
    expect(author.body.title.raw).not.toContain('script>');
    const editor = await create({ title: 'x', content: html });
    expect(editor.body.content.raw).toBe(html);
  });

  test.each<[object, string]>([
    [{ status: 'trash' }, 'status'],
    [{ status: 'any' }, 'status'],
    [{ status: 'unknown' }, 'status'],
    [{ format: 'unknown' }, 'format'],
    [{ template: 'unknown.php' }, 'template'],
    [{ comment_status: 'maybe' }, 'comment_status'],
    [{ sticky: 'maybe' }, 'sticky'],
    [{ date: 'soon' }, 'date'],
    [{ date: '2024-02-30T00:00:00' }, 'date'],
    [{ date: '' }, 'date'],
    [{ date_gmt: '2024-01-01' }, 'date_gmt'],
    [{ title: ['x'] }, 'title'],
    [{ author: 'x' }, 'author'],
    [{ author: '99999999999999999999' }, 'author'],
    [{ categories: ['x'] }, 'categories'],
    [{ featured_media: 'x' }, 'featured_media'],
    [{ meta: 'x' }, 'meta'],
    [{ slug: 5 }, 'slug'],
  ])('%j is 400 and names the argument', async (fields, name) => {
    const answer = await create({ title: 'x', ...fields });
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(answer.body.data.params)).toEqual([name]);
  });

  test('refuses an id, an unknown author, and a password on a pinned post', async () => {
    expect(await create({ id: 5, title: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'rest_post_exists' },
    });
    expect(await create({ title: 'x', author: 999999 })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_author' },
    });
    expect(await create({ title: 'x', sticky: true, password: 'y' })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_field' },
    });
  });

  test.each<[Role, object, number, string]>([
    ['anonymous', {}, 401, 'rest_cannot_create'],
    ['subscriber', {}, 403, 'rest_cannot_create'],
    ['contributor', { status: 'publish' }, 403, 'rest_cannot_publish'],
    ['contributor', { status: 'future' }, 403, 'rest_cannot_publish'],
    ['contributor', { status: 'private' }, 403, 'rest_cannot_publish'],
    ['contributor', { sticky: true }, 403, 'rest_cannot_assign_sticky'],
    ['author', { author: 1 }, 403, 'rest_cannot_edit_others'],
  ])('%s with %j: %i %s', async (role, fields, status, code) => {
    expect(await create({ title: 'x', ...fields }, role)).toMatchObject({
      status,
      body: { code, data: { status } },
    });
  });

  test('a private post drops its password', async () => {
    expect((await create({ title: 'x', status: 'private', password: 'y' })).body.password).toBe('');
    expect((await create({ title: 'x', password: 'y' }, 'contributor')).body.password).toBe('y');
  });

  test('a picture that the caller may not read is refused like an unknown one', async () => {
    const { db } = site.deps;
    const draft = await makePost(db, { status: 'draft', author: site.users.editor.id });
    const hidden = [
      await makeMedia(db, { status: 'private', author: site.users.editor.id }),
      await makeMedia(db, { parent: draft.id, author: site.users.author.id }),
    ];
    const own = await makeMedia(db, { status: 'private', author: site.users.author.id });
    const { body: post } = await site.by('author').post('/posts', { title: 'x' });
    for (const id of [999_999, ...hidden.map((media) => media.id)])
      for (const path of ['/posts', `/posts/${post.id}`])
        expect(await site.by('author').post(path, { title: 'x', featured_media: id })).toMatchObject({
          status: 400,
          body: { code: 'rest_invalid_param', data: { params: { featured_media: expect.any(String) } } },
        });
    const linked = async (role: 'author' | 'editor', id: number) =>
      (await site.by(role).post(`/posts/${post.id}`, { featured_media: id })).body.featured_media;
    expect(await linked('author', own.id)).toBe(own.id);
    expect(await linked('editor', hidden[0]!.id)).toBe(hidden[0]!.id);
    // Clients send back whole objects: what is there already is no new link.
    expect(await linked('author', hidden[0]!.id)).toBe(hidden[0]!.id);
  });

  test('a picture that goes while a post is to show it is refused', async () => {
    const { db } = site.deps;
    const { id } = await makeMedia(db);
    const post = await makePost(db);
    const [writing] = await db.transaction(async (tx) => {
      await tx.run('select from posts where id = $1 for update', [id]);
      const started = site.by('editor').post(`/posts/${post.id}`, { featured_media: id });
      await untilLocked(db);
      await tx.run('delete from posts where id = $1', [id]);
      // In a list: it ends behind this transaction, which must not wait for it.
      return [started];
    });
    expect(await writing).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });

  test('anything but an image as featured_media counts as none', async () => {
    const file = await makePost(site.deps.db, { type: 'attachment', status: 'inherit' });
    const image = await makePost(site.deps.db, { type: 'attachment', status: 'inherit' });
    for (const [id, type] of [
      [file.id, 'text/plain'],
      [image.id, 'image/png'],
    ])
      await site.deps.db.run('insert into media (post_id, file, mime_type) values ($1, $2, $3)', [
        id,
        `f-${id}`,
        type,
      ]);
    expect((await create({ title: 'x', featured_media: file.id })).body.featured_media).toBe(0);
    expect((await create({ title: 'x', featured_media: -4 })).body.featured_media).toBe(0);
    const { body } = await create({ title: 'x', featured_media: image.id });
    expect(body.featured_media).toBe(image.id);
    expect((await update(body.id, { featured_media: 0 })).body.featured_media).toBe(0);
  });
});

describe('slugs', () => {
  const slugOf = async (body: object, base = 'posts'): Promise<string> =>
    (await create({ title: 'x', status: 'publish', ...body }, 'editor', base)).body.slug;

  test('the same one gets a number, also against drafts that have it', async () => {
    expect(await slugOf({ title: 'Twice' })).toBe('twice');
    expect(await slugOf({ title: 'Twice' })).toBe('twice-2');
    expect(await slugOf({ slug: 'twice', status: 'draft' })).toBe('twice-3');
    expect(await slugOf({ title: 'Twice' })).toBe('twice-4');
  });

  test('types do not share them, pages share them below one parent only', async () => {
    expect(await slugOf({ title: 'Shared' })).toBe('shared');
    expect(await slugOf({ title: 'Shared' }, 'pages')).toBe('shared');
    expect(await slugOf({ title: 'Shared' }, 'pages')).toBe('shared-2');
    const parent = (await create({ title: 'Above', status: 'publish' }, 'editor', 'pages')).body.id;
    expect(await slugOf({ title: 'Shared', parent }, 'pages')).toBe('shared');
  });

  test('words with a meaning in addresses are avoided', async () => {
    expect(await slugOf({ slug: 'feed' })).toBe('feed-2');
    expect(await slugOf({ slug: '2024' }, 'pages')).toBe('2024-2');
    expect(await slugOf({ slug: '2024' })).toBe('2024');
  });

  test('twenty writers at once get twenty slugs', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create({ title: index % 2 ? 'Race' : 'Race 2', status: 'publish' }, 'editor', 'posts'),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(201));
    expect(new Set(answers.map((answer) => answer.body.slug)).size).toBe(20);
    const pages = await Promise.all(
      Array.from({ length: 10 }, () => create({ title: 'Race', status: 'publish' }, 'editor', 'pages')),
    );
    expect(pages.map((answer) => answer.body.slug).sort()).toEqual(
      ['race', ...Array.from({ length: 9 }, (_, index) => `race-${index + 2}`)].sort(),
    );
  });

  test('very long ones are cut to make room for the number', async () => {
    const title = 'long '.repeat(60);
    const [one, two] = [await slugOf({ title }), await slugOf({ title })];
    expect(two).toMatch(/-2$/);
    expect(Math.max(one.length, two.length)).toBeLessThanOrEqual(200);
  });
});

describe('dates and statuses', () => {
  test('an offset is converted; date wins over date_gmt; date_gmt alone does as well', async () => {
    const offset = await create({
      title: 'x',
      date: '2024-07-01T12:00:00+02:00',
      date_gmt: '2020-01-01T00:00:00',
    });
    expect(offset.body).toMatchObject({ date: '2024-07-01T06:00:00', date_gmt: '2024-07-01T10:00:00' });
    const gmt = await create({ title: 'x', date_gmt: '2024-01-01T12:00:00' });
    expect(gmt.body).toMatchObject({ date: '2024-01-01T07:00:00', date_gmt: '2024-01-01T12:00:00' });
  });

  test('null means now', async () => {
    const { body } = await create({ title: 'x', status: 'publish', date: '2020-01-01T00:00:00' });
    const reset = await update(body.id, { date: null });
    expect(Math.abs(Date.parse(`${reset.body.date_gmt}Z`) - Date.now())).toBeLessThan(60_000);
  });

  test('a draft takes the moment of its publication, unless its date was chosen', async () => {
    const open = await makePost(site.deps.db, { status: 'draft', slug: '', path: '', title_raw: 'Open' });
    const published = await update(open.id, { status: 'publish' });
    expect(Math.abs(Date.parse(`${published.body.date_gmt}Z`) - Date.now())).toBeLessThan(60_000);
    expect(published.body.slug).toBe('open');
    const chosen = await create({ title: 'Chosen', date: '2024-01-01T00:00:00' });
    expect((await update(chosen.body.id, { status: 'publish' })).body).toMatchObject({
      date: '2024-01-01T00:00:00',
      link: 'http://site.test/2024/01/01/chosen/',
    });
  });

  test('sending back the date that a draft was shown does not choose it', async () => {
    const { body } = await create({ title: 'Round trip' });
    await update(body.id, { date: body.date, title: 'Round trip 2' });
    const row = await site.deps.db.first<{ date_chosen: boolean }>(
      'select date_chosen from posts where id = $1',
      [body.id],
    );
    expect(row?.date_chosen).toBe(false);
  });

  test('calendar statuses behave like public ones', async () => {
    const { body } = await create({ title: 'Imported', status: 'calendar-ea-success' });
    expect(body).toMatchObject({ status: 'calendar-ea-success', slug: 'imported' });
    expect((await site.by('anonymous').get(`/posts/${body.id}`)).status).toBe(200);
  });
});

describe('POST /posts/<id>', () => {
  test('PUT and PATCH do the same, absent fields stay, an empty body moves only modified', async () => {
    const { body } = await create({ title: 'Keep', content: 'text', status: 'publish', format: 'quote' });
    const put = await site.by('editor').put(`/posts/${body.id}`, { title: 'New' });
    expect(put).toMatchObject({
      status: 200,
      body: { slug: 'keep', title: { raw: 'New' }, content: { raw: 'text' }, format: 'quote' },
    });
    const patch = await site.by('editor').patch(`/posts/${body.id}`, {});
    expect(patch).toMatchObject({ status: 200, body: { title: { raw: 'New' }, date: body.date } });
    expect(patch.body.modified_gmt >= body.modified_gmt).toBe(true);
    expect((await events(body.id)).at(-1)).toEqual({
      id: body.id,
      type: 'post',
      status: 'publish',
      before_status: 'publish',
      link: expect.stringMatching(/\/keep\/$/) as string,
    });
  });

  test.each(['posts', 'pages'])(
    '%s that moved in with a template take it back, and no other',
    async (base) => {
      const { id } = await makePost(site.deps.db, { type: base.slice(0, -1), template: 'wide.php' });
      const shown = (await site.by('editor').get(`/${base}/${id}?context=edit`)).body;
      const { title, content, excerpt, status, template } = shown;
      expect(await update(id, { title, content, excerpt, status, template }, base)).toMatchObject({
        status: 200,
        body: { template: 'wide.php' },
      });
      expect(await update(id, { template: 'other.php', status: 'inherit' }, base)).toMatchObject({
        status: 400,
        body: { code: 'rest_invalid_param', data: { params: { status: expect.any(String) } } },
      });
      const refused = await update(id, { template: 'other.php', status: 'trash' }, base);
      expect([refused.status, Object.keys(refused.body.data.params).sort()]).toEqual([
        400,
        ['status', 'template'],
      ]);
      expect((await update(id, { template: null }, base)).body.template).toBe('');
      expect((await update(id, { template: 'wide.php' }, base)).status).toBe(400);
    },
  );

  test('slug "" makes a new one from the title', async () => {
    const { body } = await create({ title: 'First', status: 'publish' });
    await update(body.id, { title: 'Second' });
    expect((await update(body.id, { slug: '' })).body.slug).toBe('second');
    expect((await update(body.id, { slug: 'Third One' })).body.slug).toBe('third-one');
  });

  test.each(['posts', 'pages'])(
    '%s may be sent back whole from the trash, which keeps them',
    async (base) => {
      const { body } = await site.by('editor').post(`/${base}`, { title: 'Whole', status: 'publish' });
      await site.by('editor').delete(`/${base}/${body.id}`);
      const shown = (await site.by('editor').get(`/${base}/${body.id}?context=edit`)).body;
      const { modified: _then, modified_gmt: _thenGmt, _links, ...kept } = shown;
      expect(kept.status).toBe('trash');
      expect(await site.by('editor').put(`/${base}/${body.id}`, shown)).toMatchObject({
        status: 200,
        body: kept,
      });
      expect(await site.by('editor').put(`/${base}/${body.id}`, { ...shown, status: 'draft' })).toMatchObject(
        { status: 200, body: { status: 'draft', slug: body.slug } },
      );
      for (const status of ['trash', 'inherit'])
        expect(await site.by('editor').put(`/${base}/${body.id}`, { status })).toMatchObject({
          status: 400,
          body: { data: { details: { status: { code: 'rest_not_in_enum' } } } },
        });
    },
  );

  test('leaving no text is 400 and changes nothing', async () => {
    const { body } = await create({ title: 'Text' });
    expect(await update(body.id, { title: '' })).toMatchObject({
      status: 400,
      body: { code: 'empty_content' },
    });
    expect((await site.by('editor').get(`/posts/${body.id}?context=edit`)).body.title.raw).toBe('Text');
    expect((await update(body.id, { title: '', content: 'c' })).body.title.raw).toBe('');
  });

  test('counts of terms follow publication and lists', async () => {
    const [one, two] = [await makeTerm(site.deps.db), await makeTerm(site.deps.db)];
    const { body } = await create({ title: 'Counted', categories: [one.id] });
    expect(await ownCount(one.id)).toBe(0);
    await update(body.id, { status: 'publish' });
    expect(await ownCount(one.id)).toBe(1);
    await update(body.id, { categories: [two.id] });
    expect([await ownCount(one.id), await ownCount(two.id)]).toEqual([0, 1]);
    await update(body.id, { status: 'private' });
    expect(await ownCount(two.id)).toBe(0);
  });

  test('a password may be set and cleared, but not on a pinned post', async () => {
    const { body } = await create({ title: 'x', status: 'publish', password: 'y' });
    expect(await update(body.id, { sticky: true })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_field' },
    });
    expect((await update(body.id, { password: '' })).body.password).toBe('');
    expect((await update(body.id, { sticky: true })).body.sticky).toBe(true);
    expect(await update(body.id, { password: 'z' })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_field' },
    });
    expect((await update(body.id, { password: 'z', sticky: false })).body.password).toBe('z');
  });

  test('what came pinned and with a password from elsewhere is changed like any other', async () => {
    const { id } = await makePost(site.deps.db, { sticky: true, password: 'x' });
    const path = `/posts/${id}`;
    const { body: shown } = await site.by('editor').get(`${path}?context=edit`);
    expect(shown).toMatchObject({ sticky: true, password: 'x' });
    expect((await update(id, shown)).status).toBe(200);
    expect((await update(id, { title: 'Another' })).body).toMatchObject({ sticky: true, password: 'x' });
    expect((await update(id, { sticky: false })).body.sticky).toBe(false);
    expect((await update(id, { sticky: true })).body.code).toBe('rest_invalid_field');
  });

  test('rights', async () => {
    const others = await makePost(site.deps.db, { status: 'draft' });
    for (const [role, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
      ['contributor', 403],
      ['author', 403],
      ['editor', 200],
    ] as const) {
      const answer = await updateBy(role, others.id, { title: 'x' });
      expect(answer.status).toBe(status);
      if (status !== 200) expect(answer.body.code).toBe('rest_cannot_edit');
    }
    const own = (await create({ title: 'x' }, 'contributor')).body.id;
    expect(await updateBy('contributor', own, { title: 'y' })).toMatchObject({ status: 200 });
    expect(await updateBy('contributor', own, { status: 'publish' })).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_publish' },
    });
    await update(own, { status: 'publish' });
    expect(await updateBy('contributor', own, { title: 'z' })).toMatchObject({ status: 403 });
    expect(await update(999999, { title: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'rest_post_invalid_id' },
    });
  });

  test('parallel updates lose nothing and count terms once', async () => {
    const term = await makeTerm(site.deps.db);
    const { body } = await create({ title: 'Parallel', categories: [term.id] });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        update(body.id, index % 2 ? { status: 'publish' } : { content: `text ${index}` }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(await ownCount(term.id)).toBe(1);
  });
});

describe('news', () => {
  const toldOf = async (id: number, body: object): Promise<readonly string[]> => {
    const answer = await site.by('editor').post(`/posts/${id}`, body, { [WANTS_WROTE_HEADER]: '1' });
    return messagesOf(answer.headers.get(WROTE_HEADER) as string).map(({ tags }) => tags);
  };

  test('a change is one message, though a revision changes the post once more', async () => {
    const { id } = (await create({ title: 'Told of', status: 'publish' })).body;
    const told = await toldOf(id, { title: 'Changed' });
    // Dates are told in seconds.
    expect(told.map((tags) => tags.replace('|modified', ''))).toEqual([`post:${id}|words`]);
    const revisions = await site.by('editor').get(`/posts/${id}/revisions`);
    expect(revisions.body).toHaveLength(1);
  });

  test('files hear of what they belong to when its status, password or address changes', async () => {
    const { id } = (await create({ title: 'With a file', status: 'publish' })).body;
    const { id: file } = await makeMedia(site.deps.db, { parent: id });
    const hears = async (body: object): Promise<boolean> =>
      (await toldOf(id, body)).some((tags) => tags.split('|').includes(`post:${file}`));
    expect(await hears({ content: 'Other words' })).toBe(false);
    expect(await hears({ password: 'opens' })).toBe(true);
    expect(await hears({ password: '' })).toBe(true);
    expect(await hears({ status: 'private' })).toBe(true);
    expect(await hears({ status: 'publish', slug: 'elsewhere' })).toBe(true);
  });
});

describe('pages', () => {
  const page = async (body: object): Promise<{ id: number; link: string; parent: number; slug: string }> =>
    (await create({ status: 'publish', ...body }, 'editor', 'pages')).body;
  const linkOf = async (id: number): Promise<string> =>
    (await site.by('editor').get(`/pages/${id}`)).body.link;

  test('only editors make them; comments start closed; blog fields are ignored', async () => {
    expect(await create({ title: 'x' }, 'author', 'pages')).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_create' },
    });
    const { status, body } = await create(
      { title: 'x', sticky: true, format: 'aside', categories: [1], menu_order: 4 },
      'editor',
      'pages',
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({ menu_order: 4, parent: 0, comment_status: 'closed', ping_status: 'closed' });
    expect(body).not.toHaveProperty('sticky');
    expect((await create({ title: 'x', menu_order: 9e9 }, 'editor', 'pages')).status).toBe(400);
  });

  test('their links are paths that follow renames and moves', async () => {
    const a = await page({ title: 'Alpha' });
    const b = await page({ title: 'Beta', parent: a.id });
    const c = await page({ title: 'Gamma', parent: b.id });
    expect(c.link).toBe('http://site.test/alpha/beta/gamma/');
    await update(a.id, { slug: 'omega' }, 'pages');
    expect(await linkOf(c.id)).toBe('http://site.test/omega/beta/gamma/');
    await update(b.id, { parent: 0 }, 'pages');
    expect(await linkOf(c.id)).toBe('http://site.test/beta/gamma/');
    expect(await events(c.id)).toHaveLength(3);
  });

  test('at the top they leave the names of what else the site has there; below a page these are names like others', async () => {
    const top = await page({ title: 'Docs' });
    expect(top).toMatchObject({ slug: 'docs-2', link: 'http://site.test/docs-2/' });
    const below = await page({ title: 'Docs', parent: top.id });
    expect(below.slug).toBe('docs');
    expect((await update(below.id, { parent: 0 }, 'pages')).body.slug).toBe('docs-3');
    const post = await create({ title: 'Docs', status: 'publish' });
    expect(post.body.slug).toBe('docs');
  });

  test('an unknown parent and a file are 400; itself or something below counts as none', async () => {
    const a = await page({ title: 'Loop A' });
    const b = await page({ title: 'Loop B', parent: a.id });
    for (const parent of [999999, (await makeMedia(site.deps.db)).id])
      expect(await update(a.id, { parent }, 'pages')).toMatchObject({
        status: 400,
        body: { code: 'rest_post_invalid_id' },
      });
    expect((await update(a.id, { parent: b.id }, 'pages')).body.parent).toBe(0);
    expect((await update(b.id, { parent: b.id }, 'pages')).body.parent).toBe(0);
  });

  test('two moves at once build no loop', async () => {
    const a = await page({ title: 'Ring A' });
    const b = await page({ title: 'Ring B' });
    await Promise.all([update(a.id, { parent: b.id }, 'pages'), update(b.id, { parent: a.id }, 'pages')]);
    const rows = await site.deps.db.rows<{ parent: number }>(
      'select parent from posts where id in ($1, $2)',
      [a.id, b.id],
    );
    expect(rows.filter((row) => row.parent === 0)).toHaveLength(1);
  });

  describe('so deep that the slugs above have 2,000 characters', () => {
    const slug = (letter: string): string => letter.repeat(180);
    const fault = async (answer: Promise<Awaited<ReturnType<typeof create>>>) => {
      const { status, body } = await answer;
      return [status, Object.keys(body.data?.params ?? {})];
    };

    test('are refused: made there, moved there, or under a longer slug', async () => {
      const ids: number[] = [0];
      for (const letter of 'abcdefghijkl')
        ids.push((await page({ title: letter, slug: slug(letter), parent: ids.at(-1) })).id);
      const deepest = ids.at(-1);
      for (const status of ['draft', 'publish'])
        expect(await fault(create({ title: 'Deep', status, parent: deepest }, 'editor', 'pages'))).toEqual([
          400,
          ['parent'],
        ]);
      const other = await page({ title: 'Other', slug: slug('z') });
      expect(await fault(update(other.id, { parent: deepest }, 'pages'))).toEqual([400, ['parent']]);
      expect(await fault(update(ids[1]!, { parent: other.id }, 'pages'))).toEqual([400, ['parent']]);
      expect(await fault(update(ids[2]!, { slug: 'y'.repeat(190) }, 'pages'))).toEqual([200, []]);
      expect(await fault(update(ids[1]!, { slug: 'w'.repeat(190) }, 'pages'))).toEqual([400, ['slug']]);
      expect(await linkOf(ids[1]!)).toBe(`http://site.test/${slug('a')}/`);
      // What is in the trash is nobody's address.
      expect((await site.by('editor').delete(`/pages/${ids[1]}`)).status).toBe(200);
    });

    test('are written back where they are, and move up', async () => {
      const chain: { id: number; parent: number }[] = [];
      let path = '';
      for (const letter of 'abcdefghijklmn') {
        const parent = chain.at(-1)?.id ?? 0;
        path = path === '' ? slug(letter) : `${path}/${slug(letter)}`;
        const { id } = await makePost(site.deps.db, {
          ...{ type: 'page', slug: slug(letter), parent, path },
        });
        chain.push({ id, parent });
      }
      const [top, last] = [chain[0]!, chain.at(-1)!];
      const written = { title: 'Other', parent: last.parent, slug: slug('n') };
      expect(await fault(update(last.id, written, 'pages'))).toEqual([200, []]);
      expect(await fault(update(last.id, { parent: chain[12]!.parent }, 'pages'))).toEqual([200, []]);
      expect(await fault(update(last.id, { parent: last.parent }, 'pages'))).toEqual([400, ['parent']]);
      expect(await fault(update(top.id, { slug: `${slug('a')}a` }, 'pages'))).toEqual([400, ['slug']]);
      expect(await fault(update(top.id, { slug: 'risen' }, 'pages'))).toEqual([200, []]);
      expect(await linkOf(last.id)).toContain('/risen/bbb');
    });
  });

  test('moving next to one of the same slug gives another number', async () => {
    const top = await page({ title: 'Same' });
    const above = await page({ title: 'Holder' });
    const below = await page({ title: 'Same', parent: above.id });
    expect(below.slug).toBe(top.slug);
    expect((await update(below.id, { parent: 0 }, 'pages')).body.slug).toBe('same-2');
  });
});

describe('dates at the edges', () => {
  const zone = (timezone: string) => site.by('administrator').post('/settings', { timezone });
  it('what the clock of the site cannot show is refused and not taken for the present', async () => {
    await zone('Europe/Berlin');
    for (const [name, sent] of [
      ['date', '9999-12-31T23:59:59Z'],
      ['date_gmt', '9999-12-31T23:59:59'],
    ] as const) {
      const answer = await site
        .by('author')
        .post('/posts', { title: 'Never', status: 'publish', [name]: sent });
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(answer.body.data.details[name].code).toBe('rest_invalid_date');
    }
    await site.by('author').post('/posts', { title: 'Now', status: 'publish' });
    expect((await site.by('anonymous').get('/posts?after=9999-12-31T23:59:59Z')).body).toEqual([]);
    const { id: post } = await makePost(site.deps.db, {});
    const comment = { post, content: 'Never', date: '9999-12-31T23:59:59Z' };
    expect(await site.by('administrator').post('/comments', comment)).toMatchObject({
      status: 400,
      body: { data: { details: { date: { code: 'rest_invalid_date' } } } },
    });
    expect((await site.by('anonymous').get('/comments?after=9999-12-31T23:59:59Z')).body).toEqual([]);
  });
  it('an instant is taken also when the clock shows the same', async () => {
    await zone('America/New_York');
    const { body } = await site.by('author').post('/posts', { title: 'c', date_gmt: '2030-11-03T05:30:00' });
    const path = `/posts/${body.id}`;
    expect((await site.by('author').post(path, { date_gmt: '2030-11-03T06:30:00' })).body).toMatchObject({
      date: '2030-11-03T01:30:00',
      date_gmt: '2030-11-03T06:30:00',
    });
    expect((await site.by('author').post(path, { date: '2030-11-03T01:30:00-04:00' })).body).toMatchObject({
      date_gmt: '2030-11-03T05:30:00',
    });
    // As it was shown.
    expect((await site.by('author').post(path, { date: '2030-11-03T01:30:00' })).body).toMatchObject({
      date_gmt: '2030-11-03T05:30:00',
    });
  });
});
