/** Addresses of other sites in content, and an oembed service over real gRPC that says what a test wants. */
import path from 'node:path';
import { readMigrations } from '@sevenfold/chassis/db/migrate';
import { type GrpcServer, startGrpcServer } from '@sevenfold/chassis/grpc/serve';
import { rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { createLog } from '@sevenfold/chassis/log';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { freePort } from '@sevenfold/chassis/ports';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  type EmbedServiceServer,
  EmbedServiceService,
  type ResolveEmbedResponse,
} from '@sevenfold/proto/gen/sevenfold/oembed/v1/embed';
import { makePost } from '../testing/factories';
import { type ContentSite, startContent } from '../testing/service';
import { RENDER_JOB } from '../posts/aftermath';
import { embedJobs } from './jobs';
import { FILL_JOB } from '@sevenfold/publishing/embeds/order';

let site: ContentSite;
let server: GrpcServer | undefined;
let port: number;
/** Each time that they were asked about. */
const asked: string[] = [];
let resolve: (url: string) => Partial<ResolveEmbedResponse> | Promise<Partial<ResolveEmbedResponse>>;

const log = createLog('content', 'test', 'silent');
const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3_600;
const video = (url: string): Partial<ResolveEmbedResponse> => ({
  found: true,
  html: `<iframe src="${url}"></iframe>`,
  freshUntil: inAnHour(),
});

async function open(): Promise<void> {
  const nothing = { found: false, html: '', type: '', title: '', providerName: '', freshUntil: inAnHour() };
  server = await startGrpcServer({
    host: '127.0.0.1',
    port,
    actorSecret: TEST_ACTOR_SECRET,
    log,
    services: [
      rpcService<EmbedServiceServer>(EmbedServiceService, {
        renderEmbedPage: {
          callers: ['gateway'],
          permission: anyone,
          handle: () => Promise.resolve({ found: false, html: '', contentSecurityPolicy: '' }),
        },
        resolveEmbed: {
          callers: ['content'],
          permission: anyone,
          handle: async ({ url }) => {
            asked.push(url);
            return { ...nothing, ...(await resolve(url)) };
          },
        },
      }),
    ],
  });
}

beforeAll(async () => {
  port = await freePort();
  site = await startContent({ OEMBED_GRPC: `127.0.0.1:${port}` });
  await open();
});
afterAll(async () => {
  await site.stop();
  await server?.stop(0);
});
beforeEach(async () => {
  asked.length = 0;
  resolve = video;
  await site.deps.db.run('delete from stored_embeds');
  await site.deps.db.run('delete from outbox');
});

const openJobs = (): Promise<{ id: number }[]> =>
  site.deps.db.rows<{ id: number }>(
    'select id from outbox where name = $1 and done_at is null and failed_at is null order by id',
    [FILL_JOB],
  );
async function deliver(): Promise<number> {
  const jobs = await openJobs();
  const [row] = embedJobs;
  if (!row) throw new Error('there is no such job');
  for (const { id } of jobs)
    await runJob({ db: site.deps.db, deps: site.deps, log }, row, id, new AbortController().signal);
  return jobs.length;
}
const news = async (): Promise<number> =>
  (await site.deps.db.rows(`select 1 from outbox where name = 'content.post.changed'`)).length;

const URL = 'https://video.test/1';
const SHOWN = `<p>a</p>\n<div class="embed"><iframe src="${URL}"></iframe></div>\n`;
const write = async (content: string, id?: number) => {
  const path = id === undefined ? '/posts' : `/posts/${id}`;
  return (await site.by('editor').post(path, { title: 'x', content, status: 'publish' })).body;
};
const read = async (id: number): Promise<string> =>
  (await site.by('anonymous').get(`/posts/${id}`)).body.content.rendered;

test('an address alone on a line is shown once the job has asked, never while somebody reads', async () => {
  const { id } = await write(`a\n\n${URL}`);
  expect(await read(id)).toBe(`<p>a</p>\n<p>${URL}</p>\n`);
  expect(asked).toEqual([]);
  const before = await news();
  expect(await deliver()).toBe(1);
  expect(await read(id)).toBe(SHOWN);
  expect([asked, await news()]).toEqual([[URL], before + 1]);
  const raw = await site.by('editor').get(`/posts/${id}?context=edit`);
  expect(raw.body.content.raw).toBe(`a\n\n${URL}`);
  // Who writes the same address again, here or elsewhere, has it at once.
  const other = await write(`a\n\n[embed]${URL}[/embed]`);
  expect(await read(other.id)).toBe(SHOWN);
  expect([await deliver(), asked]).toEqual([0, [URL]]);
});

