/** GET and DELETE of a venue or an organizer, by id and by slug. */
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { linkedKinds } from '../testing/linked';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('truncate events, venues, organizers'));

const ROLES = ['anonymous', 'subscriber', 'contributor', 'author', 'editor', 'administrator'] as const;

describe.each(linkedKinds)('GET of one of $many', ({ one, many, make }) => {
  const db = () => site.deps.db;

  test('by id and by slug are the same', async () => {
    const { id, slug } = await make(db(), { description_html: '<p>Here</p>\n' });
    const byId = await site.by('anonymous').get(`/${many}/${id}`);
    expect(byId).toMatchObject({ status: 200, body: { id, slug, description: '<p>Here</p>' } });
    expect(byId.body.json_ld).toMatchObject({ description: '&lt;p&gt;Here&lt;/p&gt;\\n' });
    const bySlug = await site.by('anonymous').get(`/${many}/by-slug/${slug}`);
    expect(bySlug.body).toEqual(byId.body);
    expect(byId.headers.get('allow')).toBe('GET');
  });

  test('slugs of other scripts are found as they are written', async () => {
    const made = await site.by('editor').post(`/${many}`, { [one]: 'Большой зал' });
    expect(made.body.slug).toMatch(/^%d0/);
    for (const slug of ['большой-зал', made.body.slug, 'БОЛЬШОЙ-ЗАЛ'])
      expect((await site.by('anonymous').get(`/${many}/by-slug/${encodeURI(slug)}`)).body.id).toBe(
        made.body.id,
      );
  });

  test('what is not there is not found', async () => {
    for (const path of ['0', '999999', 'by-slug/nothing', 'by-slug/%20', 'by-slug/-'])
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect(await site.by('editor').request(method, `/${many}/${path}`)).toMatchObject({
          status: 404,
          body: { code: `${one}-not-found`, data: { status: 404 } },
        });
    expect((await site.by('editor').get(`/${many}/99999999999999999999`)).status).toBe(400);
    expect((await site.by('editor').get(`/${many}/abc`)).body.code).toBe('rest_no_route');
  });

  test.each([
    ['draft', [401, 403, 403, 403, 200, 200]],
    ['pending', [401, 403, 403, 403, 200, 200]],
    ['future', [401, 403, 403, 403, 200, 200]],
    ['private', [401, 403, 403, 403, 200, 200]],
    ['trash', [401, 403, 403, 403, 200, 200]],
    ['publish', [200, 200, 200, 200, 200, 200]],
  ])('%s of somebody else', async (status, wanted) => {
    const { id } = await make(db(), { status, status_before_trash: status === 'trash' ? 'publish' : '' });
    const answers = [];
    for (const role of ROLES) answers.push(await site.by(role).get(`/${many}/${id}`));
    expect(answers.map((answer) => answer.status)).toEqual(wanted);
    for (const answer of answers.filter(({ status: code }) => code > 400))
      expect(answer.body.code).toBe(`${one}-not-accessible`);
  });

  test('authors read their own drafts', async () => {
    const { id } = await make(db(), { status: 'draft', author: site.users.contributor.id });
    expect((await site.by('contributor').get(`/${many}/${id}`)).status).toBe(200);
  });

  test('pictures are shown; a picture that is gone is not', async () => {
    const picture = await makeMedia(site.content.deps.db);
    const { id } = await make(db(), { image_id: picture.id });
    const url = expect.stringMatching(`/uploads/${picture.file}$`) as string;
    expect((await site.by('anonymous').get(`/${many}/${id}`)).body).toMatchObject({
      image: { id: picture.id, url, extension: 'png', width: 10 },
      json_ld: { image: url },
    });
    const other = await make(db(), { image_id: 999_999 });
    expect((await site.by('anonymous').get(`/${many}/${other.id}`)).body).not.toHaveProperty('image');
  });
});

describe.each(linkedKinds)('DELETE of one of $many', ({ one, many, make }) => {
  const db = () => site.deps.db;
  const rowOf = (id: number) =>
    db().first(`select status, status_before_trash, slug from ${many} where id = $1`, [id]);

  test('moves it to the trash, once', async () => {
    const { id, slug } = await make(db());
    const gone = await site.by('editor').delete(`/${many}/${id}`);
    expect(gone).toMatchObject({ status: 200, body: { id, status: 'trash', slug: `${slug}__trashed` } });
    expect(gone.body).not.toHaveProperty('json_ld');
    expect(await rowOf(id)).toEqual({
      status: 'trash',
      status_before_trash: 'publish',
      slug: `${slug}__trashed`,
    });
    expect(await site.by('editor').delete(`/${many}/${id}`)).toMatchObject({
      status: 410,
      body: { code: `${one}-is-in-trash`, data: { status: 410 } },
    });
    expect((await site.by('editor').delete(`/${many}/by-slug/${slug}`)).status).toBe(404);
    expect((await site.by('anonymous').delete(`/${many}/${id}`)).status).toBe(401);
    expect((await site.by('anonymous').get(`/${many}/${id}`)).body.code).toBe(`${one}-not-accessible`);
  });

  test('by slug does the same, and force changes nothing', async () => {
    const { id, slug } = await make(db());
    expect((await site.by('editor').delete(`/${many}/by-slug/${slug}?force=true`)).body.status).toBe('trash');
    expect(await rowOf(id)).toMatchObject({ status: 'trash' });
  });

  test('frees the slug for others', async () => {
    const { id, slug } = await make(db());
    await site.by('editor').delete(`/${many}/${id}`);
    const next = await site.by('editor').post(`/${many}`, { [one]: slug });
    expect(next.body.slug).toBe(slug);
    const back = await site.by('editor').put(`/${many}/${id}`, { status: 'publish' });
    expect(back.body).toMatchObject({ status: 'publish', slug: `${slug}-2` });
  });

  test('two at once: one is too late', async () => {
    const { id } = await make(db());
    const both = await Promise.all([1, 2].map(() => site.by('editor').delete(`/${many}/${id}`)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  });

  test.each([
    ['anonymous', 401, 401],
    ['subscriber', 403, 403],
    ['contributor', 403, 403],
    ['author', 403, 403],
    ['editor', 200, 200],
    ['administrator', 200, 200],
  ] as const)('of somebody else by %s', async (role, published, draft) => {
    const [one, two] = [await make(db()), await make(db(), { status: 'draft' })];
    const answer = await site.by(role).delete(`/${many}/${one.id}`);
    expect(answer.status).toBe(published);
    if (published > 400) expect(answer.body.code).toBe('rest_forbidden');
    expect((await site.by(role).delete(`/${many}/${two.id}`)).status).toBe(draft);
    expect(await rowOf(one.id)).toMatchObject({ status: published === 200 ? 'trash' : 'publish' });
  });

  test('of one’s own: contributors until it is published, authors always', async () => {
    const own = (role: 'contributor' | 'author', status: string) =>
      make(db(), { author: site.users[role].id, status });
    const remove = async (role: 'contributor' | 'author', status: string) =>
      (await site.by(role).delete(`/${many}/${(await own(role, status)).id}`)).status;
    expect(await remove('contributor', 'draft')).toBe(200);
    expect(await remove('contributor', 'publish')).toBe(403);
    expect(await remove('author', 'publish')).toBe(200);
  });
});
