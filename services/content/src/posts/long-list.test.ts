/** Lists of posts that are megabytes each: read while they are sent, and the same as if they were read at once. */
import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { ACTOR_HEADER, signActor } from '@sevenfold/chassis/actor';
import { WANTS_TAGS_HEADER } from '@sevenfold/chassis/http/shows';
import { TEST_ACTOR_SECRET } from '@sevenfold/chassis/testing/service';
import { makeMedia } from '../media/testing/factories';
import { type ContentSite, startContent } from '../testing/service';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

const LONG = 12 * 85_000;
let made = 0;

/** Straight into the table, newest first; each `every`th has a megabyte. */
async function posts(count: number, every = 1): Promise<number[]> {
  const rows = await site.deps.db.rows<{ id: number }>(
    `insert into posts (type, status, slug, author, title_raw, title_html, content_html, excerpt_html,
                        date_local, date_gmt, modified_local, modified_gmt)
     select 'post', 'publish', 'long-' || $1 || '-' || n, $2, 'Long ' || n, 'Long ' || n,
            repeat('lorem ipsum ', case when n % $4 = 0 then 85000 else 1 end), '', at, at, at, at
       from generate_series(1, $3::integer) as n, lateral (select timestamp '2024-01-01' - n * interval '1 hour' as at) as times
      order by n returning id`,
    [(made += 1), site.users.author.id, count, every],
  );
  return rows.map(({ id }) => id);
}

interface Item {
  readonly id: number;
  readonly content: { readonly rendered: string };
}

test.each(['', '&_fields=id,content', '&context=edit'])(
  'what may not be seen any more while its reader waits was never held %s',
  async (query) => {
    const ids = await posts(60);
    const headers = { [ACTOR_HEADER]: signActor(site.users.editor, TEST_ACTOR_SECRET) };
    const path = `/rest/core/v2/posts?per_page=100&include=${ids.join()}${query}`;
    const request = http.get(site.url + path, { headers, agent: false });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    await once(response, 'readable');
    // Buffers on the way hold a few of them; a list that is read as a whole holds them all.
    const kept = ids.slice(0, 30);
    await site.deps.db.run('delete from posts where id = any($1::bigint[])', [ids.slice(30)]);
    const body = (await json(response)) as Item[];
    expect(response.headers['x-total']).toBe('60');
    expect(body.map(({ id }) => id)).toEqual(kept);
    expect(new Set(body.map(({ content }) => content.rendered.length))).toEqual(new Set([LONG]));
  },
);

describe('beside short ones', () => {
  let ids: number[];
  beforeAll(async () => {
    ids = await posts(9, 2);
  });
  const list = (query: string, role: 'anonymous' | 'editor' = 'anonymous'): ReturnType<typeof get> =>
    get(`/posts?include=${ids.join()}${query}`, role);
  const get = (path: string, role: 'anonymous' | 'editor') => site.by(role).get(path);

  test.each([
    ['anonymous', ''],
    ['anonymous', '&_embed'],
    ['anonymous', '&_embed=author&_fields=id,content,_links,_embedded'],
    ['editor', '&context=edit'],
    ['editor', '&context=edit&_fields=id,title,content.rendered,generated_slug'],
  ] as const)('each is what it is alone, for %s %s', async (role, query) => {
    for (const time of ['first', 'again'])
      expect({ time, items: (await list(query, role)).body }).toEqual({
        time,
        items: await Promise.all(ids.map(async (id) => (await get(`/posts/${id}?${query}`, role)).body)),
      });
  });

  test('pretty is as it always is', async () => {
    for (const fields of ['', '&_fields=id,title']) {
      const { text, body } = await list(`&_pretty${fields}`);
      expect(text).toBe(JSON.stringify(body, null, 4));
    }
  });

  test('what is short in the end has its length, and says what it shows', async () => {
    const wanting = { [WANTS_TAGS_HEADER]: '1' };
    const short = await site.as().get(`/posts?include=${ids.join()}&_fields=id,title.rendered`, wanting);
    expect(short.body).toEqual(ids.map((id, index) => ({ id, title: { rendered: `Long ${index + 1}` } })));
    expect(Number(short.headers.get('content-length'))).toBe(Buffer.byteLength(short.text));
    const long = await site.as().get(`/posts?include=${ids.join()}`, wanting);
    expect(long.headers.get('content-length')).toBeNull();
    const told = (headers: Headers): boolean =>
      [...headers.values()].some((one) => one.includes(`post:${ids[0]}`));
    expect([told(short.headers), told(long.headers)]).toEqual([true, false]);
  });

  test('HEAD says how many there are', async () => {
    const { status, headers, text } = await site.as().request('HEAD', `/posts?include=${ids.join()}`);
    expect([status, headers.get('x-total'), text]).toEqual([200, '9', '']);
  });
});

