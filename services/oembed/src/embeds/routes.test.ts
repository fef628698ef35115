import { once } from 'node:events';
import http from 'node:http';
import { json } from 'node:stream/consumers';
import { until } from '@sevenfold/chassis/testing/until';
import { makeEvent, makeOrganizer, makeVenue } from '@sevenfold/calendar/testing/factories';
import { makeMedia } from '@sevenfold/content/media/testing/factories';
import { makePost, makeUser } from '@sevenfold/content/testing/factories';
import { freePort } from '@sevenfold/chassis/ports';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { XMLParser } from 'fast-xml-parser';
import { type OembedSite, startOembed, startOembedAlone } from '../testing/service';

let site: OembedSite;
beforeAll(async () => {
  site = await startOembed();
});
afterAll(() => site.stop());

const posts = () => site.calendar.content.deps.db;
const events = () => site.calendar.deps.db;

const ask = (url: string, query: Record<string, string> = {}): Promise<Answer> =>
  site.as().get(`/embed?${new URLSearchParams({ url, ...query }).toString()}`);

/** A published post with the slug; its address. */
async function post(slug: string, fields: Record<string, unknown> = {}): Promise<string> {
  await makePost(posts(), { slug, path: `2024/01/02/${slug}`, ...fields });
  return `http://site.test/2024/01/02/${slug}/`;
}