test('what was written meanwhile stays, and has a job of its own', async () => {
  const { id } = await write(`a\n\n${URL}`);
  resolve = async (url) => {
    if (asked.length === 1) await write('b\n\nhttps://video.test/2', id);
    return video(url);
  };
  await deliver();
  expect(await read(id)).toBe('<p>b</p>\n<p>https://video.test/2</p>\n');
  await deliver();
  expect(await read(id)).toContain('<iframe src="https://video.test/2">');
});

test('a text that is written again and again has one job, which comes once more for what was written meanwhile', async () => {
  const { id } = await write(`a\n\n${URL}`);
  for (let n = 1; n <= 3; n++) await write(`${n}\n\n${URL}`, id);
  expect(await openJobs()).toHaveLength(1);
  resolve = async (url) => {
    if (asked.length === 1) for (let n = 4; n <= 6; n++) await write(`${n}\n\nhttps://video.test/${n}`, id);
    return video(url);
  };
  expect(await deliver()).toBe(1);
  expect(await openJobs()).toHaveLength(1);
  expect([await deliver(), await deliver()]).toEqual([1, 0]);
  expect(await read(id)).toBe(
    '<p>6</p>\n<div class="embed"><iframe src="https://video.test/6"></iframe></div>\n',
  );
});

test('whether a text has a job is looked up in an index, however many others wait', async () => {
  const { db } = site.deps;
  await db.run(
    `insert into outbox (kind, channel, name, payload)
     select 'job', 'content.posts', 'render-anew', jsonb_build_object('id', n) from generate_series(1, 5000) as n`,
  );
  await db.run('analyze outbox');
  const plan = JSON.stringify(
    await db.rows(`explain (format json) select id from outbox where kind = 'job' and channel = 'content.embeds'
      and name = 'fill-embeds' and payload->>'id' = '7' and done_at is null and failed_at is null and attempts = waits limit 1`),
  );
  expect(plan).toContain('outbox_fills');
});

test('what nobody provides stays as it is, and is not asked for again while that is fresh', async () => {
  resolve = () => ({});
  const { id } = await write(`a\n\n${URL}`);
  await deliver();
  expect(await read(id)).toBe(`<p>a</p>\n<p>${URL}</p>\n`);
  await write(`b\n\n${URL}`, id);
  expect(await deliver()).toBe(0);
  await site.deps.db.run(`update stored_embeds set fresh_until = now() - interval '1 minute'`);
  resolve = video;
  await write(`a\n\n${URL}`, id);
  expect(await deliver()).toBe(1);
  expect(await read(id)).toBe(SHOWN);
  // One that a provider has no word on any more is shown as it was.
  await site.deps.db.run(`update stored_embeds set fresh_until = now() - interval '1 minute'`);
  resolve = () => ({});
  await write(`a\n\n${URL} `, id);
  await deliver();
  expect(await read(id)).toBe(SHOWN);
});

test('twenty addresses of a post are asked for, each once', async () => {
  const urls = Array.from({ length: 30 }, (_, index) => `https://video.test/many-${index}`);
  const { id } = await write([...urls, ...urls].join('\n'));
  await deliver();
  expect(asked).toEqual(urls.slice(0, 20));
  expect((await read(id)).match(/<iframe/g)).toHaveLength(40);
});

test('while nobody can be asked the job waits, and the post is whole', async () => {
  await server?.stop(0);
  const { id } = await write(`a\n\n${URL}`);
  await deliver();
  expect(await read(id)).toBe(`<p>a</p>\n<p>${URL}</p>\n`);
  expect(await openJobs()).toHaveLength(1);
  // Many texts may wait: the longer, the less often each of them asks.
  for (let tries = 0; tries < 5; tries++) await deliver();
  expect(
    await site.deps.db.rows(`select from outbox where name = $1 and run_at > now() + interval '30 seconds'`, [
      FILL_JOB,
    ]),
  ).toHaveLength(1);
  await open();
  // The connection comes back a little later than the service.
  await until(async () => {
    await deliver();
    return (await openJobs()).length === 0;
  });
  expect(await read(id)).toBe(SHOWN);
});

test('texts that wait for other sites keep no other work on texts waiting', async () => {
  const own = await startContent({ ROLE: 'all', OEMBED_GRPC: `127.0.0.1:${port}` });
  const { db } = own.deps;
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => (go = resolve));
  resolve = async (url) => {
    await gone;
    return video(url);
  };
  try {
    const post = (content: string) => own.by('editor').post('/posts', { title: 'x', content });
    // As many as are worked on at once.
    for (let n = 1; n <= 4; n++) await post(`a\n\nhttps://video.test/held-${n}`);
    await until(() => asked.length === 4);
    const { body } = await post('[gallery ids="1"]');
    await until(() =>
      db.first(`select from outbox where name = $1 and payload->>'id' = $2 and done_at is not null`, [
        RENDER_JOB,
        String(body.id),
      ]),
    );
    // All of them wait at their first try.
    expect(await db.rows('select attempts from outbox where name = $1', [FILL_JOB])).toEqual(
      Array.from({ length: 4 }, () => ({ attempts: 0 })),
    );
  } finally {
    go();
    await own.stop();
  }
});

