/** Rendered text: what is written as plain text, and what readers get of it. */
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { fileHeaders, picture } from '@sevenfold/content/media/testing/pictures';
import { workOff } from '@sevenfold/content/posts/testing/work-off';
import { type Shown, bodyOf } from './table';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

interface Rendered {
  readonly title: string;
  readonly content: string;
  readonly excerpt: string;
}

/** The same text as title, content and excerpt of a post. */
async function post(
  text: string,
  use: 'title' | 'content' | 'excerpt' | undefined = undefined,
): Promise<Rendered> {
  const texts = use ? { title: 'x', [use]: text } : { title: text, content: text, excerpt: text };
  const { title, content, excerpt } = bodyOf(
    await site.by('editor').post('/posts', { ...texts, status: 'publish' }),
  );
  return { title: title.rendered, content: content.rendered, excerpt: excerpt.rendered };
}
const content = async (text: string): Promise<string> => (await post(text, 'content')).content;

let commented: number;
beforeAll(async () => {
  commented = bodyOf(await site.by('editor').post('/posts', { title: 'commented', status: 'publish' })).id;
});
const comment = async (text: string): Promise<string> =>
  bodyOf(await site.by('editor').post('/comments', { post: commented, content: text })).content.rendered;

const in_p = (html: string): string => `<p>${html}</p>\n`;

describe('typography, in titles, content, excerpts and comments', () => {
  test.each([
    ['x between digits is the multiplication sign', '2x4', '2&#215;4'],
    ['x between digits is the multiplication sign', 'a 580x300 picture', 'a 580&#215;300 picture'],
    ['x between digits is the multiplication sign: not in 0x70', '0x70', '0x70'],
    [
      'x between digits is the multiplication sign: in numbers, not in words',
      '1,000.5x2 a2x4 2x4b',
      '1,000.5&#215;2 a2x4 2x4b',
    ],
    ['(tm) after a space is the trade mark sign', 'Word (tm) x(tm)', 'Word &#8482; x(tm)'],
    ['two backticks are an opening, two apostrophes a closing quotation mark', "``so''", '&#8220;so&#8221;'],
    ['feet and inches', `5'10"`, '5&#8217;10&#8221;'],
    ['feet and inches', `is 5'10" tall`, 'is 5&#8217;10&#8221; tall'],
    ['never inside code', '<code>2x4 (tm) ``</code>', '<code>2x4 (tm) ``</code>'],
    ['never inside tags', '<a title="2x4 :)">b</a>', '<a title="2x4 :)">b</a>'],
  ])('%s: %s', async (_sentence, given, shown) => {
    expect(await post(given)).toEqual({ title: shown, content: in_p(shown), excerpt: in_p(shown) });
    expect(await comment(given)).toBe(in_p(shown));
  });

  test('never inside pre', async () => {
    const given = '<pre>2x4 (tm) `` :)</pre>';
    expect(await content(given)).toBe(`${given}\n`);
  });
});

describe('smilies standing as words of their own', () => {
  const SMILIES: Record<string, string> = {
    '🙂': ':) :-) :smile:',
    '🙁': ':( :-( :sad:',
    '😀': ':D :-D :grin:',
    '😉': ';) ;-) :wink:',
    '😛': ':P :-P :razz:',
    '😮': ':o :-o :eek:',
    '😎': '8-) :cool:',
    '😡': ':x :-x :mad:',
    '😐': ':| :-| :neutral:',
    '😕': ':? :-? :???:',
    '😯': '8O 8-O :shock:',
    '😥': ':cry:',
    '😆': ':lol:',
    '👿': ':evil:',
    '😈': ':twisted:',
    '😳': ':oops:',
    '🙄': ':roll:',
    '💡': ':idea:',
    '➡': ':arrow:',
    '❗': ':!:',
    '❓': ':?:',
  };

  test.each(Object.entries(SMILIES))('%s', async (shown, written) => {
    const count = written.split(' ').length;
    expect(await content(written)).toBe(in_p(Array.from({ length: count }, () => shown).join(' ')));
  });

  test('in content, excerpts and comments, not in titles', async () => {
    expect(await post('a :)\n\n<b>;-)</b> b:) :)c')).toEqual({
      title: 'a :)\n\n<b>;-)</b> b:) :)c',
      content: '<p>a 🙂</p>\n<p><b>😉</b> b:) :)c</p>\n',
      excerpt: '<p>a 🙂</p>\n<p><b>😉</b> b:) :)c</p>\n',
    });
    expect(await comment('well :-|')).toBe(in_p('well 😐'));
  });

  test('not in code and not in tags', async () => {
    expect(await content('<code>:)</code> <i title=":)">x</i>')).toBe(
      in_p('<code>:)</code> <i title=":)">x</i>'),
    );
  });
});

