/** What a command is given of the site that runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runOf } from '../test-support';
import { findSite } from './sites';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'site-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** As a stack writes it that runs in this process; `more` stands in for what is otherwise so. */
async function writeRun(more: object = {}): Promise<void> {
  await writeFile(path.join(folder, 'secrets.json'), '{"actorSecret":"ours"}');
  const run = {
    ...runOf(folder, {
      siteUrl: 'http://site.test',
      timezone: 'Asia/Tokyo',
      redis: 'redis://here',
      databases: { content: 'postgres://here' },
      services: { calendar: { http: '', grpc: 'here:9090' } },
      uploadsDir: '/here',
      filesDir: '/here',
    }),
    ...more,
  };
  await writeFile(path.join(folder, 'run.json'), JSON.stringify(run));
}

test('services are opened on the clock that the running ones were given, and with their settings', async () => {
  await writeRun();
  expect(findSite({ DATA_DIR: folder }).env('content')).toMatchObject({ SITE_TIMEZONE: 'Asia/Tokyo' });
  // What commands write hangs on these as much as what processes do.
  const set = {
    IMPORT_INTERVAL: '60',
    SPAM_DAYS: '3',
    WEBHOOK_GIVE_UP_HOURS: '2',
    WEBHOOK_ROTATION_HOURS: '1',
    WEBHOOK_TIMEOUT_MS: '1000',
  };
  expect(findSite({ DATA_DIR: folder, ...set }).env('content')).toMatchObject(set);
});

test('calls are signed with the secret that the stack here believes, and only elsewhere with that of the environment', async () => {
  await writeRun();
  const given = { DATA_DIR: folder, ACTOR_SECRET: 'exported' };
  expect(findSite(given).env('content')).toMatchObject({ ACTOR_SECRET: 'ours' });
  const elsewhere = { ...given, SEO_DATABASE_URL: 'postgres://elsewhere' };
  expect(findSite(elsewhere).env('seo')).toMatchObject({ ACTOR_SECRET: 'exported' });
});

test('whoever names a database elsewhere is given nothing of the site that runs here', async () => {
  await writeRun();
  const elsewhere = {
    DATA_DIR: folder,
    CONTENT_DATABASE_URL: 'postgres://elsewhere',
    SITE_URL: 'http://elsewhere.test',
    CALENDAR_GRPC: 'elsewhere:9090',
    UPLOADS_DIR: '/elsewhere',
  };
  const site = findSite(elsewhere);
  expect(site.url).toBe('http://elsewhere.test');
  expect(site.env('content')).toMatchObject({ CALENDAR_GRPC: 'elsewhere:9090', UPLOADS_DIR: '/elsewhere' });
  expect(site.env('content').REDIS_URL).toBe('redis://127.0.0.1:6379');
  // What he did not name is not taken from here, either.
  expect(() => site.env('calendar')).toThrow('CALENDAR_DATABASE_URL');
});

test('a stack that was killed is none that runs, and one that starts has to be waited for', async () => {
  await writeRun({ identity: 'that of another process' });
  expect(() => findSite({ DATA_DIR: folder }).env('content')).toThrow(`No site runs from ${folder}.`);
  await writeRun({ databases: undefined });
  expect(() => findSite({ DATA_DIR: folder })).toThrow(/is at work on .* Try again when it is done\./);
});

test.each(['', '{"pid":'])(
  'what a machine that lost its power left of the file of a stack (%j) is none that runs',
  async (left) => {
    await writeFile(path.join(folder, 'run.json'), left);
    expect(() => findSite({ DATA_DIR: folder }).env('content')).toThrow(`No site runs from ${folder}.`);
  },
);
