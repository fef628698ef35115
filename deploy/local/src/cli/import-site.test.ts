/** Moving sites in, as a process, beside a real content service and a real calendar. */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  addressed,
  author,
  category,
  comment,
  exportOf,
  file,
  item,
} from '@sevenfold/content/site-import/testing/export';
import { makePost } from '@sevenfold/content/testing/factories';
import { type Ended, moveIn, startMovingIn } from './testing/move-in';

/** The smallest there is. */
const PICTURE = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

let site: CalendarSite;
let folder: string;
beforeAll(async () => {
  site = await startCalendar();
  folder = await mkdtemp(path.join(tmpdir(), 'move-in-'));
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true });
});

const run = async (text: string, ...args: readonly string[]) => {
  const name = path.join(folder, 'export.xml');
  await writeFile(name, text);
  const ended = await moveIn(site, name, '--json', ...args);
  return { ...ended, summary: JSON.parse(ended.stdout) };
};
const content = (place: string) => site.content.by('administrator').get(place);
const calendar = (place: string) => site.by('administrator').get(place);

test('events, venues and organizers move in with all that the export says of them, and keep their numbers', async () => {
  const { code, summary, stderr } = await run(
    exportOf({
      items: [
        item({
          id: 9_007,
          type: 'tribe_events',
          title: 'Concert',
          content: 'All evening.',
          meta: {
            _EventStartDate: '2031-05-06 19:30:00',
            _EventEndDate: '2031-05-06 22:00:00',
            _EventTimezone: 'Europe/Berlin',
            _EventVenueID: '9008',
            _EventOrganizerID: ['9010', '9009'],
            _EventCost: '12',
            _EventCurrencySymbol: '€',
            _EventCurrencyPosition: 'suffix',
            _EventURL: 'https://concert.example/',
            _EventShowMap: '1',
            _tribe_featured: '1',
            _thumbnail_id: '9012',
          },
          extra:
            '<category domain="tribe_events_cat" nicename="music">Music</category><category domain="post_tag" nicename="loud">loud</category>',
        }),
        item({
          id: 9_008,
          type: 'tribe_venue',
          title: 'Hall',
          meta: {
            _VenueAddress: 'Square 1',
            _VenueCity: 'Bern',
            _VenueZip: '3000',
            _VenuePhone: '12',
            _VenueURL: 'https://hall.example/',
          },
        }),
        item({
          id: 9_009,
          type: 'tribe_organizer',
          title: 'Choir',
          meta: { _OrganizerEmail: 'choir@old.example' },
        }),
        item({ id: 9_010, type: 'tribe_organizer', title: 'Band', meta: { _OrganizerPhone: '34' } }),
        item({ id: 9_011, type: 'tribe_events', title: 'Some day' }),
        file(9_012, 'https://files.old.example/2015/03/concert.jpg'),
        item({ id: 9_014, type: 'post' }),
      ],
    }),
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(summary.created).toMatchObject({ event: 1, venue: 1, organizer: 2, attachment: 1, post: 1 });
  expect(summary.skipped).toMatchObject([
    { kind: 'event', count: 1, reason: 'It has no start date.', examples: [{ title: 'Some day' }] },
  ]);
  expect((await calendar('/events/9007')).body).toMatchObject({
    id: 9_007,
    title: 'Concert',
    description: '<p>All evening.</p>',
    slug: 'slug-9007',
    status: 'publish',
    date: '2015-03-04 05:06:07',
    start_date: '2031-05-06 19:30:00',
    end_date: '2031-05-06 22:00:00',
    timezone: 'Europe/Berlin',
    cost: '12€',
    website: 'https://concert.example/',
    show_map: true,
    featured: true,
    categories: [{ slug: 'music' }],
    tags: [{ slug: 'loud' }],
    image: { id: 9_012, url: 'https://files.old.example/2015/03/concert.jpg' },
    venue: {
      id: 9_008,
      venue: 'Hall',
      address: 'Square 1',
      city: 'Bern',
      zip: '3000',
      phone: '12',
      website: 'https://hall.example/',
    },
    organizer: [
      { id: 9_010, organizer: 'Band', phone: '34' },
      { id: 9_009, organizer: 'Choir' },
    ],
  });
  expect((await content('/posts/9014')).status).toBe(200);
});

test('numbers are kept where nobody has them, in either service, and nothing new ever meets them', async () => {
  const made = async (place: string, body: object): Promise<number> =>
    (await site.content.by('administrator').post(place, body)).body.id;
  // 7 numbers on: one is a post here, one is an event here.
  const post = await made('/posts', { title: 'Here', status: 'publish' });
  const { body: event } = await site
    .by('administrator')
    .post('/events', { title: 'Here', start_date: '2031-01-01 10:00:00', end_date: '2031-01-01 11:00:00' });
  const { summary } = await run(
    exportOf({
      address: addressed('https://numbers.example'),
      items: [
        item({ id: post, type: 'post', title: 'Taken by a post', slug: 'n-1' }),
        item({ id: event.id, type: 'post', title: 'Taken by an event', slug: 'n-2' }),
        item({ id: 20_001, type: 'tribe_venue', title: 'Odd venue' }),
        item({ id: 20_002, type: 'post', title: 'Even post', slug: 'n-3' }),
      ],
    }),
  );
  expect(summary.created).toMatchObject({ post: 3, venue: 1 });
  const idOf = async (title: string): Promise<number> =>
    (await content(`/posts?search=${encodeURIComponent(title)}`)).body[0].id;
  expect([await idOf('Taken by a post'), await idOf('Taken by an event')].every((id) => id > 20_002)).toBe(
    true,
  );
  expect((await calendar('/venues/20001')).body.venue).toBe('Odd venue');
  expect((await content('/posts/20002')).body.title.rendered).toBe('Even post');
  expect((await content(`/posts/${post}`)).body.title.rendered).toBe('Here');
  const ids = [await made('/posts', { title: 'x' }), await made('/pages', { title: 'y' })];
  const { body: venue } = await site.by('administrator').post('/venues', { venue: 'New' });
  expect(ids.every((id) => id > 20_002 && id % 2 === 1)).toBe(true);
  expect([venue.id > 20_002, venue.id % 2]).toEqual([true, 0]);
});

test('an export in several files is linked across them, whatever comes first', async () => {
  const address = addressed('https://parts.example');
  const first = exportOf({
    address,
    head: author + category(30_100, 'leaf', 'root'),
    items: [
      item({ id: 30_001, type: 'page', slug: 'team', parent: 30_011 }),
      item({ id: 30_003, type: 'page', slug: 'team', parent: 30_013 }),
      item({ id: 30_005, type: 'post', slug: 'pictured', meta: { _thumbnail_id: '30015' } }),
      item({
        id: 30_006,
        type: 'tribe_events',
        meta: {
          _EventStartDate: '2031-05-06 19:30:00',
          _EventVenueID: '30016',
          _EventOrganizerID: ['30018', '30020'],
        },
      }),
    ],
  });
  const second = exportOf({
    address,
    head: author + category(30_101, 'root'),
    items: [
      item({ id: 30_011, type: 'page', slug: 'north' }),
      item({ id: 30_013, type: 'page', slug: 'south' }),
      file(30_015, 'https://parts.example/p.jpg'),
      item({ id: 30_016, type: 'tribe_venue', title: 'Late hall' }),
      item({ id: 30_018, type: 'tribe_organizer', title: 'Late choir' }),
      item({ id: 30_020, type: 'tribe_organizer', title: 'Late band' }),
    ],
  });
  const { summary } = await run(first);
  expect(
    summary.skipped
      .map(({ count, reason }: { count: number; reason: string }) => `${count} ${reason}`)
      .sort(),
  ).toEqual([
    '1 its organizers is not here; it is linked as soon as that moves in',
    '1 its picture is not here; it is linked as soon as that moves in',
    '1 its venue is not here; it is linked as soon as that moves in',
    '3 its parent is not here; it is linked as soon as that moves in',
  ]);
  // So long they stand at the top, and only one of them can be called so.
  expect((await content('/pages/30001')).body.link).toBe('http://site.test/team/');
  expect((await run(second)).summary.skipped).toEqual([]);
  expect((await content('/pages/30001')).body.link).toBe('http://site.test/north/team/');
  expect((await content('/posts/30005')).body.featured_media).toBe(30_015);
  expect((await calendar('/events/30006')).body).toMatchObject({
    venue: { id: 30_016 },
    organizer: [{ id: 30_018 }, { id: 30_020 }],
  });
  expect((await content('/categories?slug=leaf&_embed')).body[0]._embedded.up).toMatchObject([
    { slug: 'root' },
  ]);
  // What somebody unlinks here stays so.
  await site.content.by('administrator').post('/posts/30005', { featured_media: 0 });
  await run(first);
  expect((await content('/posts/30005')).body.featured_media).toBe(0);
});

test('measures of pictures and their copies move in; what is not known is not said', async () => {
  const metadata =
    'a:5:{s:5:"width";i:1200;s:6:"height";i:800;s:4:"file";s:15:"2015/03/big.jpg";s:5:"sizes";a:1:{s:6:"medium";a:4:{s:4:"file";s:15:"big-300x200.jpg";s:5:"width";i:300;s:6:"height";i:200;s:9:"mime-type";s:10:"image/jpeg";}}s:10:"image_meta";a:2:{s:6:"camera";s:2:"X1";s:8:"keywords";a:1:{i:0;s:3:"sea";}}}';
  await run(
    exportOf({
      address: addressed('https://measures.example'),
      items: [
        file(40_001, 'https://measures.example/wp-content/uploads/2015/03/big.jpg', {
          meta: { _wp_attachment_metadata: metadata, _wp_attachment_image_alt: 'A <b>bay</b>' },
        }),
        file(40_003, 'https://measures.example/unknown.jpg', {
          meta: { _wp_attachment_metadata: 'a:1:{odd' },
        }),
      ],
    }),
  );
  const { body: big } = await content('/media/40001');
  expect(big.media_details).toMatchObject({
    width: 1_200,
    height: 800,
    sizes: {
      medium: {
        width: 300,
        source_url: 'https://measures.example/wp-content/uploads/2015/03/big-300x200.jpg',
      },
    },
    image_meta: { camera: 'X1', keywords: ['sea'] },
  });
  expect(JSON.stringify(big)).not.toContain('filesize');
  expect(big.description.rendered).toContain('width="300" height="200"');
  const { body: unknown } = await content('/media/40003');
  expect(unknown.media_details).toEqual({ sizes: {} });
  expect(unknown.description.rendered).not.toMatch(/width=|height=/);
});

test('files come from their addresses or from a folder, and links in texts lead to what moved in', async () => {
  const picture = PICTURE;
  const uploads = path.join(folder, 'uploads');
  await mkdir(path.join(uploads, '2015/03'), { recursive: true });
  await writeFile(path.join(uploads, '2015/03/bay.gif'), picture);
  await writeFile(path.join(uploads, '2015/03/fake.jpg'), 'no picture');
  await writeFile(path.join(folder, 'secret.jpg'), picture);
  await symlink(path.join(folder, 'secret.jpg'), path.join(uploads, '2015/03/link.jpg'));
  const old = 'https://moved.example';
  const text = exportOf({
    address: addressed(old),
    head: author + category(50_100, 'news'),
    items: [
      item({
        id: 50_001,
        type: 'post',
        slug: 'links',
        link: `${old}/2015/links/`,
        content: [
          `<a href="${old}/about/us/#team">us</a>`,
          `<a href="${old}/?p=50004&amp;preview=1">event</a>`,
          `<img src="http://moved.example/uploads/2015/03/bay-300x200.gif"> ${old}/uploads/2015/03/bay.gif`,
          `${old}/category/news/ ${old}/ ${old}/nothing/here/ https://moved.example.org/about/us/`,
        ].join('\n'),
        extra: comment(50_001, 0, { content: `see ${old}/about/us` }),
      }),
      item({ id: 50_003, type: 'page', slug: 'us', link: `${old}/about/us/` }),
      item({
        id: 50_004,
        type: 'tribe_events',
        slug: 'fair',
        content: `At ${old}/about/us/`,
        meta: { _EventStartDate: '2031-05-06 19:30:00' },
      }),
      file(50_005, `${old}/uploads/2015/03/bay.gif`),
      file(50_007, `${old}/uploads/2015/03/fake.jpg`),
      file(50_009, `${old}/uploads/2015/03/link.jpg`),
      file(50_011, `${old}/uploads/2015/03/%2e%2e/%2e%2e/%2e%2e/secret.jpg`),
      file(50_013, 'http://127.0.0.1:9/private.jpg'),
    ],
  });
  const { code, summary } = await run(text, '--files', uploads, '--rewrite-links');
  expect(code).toBe(0);
  expect(summary.done).toEqual({
    'files brought': 1,
    'links rewritten': 8,
    'links that lead to nothing here': 1,
  });
  const failed = summary.skipped.flatMap(
    ({ reason, examples }: { reason: string; examples: { title: string }[] }) =>
      examples.map(({ title }) => `${path.basename(title)}: ${reason}`),
  );
  expect(failed.sort()).toEqual([
    'fake.jpg: The content of the file is not what the ending .jpg says.',
    'link.jpg: it is not in the folder',
    'private.jpg: it is not in the folder',
    'secret.jpg: it is not in the folder',
  ]);
  const { body: post } = await content('/posts/50001?context=edit');
  const here = 'http://site.test';
  expect(post.content.raw.split('\n')).toEqual([
    `<a href="${here}/us/#team">us</a>`,
    `<a href="${here}/event/fair/">event</a>`,
    `<img src="${here}/uploads/2015/03/bay.gif"> ${here}/uploads/2015/03/bay.gif`,
    `${here}/category/news/ ${here}/ ${old}/nothing/here/ https://moved.example.org/about/us/`,
  ]);
  expect((await content('/comments/50001?context=edit')).body.content.raw).toBe(`see ${here}/us/`);
  expect((await calendar('/events/50004')).body.description).toContain(`${here}/us/`);
  expect((await content('/media/50005')).body).toMatchObject({
    source_url: `${here}/uploads/2015/03/bay.gif`,
    media_details: { width: 1, height: 1, filesize: PICTURE.length },
  });
  expect((await fetch(`${site.content.url}/uploads/2015/03/bay.gif`)).status).toBe(200);
  // Fetching tries again what could not be had, and no private address is asked.
  const again = await run(text, '--fetch-files', '--rewrite-links');
  expect(again.summary.done).toEqual({ 'links that lead to nothing here': 1 });
  expect(again.summary.skipped).toContainEqual(
    expect.objectContaining({ kind: 'file', reason: 'The source is not at a public address.' }),
  );
});

test('authors may be mapped to users here, who must exist', async () => {
  const editor = site.content.users.editor;
  const name = (await content(`/users/${editor.id}?context=edit`)).body.username;
  const items = [item({ id: 60_001, type: 'post' }), item({ id: 60_003, type: 'post', creator: 'Rita' })];
  const text = exportOf({ address: addressed('https://mapped.example'), items });
  await writeFile(path.join(folder, 'mapped.xml'), text);
  const refused = await moveIn(site, path.join(folder, 'mapped.xml'), '--map-author', 'iris=nobody');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'error: There is no user nobody, whom --map-author names for iris.\n',
  ]);
  expect(refused.stdout).toContain('created: nothing');
  await run(text, '--map-author', `IRIS=${name}`, '--map-author', `rita=${name}`);
  expect((await content('/posts/60001')).body.author).toBe(editor.id);
  expect((await content('/posts/60003')).body.author).toBe(editor.id);
});