describe('GET /embed', () => {
  test('tells everything of a post', async () => {
    const author = await makeUser(posts(), 'author', { name: 'Hazel Saffron', slug: 'hazel' });
    const url = await post('ribbon', { author: author.id, title_html: 'Ribbon &#8220;saddle&#8221;' });
    const { status, body, headers } = await ask(url);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=UTF-8');
    const secret = /data-secret="([A-Za-z0-9]{10})"/.exec(body.html as string)?.[1] as string;
    expect(body).toEqual({
      version: '1.0',
      provider_name: 'Sevenfold',
      provider_url: 'http://site.test',
      author_name: 'Hazel Saffron',
      author_url: 'http://site.test/author/hazel/',
      title: 'Ribbon &#8220;saddle&#8221;',
      type: 'rich',
      width: 600,
      height: 338,
      html: expect.any(String),
    });
    expect(body.html).toMatch(
      `<blockquote class="site-embedded-content" data-secret="${secret}"><a href="${url}">Ribbon &#8220;saddle&#8221;</a></blockquote>` +
        `<iframe sandbox="allow-scripts" security="restricted" src="${url}embed/#?secret=${secret}" width="600" height="338"` +
        ` title="&#8220;Ribbon &#8220;saddle&#8221;&#8221; &#8212; Sevenfold" data-secret="${secret}" frameborder="0" marginwidth="0"` +
        ` marginheight="0" scrolling="no" class="site-embedded-content"></iframe><script>`,
    );
    expect((body.html as string).endsWith('</script>\n')).toBe(true);
  });

  test('knows an address however it is spelled', async () => {
    const url = await post('spelled');
    for (const spelled of [
      url,
      url.slice(0, -1),
      url.replace('http:', 'https:'),
      url.replace('site.test', 'www.SITE.test'),
      `${url}#comments`,
      `${url}?utm_source=x`,
      `${url}embed/`,
      `${url}embed`,
      url.replace('spelled', '%73pelled'),
      `  ${url}`,
    ])
      expect([spelled, (await ask(spelled)).body.title]).toEqual([spelled, expect.stringContaining('Post')]);
  });

  test('answers 404 to everything else', async () => {
    await post('a-draft', { status: 'draft' });
    await post('locked-away', { status: 'private' });
    const { id } = await makePost(posts(), { slug: 'numbered', path: '2024/01/02/numbered' });
    const event = await makeEvent(events());
    for (const url of [
      '',
      'garbage',
      'http://other.test/2024/01/02/ribbon/',
      'http://site.test',
      'http://site.test/',
      'http://site.test/embed/',
      'http://site.test/2024/01/02/',
      'http://site.test/2024/01/02/a-draft/',
      'http://site.test/2024/01/02/locked-away/',
      `http://site.test/?p=${id}`,
      `http://site.test/?post_type=calendar_events&p=${event.id}`,
      'http://site.test/rest/core/v2/posts/1',
      'http://site.test/category/news/',
      'javascript:alert(1)',
      'http://user:secret@site.test/2024/01/02/numbered/',
      'http://site.test/%ff%fe/',
      `http://site.test/${'x'.repeat(3000)}/`,
    ]) {
      const { status, body } = await ask(url);
      expect([url, status, body.code]).toEqual([url, 404, 'oembed_invalid_url']);
    }
    expect(
      await site.by('administrator').get('/embed?url=http://site.test/2024/01/02/locked-away/'),
    ).toMatchObject({
      status: 404,
    });
    expect((await site.as().get('/embed?url[]=http://site.test/')).status).toBe(404);
    expect((await site.as().get('/embed')).body.code).toBe('rest_missing_callback_param');
  });

  test.each([
    ['', 200, 200],
    ['abc', 200, 200],
    ['-400', 200, 200],
    ['0', 200, 200],
    ['199', 200, 200],
    ['300', 300, 200],
    ['400', 400, 225],
    ['401.9', 401, 226],
    ['600', 600, 338],
    ['1e9', 600, 338],
    ['Infinity', 600, 338],
  ])('a width of %p is %i by %i', async (maxwidth, width, height) => {
    const url = await post(`wide-${maxwidth.replace(/\W/g, '')}-${width}`);
    expect((await ask(url, { maxwidth })).body).toMatchObject({ width, height });
  });

  test('a width that is nothing of the kind, as only JSON can say it, is the smallest', async () => {
    const url = await post('wide-as-a-thing');
    const body = JSON.stringify({ url, maxwidth: { toString: 1 } });
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
    const request = http.request(`${site.url}/rest/oembed/1.0/embed`, { headers });
    request.end(body);
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect([answer.statusCode, (await json(answer)) as object]).toEqual([
      200,
      expect.objectContaining({ width: 200, height: 200 }),
    ]);
  });

  test('shows the picture, as large as there is room for, where everybody may see it', async () => {
    const picture = async (file: string, fields: Record<string, unknown> = {}): Promise<number> =>
      (await makeMedia(posts(), fields, { file, details: { width: 1200, height: 800 } })).id;
    const shown = await post('pictured', { featured_media: await picture('2024/01/a.png') });
    expect((await ask(shown, { maxwidth: '300' })).body).toMatchObject({
      thumbnail_url: 'http://site.test/uploads/2024/01/a.png',
      thumbnail_width: 300,
      thumbnail_height: 200,
    });
    const draft = await makePost(posts(), { status: 'draft' });
    const hidden = await post('hidden', {
      featured_media: await picture('2024/01/b.png', { parent: draft.id }),
    });
    expect((await ask(hidden)).body).not.toHaveProperty('thumbnail_url');
    const itself = await picture('2024/01/c.png', { slug: 'itself', path: 'itself' });
    expect((await ask('http://site.test/itself/')).body).toMatchObject({
      thumbnail_url: 'http://site.test/uploads/2024/01/c.png',
      thumbnail_width: 600,
    });
    const event = await makeEvent(events(), { slug: 'pictured', image_id: itself });
    expect(event.slug).toBe('pictured');
    expect((await ask('http://site.test/event/pictured/')).body).toMatchObject({ thumbnail_height: 400 });
  });

  test('pages, events, venues and organizers are items too', async () => {
    const author = await makeUser(posts(), 'author', { name: 'Ann', slug: 'ann' });
    await makePost(posts(), { type: 'page', slug: 'team', path: 'about/team', title_html: 'Team' });
    await makeEvent(events(), { slug: 'gig', title_html: 'Gig', author: author.id });
    await makeVenue(events(), { slug: 'hall', name: 'R & D <hall>' });
    await makeOrganizer(events(), { slug: 'club', name: 'Club' });
    const titles = await Promise.all(
      ['about/team', 'event/gig', 'venue/hall', 'organizer/club'].map(
        async (path) => (await ask(`https://site.test/${path}`)).body.title,
      ),
    );
    expect(titles).toEqual(['Team', 'Gig', 'R &amp; D &lt;hall&gt;', 'Club']);
    // Who has published events alone has no page there.
    const eventAlone = (await ask('http://site.test/event/gig/')).body;
    expect([eventAlone.author_name, eventAlone.author_url]).toEqual(['Ann', undefined]);
    await makePost(posts(), { slug: 'of-ann', author: author.id });
    await until(async () => (await ask('http://site.test/event/gig/')).body.author_url !== undefined);
    expect((await ask('http://site.test/event/gig/')).body).toMatchObject({
      author_name: 'Ann',
      author_url: 'http://site.test/author/ann/',
    });
  });

  test('names the site as it is called by now, and by its host where it has no title', async () => {
    const url = await post('named');
    for (const title of ['Once', 'Another', '', 'Sevenfold']) {
      await site.calendar.content.by('administrator').post('/settings', { title });
      expect((await ask(url)).body.provider_name).toBe(title || 'site.test');
    }
  });

  test('a title says that a password protects the rest', async () => {
    const url = await post('kept', { password: 'pw', title_html: 'Diary' });
    const { body, text } = await ask(url);
    expect(body.title).toBe('Protected: Diary');
    expect(text).not.toContain('Body');
  });

  test('a title that would run is text', async () => {
    const url = await post('hostile', {
      title_html: `"><script>alert(1)</script><img src=x onerror='x'>&lt;b&gt;`,
    });
    const { body } = await ask(url);
    expect(body.title).toBe('">&lt;b&gt;');
    expect(body.html).toContain('title="&#8220;&quot;&gt;&lt;b&gt;&#8221;');
  });

  test('speaks XML, with fields of choice and in errors', async () => {
    const url = await post('xml', { title_html: 'A &amp; B' });
    const { status, headers, text } = await ask(url, { format: 'xml' });
    expect([status, headers.get('content-type')]).toEqual([200, 'text/xml; charset=UTF-8']);
    expect(text).toMatch(
      /^<\?xml version="1.0"\?>\n<oembed><version>1.0<\/version><provider_name>Sevenfold<\/provider_name>/,
    );
    const parsed = new XMLParser({ parseTagValue: false }).parse(text) as { oembed: Record<string, string> };
    expect(parsed.oembed).toMatchObject({ title: 'A &amp; B', width: '600' });
    expect(parsed.oembed.html).toContain('<blockquote class="site-embedded-content"');
    expect((await ask(url, { format: 'xml', _fields: 'title,type' })).text).toBe(
      '<?xml version="1.0"?>\n<oembed><title>A &amp;amp; B</title><type>rich</type></oembed>',
    );
    expect((await ask(url, { _fields: 'title' })).body).toEqual({ title: 'A &amp; B' });
    expect((await ask(url, { format: 'yaml' })).body.version).toBe('1.0');
    const missing = await ask('http://site.test/nothing/', { format: 'xml' });
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/xml; charset=UTF-8']);
    expect(missing.text).toContain('<code>oembed_invalid_url</code>');
    expect(missing.text).toContain('<data><status>404</status></data>');
    expect((await site.as().get('/embed?format=xml')).text).toContain('<params><item>url</item></params>');
  });
});

