/** `/media` and `/media/<id>`: lists, reads, changes and deletes. Uploads have a file of their own. */
import { mkdir, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Db } from '@sevenfold/chassis/db/sql';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { makeComment, makePost } from '../testing/factories';
import { createMedia, trashMedia, updateMedia } from './write';
import { type ContentSite, startContent } from '../testing/service';
import { mediaJobs, mediaSweeps } from './jobs';
import { reserveFiles } from './file-register';
import { makeMedia } from './testing/factories';
import { fileHeaders, picture } from './testing/pictures';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());
beforeEach(async () => {
  await site.deps.db.run('delete from posts');
  site.deps.memory.forget('posts');
});

const db = () => site.deps.db;
const idsOf = (body: { id: number }[]): number[] => body.map((item) => item.id);
const roles = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;

/** Runs what the outbox holds of this queue, as a worker would. */
async function runJobs(): Promise<void> {
  const rows = await db().rows<{ id: number; name: string }>(
    "select id, name from outbox where kind = 'job' and channel = 'content.media' and done_at is null order by id",
  );
  for (const { id, name } of rows) {
    const row = mediaJobs.find((candidate) => candidate.name === name);
    if (row)
      await runJob({ db: db(), deps: site.deps, log: site.deps.log }, row, id, new AbortController().signal);
  }
}

