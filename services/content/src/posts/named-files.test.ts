/** Galleries that name files of the library show them as they are by now, and only those that everybody may still see. */
import { untilLocked } from '@sevenfold/chassis/testing/lock-waits';
import { publishDue } from './jobs';
import { makePost } from '../testing/factories';
import { makeMedia } from '../media/testing/factories';
import { noteAddress } from './shown-from';
import { type ContentSite, startContent } from '../testing/service';
import { workOff, workOnce } from './testing/work-off';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const work = () => workOff(site.deps);

const editor = () => site.by('editor');
const written = async (body: object, id?: number): Promise<number> => {
  const path = id === undefined ? '/posts' : `/posts/${id}`;
  const { status, body: post } = await editor().post(path, { title: 'x', status: 'publish', ...body });
  expect(status).toBeLessThan(300);
  return (post as { id: number }).id;
};
const shown = async (id: number): Promise<string> =>
  (await site.by('anonymous').get(`/posts/${id}`)).body.content.rendered;
const files = async (id: number): Promise<string[]> =>
  [...(await shown(id)).matchAll(/alt="([^"]*)"/g)].map(([, alt]) => alt as string);

test('one that becomes private, is called otherwise, goes to the trash or for good', async () => {
  const { db } = site.deps;
  const [one, two] = [
    await makeMedia(db, { title_html: 'One' }, { alt_text: '' }),
    await makeMedia(db, { title_html: 'Two' }, { alt_text: '' }),
  ];
  const id = await written({ content: `a [gallery ids="${one.id},${two.id}"] b` });
  const other = await written({ content: `[playlist ids="${two.id}"] [gallery ids="7${one.id}"]` });
  await work();
  expect(await files(id)).toEqual(['One', 'Two']);
  const change = async (body: object): Promise<string[]> => {
    expect((await editor().post(`/media/${one.id}`, body)).status).toBe(200);
    expect(await work()).toEqual([id]);
    return files(id);
  };
  expect(await change({ status: 'private' })).toEqual(['Two']);
  expect(await change({ status: 'publish' })).toEqual(['One', 'Two']);
  expect(await change({ title: 'First' })).toEqual(['First', 'Two']);
  expect(await change({ status: 'private' })).toEqual(['Two']);
  expect(await shown(id)).not.toContain('First');
  expect((await editor().delete(`/media/${two.id}?force=true`)).status).toBe(200);
  expect(await work()).toEqual([id, other]);
  expect(await files(id)).toEqual([]);
});

test('one that is attached to what not everybody may read any more', async () => {
  const owner = await written({ content: 'o' });
  const { id: file } = await makeMedia(site.deps.db, { title_html: 'Kept', parent: owner }, { alt_text: '' });
  const id = await written({ content: `[gallery ids="${file}"]` });
  await work();
  expect(await files(id)).toEqual(['Kept']);
  for (const [status, expected] of [
    ['draft', []],
    ['publish', ['Kept']],
    ['private', []],
  ] as const) {
    await written({ status }, owner);
    expect(await work()).toEqual([id]);
    expect([status, await files(id)]).toEqual([status, expected]);
  }
  await written({ status: 'publish' }, owner);
  await work();
  expect((await editor().delete(`/posts/${owner}`)).status).toBe(200);
  expect(await work()).toEqual([id]);
  expect(await files(id)).toEqual([]);
});

test('one whose post is published by the clock, or goes for good and leaves it to a page that not everybody may read', async () => {
  const { db } = site.deps;
  const above = await makePost(db, { type: 'page', status: 'private', slug: 'above' });
  const owner = await makePost(db, {
    ...{ type: 'page', status: 'future', slug: 'below', parent: above.id },
    ...{ date_gmt: '2020-01-01 00:00:00', date_local: '2020-01-01 00:00:00' },
  });
  const file = await makeMedia(db, { title_html: 'Left', parent: owner.id }, { alt_text: '' });
  const id = await written({ content: `[gallery ids="${file.id}"]` });
  await work();
  expect(await files(id)).toEqual([]);
  await db.transaction((tx) => publishDue(tx));
  expect(await work()).toEqual([id]);
  expect(await files(id)).toEqual(['Left']);
  expect((await editor().delete(`/pages/${owner.id}?force=true`)).status).toBe(200);
  expect(await work()).toEqual([id]);
  expect(await files(id)).toEqual([]);
});

test('what describes a file shows no gallery, and stays as it is', async () => {
  const { id: named } = await makeMedia(site.deps.db);
  const { id } = await makeMedia(site.deps.db);
  const described = { description: `Seen in [gallery ids="${named}"]`, caption: '' };
  const { body: before } = await editor().post(`/media/${id}`, described);
  expect((await editor().post(`/media/${named}`, { title: 'Other' })).status).toBe(200);
  expect(await work()).toEqual([]);
  const { body } = await editor().get(`/media/${id}`);
  expect([body.caption, body.description]).toEqual(
    [before.caption, before.description].map(({ rendered }) => ({ rendered })),
  );
});

