/** Moving in from a site that lives on: between two real ones, and from one that means no good. */
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Actor } from '@sevenfold/chassis/actor';
import { until } from '@sevenfold/chassis/testing/until';
import { type Filled, fillSource } from './testing/fill-source';
import { startMovingIn } from './testing/move-in';
import { type Shown, allShown } from './testing/shown';
import type { ExportedRecord } from '@sevenfold/content/site-import/exported';
import { CHANGED_HERE } from '@sevenfold/content/site-import/marks';
import { picture } from '@sevenfold/content/media/testing/pictures';
import { Report } from '@sevenfold/content/site-import/report';
import { createApplicationPassword } from '@sevenfold/content/users/commands';
import { type LiveOptions, openLiveSite } from '../live-site/live-site';
import { type StrangeSite, askerOf, startStrange } from '../live-site/testing';
import { type SourceSite, startSource } from './testing/source-site';
import { temporaryFolder } from '../test-support';

const folder = temporaryFolder();
let source: SourceSite;
let filled: Filled;
let site: CalendarSite;
beforeAll(async () => {
  source = await startSource();
  site = await startCalendar();
  filled = await fillSource(source);
});
afterAll(async () => {
  await site?.stop();
  await source?.stop();
});

const start = (...args: readonly string[]) =>
  startMovingIn(
    site,
    [
      source.address,
      '--json',
      '--rate',
      '1000',
      '--keep-roles',
      '--username',
      source.credential.username,
      ...args,
    ],
    { OUTBOUND_ALLOW_PRIVATE: 'true', IMPORT_SITE_PASSWORD: source.credential.password },
  );

async function run(...args: readonly string[]) {
  const { code, stdout, stderr } = await start(...args).ended;
  return { code, stderr, summary: stdout === '' ? undefined : JSON.parse(stdout) };
}

const there = (): Shown => ({
  content: source.content.by('administrator'),
  calendar: source.calendar.by('administrator'),
  addresses: [source.address],
});
const here = (): Shown => ({
  content: site.content.by('administrator'),
  calendar: site.by('administrator'),
  addresses: [site.content.deps.config.SITE_URL, source.address],
});

const moved = async (): Promise<number> =>
  (await site.content.deps.db.first<{ n: number }>('select count(*) as n from imported_objects'))?.n ?? 0;

/** Of this site, what moved in. */
async function compare(): Promise<void> {
  const [theirs, ours] = [await allShown(there()), await allShown(here())];
  const own = new Set(Object.values(site.users).map(({ username }) => username));
  ours.users = (ours.users ?? []).filter(({ id }) => !own.has(String(id)));
  expect(ours).toEqual(theirs);
}

test('killed five times in its course and begun again, it ends with all there is and nothing twice', async () => {
  for (const [time, n] of [4, 9, 16, 28, 40].entries()) {
    const { child, ended } = start();
    // Whoever comes to an end before is found out below.
    await until(async () => child.exitCode !== null || (await moved()) >= n);
    child.kill('SIGKILL');
    expect([time, (await ended).code]).toEqual([time, null]);
  }
  const { code, summary, stderr } = await run('--verify', '--sample', '100');
  expect([stderr, summary.skipped, summary.verified.differences]).toEqual(['', [], []]);
  expect(code).toBe(0);
  await compare();
  // Events as they were written, not as they are shown.
  const written = (of: Pick<SourceSite, 'deps'>): Promise<unknown[]> =>
    of.deps.db.rows('select title_raw, description_raw, excerpt_raw from events order by id');
  expect(await written(site)).toEqual(await written(source));
  const { counts } = summary.verified;
  expect(counts).toHaveLength(11);
  for (const { kind, there, here, compared } of counts)
    expect([kind, there, compared]).toEqual([kind, here, here]);
});