test('who has many texts that wait for other sites keeps nobody else’s waiting', async () => {
  const own = await startContent({ ROLE: 'all', OEMBED_GRPC: `127.0.0.1:${port}` });
  const { db } = own.deps;
  let go = (): void => undefined;
  const gone = new Promise<void>((resolve) => (go = resolve));
  resolve = async (url) => {
    if (url.includes('held')) await gone;
    return video(url);
  };
  try {
    const post = (role: 'author' | 'contributor', content: string) =>
      own.by(role).post('/posts', { title: 'x', content });
    for (let n = 1; n <= 4; n++) await post('contributor', `a\n\nhttps://video.test/held-${n}`);
    await until(() => asked.length === 4);
    for (let n = 1; n <= 9; n++) await post('contributor', `a\n\nhttps://video.test/many-${n}`);
    await post('author', `a\n\n${URL}`);
    await until(
      async () =>
        (await db.rows('select from outbox where name = $1 and sent_at is null', [FILL_JOB])).length === 0,
    );
    // What is promised after that is in Redis after it.
    const { body } = await post('author', '[gallery ids="1"]');
    await until(() =>
      db.first(`select from outbox where name = $1 and payload->>'id' = $2 and done_at is not null`, [
        RENDER_JOB,
        String(body.id),
      ]),
    );
    go();
    await until(() => asked.length === 14);
    // Four are worked on at once.
    expect(asked.indexOf(URL)).toBeLessThan(8);
  } finally {
    go();
    await own.stop();
  }
});

test('whose turn it is is looked up in an index, however many others wait', async () => {
  const { db } = site.deps;
  await db.run(
    `insert into outbox (kind, channel, name, payload)
     select 'job', 'content.embeds', 'fill-embeds', jsonb_build_object('id', n, 'author', n) from generate_series(1, 5000) as n`,
  );
  await db.run('analyze outbox');
  const plan = JSON.stringify(
    await db.rows(`explain (format json) select from outbox where kind = 'job' and channel = 'content.embeds'
      and name = 'fill-embeds' and payload->>'author' = '7' and done_at is null and failed_at is null limit 1000`),
  );
  expect(plan).toContain('outbox_fills_of');
});

test('what a migration wants to be rendered anew is, whatever workers of the version before take meanwhile', async () => {
  const { db } = site.deps;
  const text = '[caption caption="&lt;img src=x onerror=alert(1)&gt;"]<img src="a">[/caption]';
  const { id } = await makePost(db, { content_raw: text, content_html: '<img src=x onerror=alert(1)>' });
  const files = await readMigrations([path.resolve(__dirname, '../../migrations')]);
  for (const { name, sql } of files) if (name.includes('_cut_tags')) await db.pool.query(sql);
  // They know this one, and find nothing to change.
  await db.run('update outbox set done_at = now() where name = $1', [FILL_JOB]);
  const open = await db.rows<{ id: number; name: string }>(
    `select id, name from outbox where kind = 'job' and payload->>'id' = $1 and done_at is null`,
    [String(id)],
  );
  for (const { id: job, name } of open) {
    const row = embedJobs.find((one) => one.name === name);
    if (!row) throw new Error(`there is no job ${name}`);
    await runJob({ db, deps: site.deps, log }, row, job, new AbortController().signal);
  }
  expect(await read(id)).toContain('<img src="a">');
  expect(await read(id)).not.toContain('<img src=x');
});

test('frames of items of this site that named a title are asked for anew; what is not everybody’s any more is an address', async () => {
  const { db } = site.deps;
  const address = (name: string): string => `http://site.test/${name}/`;
  const frame = (title: string): string => `<iframe title="${title}" class="site-embedded-content"></iframe>`;
  const texts = [];
  for (const name of ['open', 'closed']) {
    await db.run(
      `insert into stored_embeds (url, width, html, fresh_until) values ($1, 600, $2, now() + interval '1 day')`,
      [address(name), frame('Secret')],
    );
    const { id } = await makePost(db, {
      content_raw: address(name),
      content_html: `<div class="embed">${frame('Secret')}</div>\n`,
    });
    texts.push(id);
  }
  const files = await readMigrations([path.resolve(__dirname, '../../migrations')]);
  for (const { name, sql } of files) if (name.includes('_frames_without')) await db.pool.query(sql);
  resolve = (url) =>
    url === address('open') ? { found: true, html: frame(url), freshUntil: inAnHour() } : { freshUntil: 0 };
  expect(await deliver()).toBe(2);
  expect(await Promise.all(texts.map(read))).toEqual([
    `<div class="embed">${frame(address('open'))}</div>\n`,
    `<p>${address('closed')}</p>\n`,
  ]);
});
