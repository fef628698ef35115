/**
 * A site of a million of everything that strangers list, with the shares that cost the most: of each kind two rows of five hang
 * on one category, one author, one parent, one venue, so that a filter keeps neither few rows nor nearly all.
 */
import { Client } from 'pg';
import { posts } from '@sevenfold/content/posts/testing/searched';
import { searched as linked } from '@sevenfold/calendar/linked/testing/searched';
import { searched as media } from '@sevenfold/content/media/testing/searched';
import type { Searched } from '@sevenfold/chassis/testing/searched';
import type { TestStack } from '../../support/stack';
import { superuserUrl } from '../../support/superuser';
import { onCommandLine } from '../background';
import type { Known } from './questions';

const SHARE = 'random() < 0.4';
const MIDDLE = '2022-06-01T00:00:00';

type Say = (text: string) => void;

export async function fill(stack: TestStack, rows: number, say: Say): Promise<Known> {
  const [content, calendar] = await Promise.all(['content', 'calendar'].map((name) => open(stack, name)));
  if (!content || !calendar) throw new Error('two databases were asked for');
  try {
    const terms = await lean(content, calendar, rows, say);
    say('posts, events and comments');
    const n = String(rows);
    await onCommandLine(stack, 'seed', '--posts', n, '--users', '50', '--events', n);
    const post = await idOf(content, `select id from posts where type = 'post' order by id limit 1`);
    await comments(content, post);
    await onCommandLine(stack, 'seed', '--comments', n);
    const known = await spread(content, calendar, post, terms, rows, say);
    say('vacuum');
    await content.query('vacuum (analyze)');
    await calendar.query('vacuum (analyze)');
    return known;
  } finally {
    await Promise.all([content.end(), calendar.end()]);
  }
}

async function open(stack: TestStack, service: string): Promise<Client> {
  const client = new Client({ connectionString: superuserUrl(stack, service) });
  await client.connect();
  return client;
}

async function idOf(client: Client, text: string): Promise<number> {
  const { rows } = await client.query<{ id: string }>(text);
  if (!rows[0]) throw new Error(`nothing was found by ${text}`);
  return Number(rows[0].id);
}

const idsOf = async (client: Client, text: string): Promise<number[]> =>
  (await client.query<{ id: string }>(text)).rows.map(({ id }) => Number(id));

/** Rows that come from now on lean on what most hang on. The stack is thrown away, so nobody takes this back. */
const leaning = (name: string, table: string, condition: string, changes: string): string => `
  create function lean_${name}() returns trigger language plpgsql as $$ begin ${changes} return new; end $$;
  create trigger lean_${name} before insert on ${table} for each row when (${condition}) execute function lean_${name}()`;

interface Terms {
  readonly category: number;
  readonly tag: number;
  readonly eventCategory: number;
  readonly venue: number;
  readonly organizer: number;
}

/** What much will hang on, and a million venues and organizers, which events name. */
async function lean(content: Client, calendar: Client, rows: number, say: Say): Promise<Terms> {
  const term = (taxonomy: string): Promise<number> =>
    idOf(
      content,
      `insert into terms (taxonomy, name, slug) values ('${taxonomy}', 'Two of five', 'two-of-five') returning id`,
    );
  const [category, tag] = [await term('category'), await term('post_tag')];
  const eventCategory = await term('calendar_events_cat');
  say('venues and organizers');
  await calendar.query(
    leaning(
      'venues',
      'venues',
      'true',
      'new.geo_lat := random() * 120 - 60; new.geo_lng := random() * 300 - 150;',
    ),
  );
  const firstOf = async ({ table, insert }: Searched): Promise<number> => {
    await calendar.query(insert, [1, rows, 'Harbour']);
    return idOf(calendar, `select id from ${table} order by id limit 1`);
  };
  const venue = await firstOf(linked.venues as Searched);
  const organizer = await firstOf(linked.organizers as Searched);
  const anyOf = (first: number): string =>
    `${first} + (select increment_by from pg_sequences where sequencename = 'object_ids') * floor(random() * ${rows})::bigint`;
  await content.query(
    leaning(
      'posts',
      'posts',
      `new.type = 'post'`,
      `if ${SHARE} then new.categories := new.categories || ${category}::bigint; end if;
       if ${SHARE} then new.tags := new.tags || ${tag}::bigint; end if;
       if ${SHARE} then new.author := 1; end if;`,
    ),
  );
  await calendar.query(
    leaning(
      'events',
      'events',
      'true',
      `if ${SHARE} then new.category_ids := new.category_ids || ${eventCategory}::bigint; end if;
       if ${SHARE} then new.tag_ids := new.tag_ids || ${tag}::bigint; end if;
       new.venue_id := case when ${SHARE} then ${venue} else ${anyOf(venue)} end;
       new.organizer_ids := array[case when ${SHARE} then ${organizer} else ${anyOf(organizer)} end];`,
    ),
  );
  return { category, tag, eventCategory, venue, organizer };
}