test('done again it changes nothing; what changed there is brought, unless it changed here as well', async () => {
  expect((await run()).summary).toMatchObject({ created: {}, updated: {}, skipped: [] });
  const theirs = source.content.by('administrator');
  const ours = site.content.by('administrator');
  const [first, second] = filled.posts as [number, number];
  await theirs.post(`/posts/${first}`, { title: 'Another title', categories: [] });
  await theirs.post(`/posts/${second}`, { title: 'Their title' });
  await theirs.post(`/media/${filled.picture}`, { alt_text: 'Another sea' });
  await source.calendar
    .by('administrator')
    .post(`/events/${filled.event}`, { title: 'Another concert', status: 'publish' });
  await ours.post(`/posts/${second}`, { title: 'Our title' });
  // Beyond all numbers that the first look can know.
  await source.deps.db.run(`select setval('object_ids', 60000)`);
  const far = await source.calendar
    .by('administrator')
    .post('/events', { title: 'Far', start_date: '2031-01-01 10:00', end_date: '2031-01-01 11:00' });
  expect(far.body.id).toBeGreaterThan(60_000);
  const { summary } = await run();
  expect((await site.by('administrator').get(`/events/${far.body.id}`)).body.title).toBe('Far');
  expect(summary.created).toEqual({ event: 1 });
  expect(summary.updated).toEqual({ post: 1, attachment: 1, event: 1 });
  expect(summary.skipped).toMatchObject([
    { kind: 'post', count: 1, reason: expect.stringContaining('here as well') },
  ]);
  expect((await ours.get(`/posts/${second}`)).body.title.rendered).toBe('Our title');
  const again = await run('--verify', '--only', 'posts', '--sample', '100');
  expect(again.code).toBe(1);
  expect(
    again.summary.verified.differences.filter(({ field }: { field: string }) => field === 'title'),
  ).toEqual([
    {
      kind: 'post',
      foreignId: String(second),
      id: second,
      field: 'title',
      there: 'Their title',
      here: 'Our title',
    },
  ]);
  expect((await ours.get(`/posts/${first}`)).body).toMatchObject({
    title: { rendered: 'Another title' },
    categories: [],
  });
  expect((await ours.get(`/media/${filled.picture}`)).body.alt_text).toBe('Another sea');
});

test('links in texts and comments lead here, where that is asked', async () => {
  const { summary } = await run('--rewrite-links');
  expect(summary.done['links rewritten']).toBeGreaterThan(8);
  const by = site.content.by('administrator');
  const [comment] = (await by.get(`/comments?post=${filled.posts[0]}&context=edit&status=all`)).body;
  expect(comment.content.raw).toContain('href="http://site.test/');
  expect(comment.content.raw).not.toContain(source.address);
});