test('one that becomes private while a text that names it is written', async () => {
  const { db } = site.deps;
  const { id: file } = await makeMedia(db, { title_html: 'Seen' }, { alt_text: '' });
  const before = await written({ title: 'Known', content: 'without' });
  await work();
  for (const [slug, id] of [
    ['raced', undefined],
    ['raced-again', before],
  ] as const) {
    let post: Promise<number> | undefined;
    await db.transaction(async (tx) => {
      await tx.run(`select pg_advisory_xact_lock(hashtextextended('slug:${slug}', 1))`);
      post = written({ slug, content: `[gallery ids="${file}"]` }, id);
      // By then it has looked at the file.
      await untilLocked(db, '%pg_advisory_xact_lock%');
      expect((await editor().post(`/media/${file}`, { status: 'private' })).status).toBe(200);
    });
    const made = (await post) as number;
    expect(await files(made)).toEqual(['Seen']);
    await work();
    expect(await files(made)).toEqual([]);
    expect((await editor().post(`/media/${file}`, { status: 'publish' })).status).toBe(200);
    await work();
    expect(await files(made)).toEqual(['Seen']);
  }
});

test.each([
  ['names it', (file: number) => `[gallery ids="${file}"]`],
  ['shows what is attached', () => '[gallery]'],
])('one that is still becoming private when a text that %s is there and made anew', async (_, contentOf) => {
  const { db } = site.deps;
  const id = await written({ content: 'without' });
  const { id: file } = await makeMedia(db, { title_html: 'Seen', parent: id }, { alt_text: '' });
  let change: Promise<{ status: number }> | undefined;
  await db.transaction(async (tx) => {
    await tx.run('select from media where post_id = $1 for update', [file]);
    change = editor().post(`/media/${file}`, { status: 'private', alt_text: 'Unseen' });
    // By then it has written the status.
    await untilLocked(db, '%update media%');
    await written({ content: contentOf(file) }, id);
    await work();
    expect(await files(id)).toEqual(['Seen']);
  });
  expect((await change)?.status).toBe(200);
  await work();
  expect(await files(id)).toEqual([]);
});

test('a recording of the post that becomes private while the player for it is written', async () => {
  const { db } = site.deps;
  const id = await written({ content: 'without' });
  const { id: file } = await makeMedia(db, { parent: id }, { mime_type: 'audio/mpeg' });
  await work();
  let post: Promise<number> | undefined;
  await db.transaction(async (tx) => {
    await tx.run(`select pg_advisory_xact_lock(hashtextextended('slug:played', 1))`);
    post = written({ slug: 'played', content: '[audio]' }, id);
    // By then it has looked at the file.
    await untilLocked(db, '%pg_advisory_xact_lock%');
    expect((await editor().post(`/media/${file}`, { status: 'private' })).status).toBe(200);
  });
  await post;
  expect(await shown(id)).toContain('<audio');
  await work();
  expect(await shown(id)).not.toContain('<audio');
});

test('one that many texts name leaves room between them for other jobs', async () => {
  const { db } = site.deps;
  const { id: file } = await makeMedia(db, { title_html: 'Before' }, { alt_text: '' });
  await db.run(
    `insert into posts (type, status, slug, path, content_raw, date_local, date_gmt, modified_local, modified_gmt)
     select 'post', 'publish', 'many-' || n, 'many-' || n, $1, now(), now(), now(), now() from generate_series(1, 600) as n`,
    [`[gallery ids="${file}"]`],
  );
  await work();
  expect((await editor().post(`/media/${file}`, { title: 'After' })).status).toBe(200);
  const rounds: number[] = [];
  for (let jobs = -1; jobs !== 0;) rounds.push((jobs = (await workOnce(site.deps)).jobs));
  expect(rounds).toEqual([1, 501, 100, 0]);
  const shows = `from posts where slug like 'many-%' and content_html like '%alt="After"%'`;
  expect(await db.first(`select count(*) as n ${shows}`)).toEqual({ n: 600 });
  await db.run(`delete from posts where slug like 'many-%'`);
});

test('one that changes again and again is looked for once, and again only where that has passed', async () => {
  const { db } = site.deps;
  const { id: file } = await makeMedia(db, { title_html: 'Before' }, { alt_text: '' });
  const { id: other } = await makeMedia(db, { title_html: 'Beside' }, { alt_text: '' });
  await db.run(
    `insert into posts (type, status, slug, path, content_raw, date_local, date_gmt, modified_local, modified_gmt)
     select 'post', 'publish', 'again-' || n, 'again-' || n, $1, now(), now(), now(), now() from generate_series(1, 600) as n`,
    [`[gallery ids="${file},${other}"]`],
  );
  await work();
  const change = async (id: number, title: string): Promise<void> =>
    expect((await editor().post(`/media/${id}`, { title })).status).toBe(200);
  const round = async (): Promise<number> => (await workOnce(site.deps)).jobs;
  const rounds: number[] = [];
  for (let n = 0; n < 3; n++) await change(file, `First ${n}`);
  rounds.push(await round());
  // The first five hundred wait to be made anew, and the next look waits for those behind them.
  for (let n = 0; n < 3; n++) await change(file, `Second ${n}`);
  await change(other, 'Beside it');
  for (let jobs = -1; jobs !== 0;) rounds.push((jobs = await round()));
  // Then what they passed is looked at once more; of the other file, what does not wait already.
  expect(rounds).toEqual([1, 503, 601, 100, 0]);
  const shows = `from posts where slug like 'again-%' and content_html like '%alt="Second 2"%alt="Beside it"%'`;
  expect(await db.first(`select count(*) as n ${shows}`)).toEqual({ n: 600 });
  await db.run(`delete from posts where slug like 'again-%'`);
});

