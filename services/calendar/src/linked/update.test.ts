/** POST, PUT and PATCH of a venue or an organizer, by id and by slug. */
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { linkedKinds } from '../testing/linked';
import { type CalendarSite, startCalendar } from '../testing/service';
import { calendarService } from '../service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(() => site.deps.db.run('truncate events, venues, organizers, outbox'));

describe.each(linkedKinds)('changing one of $many', ({ one, many, make }) => {
  const db = () => site.deps.db;
  const put = (id: number, body: object, role: Parameters<CalendarSite['by']>[0] = 'editor') =>
    site.by(role).put(`/${many}/${id}`, body);

  test.each(['post', 'put', 'patch'] as const)('%s keeps what is not named', async (method) => {
    const made = (await site.by('editor').post(`/${many}`, {
      [one]: 'Hall', description: 'text', phone: '555', website: 'http://a.example.org', date: '2020-01-02 03:04:05',
    })).body; // prettier-ignore
    const { status, body } = await site.by('editor')[method](`/${many}/${made.id}`, { phone: 556 });
    expect(status).toBe(200);
    const { modified: _m, modified_utc: _u, ...rest } = body;
    const { modified: _m2, modified_utc: _u2, phone: _p, ...before } = made;
    expect(rest).toEqual({ ...before, phone: '556' });
    const bySlug = await site.by('editor')[method](`/${many}/by-slug/hall`, { phone: '557' });
    expect(bySlug.body).toMatchObject({ id: made.id, phone: '557', website: 'http://a.example.org' });
  });

  test('an empty body changes nothing but the date of the change', async () => {
    const { id } = await make(db(), { phone: '1', modified_utc: '2020-01-01 00:00:00Z' });
    const { body } = await put(id, {});
    expect(body).toMatchObject({ id, phone: '1', status: 'publish' });
    expect(body.modified_utc > '2026').toBe(true);
  });

  test('empty text clears', async () => {
    const { id } = await make(db(), {
      phone: '1', website: 'http://a.example.org', description_raw: 'a', description_html: '<p>a</p>', image_id: 5,
    }); // prettier-ignore
    const { body } = await put(id, { phone: '', website: '', description: '', image: false });
    for (const name of ['phone', 'website', 'description', 'image']) expect(body).not.toHaveProperty(name);
    expect(await db().first(`select phone, website, description_raw, image_id from ${many}`)).toEqual({
      phone: '', website: '', description_raw: '', image_id: 0,
    }); // prettier-ignore
  });

  test('a picture is sent back as it is shown', async () => {
    const picture = await makeMedia(site.content.deps.db);
    const { id } = await make(db(), { image_id: picture.id });
    const { body } = await put(id, { phone: '1' });
    const back = await put(id, body);
    expect([back.status, back.body.image]).toEqual([200, expect.objectContaining({ id: picture.id })]);
  });

  test('a new name keeps the address; a slug in the body renames', async () => {
    const { id, slug } = await make(db(), { name: 'Old' });
    expect((await put(id, { [one]: 'New' })).body).toMatchObject({ [one]: 'New', slug });
    const bySlug = await site.by('editor').put(`/${many}/by-slug/${slug}`, { slug: 'Brand new' });
    expect(bySlug.body).toMatchObject({ id, slug: 'brand-new', url: `http://site.test/${one}/brand-new/` });
    expect((await site.by('editor').get(`/${many}/by-slug/${slug}`)).status).toBe(404);
    expect((await put(id, { slug: 'third' })).body.slug).toBe('third');
    await make(db(), { slug: 'taken' });
    expect((await put(id, { slug: 'taken' })).body.slug).toBe('taken-2');
    // As by id, null says nothing of it.
    const unsaid = await site.by('editor').put(`/${many}/by-slug/taken-2`, { slug: null, [one]: 'Newest' });
    expect(unsaid.body).toMatchObject({ [one]: 'Newest', slug: 'taken-2' });
    for (const bad of ['', ' ', {}, [1]])
      expect((await site.by('editor').put(`/${many}/by-slug/taken-2`, { slug: bad })).status).toBe(400);
  });

  test('a whole object may be sent back', async () => {
    const { id } = await make(db(), { phone: '1' });
    const { body } = await site.by('editor').get(`/${many}/${id}`);
    const back = await put(id, body);
    expect(back.status).toBe(200);
    const { modified: _m, modified_utc: _u, json_ld: _j, ...before } = body;
    expect(back.body).toMatchObject(before);
    const draft = (await site.by('contributor').post(`/${many}`, { [one]: 'Draft' })).body;
    expect((await put(draft.id, draft, 'contributor')).body).toMatchObject({
      status: 'draft',
      date_utc: draft.date_utc,
    });
  });

  test('one that is unknown is unknown to strangers, too', async () => {
    for (const place of ['999999', 'by-slug/nothing'])
      expect((await site.by('anonymous').put(`/${many}/${place}`, { phone: '1' })).status).toBe(404);
  });

  test('status: kept when absent, scaled to what the caller may set', async () => {
    const own = await make(db(), { status: 'draft', author: site.users.contributor.id });
    expect((await put(own.id, { phone: '1' }, 'contributor')).body.status).toBe('draft');
    expect((await put(own.id, { status: 'publish' }, 'contributor')).body.status).toBe('pending');
    expect((await put(own.id, { status: '' })).body.status).toBe('pending');
    const shown = await put(own.id, { status: 'publish' });
    expect(shown.body).toMatchObject({ status: 'publish', slug: expect.any(String) });
    expect(shown.body.date_utc).not.toContain('0000');
    expect((await put(own.id, { phone: '2' }, 'contributor')).status).toBe(403);
    expect((await put(own.id, { date: '2099-01-01 00:00:00' })).body.status).toBe('future');
    expect((await put(own.id, { status: 'any' })).status).toBe(400);
  });

  test('the trash is left by a status, and entered by one', async () => {
    const { id, slug } = await make(db());
    expect((await put(id, { status: 'trash' })).body).toMatchObject({
      status: 'trash',
      slug: `${slug}__trashed`,
    });
    expect((await put(id, { phone: '1' })).body).toMatchObject({ status: 'trash', phone: '1' });
    expect(await db().first(`select status_before_trash from ${many}`)).toEqual({
      status_before_trash: 'publish',
    });
    expect((await put(id, { status: 'publish' })).body).toMatchObject({ status: 'publish', slug });
    expect(await db().first(`select status_before_trash from ${many}`)).toEqual({ status_before_trash: '' });
  });

  test('a long slug comes back whole, and is found by what it is in the trash', async () => {
    const { id, slug } = await make(db(), { slug: '%e6%97%a5'.repeat(22) });
    const trashed = (await put(id, { status: 'trash' })).body.slug;
    expect(trashed).toBe(`${slug}__trashed`);
    const found = await site.by('editor').get(`/${many}/by-slug/${encodeURIComponent(trashed)}`);
    expect(found.body).toMatchObject({ id, status: 'trash' });
    expect((await put(id, { status: 'publish' })).body.slug).toBe(slug);
  });

  test.each([
    ['anonymous', 401, 401],
    ['subscriber', 403, 403],
    ['contributor', 403, 403],
    ['author', 403, 403],
    ['editor', 200, 200],
    ['administrator', 200, 200],
  ] as const)('of somebody else by %s', async (role, published, draft) => {
    const [first, second] = [await make(db()), await make(db(), { status: 'draft' })];
    const answer = await put(first.id, { phone: 'x' }, role);
    expect(answer.status).toBe(published);
    if (published > 400) expect(answer.body.code).toBe('rest_forbidden');
    expect((await put(second.id, { phone: 'x' }, role)).status).toBe(draft);
    const row = await db().first<{ phone: string }>(`select phone from ${many} where id = $1`, [first.id]);
    expect(row?.phone).toBe(published === 200 ? 'x' : '');
  });

  test('of one’s own: contributors drafts, authors all', async () => {
    for (const [role, status, wanted] of [
      ['contributor', 'draft', 200],
      ['contributor', 'pending', 200],
      ['contributor', 'publish', 403],
      ['author', 'publish', 200],
      ['author', 'draft', 200],
    ] as const) {
      const { id } = await make(db(), { status, author: site.users[role].id });
      expect([role, status, (await put(id, { phone: '1' }, role)).status]).toEqual([role, status, wanted]);
    }
  });

  test('author: kept, given away by editors, refused to others', async () => {
    const { users } = site;
    const { id } = await make(db(), { author: users.author.id });
    expect((await put(id, { phone: '1' })).body.author).toBe(String(users.author.id));
    expect((await put(id, { author: users.author.id })).status).toBe(200);
    expect(await put(id, { author: users.editor.id }, 'author')).toMatchObject({
      status: 403,
      body: { code: 'rest_cannot_edit_others' },
    });
    expect((await put(id, { author: users.administrator.id })).body.author).toBe(
      String(users.administrator.id),
    );
    expect((await put(id, { author: 999_999 })).status).toBe(400);
  });

  test('bad arguments are told together and nothing changes', async () => {
    const { id } = await make(db(), { name: 'Same', phone: '1' });
    const bad = await put(id, {
      [one]: '',
      phone: ['2'],
      website: 'nope',
      status: 'x',
      image: 'y',
      author: -1,
    });
    expect(bad).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(bad.body.data.params).sort()).toEqual(
      ['author', 'image', 'phone', 'status', 'website', one].sort(),
    );
    expect((await put(id, { phone: '2', image: 999_999 })).status).toBe(400);
    expect(await db().first(`select name, phone from ${many}`)).toEqual({ name: 'Same', phone: '1' });
  });

  test('parallel changes of different fields all count', async () => {
    const { id } = await make(db());
    await Promise.all([
      put(id, { phone: '1' }),
      put(id, { website: 'http://a.example.org' }),
      put(id, { description: 'text' }),
      put(id, { [one]: 'Name' }),
    ]);
    expect((await site.by('editor').get(`/${many}/${id}`)).body).toMatchObject({
      phone: '1', website: 'http://a.example.org', description: '<p>text</p>', [one]: 'Name',
    }); // prettier-ignore
  });

  test('tells the other services, and events show it at once', async () => {
    const { id } = await make(db(), { name: 'Before' });
    const event = await site.by('editor').post('/events', {
      title: 'E', start_date: '2030-01-01 10:00', end_date: '2030-01-01 11:00', [one]: id,
    }); // prettier-ignore
    const shown = async () => {
      const { body } = await site.by('anonymous').get(`/events/${event.body.id}`);
      return one === 'venue' ? body.venue : body.organizer[0];
    };
    expect(await shown()).toMatchObject({ id, [one]: 'Before' });
    await put(id, { [one]: 'After' });
    expect(await shown()).toMatchObject({ id, [one]: 'After' });
    const topics = await db().rows<{ name: string }>(
      `select payload from outbox where payload::text like '%before_status%' and payload->>'id' = $1`,
      [String(id)],
    );
    expect(topics).toHaveLength(1);
    await site.by('editor').delete(`/${many}/${id}`);
    expect((await shown()) ?? []).toEqual([]);
  });

  test('what was scheduled is shown when its time has come', async () => {
    const due = await make(db(), { status: 'future', date_utc: '2020-01-01 00:00:00Z' });
    const later = await make(db(), { status: 'future', date_utc: '2099-01-01 00:00:00Z' });
    await runSweep(calendarService.sweeps ?? [], `publish-due-${many}`, site.deps);
    expect((await site.by('anonymous').get(`/${many}/${due.id}`)).body.status).toBe('publish');
    expect((await site.by('anonymous').get(`/${many}/${later.id}`)).status).toBe(401);
  });
});