describe('a file that is replaced there', () => {
  /** Its bytes under the same address, as those do it who exchange a picture. */
  async function replaceThere(id: number, width: number): Promise<Buffer> {
    const { db, config } = source.content.deps;
    const row = await db.first<{ file: string }>('select file from media where post_id = $1', [id]);
    const bytes = await picture(width, 300);
    await writeFile(path.join(config.UPLOADS_DIR, row?.file ?? ''), bytes);
    await db.run('update media set filesize = $2 where post_id = $1', [id, bytes.length]);
    return bytes;
  }
  const skippedFiles = ({ skipped }: { skipped: { kind: string }[] }): unknown[] =>
    skipped.filter(({ kind }) => kind === 'file');
  const mediaHere = async (id: number): Promise<{ source_url: string; media_details: { width: number } }> =>
    (await site.content.by('administrator').get(`/media/${id}`)).body as never;
  const bytesAt = async (address: string): Promise<Buffer> => {
    const { pathname } = new URL(address);
    return Buffer.from(await (await fetch(site.content.url + pathname)).arrayBuffer());
  };

  test('is fetched again, texts lead to it, and it is fetched once', async () => {
    const theirs = source.content.by('administrator');
    const { source_url: address } = (await theirs.get(`/media/${filled.picture}`)).body as never;
    const { body: post } = await theirs.post('/posts', {
      title: 'Shows it',
      content: `<img src="${String(address)}" />`,
      status: 'publish',
    });
    await run('--rewrite-links');
    const textHere = async (): Promise<string> =>
      (await site.content.by('administrator').get(`/posts/${post.id}?context=edit`)).body.content.raw;
    const before = await mediaHere(filled.picture);
    expect(await textHere()).toContain(before.source_url);

    const bytes = await replaceThere(filled.picture, 420);
    const { summary } = await run('--rewrite-links');
    expect([skippedFiles(summary), summary.done['files brought again']]).toEqual([[], 1]);
    const after = await mediaHere(filled.picture);
    expect([after.media_details.width, after.source_url === before.source_url]).toEqual([420, false]);
    expect((await bytesAt(after.source_url)).equals(bytes)).toBe(true);
    expect(await textHere()).toContain(after.source_url);
    expect(await textHere()).not.toContain(before.source_url);
    // Whoever shows the one before is shown it.
    expect((await bytesAt(before.source_url)).length).toBeGreaterThan(0);
  });

  test('is asked for, and stays as it is where only what is said of it changed', async () => {
    const { source_url: before } = await mediaHere(filled.picture);
    await source.content.by('administrator').post(`/media/${filled.picture}`, { alt_text: 'The sea again' });
    const { summary } = await run();
    expect(summary.updated).toEqual({ attachment: 1 });
    expect(summary.done).not.toHaveProperty(['files brought again']);
    expect((await mediaHere(filled.picture)).source_url).toBe(before);
  });

  test('is left alone where somebody replaced it here', async () => {
    const { db } = site.content.deps;
    await db.run(`update media set file = 'here/their-own.png' where post_id = $1`, [filled.picture]);
    await replaceThere(filled.picture, 440);
    const { summary } = await run();
    expect(skippedFiles(summary)).toMatchObject([
      { count: 1, reason: expect.stringContaining('here as well') },
    ]);
    expect(summary.done).not.toHaveProperty(['files brought again']);
  });
});

describe('what is read', () => {
  async function read(actor: Actor | undefined, options: Partial<LiveOptions> = {}) {
    const authorization =
      actor &&
      `Basic ${Buffer.from(`${actor.username}:${(await createApplicationPassword(source.content.deps, { username: actor.username, name: 'reading' })).secret}`).toString('base64')}`;
    const ask = askerOf(new URL(source.address), { authorization });
    try {
      const report = new Report();
      const live = await openLiveSite({
        ask,
        site: new URL(source.address),
        keepRoles: false,
        report,
        ...options,
      });
      const { records } = await live.survey(() => undefined);
      const read: ExportedRecord[] = [];
      for await (const record of live.records()) read.push(record);
      const posts = read.flatMap((record) =>
        record.kind === 'item' && record.type === 'post' ? [record] : [],
      );
      return { read, posts, records, report };
    } finally {
      await ask.close();
    }
  }

  test('by an author: their own as it was written, of others what readers see, each once', async () => {
    const { posts } = await read(source.users.author, { only: new Set(['posts']) });
    const visible = (await source.content.by('author').get('/posts?per_page=100')).body as { id: number }[];
    const ids = posts.map(({ foreignId }) => foreignId);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids).toEqual(expect.arrayContaining(visible.map(({ id }) => String(id))));
    for (const post of posts) expect(post.isRendered).toBe(post.creatorId !== String(source.users.author.id));
    expect(posts.filter(({ isRendered }) => !isRendered).length).toBeGreaterThan(1);
  });

  test('of some kinds, with those who write and the terms', async () => {
    const { read: records } = await read(source.users.administrator, { only: new Set(['pages']) });
    const kinds = records.map((record) => (record.kind === 'item' ? record.type : record.kind));
    expect([...new Set(kinds)].sort()).toEqual(['author', 'page', 'term']);
    const logins = records.flatMap((record) => (record.kind === 'author' ? [record.login] : []));
    expect(logins).toContain(source.users.author.username);
    expect(logins).not.toContain(source.users.subscriber.username);
  });

  test.each(['America/New_York', 'Asia/Tokyo'])(
    'since a moment: what changed after it, in %s',
    async (timezone) => {
      const [, , third] = filled.posts as [number, number, number];
      const { body: before } = await source.content.by('administrator').get('/settings');
      await source.content.by('administrator').post('/settings', { timezone });
      const { body } = await source.content.by('administrator').post(`/posts/${third}`, { title: 'Later' });
      const since = new Date(`${body.modified_gmt}Z`);
      const { posts, read: records } = await read(source.users.administrator, { since });
      // Those that are to come were changed when they come.
      expect(posts.filter(({ status }) => status !== 'future').map(({ foreignId }) => foreignId)).toEqual([
        String(third),
      ]);
      expect(records.filter(({ kind }) => kind === 'remark')).toEqual([]);
      await source.content.by('administrator').post('/settings', { timezone: before.timezone });
    },
  );
});