describe('GET /media', () => {
  it('tells a bad status beside other faults and before a missing right, as posts do', async () => {
    for (const [path, status] of [
      ['media', 'bogus'],
      ['media', 'trash'],
      ['posts', 'bogus'],
      ['pages', 'draft'],
    ]) {
      const refused = await site.by('anonymous').get(`/${path}?context=edit&per_page=0&status=${status}`);
      expect(refused).toMatchObject({
        status: 400,
        body: {
          code: 'rest_invalid_param',
          data: { params: { status: expect.any(String), per_page: expect.any(String) } },
        },
      });
    }
    expect((await site.by('anonymous').get('/media?context=edit&status=trash')).status).toBe(400);
  });

  it('lists what is in the library, newest first, with totals', async () => {
    const old = await makeMedia(db(), { date_gmt: '2020-01-01Z' });
    const young = await makeMedia(db(), { date_gmt: '2021-01-01Z' });
    await makeMedia(db(), { status: 'private' });
    await makeMedia(db(), { status: 'trash' });
    await makePost(db());
    const { status, body, headers } = await site.by('anonymous').get('/media');
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual([young.id, old.id]);
    expect(headers.get('x-total')).toBe('2');
    expect(headers.get('allow')).toBe('GET');
    expect(body[0]).not.toHaveProperty('permalink_template');
    expect(body[0].title).toEqual({ rendered: expect.any(String) });
    expect(body[0]._links.self[0].href).toBe(`http://site.test/rest/core/v2/media/${young.id}`);
    expect(body[0]._links).not.toHaveProperty('curies');
  });

  it('filters by kind and type; unknown types filter nothing', async () => {
    const png = await makeMedia(db());
    const jpg = await makeMedia(db(), {}, { mime_type: 'image/jpeg' });
    const pdf = await makeMedia(db(), {}, { mime_type: 'application/pdf' });
    const list = async (query: string) => {
      const { body, headers } = await site.by('anonymous').get(`/media?order=asc&orderby=id&${query}`);
      expect(headers.get('x-total')).toBe(String(body.length));
      return idsOf(body);
    };
    expect(await list('media_type=image')).toEqual([png.id, jpg.id]);
    expect(await list('media_type=application')).toEqual([pdf.id]);
    expect(await list('media_type=video')).toEqual([]);
    expect(await list('mime_type=image/jpeg')).toEqual([jpg.id]);
    expect(await list('mime_type=image/unknown')).toHaveLength(3);
    expect(await list('media_type=image&mime_type=application/pdf')).toEqual([]);
    // Another file took its place.
    await db().run(`update media set mime_type = 'image/webp' where post_id = $1`, [pdf.id]);
    site.deps.memory.forget('posts');
    expect(await list('mime_type=image/webp')).toEqual([pdf.id]);
    expect(await list('mime_type=application/pdf')).toEqual([]);
    expect((await site.by('anonymous').get('/media?media_type=film')).body.data.params).toHaveProperty(
      'media_type',
    );
  });

  it('filters by what it is attached to', async () => {
    const post = await makePost(db());
    const loose = await makeMedia(db());
    const attached = await makeMedia(db(), { parent: post.id });
    expect(idsOf((await site.by('anonymous').get(`/media?parent=${post.id}`)).body)).toEqual([attached.id]);
    expect(idsOf((await site.by('anonymous').get('/media?parent=0')).body)).toEqual([loose.id]);
    expect(idsOf((await site.by('anonymous').get(`/media?parent_exclude=${post.id}`)).body)).toEqual([
      loose.id,
    ]);
  });

  it('searches titles, captions and descriptions', async () => {
    const found = await makeMedia(db(), { excerpt_raw: 'a heron at dawn' });
    await makeMedia(db());
    expect(idsOf((await site.by('anonymous').get('/media?search=HERON')).body)).toEqual([found.id]);
  });

  it('neither shows nor counts what hangs on posts that the caller may not see', async () => {
    const draft = await makePost(db(), { status: 'draft', author: site.users.author.id });
    const hidden = await makePost(db(), { status: 'private', author: site.users.editor.id });
    const open = await makeMedia(db());
    const onDraft = await makeMedia(db(), { parent: draft.id });
    const onPrivate = await makeMedia(db(), { parent: hidden.id });
    const onNothing = await makeMedia(db(), { parent: 999_999 });
    const expected = {
      anonymous: [open, onNothing],
      subscriber: [open, onNothing],
      contributor: [open, onNothing],
      author: [open, onDraft, onNothing],
      editor: [open, onDraft, onPrivate, onNothing],
      administrator: [open, onDraft, onPrivate, onNothing],
    };
    for (const role of roles) {
      const { body, headers } = await site.by(role).get('/media?order=asc&orderby=id');
      expect(idsOf(body)).toEqual(idsOf(expected[role]));
      expect(headers.get('x-total')).toBe(String(expected[role].length));
      // Pages never come up short.
      const second = await site.by(role).get('/media?order=asc&orderby=id&per_page=1&page=2');
      expect(idsOf(second.body)).toEqual([expected[role][1]?.id]);
    }
  });

  it('shows private media and the trash to those who may see them', async () => {
    const own = await makeMedia(db(), { status: 'private', author: site.users.author.id });
    const other = await makeMedia(db(), { status: 'private', author: site.users.editor.id });
    const trashed = await makeMedia(db(), {
      status: 'trash',
      status_before_trash: 'inherit',
      author: site.users.editor.id,
    });
    for (const status of ['private', 'trash', 'draft', 'any']) {
      const refused = await site.by('anonymous').get(`/media?status=${status}`);
      expect(refused.status).toBe(400);
      expect(refused.body.data.details.status.code).toBe('rest_forbidden_status');
    }
    expect((await site.by('editor').get('/media?status=draft')).body.data.details.status.code).toBe(
      'rest_not_in_enum',
    );
    expect(idsOf((await site.by('author').get('/media?status=private')).body)).toEqual([own.id]);
    expect(idsOf((await site.by('editor').get('/media?status=private&order=asc&orderby=id')).body)).toEqual([
      own.id,
      other.id,
    ]);
    expect(idsOf((await site.by('editor').get('/media?status=trash')).body)).toEqual([trashed.id]);
    expect(idsOf((await site.by('author').get('/media?status=trash')).body)).toEqual([]);
    expect(
      idsOf((await site.by('editor').get('/media?status=inherit,private,trash&order=asc&orderby=id')).body),
    ).toEqual([own.id, other.id, trashed.id]);
  });

  it('in edit context lists what the caller may edit', async () => {
    const own = await makeMedia(db(), { author: site.users.author.id });
    const other = await makeMedia(db(), { author: site.users.editor.id });
    expect(await site.by('anonymous').get('/media?context=edit')).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden_context' },
    });
    expect(await site.by('subscriber').get('/media?context=edit')).toMatchObject({
      status: 403,
      body: { code: 'rest_forbidden_context' },
    });
    const mine = await site.by('author').get('/media?context=edit');
    expect(idsOf(mine.body)).toEqual([own.id]);
    expect(mine.headers.get('x-total')).toBe('1');
    expect(mine.body[0]).toHaveProperty('permalink_template');
    expect(idsOf((await site.by('editor').get('/media?context=edit&order=asc&orderby=id')).body)).toEqual([
      own.id,
      other.id,
    ]);
  });

  it.each([
    ['per_page=101', 'per_page'],
    ['per_page=0', 'per_page'],
    ['page=0', 'page'],
    ['orderby=menu_order', 'orderby'],
    ['order=up', 'order'],
    ['parent=x', 'parent'],
    ['after=2024', 'after'],
    ['include=a', 'include'],
    ['media_type=x', 'media_type'],
    ['offset=-1', 'offset'],
  ])('refuses ?%s', async (query, name) => {
    const { status, body } = await site.by('anonymous').get(`/media?${query}`);
    expect(status).toBe(400);
    expect(Object.keys(body.data.params)).toEqual([name]);
  });

  it('answers pages beyond the end and orders that lack their argument as posts do', async () => {
    await makeMedia(db());
    expect((await site.by('anonymous').get('/media?page=9')).body.code).toBe('rest_post_invalid_page_number');
    expect((await site.by('anonymous').get('/media?orderby=include')).body.code).toBe(
      'rest_orderby_include_missing_include',
    );
    expect((await site.by('anonymous').get('/media?orderby=relevance')).body.code).toBe(
      'rest_no_search_term_defined',
    );
  });
});

