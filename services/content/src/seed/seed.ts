/**
 * Fills a site with made-up posts, users and comments: fast (set-based, no statement for each row), realistic and the
 * same on every machine. Running it again adds more; it never touches what people wrote.
 */
import { numbers } from '@sevenfold/chassis/chance';
import type { Db } from '@sevenfold/chassis/db/sql';
import { recountTerms } from '../common/recount-terms';
import type { Deps } from '../deps';
import { firstNames, lastNames, nouns, paragraph, title } from './words';

export interface SeedOptions {
  readonly posts: number;
  readonly users: number;
  readonly comments: number;
}

/** `done` of `total` rows of a kind. */
export type SeedProgress = (kind: 'users' | 'posts' | 'comments', done: number, total: number) => void;

const CHUNK = 10_000;
/** Beyond this it is quicker to build the search index anew than to keep it up for every row. */
const REBUILD_SEARCH_FROM = 100_000;

export async function seed(deps: Deps, options: SeedOptions, progress: SeedProgress): Promise<void> {
  const { timezone } = await deps.settings.get();
  await seedUsers(deps.db, options.users, (done) => progress('users', done, options.users));
  if (options.posts > 0) {
    await seedTerms(deps.db);
    await seedPosts(deps, options.posts, timezone, (done) => progress('posts', done, options.posts));
    await recountTerms(deps.db);
  }
  await seedComments(deps.db, options.comments, timezone, (done) =>
    progress('comments', done, options.comments),
  );
}

async function seedUsers(db: Db, total: number, progress: (done: number) => void): Promise<void> {
  const start = await firstFree(
    db,
    `select coalesce(max(substring(username from 6)::bigint), 0) as n from users where username ~ '^seed-\\d{1,9}$'`,
  );
  const next = numbers(start + 1);
  for (let done = 0; done < total; done += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, total - done) }, (_, index) => {
      const n = start + done + index + 1;
      const first = firstNames[Math.floor(next() * firstNames.length)] as string;
      const last = lastNames[Math.floor(next() * lastNames.length)] as string;
      return { n, first, last, role: n % 10 === 0 ? 'editor' : n % 3 === 0 ? 'contributor' : 'author' };
    });
    // Nobody can log in as a made-up user: '!' is no hash.
    await db.run(
      `insert into users (username, email, slug, name, first_name, last_name, nickname, password_hash, roles, registered_at)
       select 'seed-' || n, 'seed-' || n || '@example.org', 'seed-' || n, first || ' ' || last, first, last, first, '!', array[role],
              timestamptz '2020-01-01 00:00:00Z' + n * interval '1 hour'
       from jsonb_to_recordset($1::jsonb) as r(n bigint, first text, last text, role text)`,
      [JSON.stringify(rows)],
    );
    progress(done + rows.length);
  }
}

async function seedTerms(db: Db): Promise<void> {
  const rows = nouns.flatMap((noun, index) => [
    ...(index < 20
      ? [
          {
            taxonomy: 'category',
            name: `${noun.charAt(0).toUpperCase()}${noun.slice(1)} stories`,
            slug: `seed-${noun}-stories`,
          },
        ]
      : []),
    { taxonomy: 'post_tag', name: noun, slug: `seed-${noun}` },
  ]);
  await db.run(
    `insert into terms (taxonomy, name, slug)
     select taxonomy, name, slug from jsonb_to_recordset($1::jsonb) as r(taxonomy text, name text, slug text)
     on conflict (taxonomy, slug) do nothing`,
    [JSON.stringify(rows)],
  );
}

