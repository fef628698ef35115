/** The commands about the index, as a process, on the database of an index and beside those whose things it holds. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { makeEvent } from '@sevenfold/calendar/testing/factories';
import type { TestService } from '@sevenfold/chassis/testing/service';
import { makePost } from '@sevenfold/content/testing/factories';
import type { Deps } from '@sevenfold/seo/deps';
import { startSeo } from '@sevenfold/seo/testing/service';

let owners: CalendarSite;
let seo: TestService<Deps>;
let addresses: { CONTENT_GRPC: string; CALENDAR_GRPC: string };
beforeAll(async () => {
  owners = await startCalendar();
  addresses = {
    CONTENT_GRPC: `127.0.0.1:${owners.content.service.grpcPort}`,
    CALENDAR_GRPC: `127.0.0.1:${owners.service.grpcPort}`,
  };
  seo = await startSeo(addresses);
});
afterAll(async () => {
  await seo.stop();
  await owners.stop();
});

const cli = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    const { SITE_URL, ACTOR_SECRET, DATABASE_URL, REDIS_URL } = seo.deps.config;
    execFile(
      process.execPath,
      [path.resolve(__dirname, '../../dist/cli/main.js'), 'seo', ...args],
      {
        env: {
          PATH: process.env.PATH,
          DATA_DIR: '/nowhere',
          SITE_URL,
          ACTOR_SECRET,
          REDIS_URL,
          SEO_DATABASE_URL: DATABASE_URL,
          ...addresses,
        },
      },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
const shown = async (url: string): Promise<Record<string, unknown>> =>
  JSON.parse((await cli('show', url)).output) as Record<string, unknown>;

test('the index is made anew, looked at, asked for orphans and told what somebody chose', async () => {
  const { db } = owners.content.deps;
  const target = await makePost(db, { slug: 'ferry', path: '2024/01/02/ferry', title_html: 'The ferry' });
  const source = await makePost(db, {
    slug: 'harbour',
    path: '2024/01/02/harbour',
    content_html: '<p><a href="/2024/01/02/ferry/">x</a></p>',
  });
  const event = await makeEvent(owners.deps.db, { slug: 'opening' });

  const made = await cli('reindex');
  expect([made.code, made.output]).toEqual([
    0,
    expect.stringMatching(/^\d+ indexed in [\d.]+ s, \d+ a second$/m),
  ]);
  // Two posts, an event, the first category, five users who have published nothing, and the home page.
  expect(made.output).toMatch(/^10 indexed/m);

  expect(await shown('/2024/01/02/ferry/')).toMatchObject({
    status: 200,
    objectStatus: 'publish',
    objectType: 'post',
    objectId: target.id,
    incomingLinkCount: 1,
    title: 'The ferry - Sevenfold',
    head: { canonical: 'http://site.test/2024/01/02/ferry/' },
  });
  expect(await shown('/nowhere/')).toEqual({ status: 404 });
  expect((await shown('/event/opening/')).objectSubtype).toBe('event');

  const orphans = await cli('orphans');
  expect(orphans.output).toMatch(new RegExp(`^${source.id} .*harbour/$`, 'm'));
  expect(orphans.output).toMatch(new RegExp(`^${event.id} .*opening/$`, 'm'));
  expect(orphans.output).not.toMatch(/ferry/);
  expect((await cli('orphans', '--after', String(Math.max(source.id, event.id)))).output).toBe('none\n');

  const id = String(target.id);
  const set = await cli(
    'set',
    'post',
    id,
    'title=To the island',
    'primary_focus_keyword=ferry',
    'is_cornerstone=true',
  );
  expect(JSON.parse(set.output)).toMatchObject({
    title: 'To the island',
    primary_focus_keyword: 'ferry',
    is_cornerstone: true,
    og_title: null,
  });
  await cli('reindex');
  expect(await shown('/2024/01/02/ferry/')).toMatchObject({
    title: 'To the island',
    isCornerstone: true,
    focusKeywordScore: expect.any(Number) as number,
  });
  expect(JSON.parse((await cli('set', 'post', id, 'title=')).output)).toMatchObject({ title: null });
});

test('what cannot be chosen is refused with a word why', async () => {
  const id = String((await makePost(owners.content.deps.db)).id);
  await cli('reindex');
  const refused = async (...words: string[]) => {
    const { code, output } = await cli('set', ...words);
    expect(code).toBe(1);
    return output;
  };
  expect(await refused('post', '999999', 'title=x')).toContain('seo_object_not_found');
  expect(await refused('boat', '1', 'title=x')).toContain('seo_object_not_found');
  expect(await refused('post', id, 'colour=blue')).toContain('colour is nothing that can be chosen');
  expect(await refused('post', id, 'is_cornerstone=perhaps')).toContain('is_cornerstone is true or false');
  expect(await refused('post', 'x', 'title=x')).toContain('must be a whole number');
});