describe('GET /media/<id>', () => {
  it('answers the attachment in each context', async () => {
    const { body: made } = await site
      .by('author')
      .post('/media?title=River', await picture(20, 10), fileHeaders('pic.png'));
    const view = await site.by('anonymous').get(`/media/${made.id}`);
    expect(view.status).toBe(200);
    expect(view.headers.get('link')).toBe('<http://site.test/river/>; rel="alternate"; type=text/html');
    expect(Object.keys(view.body)).toEqual([
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
      'author',
      'comment_status',
      'ping_status',
      'template',
      'meta',
      'description',
      'caption',
      'alt_text',
      'media_type',
      'mime_type',
      'media_details',
      'post',
      'source_url',
      '_links',
    ]);
    expect(view.body.guid).toEqual({ rendered: made.source_url });
    expect(Object.keys(view.body._links)).toEqual(['self', 'collection', 'about', 'author', 'replies']);
    const embed = await site.by('anonymous').get(`/media/${made.id}?context=embed`);
    expect(Object.keys(embed.body)).toEqual([
      'id',
      'date',
      'slug',
      'type',
      'link',
      'title',
      'author',
      'caption',
      'alt_text',
      'media_type',
      'mime_type',
      'media_details',
      'source_url',
      '_links',
    ]);
    const edit = await site.by('editor').get(`/media/${made.id}?context=edit`);
    expect(edit.body).toMatchObject({
      title: { raw: 'River' },
      guid: { raw: made.source_url },
      generated_slug: 'river',
      missing_image_sizes: [],
    });
    expect(Object.keys(edit.body._links)).toEqual([
      'self',
      'collection',
      'about',
      'author',
      'replies',
      'core:action-unfiltered-html',
      'core:action-assign-author',
      'curies',
    ]);
    expect(edit.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE');
    expect(await site.by('anonymous').get(`/media/${made.id}?context=edit`)).toMatchObject({
      status: 401,
      body: { code: 'rest_forbidden_context' },
    });
    expect(await site.by('contributor').get(`/media/${made.id}?context=edit`)).toMatchObject({
      status: 403,
      body: { code: 'rest_forbidden_context' },
    });
  });

  it('is as visible as its post', async () => {
    const draft = await makePost(db(), { status: 'draft', author: site.users.author.id });
    const item = await makeMedia(db(), { parent: draft.id, author: site.users.author.id });
    const statuses = await Promise.all(
      roles.map(async (role) => (await site.by(role).get(`/media/${item.id}`)).status),
    );
    expect(statuses).toEqual([401, 403, 403, 200, 200, 200]);
    expect((await site.by('anonymous').get(`/media/${item.id}`)).body.code).toBe('rest_forbidden');
  });

  it('knows only attachments', async () => {
    const post = await makePost(db());
    for (const id of [0, post.id, 999_999, '99999999999999999999'])
      expect(await site.by('editor').get(`/media/${id}`)).toMatchObject({
        status: expect.any(Number),
        body: { data: { status: expect.any(Number) } },
      });
    expect(await site.by('editor').get(`/media/${post.id}`)).toMatchObject({
      status: 404,
      body: { code: 'rest_post_invalid_id' },
    });
    expect(await site.by('editor').get('/media/0')).toMatchObject({
      status: 404,
      body: { code: 'rest_post_invalid_id' },
    });
    expect((await site.by('editor').get('/media/abc')).body.code).toBe('rest_no_route');
  });

  it('embeds its author, and is embedded by posts', async () => {
    const author = site.users.author.id;
    const item = await makeMedia(db(), { author });
    const post = await makePost(db(), { author, featured_media: item.id });
    const { body } = await site.by('anonymous').get(`/posts/${post.id}?_embed=core:featuredmedia`);
    expect(body._embedded['core:featuredmedia'][0]).toMatchObject({
      id: item.id,
      source_url: `http://site.test/uploads/${item.file}`,
    });
    expect(body._embedded['core:featuredmedia'][0]).not.toHaveProperty('guid');
    await db().run("update posts set status = 'private' where id = $1", [item.id]);
    const hidden = await site.by('anonymous').get(`/posts/${post.id}?_embed=core:featuredmedia`);
    expect(hidden.body._embedded['core:featuredmedia'][0]).toMatchObject({
      code: 'rest_forbidden',
      data: { status: 401 },
    });
    expect((await site.by('anonymous').get(`/media/${item.id}?_embed=author`)).status).toBe(401);
  });
});

describe('POST /media/<id>', () => {
  it('changes the texts, the post and the rest, and announces it', async () => {
    const post = await makePost(db(), { author: site.users.author.id });
    const item = await makeMedia(db(), { author: site.users.author.id });
    const { status, body } = await site.by('author').post(`/media/${item.id}`, {
      title: { raw: 'New title' },
      alt_text: 'Alt',
      caption: 'Cap',
      description: { raw: 'Desc' },
      post: post.id,
      comment_status: 'closed',
      ping_status: 'open',
      date: '2022-02-02T02:02:02',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      title: { raw: 'New title', rendered: 'New title' },
      alt_text: 'Alt',
      caption: { raw: 'Cap', rendered: '<p>Cap</p>\n' },
      description: { raw: 'Desc' },
      post: post.id,
      comment_status: 'closed',
      ping_status: 'open',
      date: '2022-02-02T02:02:02',
      slug: item.slug,
      status: 'inherit',
      link: `http://site.test/2024/01/02/${post.slug}/${item.slug}/`,
    });
    const again = await site.by('anonymous').get(`/media/${item.id}`);
    expect(again.body.link).toBe(body.link);
    expect(
      await db().rows("select payload from outbox where channel = 'content.media.changed'"),
    ).toContainEqual({ payload: expect.objectContaining({ id: item.id }) });
    const detached = await site.by('author').put(`/media/${item.id}`, { post: 0 });
    expect(detached.body).toMatchObject({ post: null, link: `http://site.test/${item.slug}/` });
    await site.by('author').put(`/media/${item.id}`, { post: post.id });
    for (let sent = 0; sent < 2; sent++)
      expect((await site.by('author').put(`/media/${item.id}`, { post: null })).body).toMatchObject({
        id: item.id,
        post: null,
      });
  });

  it('keeps what is not sent', async () => {
    const item = await makeMedia(
      db(),
      { author: site.users.author.id, excerpt_raw: 'kept' },
      { alt_text: 'kept too' },
    );
    const { body } = await site.by('author').patch(`/media/${item.id}`, {});
    expect(body).toMatchObject({ slug: item.slug, caption: { raw: 'kept' }, alt_text: 'kept too' });
  });

  it('honours private, takes any other status for inherit', async () => {
    const item = await makeMedia(db(), { author: site.users.author.id });
    expect((await site.by('author').post(`/media/${item.id}`, { status: 'draft' })).body.status).toBe(
      'inherit',
    );
    const hidden = await site.by('author').post(`/media/${item.id}`, { status: 'private' });
    expect(hidden.body).toMatchObject({
      status: 'private',
      title: { rendered: expect.stringContaining('Private: ') },
    });
    expect((await site.by('anonymous').get(`/media/${item.id}`)).status).toBe(401);
    expect((await site.by('author').post(`/media/${item.id}`, { status: 'publish' })).body.status).toBe(
      'inherit',
    );
    expect(
      (await site.by('author').post(`/media/${item.id}`, { status: 'trash' })).body.data.details.status.code,
    ).toBe('rest_not_in_enum');
  });

  it.each(['inherit', 'private'])('may be sent back whole, %s', async (status) => {
    const item = await makeMedia(db(), { author: site.users.author.id, status, date_chosen: true });
    const shown = (await site.by('author').get(`/media/${item.id}?context=edit`)).body;
    const { modified: _then, modified_gmt: _thenGmt, _links, ...kept } = shown;
    expect(kept.status).toBe(status);
    expect(await site.by('author').put(`/media/${item.id}`, shown)).toMatchObject({
      status: 200,
      body: kept,
    });
  });

  it('gives slugs that are free among everything', async () => {
    await makePost(db(), { slug: 'taken' });
    const item = await makeMedia(db(), { author: site.users.author.id });
    expect((await site.by('author').post(`/media/${item.id}`, { slug: 'Taken' })).body.slug).toBe('taken-2');
    expect(
      (await site.by('author').post(`/media/${item.id}`, { slug: '', title: 'From Title' })).body.slug,
    ).toBe('from-title');
  });

  it('asks for rights', async () => {
    const item = await makeMedia(db(), { author: site.users.author.id });
    const statuses = await Promise.all(
      roles.map(async (role) => (await site.by(role).post(`/media/${item.id}`, { alt_text: role })).status),
    );
    expect(statuses).toEqual([401, 403, 403, 200, 200, 200]);
    expect((await site.by('contributor').post(`/media/${item.id}`, {})).body.code).toBe('rest_cannot_edit');
    const foreign = await makePost(db(), { author: site.users.editor.id });
    expect(await site.by('author').post(`/media/${item.id}`, { post: foreign.id })).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_edit' },
    });
    expect(await site.by('author').post(`/media/${item.id}`, { post: 999_999 })).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_edit' },
    });
    const other = await makeMedia(db());
    expect(await site.by('editor').post(`/media/${item.id}`, { post: other.id })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param' },
    });
    expect(await site.by('author').post(`/media/${item.id}`, { author: site.users.editor.id })).toMatchObject(
      { status: 403, body: { code: 'rest_cannot_edit_others' } },
    );
    expect(await site.by('editor').post(`/media/${item.id}`, { author: 999_999 })).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_author' },
    });
    expect(await site.by('editor').post('/media/999999', {})).toMatchObject({
      status: 404,
      body: { code: 'rest_post_invalid_id' },
    });
  });

  it('refuses lines that are too long, and takes back those that are there', async () => {
    const { db } = site.deps;
    const { id } = await makeMedia(db, { author: site.users.author.id, excerpt_raw: 'y'.repeat(30_000) });
    const change = async (body: object) => {
      const answer = await site.by('author').post(`/media/${id}`, body);
      return [answer.status, Object.keys(answer.body.data?.params ?? {})];
    };
    for (const [name, most] of [
      ['title', 5_000],
      ['alt_text', 5_000],
      ['caption', 20_000],
    ] as const) {
      expect(await change({ [name]: 'x'.repeat(most + 1) })).toEqual([400, [name]]);
      if (name === 'caption')
        expect(await change({ caption: { raw: 'y'.repeat(30_000) } })).toEqual([200, []]);
      expect(await change({ [name]: 'x'.repeat(most) })).toEqual([200, []]);
    }
  });

  it('names all bad arguments at once', async () => {
    const item = await makeMedia(db(), { author: site.users.author.id });
    const { status, body } = await site.by('author').post(`/media/${item.id}`, {
      date: 'x',
      comment_status: 'x',
      alt_text: 5,
      post: 'x',
      title: true,
      caption: [1],
    });
    expect(status).toBe(400);
    expect(Object.keys(body.data.params).sort()).toEqual([
      'alt_text',
      'caption',
      'comment_status',
      'date',
      'post',
      'title',
    ]);
  });

  it('takes a template that is there back, and no other', async () => {
    const item = await makeMedia(db(), { author: site.users.author.id, template: 'wide.php' });
    const change = (body: object) => site.by('author').post(`/media/${item.id}`, body);
    const shown = (await site.by('author').get(`/media/${item.id}?context=edit`)).body;
    expect(await change({ template: shown.template, alt_text: 'Changed' })).toMatchObject({
      status: 200,
      body: { template: 'wide.php', alt_text: 'Changed' },
    });
    const refused = await change({ template: 'other.php' });
    expect([refused.status, Object.keys(refused.body.data.params)]).toEqual([400, ['template']]);
    expect((await change({ template: '' })).body.template).toBe('');
    expect((await change({ template: 'wide.php' })).status).toBe(400);
  });
});

