import { makeEvent } from '@sevenfold/calendar/testing/factories';
import { makePost, makeUser } from '@sevenfold/content/testing/factories';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { type OembedSite, startOembed } from '../testing/service';

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
});