test('one of a post that shows what is attached to it changes again and again, and its text is made anew once', async () => {
  const id = await written({ content: '[gallery]' });
  const { id: file } = await makeMedia(site.deps.db, { title_html: 'Before', parent: id }, { alt_text: '' });
  await work();
  const rounds: number[] = [];
  for (const which of ['First', 'Second']) {
    for (let n = 0; n < 3; n++)
      expect((await editor().post(`/media/${file}`, { title: `${which} ${n}` })).status).toBe(200);
    rounds.push((await workOnce(site.deps)).jobs);
  }
  // It waits to be made anew, and is found once more meanwhile.
  for (let jobs = -1; jobs !== 0;) rounds.push((jobs = (await workOnce(site.deps)).jobs));
  expect(rounds).toEqual([2, 3, 1, 0]);
  expect(await files(id)).toEqual(['Second 2']);
});

test('a text that is written again and again is made anew once behind that', async () => {
  const { id: file } = await makeMedia(site.deps.db, { title_html: 'Shown' }, { alt_text: '' });
  const id = await written({ content: 'without' });
  for (let n = 0; n < 3; n++) await written({ content: `${n} [gallery ids="${file}"]` }, id);
  expect(await work()).toEqual([id]);
});

test('one that becomes private while nobody can tell what stands for addresses in the text', async () => {
  const { id: file } = await makeMedia(site.deps.db, { title_html: 'Near' }, { alt_text: '' });
  const id = await written({ content: `https://elsewhere.example/1\n\n[gallery ids="${file}"]` });
  expect(await files(id)).toEqual(['Near']);
  expect((await editor().post(`/media/${file}`, { status: 'private' })).status).toBe(200);
  await work();
  expect(await files(id)).toEqual([]);
});

test('texts that name a file are found by an index, whatever else there is', async () => {
  const { db } = site.deps;
  for (let n = 1; n <= 20; n++) await makePost(db, { content_raw: `[gallery ids="${n}"]` });
  await makePost(db, { content_raw: 'text' });
  // As many as a site has, by copies of them.
  const columns = `(select string_agg(quote_ident(attname), ', ') from pg_attribute
    where attrelid = 'posts'::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attname not in ('id', 'slug', 'path', 'content_raw'))`;
  const { names } = (await db.first<{ names: string }>(`select ${columns} as names`))!;
  await db.run(
    `insert into posts (id, slug, path, content_raw, ${names})
     select nextval('object_ids'), '', '', 'text ' || n, ${names} from generate_series(1, 5000) as n,
       lateral (select * from posts where content_raw = 'text' limit 1) as one`,
  );
  await db.run('vacuum analyze posts');
  const plan = JSON.stringify(
    await db.rows(`explain (format json) select id from posts
      where (content_raw like '%[gallery%' or content_raw like '%[playlist%') and named_files(content_raw) && '{150}'`),
  );
  expect(plan).toContain('posts_named_files');
  expect(plan).not.toContain('Seq Scan');
});

test('a site that stands at another address by now shows them from there, also in texts that nobody wrote since', async () => {
  const { db, config } = site.deps;
  const { id: file } = await makeMedia(db, { title_html: 'Moved' }, { alt_text: '' });
  const id = await written({ content: `[gallery ids="${file}"]` });
  const other = await written({ content: 'Nothing.' });
  await work();
  expect(await shown(id)).toContain(`src="${config.SITE_URL}/`);
  // As a backup from elsewhere brings it.
  const address = 'https://rehearsal.example';
  await db.run('update shown_from set address = $1', [address]);
  await db.run('update posts set content_html = replace(content_html, $1, $2) where id = $3', [
    config.SITE_URL,
    address,
    id,
  ]);
  expect(await shown(id)).toContain(address);
  await noteAddress(db, config.SITE_URL);
  const done = await work();
  expect([done.includes(id), done.includes(other)]).toEqual([true, false]);
  expect(await shown(id)).not.toContain(address);
  expect(await shown(id)).toContain(`src="${config.SITE_URL}/`);
  // And a start at the same address orders nothing.
  await noteAddress(db, config.SITE_URL);
  expect(await work()).toEqual([]);
});