describe('DELETE /media/<id>', () => {
  it('needs force, and then removes rows, files, comments and features', async () => {
    const { body: made } = await site
      .by('author')
      .post('/media', await picture(400, 300), fileHeaders('gone.png'));
    const post = await makePost(db(), { featured_media: made.id });
    await makeComment(db(), { post: made.id });
    expect(await site.by('author').delete(`/media/${made.id}`)).toMatchObject({
      status: 501,
      body: { code: 'rest_trash_not_supported' },
    });
    const { status, body } = await site.by('author').delete(`/media/${made.id}?force=true`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ deleted: true, previous: { id: made.id, title: { raw: 'gone' } } });
    expect(body.previous).not.toHaveProperty('_links');
    expect((await site.by('author').get(`/media/${made.id}`)).status).toBe(404);
    expect((await site.by('anonymous').get(`/posts/${post.id}`)).body.featured_media).toBe(0);
    expect(await db().rows('select id from comments where post = $1', [made.id])).toEqual([]);
    expect(
      await db().rows("select payload from outbox where channel = 'content.media.deleted'"),
    ).toContainEqual({ payload: expect.objectContaining({ id: made.id }) });

    const file = `${site.url}/uploads/${made.media_details.file}`;
    expect((await fetch(file, { method: 'HEAD' })).status).toBe(404);
    expect(
      (await fetch(`${site.url}/uploads/${made.media_details.file.replace('gone', 'gone-300x225')}`)).status,
    ).toBe(404);
  });

  it('gives no name of a removed file again, until nobody may show it any more', async () => {
    const upload = async (text: string): Promise<{ id: number; path: string }> => {
      const { body } = await site.by('author').post('/media', text, fileHeaders('again.txt'));
      return { id: body.id, path: new URL(body.source_url).pathname };
    };
    const shown = async (path: string): Promise<string | number> => {
      const answer = await fetch(site.url + path);
      return answer.ok ? answer.text() : answer.status;
    };
    const first = await upload('first');
    await site.by('author').delete(`/media/${first.id}?force=true`);
    const second = await upload('second');
    expect(second.path).not.toBe(first.path);
    // The job of the deletion comes now, and so does what a sweep finds.
    for (const sweep of mediaSweeps) await sweep.run(site.deps);
    await runJobs();
    expect([await shown(first.path), await shown(second.path)]).toEqual([404, 'second']);

    await db().run(
      "update media_files set removed_at = removed_at - interval '1 year' where removed_at is not null",
    );
    for (const sweep of mediaSweeps) await sweep.run(site.deps);
    expect((await upload('third')).path).toBe(first.path);
    await runJobs();
    expect([await shown(first.path), await shown(second.path)]).toEqual(['third', 'second']);
  });

  it('gives the name of what could not be stored again at once', async () => {
    const broken = (await picture(100, 100)).subarray(0, 120);
    expect((await site.by('author').post('/media', broken, fileHeaders('half.png'))).status).toBe(415);
    const { body } = await site.by('author').post('/media', await picture(5, 5), fileHeaders('half.png'));
    expect(body.source_url).toMatch(/\/half\.png$/);
  });

  it('removes the original with the scaled copy', async () => {
    const { body } = await site
      .by('author')
      .post('/media', await picture(2600, 100, 'jpeg'), fileHeaders('huge.jpg'));
    expect(body.media_details).toMatchObject({
      width: 2560,
      file: expect.stringMatching(/huge-scaled\.jpg$/),
      original_image: 'huge.jpg',
    });
    const original = `${site.url}/uploads/${body.media_details.file.replace('-scaled', '')}`;
    expect((await fetch(original, { method: 'HEAD' })).status).toBe(200);
    await site.by('author').delete(`/media/${body.id}?force=true`);
    expect((await fetch(original, { method: 'HEAD' })).status).toBe(404);
    expect((await fetch(`${site.url}/uploads/${body.media_details.file}`, { method: 'HEAD' })).status).toBe(
      404,
    );
  });

  it('leftovers of a crash are found and removed', async () => {
    await site.deps.storage.write('2020/01/left.txt', Buffer.from('x'), 'text/plain');
    await db().run(
      "insert into media_files (path, upload, reserved_at) values ('2020/01/left.txt', nextval('media_uploads'), now() - interval '2 hours')",
    );
    await db().run(
      "insert into media_files (path, upload) values ('2020/01/running.txt', nextval('media_uploads'))",
    );
    const half = path.join(site.deps.config.UPLOADS_DIR, '.unfinished', 'half');
    await mkdir(path.dirname(half), { recursive: true });
    await writeFile(half, 'x');
    const at = new Date(Date.now() - 61 * 60_000);
    await utimes(half, at, at);
    for (const sweep of mediaSweeps) await sweep.run(site.deps);
    await runJobs();
    await expect(stat(half)).rejects.toThrow('ENOENT');
    expect(await site.deps.storage.find('2020/01/left.txt')).toBeUndefined();
    expect(
      await db().rows("select path from media_files where path like '2020/01/%' and removed_at is null"),
    ).toEqual([{ path: '2020/01/running.txt' }]);
  });

  it('asks for rights', async () => {
    const answers: number[] = [];
    for (const role of roles) {
      const item = await makeMedia(db(), { author: site.users.author.id });
      answers.push((await site.by(role).delete(`/media/${item.id}?force=true`)).status);
    }
    expect(answers).toEqual([401, 403, 403, 200, 200, 200]);
    const item = await makeMedia(db(), { author: site.users.editor.id });
    expect((await site.by('author').delete(`/media/${item.id}?force=true`)).body.code).toBe(
      'rest_cannot_delete',
    );
    expect((await site.by('editor').delete(`/media/${item.id}?force=perhaps`)).status).toBe(400);
    expect(await site.by('editor').delete('/media/999999?force=true')).toMatchObject({
      status: 404,
      body: { code: 'rest_post_invalid_id' },
    });
  });
});