/** Two of five answer one comment, below one post. */
async function comments(content: Client, post: number): Promise<void> {
  const first = await idOf(
    content,
    `insert into comments (post, author_name, date_local, date_gmt, content_raw, content_html, status)
     values (${post}, 'First', '2019-01-01', '2019-01-01Z', 'First.', '<p>First.</p>', 'approved') returning id`,
  );
  await content.query(
    leaning(
      'comments',
      'comments',
      'true',
      `if ${SHARE} then new.post := ${post}; if ${SHARE} then new.parent := ${first}; end if; end if;
       if ${SHARE} then new.author := 1; end if;`,
    ),
  );
}

/** What no seed writes: a million users with a page each, files, tags and categories. */
async function spread(
  content: Client,
  calendar: Client,
  post: number,
  { category, tag, eventCategory, venue, organizer }: Terms,
  rows: number,
  say: Say,
): Promise<Known> {
  say('users');
  await content.query(
    `insert into users (username, email, slug, name, password_hash, roles)
     select 'person-' || n, 'person-' || n || '@example.org', 'person-' || n, 'Harbour Person ' || n, '!', '{author}'
       from generate_series(1, ${rows}) as n`,
  );
  const person = await idOf(content, `select id from users where username = 'person-1'`);
  say('pages');
  await content.query(posts('page', 'publish'), [1, 1, 'Harbour']);
  const page = await idOf(content, `select id from posts where type = 'page' order by id limit 1`);
  await content.query(
    leaning(
      'pages',
      'posts',
      `new.type = 'page'`,
      `if ${SHARE} then new.parent := ${page}; end if;
       new.menu_order := floor(random() * 20);
       new.author := case when ${SHARE} then 1 else ${person} + substring(new.slug from 6)::bigint - 1 end;`,
    ),
  );
  await content.query(posts('page', 'publish'), [2, rows, 'Harbour']);
  say('files');
  await content.query(
    leaning(
      'files',
      'posts',
      `new.type = 'attachment'`,
      `if ${SHARE} then new.parent := ${post}; end if;
       if ${SHARE} then new.author := 1; end if;`,
    ),
  );
  await content.query(
    leaning(
      'media',
      'media',
      'true',
      `new.mime_type := case when ${SHARE} then 'image/jpeg' when ${SHARE} then 'image/png' else 'application/pdf' end;`,
    ),
  );
  await content.query((media.media as Searched).insert, [1, rows, 'Harbour']);
  say('terms');
  for (const [taxonomy, parent] of [
    ['post_tag', 0],
    ['category', category],
  ] as const)
    await content.query(
      `insert into terms (taxonomy, name, slug, description, own_count, parent)
       select '${taxonomy}', 'Harbour ' || n, '${taxonomy}-' || n, 'About harbour ' || n, n % 3, case when ${SHARE} then ${parent} else 0 end
         from generate_series(1, ${rows}) as n`,
    );
  const thousand = (text: string): Promise<number[]> => idsOf(content, `${text} limit 1000`);
  const [tags, categories] = [
    await thousand(`select id from terms where taxonomy = 'post_tag' and slug like 'seed-%'`),
    await thousand(`select id from terms where taxonomy = 'category' and slug like 'seed-%'`),
  ];
  const [authors, postIds] = [
    await thousand('select id from users order by id'),
    await thousand(`select id from posts where type = 'post' order by id desc`),
  ];
  const eventTags = await idsOf(
    calendar,
    'select distinct unnest(tag_ids) as id from (select tag_ids from events limit 1000) as e',
  );
  const venues = await idsOf(calendar, 'select id from venues order by id limit 300');
  const organizers = await idsOf(calendar, 'select id from organizers order by id limit 300');
  const event = await idOf(calendar, 'select id from events order by id limit 1');
  return {
    middle: MIDDLE,
    ids: {
      author: [[1], authors],
      post: [[post], postIds],
      parent: [[post], [page], [category], [0]],
      categories: [[category], [eventCategory], categories],
      tags: [[tag], tags, eventTags],
      venue: [[venue], venues],
      organizer: [[organizer], organizers],
      event: [[event]],
      include: [postIds.slice(0, 100)],
      exclude: [[category, tag, eventCategory], postIds, tags],
    },
  };
}