test('media with long descriptions are what they are alone, and what goes meanwhile was never held', async () => {
  const { db } = site.deps;
  const ids: number[] = [];
  for (let n = 0; n < 40; n++) {
    const long = 'lorem ipsum '.repeat(n % 4 === 3 ? 1 : 85_000);
    const at = new Date(Date.UTC(2023, 0, 1) - n * 3_600_000);
    ids.push((await makeMedia(db, { content_html: long, title_raw: `Pic ${n}`, date_gmt: at })).id);
  }
  for (const query of ['', '&context=edit']) {
    const { body } = await site.by('editor').get(`/media?include=${ids.slice(0, 5).join()}${query}`);
    expect(body).toEqual(
      await Promise.all(
        ids.slice(0, 5).map(async (id) => (await site.by('editor').get(`/media/${id}?${query}`)).body),
      ),
    );
  }
  const request = http.get(`${site.url}/rest/core/v2/media?per_page=100&include=${ids.join()}`, {
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(response, 'readable');
  await db.run(`update posts set status = 'private' where id = any($1::bigint[])`, [ids.slice(24)]);
  // Short ones came with the list, as all rows of it did before.
  const kept = ids.filter((_, index) => index < 24 || index % 4 === 3);
  expect(((await json(response)) as Item[]).map(({ id }) => id)).toEqual(kept);
});

describe('what is long is embedded in many', () => {
  let ids: number[];
  beforeAll(async () => {
    const { db } = site.deps;
    ids = await posts(20, 1_000);
    const { id } = await makeMedia(db, { excerpt_html: 'lorem ipsum '.repeat(20_000) });
    await db.run('update posts set featured_media = $1 where id = any($2::bigint[])', [id, ids]);
  });

  test.each([
    ['anonymous', '_embed'],
    ['anonymous', '_embed=core:featuredmedia'],
    ['anonymous', '_embed&_fields=id,_links,_embedded'],
    ['editor', '_embed&context=edit'],
  ] as const)('each is what it is alone, in pieces, for %s %s', async (role, query) => {
    const by = site.by(role);
    const alone = await Promise.all(
      ids.map(async (id) => (await by.get(`/posts/${id}?${query}`)).body as object),
    );
    for (const time of ['first', 'again']) {
      const { headers, body } = await by.get(`/posts?include=${ids.join()}&per_page=100&${query}`);
      expect({ time, body: body as object }).toEqual({ time, body: alone });
      expect([headers.get('content-length'), headers.get('x-total')]).toEqual([null, '20']);
    }
    const few = await by.get(`/posts?include=${ids.slice(0, 3).join()}&${query}`);
    expect(few.body).toEqual(alone.slice(0, 3));
    expect(few.headers.get('content-length')).not.toBeNull();
  });

  test('pretty is as it always is', async () => {
    const { text, body } = await site.as().get(`/posts?include=${ids.join()}&per_page=100&_embed&_pretty`);
    expect(text).toBe(JSON.stringify(body, null, 4));
  });
});