describe('with the trash switched on', () => {
  let trashing: ContentSite;
  beforeAll(async () => {
    trashing = await startContent({ MEDIA_TRASH_ENABLED: true });
  });
  afterAll(() => trashing.stop());

  it('moves there, and back by any status', async () => {
    const item = await makeMedia(trashing.deps.db, { author: trashing.users.author.id });
    const gone = await trashing.by('author').delete(`/media/${item.id}`);
    expect(gone).toMatchObject({
      status: 200,
      body: {
        id: item.id,
        status: 'trash',
        slug: `${item.slug}__trashed`,
        link: `http://site.test/?attachment_id=${item.id}`,
      },
    });
    expect((await trashing.by('anonymous').get('/media')).body).toEqual([]);
    expect((await trashing.by('anonymous').get(`/media/${item.id}`)).status).toBe(401);
    expect(await trashing.by('author').delete(`/media/${item.id}`)).toMatchObject({
      status: 410,
      body: { code: 'rest_already_trashed' },
    });
    for (const more of [{}, { status: 'trash' }])
      expect(
        (await trashing.by('author').post(`/media/${item.id}`, { alt_text: 'x', ...more })).body.status,
      ).toBe('trash');
    expect((await trashing.by('author').post(`/media/${item.id}`, { status: 'inherit' })).status).toBe(400);
    const back = await trashing.by('author').post(`/media/${item.id}`, { status: 'publish' });
    expect(back.body).toMatchObject({
      status: 'inherit',
      slug: item.slug,
      link: `http://site.test/${item.slug}/`,
    });
    expect((await trashing.by('author').delete(`/media/${item.id}?force=true`)).body.deleted).toBe(true);
  });

  it.each([
    ['made', makeOne],
    ['changed', changeOne],
    ['moved to the trash', trashOne],
  ])(
    'many are %s at once while the settings are not known: nobody waits with a connection in hand for another one',
    async (_, prepare) => {
      const { deps } = trashing;
      const { max } = deps.db.pool.options;
      const writes = await Promise.all(Array.from({ length: max }, (_one, n) => prepare(n)));
      let begun = 0;
      let go = (): void => undefined;
      const all = new Promise<void>((resolve) => (go = resolve));
      await Promise.all(
        writes.map((write) =>
          deps.db.transaction(async (tx) => {
            await tx.run('select');
            if (++begun === max) {
              deps.memory.forget('settings');
              go();
            }
            await all;
            await write(tx);
          }),
        ),
      );
    },
  );

  type Write = (tx: Db) => Promise<unknown>;
  const own = (): Promise<{ id: number }> =>
    makeMedia(trashing.deps.db, { author: trashing.users.author.id });
  async function makeOne(n: number): Promise<Write> {
    const { deps, users } = trashing;
    const { author } = users;
    const file = `2024/01/at-once-${n}.png`;
    const upload = (await reserveFiles(deps.db, [file])) as number;
    const stored = { upload, title: `At once ${n}`, file, mimeType: 'image/png', filesize: 10, details: {} };
    return (tx) => createMedia(tx, deps, stored, { actor: author, author: author.id, fields: {} });
  }
  async function changeOne(n: number): Promise<Write> {
    const { deps, users } = trashing;
    const { id } = await own();
    return (tx) => updateMedia(tx, deps, users.author, id, { title: `Changed at once ${n}` });
  }
  async function trashOne(): Promise<Write> {
    const { deps, users } = trashing;
    const { id } = await own();
    return (tx) => trashMedia(tx, deps, users.author, id);
  }
});
