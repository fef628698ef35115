/** What the response cache promises, one thing at a time, over real services: never-stale.test.ts mixes them all. */
import type { RunningGateway } from '@sevenfold/gateway/gateway';
import { startFreezable } from '@sevenfold/chassis/testing/freezable';
import { makeComment, makePost, makeTerm } from '@sevenfold/content/testing/factories';
import { type Answer, type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { Client } from 'pg';
import { type Sentinel, allHeard } from '../support/heard';
import { type Site, startSite } from '../support/site';
import { steadily } from '../support/steadily';
import { PIXEL } from './writes';

const POSTS = '/rest/core/v2/posts';
const EVENTS = '/rest/calendar/events/v1/events';

let site: Site;
let other: RunningGateway | undefined;
let stranger: Speaker;
let elsewhere: Speaker;
let administrator: Record<string, string>;
let sentinel: Sentinel;

beforeAll(async () => {
  site = await startSite({}, { content: { COMMENT_FLOOD_SECONDS: 0 } });
  other = await site.gateway({});
  stranger = site.client;
  elsewhere = speaker(other.url);
  administrator = await site.signIn(site.content.users.administrator);
  const { id } = await makeTerm(db(), { taxonomy: 'post_tag', name: 'Sentinel' });
  sentinel = {
    path: `/rest/core/v2/tags/${id}`,
    change: (to) => db().run('update terms set name = $2 where id = $1', [id, to]),
  };
  // From the first moment at which both are sure of the news.
  for (const one of [stranger, elsewhere])
    for (const path of [POSTS, EVENTS])
      await until(async () => (await one.get(path)).headers.get('x-cache') === 'hit');
});
afterAll(async () => {
  for (const one of [other, site]) await one?.stop();
});

const how = ({ headers }: Answer): string | null => headers.get('x-cache');
const db = (): Site['content']['deps']['db'] => site.content.deps.db;
const write = async (path: string, body: object): Promise<Answer> => {
  const answer = await stranger.post(path, body, administrator);
  expect(answer.status).toBeLessThan(300);
  return answer;
};

/** Kept: a line of news that is silent for a moment makes everything old. */
const hit = (from: Speaker, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  until(async () => {
    const answer = await from.get(path, headers);
    return how(answer) === 'hit' && answer;
  });

/** All news of what was made until now have been heard. */
const settled = (): Promise<void> => allHeard(sentinel, [stranger]);

steadily('the second reader gets what the first one was told, byte for byte', async () => {
  const { id } = await makePost(db(), { title_html: 'Kept' });
  await settled();
  const first = await stranger.get(`${POSTS}/${id}?_embed`);
  expect(how(first)).toBe('miss');
  const second = await hit(stranger, `${POSTS}/${id}?_embed`);
  expect(second.text).toBe(first.text);
  for (const name of ['etag', 'content-type', 'link', 'cache-control', 'vary', 'allow'])
    expect([name, second.headers.get(name)]).toEqual([name, first.headers.get(name)]);
});

test('a reader who has it already is told so, with HEAD as well, and inside an envelope gets it whole', async () => {
  const { id } = await makePost(db());
  await settled();
  const { headers } = await stranger.get(`${POSTS}/${id}`);
  const etag = headers.get('etag') as string;
  const known = await stranger.get(`${POSTS}/${id}`, { 'If-None-Match': `"other", W/${etag}` });
  expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', `W/${etag}`]);
  expect(
    (await stranger.request('HEAD', `${POSTS}/${id}`, { headers: { 'If-None-Match': etag } })).status,
  ).toBe(304);
  expect((await stranger.get(`${POSTS}/${id}`, { 'If-None-Match': '"other"' })).status).toBe(200);
  const wrapped = await stranger.get(`${POSTS}/${id}?_envelope`, { 'If-None-Match': etag });
  expect(wrapped.body).toMatchObject({ status: 200, body: { id } });
  const head = await until(async () => {
    const answer = await stranger.request('HEAD', `${POSTS}/${id}`);
    return how(answer) === 'hit' && answer;
  });
  expect([head.status, head.text]).toEqual([200, '']);
});

steadily('many at once ask the service once', async () => {
  const { id } = await makePost(db());
  await settled();
  const answers = await Promise.all(Array.from({ length: 30 }, () => stranger.get(`${POSTS}/${id}`)));
  const counts = new Map<string | null, number>();
  for (const answer of answers) counts.set(how(answer), (counts.get(how(answer)) ?? 0) + 1);
  expect(counts.get('miss')).toBe(1);
  expect((counts.get('shared') ?? 0) + (counts.get('hit') ?? 0)).toBe(29);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('lists of media follow what the files belong to', async () => {
  const post = await makePost(db(), { status: 'draft' });
  const { body: file } = await stranger.post(`/rest/core/v2/media?post=${post.id}`, PIXEL, {
    ...administrator,
    'Content-Type': 'image/png',
    'Content-Disposition': 'attachment; filename="of-a-draft.png"',
  });
  const list = `/rest/core/v2/media?include=${file.id}`;
  const shown = async (from: Speaker): Promise<string> => {
    const { headers, body } = await from.get(list);
    return `${headers.get('x-total')} ${(body as object[]).length}`;
  };
  for (const [status, wanted] of [
    ['publish', '1 1'],
    ['draft', '0 0'],
  ] as const) {
    for (const from of [stranger, elsewhere]) await hit(from, list);
    await write(`${POSTS}/${post.id}`, { status });
    expect(await shown(stranger)).toBe(wanted);
    await until(async () => (await shown(elsewhere)) === wanted);
  }
});

test('a page of another site, and one of none, share what is kept but not what is said to them', async () => {
  const { id } = await makePost(db());
  await settled();
  await stranger.get(`${POSTS}/${id}`);
  const there = await hit(stranger, `${POSTS}/${id}`, { Origin: 'https://app.example.org' });
  expect(there.headers.get('access-control-allow-origin')).toBe('https://app.example.org');
  const here = await hit(stranger, `${POSTS}/${id}`);
  expect(here.headers.get('access-control-allow-origin')).toBeNull();
});

steadily('what a header of the client says changes nothing that others get', async () => {
  const { id } = await makePost(db());
  await settled();
  const odd = {
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'gopher',
    'X-Sevenfold-Tags': '',
    'X-Sevenfold-Wants-Tags': '1',
    Range: 'bytes=0-3',
    'If-Modified-Since': 'Wed, 21 Oct 2037 07:28:00 GMT',
    'Accept-Language': 'de',
  };
  const first = await stranger.get(`${POSTS}/${id}`, odd);
  expect([first.status, how(first)]).toEqual([200, 'miss']);
  const second = await hit(stranger, `${POSTS}/${id}`);
  expect(second.text).toBe(first.text);
  expect(second.text).not.toContain('evil.example');
  for (const answer of [first, second])
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-sevenfold'))).toEqual([]);
});

test('whoever signs in gets his own, and leaves nothing for others', async () => {
  const { id } = await makePost(db(), { status: 'private' });
  const mine = await stranger.get(`${POSTS}/${id}`, administrator);
  expect([mine.status, how(mine)]).toEqual([200, null]);
  expect(mine.headers.get('cache-control')).toContain('no-cache');
  expect((await stranger.get(`${POSTS}/${id}`)).status).toBe(401);
  await makePost(db(), { title_html: 'For all' });
  await stranger.get(`${POSTS}?per_page=1`);
  expect(how(await stranger.get(`${POSTS}?per_page=1`, administrator))).toBeNull();
});

test('what a password opens is not kept', async () => {
  const { id } = await makePost(db(), { password: 'opens', content_html: '<p>Inside</p>' });
  const opened = await stranger.get(`${POSTS}/${id}?password=opens`);
  expect(opened.text).toContain('Inside');
  expect(how(await stranger.get(`${POSTS}/${id}?password=opens`))).not.toBe('hit');
});

test('faults are not kept: what was missing is there once it is published, and gone once that right is taken', async () => {
  const { body: draft } = await write(POSTS, { title: 'Later', status: 'draft' });
  const path = `${POSTS}/${draft.id}`;
  const list = `${POSTS}?include=${draft.id}`;
  for (let look = 0; look < 2; look++) {
    expect((await stranger.get(path)).status).toBe(401);
    expect((await stranger.get(list)).body).toEqual([]);
  }
  await write(path, { status: 'publish' });
  expect((await stranger.get(path)).status).toBe(200);
  expect((await stranger.get(list)).body).toHaveLength(1);
  await write(path, { status: 'private' });
  expect((await stranger.get(path)).status).toBe(401);
  expect((await stranger.get(list)).body).toEqual([]);
});

test('a change that no request made is shown as soon as its commit is heard of', async () => {
  const { id } = await makePost(db(), { title_html: 'Before' });
  const title = async (from: Speaker): Promise<string> =>
    ((await from.get(`${POSTS}/${id}`)).body as { title: { rendered: string } }).title.rendered;
  expect(await title(stranger)).toBe(await title(elsewhere));
  await db().run(`update posts set title_html = 'After' where id = $1`, [id]);
  await until(async () => (await title(stranger)) === 'After');
  await until(async () => (await title(elsewhere)) === 'After');
  // It is kept again.
  await until(async () => how(await stranger.get(`${POSTS}/${id}`)) === 'hit');
});

steadily('a write leaves what it does not touch where it is', async () => {
  const ids: number[] = [];
  for (let made = 0; made < 20; made++) ids.push((await makePost(db())).id);
  const term = await makeTerm(db(), { name: 'Apart' });
  const paths = [
    ...ids.map((id) => `${POSTS}/${id}`),
    `/rest/core/v2/categories/${term.id}`,
    '/rest/core/v2/users',
  ];
  await settled();
  for (const path of paths) await stranger.get(path);
  await write(`${POSTS}/${ids[0]}`, { title: 'Another' });
  const lost: string[] = [];
  for (const path of paths) if (how(await stranger.get(path)) !== 'hit') lost.push(path);
  expect(lost).toEqual([`${POSTS}/${ids[0]}`]);
});

steadily(
  'a draft that is written and changed leaves all lists as they are kept, until it is published',
  async () => {
    const { id: category } = await makeTerm(db(), { name: 'Of drafts' });
    const lists = [
      POSTS,
      `${POSTS}?orderby=modified`,
      `${POSTS}?search=harbour`,
      `${POSTS}?categories=${category}`,
      '/rest/core/v2/users',
    ];
    await settled();
    for (const path of lists) await stranger.get(path);
    const text = { title: 'Harbour', content: 'Of the harbour', categories: [category] };
    const { body } = await write(POSTS, { ...text, status: 'draft' });
    await write(`${POSTS}/${body.id}`, { title: 'Another harbour', slug: `at-the-harbour-${category}` });
    await write(`${POSTS}/${body.id}`, { status: 'pending', author: site.content.users.editor.id });
    const lost: string[] = [];
    for (const path of lists) if (how(await stranger.get(path)) !== 'hit') lost.push(path);
    expect(lost).toEqual([]);
    await write(`${POSTS}/${body.id}`, { status: 'publish' });
    for (const path of lists.slice(0, 4))
      expect((await stranger.get(path)).text).toContain('Another harbour');
    await until(async () => (await elsewhere.get(POSTS)).text.includes('Another harbour'));
    await write(`${POSTS}/${body.id}`, { status: 'draft' });
    for (const path of lists) expect((await stranger.get(path)).text).not.toContain('Another harbour');
  },
);

test('nobody is asked whether the news of a write have come: its answer says them', async () => {
  const { id } = await makePost(db());
  const sentinel = await makeTerm(db(), { name: 'Last of all' });
  const listener = new Client(site.content.service.db.pool.options.connectionString);
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push(payload));
  await listener.connect();
  try {
    await listener.query('listen news');
    for (let turn = 0; turn < 20; turn++) {
      const answer = await write(`${POSTS}/${id}`, { title: `Turn ${turn}` });
      expect([...answer.headers.keys()].filter((name) => name.startsWith('x-sevenfold'))).toEqual([]);
      expect((await stranger.get(`${POSTS}/${id}`)).text).toContain(`Turn ${turn}`);
    }
    await db().run(`update terms set name = 'Told' where id = $1`, [sentinel.id]);
    await until(() => heard.some((message) => message.includes(`term:${sentinel.id}`)));
    expect(heard.filter((message) => message.includes(`post:${id}`)).length).toBeGreaterThanOrEqual(20);
    expect(heard.filter((message) => message.includes(' mark:'))).toEqual([]);
  } finally {
    await listener.end();
  }
});

test('what is embedded is as new as what it is embedded in', async () => {
  const term = await makeTerm(db(), { name: 'Before' });
  const { id } = await makePost(db(), { categories: [term.id] });
  const path = `${POSTS}/${id}?_embed`;
  await stranger.get(path);
  await until(async () => how(await stranger.get(path)) === 'hit');
  await write('/rest/core/v2/comments', { post: id, content: 'A word on it' });
  expect((await stranger.get(path)).text).toContain('A word on it');
  await until(async () => how(await stranger.get(path)) === 'hit');
  await write(`/rest/core/v2/categories/${term.id}`, { name: 'Renamed' });
  expect((await stranger.get(path)).text).toContain('Renamed');
});

test('a comment that is embedded shows whether it has answers, on whatever post these and it are by now', async () => {
  const [home, abroad] = [await makePost(db()), await makePost(db())];
  const { id } = await makeComment(db(), { post: home.id });
  let path = `${POSTS}/${home.id}?_embed=replies`;
  const isAnswered = async (): Promise<boolean> =>
    (await stranger.get(path)).text.includes(`comments?parent=${id}`);
  const comments = '/rest/core/v2/comments';
  const remove = (answer: Answer): Promise<Answer> =>
    stranger.request('DELETE', `${comments}/${answer.body.id}?force=true`, { headers: administrator });
  await settled();
  await hit(stranger, path);
  const answer = { post: abroad.id, parent: id, content: 'From elsewhere' };
  const first = await write(comments, answer);
  expect(await isAnswered()).toBe(true);
  await hit(stranger, path);
  await remove(first);
  expect(await isAnswered()).toBe(false);
  const second = await write(comments, { ...answer, post: home.id, content: 'From here' });
  await write(`${comments}/${id}`, { post: abroad.id });
  path = path.replace(String(home.id), String(abroad.id));
  await until(isAnswered);
  await hit(stranger, path);
  await remove(second);
  expect(await isAnswered()).toBe(false);
});

test('a comment that another one answers is embedded with the address that its post has by now', async () => {
  const [asked, other] = [await makePost(db()), await makePost(db())];
  const parent = await makeComment(db(), { post: asked.id });
  const { id } = await makeComment(db(), { post: other.id, parent: parent.id });
  const path = `/rest/core/v2/comments/${id}?_embed=in-reply-to`;
  await settled();
  await hit(stranger, path);
  for (const change of [{ slug: 'moved-away' }, { date: '2019-05-06T07:08:09' }]) {
    const { link } = (await write(`${POSTS}/${asked.id}`, change)).body;
    expect((await stranger.get(path)).body._embedded['in-reply-to']).toMatchObject([
      { link: `${link}#comment-${parent.id}` },
    ]);
    await hit(stranger, path);
  }
});

test('a name that changed in the content service changes in what the calendar shows of it', async () => {
  const category = await write('/rest/calendar/events/v1/categories', { name: 'Concerts' });
  const event = await write(EVENTS, {
    title: 'Opening',
    status: 'publish',
    start_date: '2031-03-01 10:00',
    end_date: '2031-03-01 12:00',
    categories: [category.body.id],
  });
  const names = async (from: Speaker): Promise<string[]> =>
    (
      (await from.get(`${EVENTS}/${event.body.id}`)).body as { categories: { name: string }[] }
    ).categories.map(({ name }) => name);
  for (const from of [stranger, elsewhere]) expect(await names(from)).toEqual(['Concerts']);
  await write(`/rest/core/v2/calendar_events_cat/${category.body.id}`, { name: 'Plays' });
  for (const from of [stranger, elsewhere]) await until(async () => (await names(from))[0] === 'Plays');
  expect(await names(stranger)).toEqual(['Plays']);
});

test('a list of what is at a place, or by somebody, is refused once there is no such place or nobody', async () => {
  for (const [many, one] of [
    ['venues', 'venue'],
    ['organizers', 'organizer'],
  ] as const) {
    const made = await write(`${EVENTS.replace(/events$/, many)}`, {
      [one]: 'Short-lived',
      status: 'publish',
    });
    const list = `${EVENTS}?${one}=${made.body.id}`;
    await until(async () => how(await stranger.get(list)) === 'hit');
    await stranger.request('DELETE', `${EVENTS.replace(/events$/, many)}/${made.body.id}`, {
      headers: administrator,
    });
    expect([one, (await stranger.get(list)).status]).toEqual([one, 400]);
    await until(async () => (await elsewhere.get(list)).status === 400);
    // Also when it is known that all news have come.
    await until(async () => how(await stranger.get(EVENTS)) === 'hit');
    expect([one, (await stranger.get(list)).status]).toEqual([one, 400]);
  }
});

test('while the news cannot be heard nothing kept is shown, and what was kept before is not shown after', async () => {
  const { id } = await makePost(db(), { title_html: 'Before' });
  await hit(stranger, `${POSTS}/${id}`);
  // The line of the service to its database, over which the news come.
  await db().run(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '%-listener'`,
  );
  await db().run(`update posts set title_html = 'After' where id = $1`, [id]);
  await until(async () => (await stranger.get(`${POSTS}/${id}`)).text.includes('After'));
  await until(async () => how(await stranger.get(`${POSTS}/${id}`)) === 'hit');
  expect((await stranger.get(`${POSTS}/${id}`)).text).toContain('After');
});

test('what was written through a gateway is read through it at once, also while the news of it are late', async () => {
  const gate = await startFreezable(site.content.service.grpcPort);
  const late = await site.gateway({ CONTENT_GRPC: `127.0.0.1:${gate.port}` });
  try {
    const client = speaker(late.url);
    const { id } = await makePost(db());
    const path = `${POSTS}/${id}`;
    await until(async () => how(await client.get(path)) === 'hit');
    // Who this is is known before nobody can be asked any more.
    expect((await client.get('/rest/core/v2/users/me', administrator)).status).toBe(200);
    gate.freeze();
    const written = await client.post(path, { title: 'Written' }, administrator);
    expect(written.status).toBe(200);
    expect((await client.get(path)).text).toContain('Written');
  } finally {
    gate.thaw();
    await late.stop();
    await gate.stop();
  }
});