test('a password comes from a file as well, and shows in no list of processes', async () => {
  let asked = false;
  const slow = await startStrange(() => ({ raw: () => void (asked = true) }));
  const file = path.join(folder, 'password');
  await writeFile(file, 'very secret\n');
  const { child, ended } = startMovingIn(
    site,
    [slow.url.href, '--username', 'ann', '--password-file', file],
    { OUTBOUND_ALLOW_PRIVATE: 'true' },
  );
  try {
    await until(() => asked || child.exitCode !== null);
    expect(await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain('very secret');
    expect(slow.asked[0]?.authorization).toBe(`Basic ${Buffer.from('ann:very secret').toString('base64')}`);
  } finally {
    child.kill('SIGKILL');
    await ended;
    await slow.stop();
  }
});

test('strangers are shown less: nothing of what came as it was written is made worse by that', async () => {
  const { code, stdout, stderr } = await startMovingIn(site, [source.address, '--json', '--rate', '1000'], {
    OUTBOUND_ALLOW_PRIVATE: 'true',
  }).ended;
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({
    created: {},
    updated: {},
    skipped: [
      { kind: 'post', count: 1, reason: expect.stringContaining('may not be read by now') },
      { kind: 'post', count: 1, reason: 'a password protects its text' },
    ],
  });
});

test('what a site says may be of any form: what makes sense moves in, and the rest is told', async () => {
  const odd: StrangeSite = await startStrange((at, query) => {
    if (at === '/wp-json/') return { body: { namespaces: ['wp/v2'], routes: 7, home: 3 } };
    if (query.get('context') === 'edit') return { status: 401, body: { code: 'rest_forbidden_context' } };
    const page = (list: unknown[]) => ({ body: query.get('page') === '1' ? list : [] });
    if (at === '/wp-json/wp/v2/posts')
      return page([
        {
          id: 90_001,
          title: { rendered: 'Odd &amp; well' },
          content: { rendered: '<p>One.</p>\n' },
          author: 5,
          categories: 'x',
          tags: [{}, -1],
        },
        { id: 'x', title: [] },
        { id: 90_003, status: 'of its own', title: { rendered: 7 } },
        {
          id: 90_005,
          date: '9'.repeat(100),
          title: { rendered: 'B'.repeat(5_000) },
          content: { rendered: '', protected: true },
        },
        {
          id: 90_007,
          modified_gmt: 'soon',
          title: null,
          content: { rendered: 'a\u0000b' },
          slug: '../../x',
          featured_media: 90_009,
        },
      ]);
    if (at === '/wp-json/wp/v2/media')
      return page([{ id: 90_009, source_url: '/gone.png', media_details: { sizes: [1, { a: null }] } }]);
    if (at === '/wp-json/wp/v2/comments')
      return page([
        { id: 1_000_001, post: 90_001, parent: 1_000_002, content: { rendered: '<p>b</p>' } },
        { id: 1_000_002, post: 90_001, content: { rendered: '<p>a<br />\nc</p>\n<p>d</p>' } },
        { id: 1_000_003, post: 4 },
      ]);
    return undefined;
  });
  try {
    const { code, stdout, stderr } = await startMovingIn(site, [odd.url.href, '--json', '--rate', '1000'], {
      OUTBOUND_ALLOW_PRIVATE: 'true',
    }).ended;
    expect([code, stderr]).toEqual([0, '']);
    const { created, skipped } = JSON.parse(stdout);
    expect(created).toEqual({ post: 2, attachment: 1, comment: 2 });
    expect(skipped.map(({ kind, reason }: { kind: string; reason: string }) => [kind, reason])).toEqual(
      expect.arrayContaining([
        ['post', 'it has no number'],
        ['post', 'a password protects its text'],
        ['post', 'items with the status of its own are not moved'],
        ['comment', 'what it is about is not here'],
        ['event', 'the site has no calendar/events/v1'],
        ['file', expect.stringMatching(/cannot be/)],
      ]),
    );
    const by = site.content.by('administrator');
    expect((await by.get('/posts/90001')).body).toMatchObject({
      title: { rendered: 'Odd &amp; well' },
      content: { rendered: '<p>One.</p>\n' },
    });
    expect((await by.get('/comments/1000001?context=edit')).body).toMatchObject({
      parent: 1_000_002,
      content: { raw: 'b' },
    });
    expect((await by.get('/comments/1000002?context=edit')).body.content.raw).toBe('a\nc\n\nd');
  } finally {
    await odd.stop();
  }
});

test('what has lost its picture at the source before that came does not get it', async () => {
  let isLater = false;
  const fickle = await startStrange((at, query) => {
    if (at === '/wp-json/') return { body: { namespaces: ['wp/v2'], routes: {} } };
    if (query.get('context') === 'edit') return { status: 401, body: { code: 'rest_forbidden_context' } };
    const page = (list: unknown[]) => ({ body: query.get('page') === '1' ? list : [] });
    if (at === '/wp-json/wp/v2/posts')
      return page([
        {
          id: 91_001,
          modified_gmt: isLater ? '2026-02-02T00:00:00' : '2026-01-01T00:00:00',
          title: { rendered: isLater ? 'Without' : 'With' },
          content: { rendered: '<p>One.</p>\n' },
          featured_media: isLater ? 0 : 91_003,
        },
      ]);
    if (at === '/wp-json/wp/v2/media')
      return page(isLater ? [{ id: 91_003, source_url: '/gone.png', media_details: {} }] : []);
    return undefined;
  });
  const move = async () => {
    const { stdout } = await startMovingIn(site, [fickle.url.href, '--json', '--rate', '1000'], {
      OUTBOUND_ALLOW_PRIVATE: 'true',
    }).ended;
    return JSON.parse(stdout) as { skipped: { kind: string }[]; created: Record<string, number> };
  };
  const shown = async () => (await site.content.by('administrator').get('/posts/91001')).body;
  try {
    expect((await move()).skipped).toContainEqual(expect.objectContaining({ kind: 'link' }));
    isLater = true;
    expect((await move()).created).toEqual({ attachment: 1 });
    expect(await shown()).toMatchObject({ title: { rendered: 'Without' }, featured_media: 0 });
  } finally {
    await fickle.stop();
  }
});

test('killed before it noted what the calendar answered, it loses nothing that changes there until it is begun again', async () => {
  const { event } = filled;
  const theirs = source.calendar.by('administrator');
  const ours = site.by('administrator');
  const forget = () =>
    site.content.deps.db.first<{ id: number }>(
      `delete from imported_objects where type = 'event' and foreign_id = $1 returning id`,
      [String(event)],
    );
  const { id } = (await forget()) ?? { id: 0 };
  await theirs.post(`/events/${event}`, { title: 'Changed meanwhile', status: 'publish' });
  const skipped = async () =>
    ((await run()).summary.skipped as { kind: string }[]).filter(({ kind }) => kind === 'event');
  expect(await skipped()).toEqual([]);
  expect((await ours.get(`/events/${id}`)).body.title).toBe('Changed meanwhile');
  // And once more, where it was changed here as well.
  await forget();
  await theirs.post(`/events/${event}`, { title: 'Theirs', status: 'publish' });
  await ours.post(`/events/${id}`, { title: 'Ours' });
  expect(await skipped()).toMatchObject([{ reason: CHANGED_HERE }]);
  expect((await ours.get(`/events/${id}`)).body.title).toBe('Ours');
  // Others may link to it all the same.
  expect(await forget()).toEqual({ id });
});