async function seedPosts(
  deps: Deps,
  total: number,
  timezone: string,
  progress: (done: number) => void,
): Promise<void> {
  const { db } = deps;
  const start = await firstFree(
    db,
    `select coalesce(max(substring(guid from 'seed=(\\d+)$')::bigint), 0) as n from posts where guid like '%seed=%'`,
  );
  const categories = await idsOf(
    db,
    `select id from terms where taxonomy = 'category' and slug like 'seed-%' order by name`,
  );
  const tags = await idsOf(
    db,
    `select id from terms where taxonomy = 'post_tag' and slug like 'seed-%' order by name`,
  );
  const authors = await idsOf(
    db,
    `select id from users where 'subscriber' <> all(roles) order by id limit 200`,
  );
  const rebuild = total >= REBUILD_SEARCH_FROM;
  if (rebuild) await db.run('drop index if exists posts_search');
  for (let done = 0; done < total; done += CHUNK) {
    const next = numbers(start + done + 1);
    const rows = Array.from({ length: Math.min(CHUNK, total - done) }, (_, index) => {
      const paragraphs = [paragraph(next, 3), paragraph(next, 4), paragraph(next, 2)];
      const heading = title(next);
      return {
        n: start + done + index + 1,
        title: heading,
        slug: `${heading.toLowerCase().replaceAll(' ', '-')}-${start + done + index + 1}`,
        raw: paragraphs.join('\n\n'),
        html: paragraphs.map((text) => `<p>${text}</p>\n`).join(''),
        excerpt: `<p>${`${paragraphs[0]} ${paragraphs[1]}`.split(' ').slice(0, 55).join(' ')} [&hellip;]</p>\n`,
        author: authors[Math.floor(next() * authors.length)] ?? 0,
        categories: chosen(next, categories, 1, 2),
        tags: chosen(next, tags, 1, 4),
      };
    });
    await db.run(
      `with r as (
         select *, timestamptz '2025-01-01 00:00:00Z' - n * interval '151 seconds' as moment
         from jsonb_to_recordset($1::jsonb)
           as r(n bigint, title text, slug text, raw text, html text, excerpt text, author bigint, categories bigint[], tags bigint[]))
       insert into posts (type, status, slug, author, date_local, date_gmt, date_chosen, modified_local, modified_gmt, guid, title_raw, title_html,
                          content_raw, content_html, excerpt_html, categories, tags, path)
       select 'post', 'publish', slug, author, moment at time zone $2, moment, true, moment at time zone $2, moment, $3 || '/?seed=' || n, title, title,
              raw, html, excerpt, categories, tags, to_char(moment at time zone $2, 'YYYY/MM/DD/') || slug
       from r`,
      [JSON.stringify(rows), timezone, deps.siteUrl],
    );
    progress(done + rows.length);
  }
  if (rebuild)
    await db.run('create index if not exists posts_search on posts using gin (search_text gin_trgm_ops)');
  await db.run('analyze posts');
}

/** Term ids in the order of their names, as posts keep them. */
function chosen(next: () => number, ids: readonly number[], least: number, most: number): number[] {
  const count = least + Math.floor(next() * (most - least + 1));
  const places = new Set(Array.from({ length: count }, () => Math.floor(next() * ids.length)));
  return [...places].sort((a, b) => a - b).map((place) => ids[place] as number);
}

async function seedComments(
  db: Db,
  total: number,
  timezone: string,
  progress: (done: number) => void,
): Promise<void> {
  if (total === 0) return;
  const posts = await idsOf(
    db,
    `select id from posts where type = 'post' and status = 'publish' order by date_gmt desc limit 5000`,
  );
  if (posts.length === 0) return;
  const start = await firstFree(
    db,
    `select coalesce(max(substring(author_email from '^reader(\\d+)@')::bigint), 0) as n from comments where author_email like 'reader%@example.org'`,
  );
  for (let done = 0; done < total; done += CHUNK) {
    const next = numbers(start + done + 7);
    const rows = Array.from({ length: Math.min(CHUNK, total - done) }, (_, index) => {
      const raw = paragraph(next, 2);
      return {
        n: start + done + index + 1,
        post: posts[Math.floor(next() * posts.length)],
        name: `${firstNames[Math.floor(next() * firstNames.length)]} ${lastNames[Math.floor(next() * lastNames.length)]}`,
        raw,
        status: next() < 0.95 ? 'approved' : 'hold',
      };
    });
    await db.run(
      `with r as (
         select *, timestamptz '2025-06-01 00:00:00Z' - n * interval '97 seconds' as moment
         from jsonb_to_recordset($1::jsonb) as r(n bigint, post bigint, name text, raw text, status text))
       insert into comments (post, author_name, author_email, author_ip, date_local, date_gmt, content_raw, content_html, status)
       select post, name, 'reader' || n || '@example.org', '192.0.2.' || n % 250, moment at time zone $2, moment, raw, '<p>' || raw || '</p>' || E'\\n', status
       from r`,
      [JSON.stringify(rows), timezone],
    );
    progress(done + rows.length);
  }
  await db.run('analyze comments');
}

async function firstFree(db: Db, text: string): Promise<number> {
  return (await db.first<{ n: number }>(text))?.n ?? 0;
}

async function idsOf(db: Db, text: string): Promise<number[]> {
  return (await db.rows<{ id: number }>(text)).map((row) => row.id);
}