describe('GET /proxy of an address of this site', () => {
  const proxied = (url: string) =>
    site.by('contributor').get(`/proxy?maxwidth=300&url=${encodeURIComponent(url)}`);

  test('is what the provider says', async () => {
    const url = await post('proxied');
    expect(await proxied(url)).toMatchObject({
      status: 200,
      body: { type: 'rich', width: 300, height: 200, provider_url: 'http://site.test' },
    });
    expect((await proxied('http://site.test/nothing/')).body.code).toBe('oembed_invalid_url');
    expect((await site.by('subscriber').get(`/proxy?url=${url}`)).status).toBe(403);
  });
});

describe('while a neighbour is away', () => {
  test('posts are told of without the calendar, events are not; and the other way round', async () => {
    const url = await post('steady');
    await makeEvent(events(), { slug: 'steady' });
    const without = async (gone: 'CONTENT_GRPC' | 'CALENDAR_GRPC') => {
      const { content, ...calendar } = site.calendar;
      const alone = await startOembedAlone({
        CONTENT_GRPC: `127.0.0.1:${content.service.grpcPort}`,
        CALENDAR_GRPC: `127.0.0.1:${calendar.service.grpcPort}`,
        [gone]: `127.0.0.1:${await freePort()}`,
      });
      const of = async (address: string) =>
        (await alone.as().get(`/embed?url=${encodeURIComponent(address)}`)).status;
      const answers = [
        await of(url),
        await of('http://site.test/event/steady/'),
        await of('http://other.test/'),
      ];
      await alone.stop();
      return answers;
    };
    expect(await without('CALENDAR_GRPC')).toEqual([200, 503, 404]);
    expect(await without('CONTENT_GRPC')).toEqual([503, 200, 404]);
  });
});