test('who stops it hears what was done, and doing it again goes on', async () => {
  const items = Array.from({ length: 300 }, (_, n) =>
    item({ id: 70_001 + 2 * n, type: 'post', slug: `stop-${n}` }),
  );
  const name = path.join(folder, 'stopped.xml');
  await writeFile(name, exportOf({ address: addressed('https://stopped.example'), items }));
  let moving: ReturnType<typeof startMovingIn> | undefined;
  const undone = new Error('undone');
  // In the middle somebody else has a number in hand: it waits there, and does not come to its end before it is stopped.
  const holding = site.content.deps.db.transaction(async (tx) => {
    await makePost(tx, { id: 70_301 });
    moving = startMovingIn(site, [name, '--json']);
    await until(async () => (await content('/posts/70001')).status === 200);
    moving.child.kill('SIGTERM');
    throw undone;
  });
  await expect(holding).rejects.toBe(undone);
  const { code, stdout, stderr } = (await moving?.ended) as Ended;
  expect([code, stderr]).toEqual([1, 'error: Stopped. Doing it again goes on from here.\n']);
  const { post } = JSON.parse(stdout).created;
  expect(post).toBeGreaterThan(0);
  const again = JSON.parse((await moveIn(site, name, '--json')).stdout);
  expect([again.known.post, again.created.post]).toEqual([post, 300 - post]);
});

test('who stops it while files are fetched does not wait for those who never answer', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  try {
    const name = path.join(folder, 'silent.xml');
    const there = `http://127.0.0.1:${port}`;
    const items = [80_001, 80_003].map((id) => file(id, `${there}/uploads/${id}.gif`));
    await writeFile(name, exportOf({ address: addressed(there), items }));
    const env = { OUTBOUND_ALLOW_PRIVATE: 'true' };
    const { child, ended } = startMovingIn(site, [name, '--json', '--fetch-files'], env);
    await until(() => sockets.size > 1);
    child.kill('SIGTERM');
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([1, 'error: Stopped. Doing it again goes on from here.\n']);
    expect(JSON.parse(stdout)).toMatchObject({ created: { attachment: 2 }, skipped: [] });
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