describe('comments: bare addresses become links', () => {
  const link = (href: string, text = href): string => `<a href="${href}" rel="nofollow ugc">${text}</a>`;
  test.each([
    ['see http://a.test/b.', `see ${link('http://a.test/b')}.`],
    ['see https://a.test', `see ${link('https://a.test')}`],
    ['see ftp://a.test/b c', `see ${link('ftp://a.test/b')} c`],
    ['see www.a.test/b, c', `see ${link('http://www.a.test/b', 'www.a.test/b')}, c`],
    ['awww.a.test', 'awww.a.test'],
    ['to me@a.test', `to ${link('mailto:me@a.test', 'me@a.test')}`],
    ['<code>www.a.test</code>', '<code>www.a.test</code>'],
  ])('%s', async (given, shown) => {
    expect(await comment(given)).toBe(in_p(shown));
  });
});

describe('line breaks and blocks', () => {
  test.each([
    ['<br> is written <br />', 'a<br>b<br/>c', '<p>a<br />b<br />c</p>\n'],
    [
      'two or more in a row part paragraphs',
      'a<br><br />b<br>\n<br/>\n<br>c',
      '<p>a</p>\n<p>b</p>\n<p>c</p>\n',
    ],
    [
      'content that is one block has no newline after its last tag',
      '<!-- wp:paragraph -->\n<p>a</p>\n<!-- /wp:paragraph -->',
      '<p>a</p>',
    ],
    [
      'content that is one block has no newline after its last tag',
      '<!-- wp:paragraph --><p>a</p><!-- /wp:paragraph -->',
      '<p>a</p>',
    ],
  ])('%s: %s', async (_sentence, given, shown) => {
    expect(await content(given)).toBe(shown);
  });
});

describe('shortcodes of the engine', () => {
  const upload = async (name: string, query = ''): Promise<Shown> =>
    bodyOf(
      await site
        .by('editor')
        .request('POST', `/media${query}`, { body: await picture(200, 160), headers: fileHeaders(name) }),
    );
  /** Titles or alternative texts of the pictures of a gallery. */
  const pictures = (html: string): string[] =>
    [...html.matchAll(/<img [^>]*alt="([^"]*)"/g)].map(([, alt]) => alt as string);
  const read = async (id: number): Promise<string> =>
    bodyOf(await site.by('anonymous').get(`/posts/${id}`)).content.rendered;
  test('a gallery shows the pictures it names that everybody may read, in their order', async () => {
    const [one, two] = [await upload('one.png'), await upload('two.png')];
    const draft = bodyOf(await site.by('editor').post('/posts', { title: 'hidden' }));
    const three = await upload('three.png', `?post=${draft.id}`);
    const html = await content(`[gallery ids="${two.id},${three.id},${one.id},999999" link="file"]`);
    expect(pictures(html)).toEqual(['two', 'one']);
    expect(html).toContain(
      `<a href="${two.source_url}"><img src="${two.media_details.sizes.thumbnail.source_url}"`,
    );
  });

  test('one that names none shows what is attached to its post, as that changes', async () => {
    const { id } = bodyOf(
      await site.by('editor').post('/posts', { title: 'g', content: 'a [gallery]', status: 'publish' }),
    );
    expect(await read(id)).toBe('<p>a</p>\n');
    const { id: file } = await upload('attached.png', `?post=${id}`);
    await workOff(site.deps);
    expect(pictures(await read(id))).toEqual(['attached']);
    await site.by('editor').post(`/media/${file}`, { alt_text: 'seen' });
    await workOff(site.deps);
    expect(pictures(await read(id))).toEqual(['seen']);
    await site.by('editor').delete(`/media/${file}?force=true`);
    await workOff(site.deps);
    expect(await read(id)).toBe('<p>a</p>\n');
  });

  test.each([
    [
      '[audio src="https://x.test/a.mp3"]',
      /^<audio controls [^>]*><source src="https:\/\/x\.test\/a\.mp3" type="audio\/mpeg" \/>/,
    ],
    ['[video src="https://x.test/a.mp4"]', /^<video controls /],
    ['[unknown a="b"] [another]', /^<p>\[unknown a="b"\] \[another\]<\/p>\n$/],
    ['[[x]] [[gallery ids="1"]]', /^<p>\[x\] \[gallery ids="1"\]<\/p>\n$/],
  ])('%s', async (given, shown) => {
    expect(await content(given)).toMatch(shown);
  });
});
