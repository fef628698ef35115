/* Rendered text, rule by rule, as clients of the interface are used to it. */

import fc from 'fast-check';
import { renderExcerpt } from './excerpt';
import { sanitizeInline, sanitizeRich } from './html';
import * as rendering from './render';
import { renderParagraphs, renderTitle } from './render';
import type { FindEmbed, Sources } from './rendering';

const sources: Sources = { smilies: true };
const renderBody = (raw: string, findEmbed?: FindEmbed): string =>
  rendering.renderBody(raw, { ...sources, findEmbed });
const renderCommentBody = (raw: string): string => rendering.renderCommentBody(raw, sources);

describe('renderBody: paragraphs', () => {
  it.each([
    ['nothing', '', ''],
    ['only white space', ' \n\n ', ''],
    ['one line', 'own two', '<p>own two</p>\n'],
    ['blank lines and line ends', 'a\nb\r\n\r\nc\n \n\n d ', '<p>a<br />\nb</p>\n<p>c</p>\n<p>d</p>\n'],
    ['a paragraph that has its tags', '<p>own words</p>', '<p>own words</p>\n'],
    ['a blank line inside a paragraph', '<p class="x">a\n\nb\n\n</p>', '<p class="x">a</p>\n<p>b</p>\n'],
    ['a block inside a paragraph', '<p>a<div>b</div>c</p>', '<p>a</p>\n<div>b</div>\n<p>c</p>\n'],
    ['headings', '<h2>T</h2>\ntext\n<h3>U</h3>', '<h2>T</h2>\n<p>text</p>\n<h3>U</h3>\n'],
    [
      'lists',
      '<ul><li>a</li>\n\n<li>b\n\nc</li></ul>',
      '<ul>\n<li>a</li>\n<li><p>b</p>\n<p>c</p>\n</li>\n</ul>\n',
    ],
    [
      'tables',
      '<table>\n<tr>\n<td>1\n2</td>\n</tr>\n</table>',
      '<table>\n<tr>\n<td>1<br />\n2</td>\n</tr>\n</table>\n',
    ],
    ['quotations', '<blockquote>q</blockquote>', '<blockquote><p>q</p>\n</blockquote>\n'],
    ['boxes', '<div>a</div><div>b\n\nc</div>', '<div>a</div>\n<div><p>b</p>\n<p>c</p>\n</div>\n'],
    ['rules', 'a\n<hr />\nb', '<p>a</p>\n<hr />\n<p>b</p>\n'],
    ['line breaks that have their tag', 'a<br>\nb<br />c', '<p>a<br />\nb<br />c</p>\n'],
    [
      'line breaks with settings',
      'a<br class="x"><br class="y">b',
      '<p>a<br class="x"><br class="y">b</p>\n',
    ],
    ['inline tags', 'a <b>b</b>\n<i>c</i> d', '<p>a <b>b</b><br />\n<i>c</i> d</p>\n'],
    ['images', '<img src="x" />', '<p><img src="x" /></p>\n'],
    ['comments alone', '<!-- x -->\n\na', '<!-- x --><p>a</p>\n'],
    ['stray closing tags', 'a</p>b</div>', '<p>a</p>\n<p>b</p>\n</div>\n'],
    ['an unclosed paragraph', '<p>a', '<p>a</p>\n'],
    [
      'preformatted text',
      'a\n<pre class="x">1\n\n"2"</pre>\nb',
      '<p>a</p>\n<pre class="x">1\n\n"2"</pre>\n<p>b</p>\n',
    ],
    [
      'scripts and styles',
      '<script>\n"a"\n\n</script>\n<style>\n\n</style>',
      '<script>\n"a"\n\n</script>\n<style>\n\n</style>\n',
    ],
    ['text areas', '<textarea>\n\n"</textarea>', '<p><textarea>\n\n"</textarea></p>\n'],
    ['a tag that never ends', 'a <b "x', '<p>a &lt;b &#8220;x</p>\n'],
  ])('%s', (_, raw, html) => {
    expect(renderBody(raw)).toBe(html);
  });
});

describe('typography', () => {
  it.each([
    ['"Hello," she said', '&#8220;Hello,&#8221; she said'],
    ["it's 'fine', isn't it", 'it&#8217;s &#8216;fine&#8217;, isn&#8217;t it'],
    [`"'Nested' quotes"`, '&#8220;&#8216;Nested&#8217; quotes&#8221;'],
    [`("a") ["b"]`, '(&#8220;a&#8221;) [&#8220;b&#8221;]'],
    ['<b>"a"</b>"b"', '<b>&#8220;a&#8221;</b>&#8221;b&#8221;'],
    ['"<em>a</em>"', '&#8220;<em>a</em>&#8221;'],
    ['&nbsp;"a"', '&nbsp;&#8220;a&#8221;'],
    ["'90s rock 'n' roll, 'tis", '&#8217;90s rock &#8217;n&#8217; roll, &#8217;tis'],
    [`6'2" tall, a 19" screen`, '6&#8217;2&#8221; tall, a 19&#8243; screen'],
    ['"I am 9"', '&#8220;I am 9&#8221;'],
    ["the 1990's", 'the 1990&#8217;s'],
    ['1914--1918', '1914&#8211;1918'],
    ['so---yes', 'so&#8212;yes'],
    ['a -- b', 'a &#8212; b'],
    ['a - b, c-d', 'a &#8211; b, c-d'],
    ['----', '----'],
    ['wait...', 'wait&#8230;'],
    ['(c) (tm), x(tm)', '(c) &#8482;, x(tm)'],
    ["``so'' ``'so'", '&#8220;so&#8221; &#8220;&#8216;so&#8217;'],
    ['2x4, 1,000.5x2. 0.5x3 0x70', '2&#215;4, 1,000.5&#215;2. 0.5&#215;3 0x70'],
    ['a2x4 2x4b 2x4x6 2X4 2 x 4', 'a2x4 2x4b 2x4x6 2X4 2 x 4'],
    ['a & b &amp; &#169;', 'a &#038; b &amp; &#169;'],
    ['&A0; &#0; &frac12;', '&#038;A0; &#038;#0; &frac12;'],
    ['http://x.y/a--b...c', 'http://x.y/a--b...c'],
    ['<a title="--\'">x</a>', '<a title="--\'">x</a>'],
    ['<code>"a" -- b</code> "c"', '<code>"a" -- b</code> &#8220;c&#8221;'],
    ['<kbd>...</kbd>', '<kbd>...</kbd>'],
  ])('%j → %j', (raw, html) => {
    expect(renderTitle(raw)).toBe(html);
    expect(renderBody(raw)).toBe(`<p>${html}</p>\n`);
  });
});

it('renderTitle trims and makes no paragraphs', () => {
  expect(renderTitle(' a\n\nb ')).toBe('a\n\nb');
});

describe('renderBody: block editor', () => {
  it('removes delimiters and leaves the editor its paragraphs', () => {
    const raw =
      '<!-- wp:paragraph {"dropCap":true} -->\n<p>Hi "you"\nthere</p>\n<!-- /wp:paragraph -->\n\n' +
      '<!-- wp:image -->\n<figure><img src="x"/></figure>\n<!-- /wp:image -->';
    expect(renderBody(raw)).toBe('<p>Hi &#8220;you&#8221;\nthere</p>\n\n\n<figure><img src="x"/></figure>\n');
  });
});

describe('renderBody: one block', () => {
  it.each([
    ['<!-- wp:a -->\n<p>x</p>\n<!-- /wp:a -->', '<p>x</p>'],
    ['<!-- wp:a --><p>x</p><!-- wp:b --><p>y</p><!-- /wp:b --><!-- /wp:a -->\n', '<p>x</p>\n<p>y</p>'],
    ['<!-- wp:a -->\n<p>x</p>\n<!-- /wp:a --> y', '<p>x</p>\n y\n'],
    ['<!-- wp:a --><p>x</p><!-- /wp:a --><!-- wp:a --><p>y</p><!-- /wp:a -->', '<p>x</p>\n\n<p>y</p>\n'],
    ['<!-- wp:a --><p>x</p>', '<p>x</p>\n'],
  ])('%j', (raw, html) => {
    expect(renderBody(raw)).toBe(html);
  });
});

describe('renderBody: shortcodes', () => {
  it.each([
    [
      'caption',
      'a\n[caption id="attachment_6" align="alignright" width="300"]<a href="y"><img src="x" /></a> The "text"[/caption]\nb',
      '<p>a</p>\n<figure id="attachment_6" aria-describedby="caption-attachment-6" style="width: 300px" class="wp-caption alignright">' +
        '<a href="y"><img src="x" /></a><figcaption id="caption-attachment-6" class="wp-caption-text">' +
        'The &#8220;text&#8221;</figcaption></figure>\n<p>b</p>\n',
    ],
    ['caption without text', '[caption width="3"]<img src="x" />[/caption]', '<img src="x" />\n'],
    [
      'caption with hostile settings',
      `[caption id='"><b>' align="x" width="1;"]<img> t[/caption]`,
      '<figure id="b" aria-describedby="caption-b" style="width: 1px" class="wp-caption alignnone"><img>' +
        '<figcaption id="caption-b" class="wp-caption-text">t</figcaption></figure>\n',
    ],
    [
      'embed',
      '[embed]https://x.y/z?a=1&b=2[/embed]',
      '<p><a href="https://x.y/z?a=1&#038;b=2">https://x.y/z?a=1&#038;b=2</a></p>\n',
    ],
    ['embed of no address', '[embed]javascript:x[/embed]', '<p>javascript:x</p>\n'],
    ['embed of words', '[embed]A &amp; <i>"b"[/embed]', '<p>A &amp; &lt;i&gt;&quot;b&quot;</p>\n'],
    [
      'caption with line ends in its text and in a tag',
      '[caption]<img src="x" /> a\n<a\nhref="y" title="b\nc">d</a>[/caption]',
      '<figure class="wp-caption alignnone"><img src="x" /><figcaption class="wp-caption-text">' +
        'a<br />\n<a\nhref="y" title="b\nc">d</a></figcaption></figure>\n',
    ],
    ['unknown', '[gallery ids="1,2"] [note]x[/note]', '<p>[gallery ids="1,2"] [note]x[/note]</p>\n'],
    ['unclosed', '[caption] [embed]', '<p>[caption] [embed]</p>\n'],
    ['in code', '<code>[embed]http://x.y[/embed]</code>', '<p><code>[embed]http://x.y[/embed]</code></p>\n'],
  ])('%s', (_, raw, html) => {
    expect(renderBody(raw)).toBe(html);
  });
});

describe('renderCommentBody', () => {
  const rel = 'rel="nofollow ugc"';

  it.each([
    ['needle basil "x"\n\nb', '<p>needle basil &#8220;x&#8221;</p>\n<p>b</p>\n'],
    [
      'see http://x.y/a_(b)?c=1&amp;d=2.',
      `<p>see <a href="http://x.y/a_(b)?c=1&amp;d=2" ${rel}>http://x.y/a_(b)?c=1&amp;d=2</a>.</p>\n`,
    ],
    ['(https://x.y/)', `<p>(<a href="https://x.y/" ${rel}>https://x.y/</a>)</p>\n`],
    ['me@ex.co.uk!', `<p><a href="mailto:me@ex.co.uk" ${rel}>me@ex.co.uk</a>!</p>\n`],
    ['<a href="http://x.y">http://x.y</a>', '<p><a href="http://x.y">http://x.y</a></p>\n'],
    ['<code>http://x.y</code> http:// @ a@ @b.c', '<p><code>http://x.y</code> http:// @ a@ @b.c</p>\n'],
    ['http://x.y/&lt;b&gt;', `<p><a href="http://x.y/" ${rel}>http://x.y/</a>&lt;b&gt;</p>\n`],
    ['[embed]http://x.y[/embed]', `<p>[embed]<a href="http://x.y" ${rel}>http://x.y</a>[/embed]</p>\n`],
  ])('%j', (raw, html) => {
    expect(renderCommentBody(raw)).toBe(html);
  });
});

it('renderParagraphs sets paragraphs and lines, and leaves quotes, dashes and brackets alone', () => {
  expect(renderParagraphs('a "b" -- c\r\nd\n\n<label>e\nf</label>\n[caption]g[/caption]')).toBe(
    '<p>a "b" -- c<br />\nd</p>\n<p><label>e<br />\nf</label><br />\n[caption]g[/caption]</p>\n',
  );
});

describe('hostile input', () => {
  const pieces = fc.constantFrom(
    '<', '>', '"', "'", '[', ']', '&', '-', '.', '\n', '\n\n', ' ', '@', 'a', '1', '/', '=', '<b>', '</b>', '<p>', '</p>',
    '<div>', '</div>', '<pre>', '</pre>', '<code>', '<a href="x">', '</a>', '<img src=x>', '<br>', '[caption]', '[caption ',
    '[/caption]', '[embed]', '[/embed]', 'http://x.y', '[video]', '[video src="', '[/video]', '[gallery ids="1" ', '[[', ']]', ':)',
    '<track src="/x" ', 'www.x.y', '<!-- wp:a -->', '<!--', '-->', '<b title="', 'onerror=alert(1) ',
    'script>', '<img src=x onerror=alert(1)>',
  ); // prettier-ignore
  const soup = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

  it('rendering never throws and ends with one line end, or is empty', () => {
    fc.assert(
      fc.property(soup, (raw) => {
        expect(renderBody(raw)).toMatch(raw.includes('<!-- wp:') ? /^$|[^\n]\n?$/ : /^$|[^\n]\n$/);
        renderTitle(raw);
        renderExcerpt('', { raw, html: renderBody(raw) }, sources);
      }),
      { numRuns: 300 },
    );
  });

  it('rendering makes nothing active out of sanitized text', () => {
    // A script, an event attribute or a script address inside a tag; as text they are harmless.
    const active = /<script|<[a-z][^>"]*(?:"[^"]*"[^>"]*)*\son\w+=|<[a-z][^>]*="\s*javascript:/i;
    fc.assert(
      fc.property(soup, (raw) => {
        expect(renderBody(sanitizeRich(raw))).not.toMatch(active);
        expect(renderCommentBody(sanitizeInline(raw))).not.toMatch(active);
        expect(renderTitle(sanitizeInline(raw))).not.toMatch(active);
      }),
      { numRuns: 1000 },
    );
    const crossing = '[caption]<b title="x onmouseover=alert(1) y[/caption]">z</b>';
    expect(renderBody(sanitizeRich(crossing))).not.toMatch(/<b title/);
  });

  it.each([
    // The setting is text to the sanitizer, and HTML to whoever shows it.
    ['[caption caption="&lt;img src=x onerror=alert(1)&gt;"]<img src="a">[/caption]', /<img src=x/],
    [
      '[caption caption="&lt;a href=javascript:alert(1)&gt;b&lt;/a&gt;"]<img src="a">[/caption]',
      /javascript:/,
    ],
    // What ends within a tag leaves it open: the quote that opens the next attribute would end this one.
    ['[[x <b title="]]">y</b><p title=" onmouseover=alert(1) ">z</p>', /<b title="\]/],
    ['[[caption <b title="]">y</b><p title=" onmouseover=alert(1) ">z</p>', /<b title="\]/],
    [
      '[caption]<picture><b title="[/caption]"></b></picture><p title=" onmouseover=alert(1) ">z</p>',
      /<b title="<\/fig/,
    ],
  ])('%s makes nothing active', (raw, active) => {
    expect(renderBody(sanitizeRich(raw))).not.toMatch(active);
  });

  it('a caption among the settings keeps its inline tags', () => {
    expect(
      renderBody(sanitizeRich('[caption caption="A &lt;em&gt;b&lt;/em&gt;"]<img src="a">[/caption]')),
    ).toContain('A <em>b</em></figcaption>');
  });

  it.each([
    '\n',
    '\n\n',
    '[',
    '[caption]',
    '[embed]',
    '[video]',
    '[video][/audio]',
    '[[',
    '[[a ',
    '[[video]',
    '[/video]]',
    '<!-- wp:',
    '<!-- wp:a -->',
    '<br>',
    '<br>\n ',
    ':)',
    ':) ',
    ' (tm',
    '1.',
    '1x',
    '12345',
    '`',
    'www.',
    '"',
    "'",
    '<',
    '<p>',
    '<div>',
    '</p>',
    '@',
    'a@',
    'http://',
    '(',
    '-',
    '&',
    ' ',
  ])('100 KB of %j pass quickly', (piece) => {
    const raw = piece.repeat(100_000 / piece.length);
    const started = process.cpuUsage();
    renderBody(raw);
    renderCommentBody(raw);
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
  });

  it('addresses that end at signs are each looked at once', () => {
    const started = process.cpuUsage();
    renderCommentBody('<http://'.repeat(50_000));
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(3);
  });
});

describe('what stands for addresses', () => {
  const rendered = (raw: string): string => {
    const asked: string[] = [];
    const html = renderBody(raw, (url) => {
      asked.push(url);
      return url.endsWith('/known') ? '<iframe></iframe>' : undefined;
    });
    return `${asked.join(' ')} | ${html}`;
  };
  const BLOCK = '<div class="embed"><iframe></iframe></div>';

  test.each([
    ['http://x.y/known', `http://x.y/known | ${BLOCK}\n`],
    ['a\n\n  https://x.y/known \n\nb', `https://x.y/known | <p>a</p>\n${BLOCK}\n<p>b</p>\n`],
    ['a\nhttp://x.y/known\nb', `http://x.y/known | <p>a</p>\n${BLOCK}\n<p>b</p>\n`],
    ['<p>http://x.y/known</p>', `http://x.y/known | <p></p>\n${BLOCK}\n`],
    ['[embed width="3"]http://x.y/?a=1&amp;b=/known[/embed]', `http://x.y/?a=1&b=/known | ${BLOCK}\n`],
    ['http://x.y/other', 'http://x.y/other | <p>http://x.y/other</p>\n'],
    [
      '[embed]http://x.y/other[/embed]',
      'http://x.y/other | <p><a href="http://x.y/other">http://x.y/other</a></p>\n',
    ],
    ['see http://x.y/known', ' | <p>see http://x.y/known</p>\n'],
    ['<pre>\nhttp://x.y/known\n</pre>', ' | <pre>\nhttp://x.y/known\n</pre>\n'],
  ])('%j', (raw, html) => {
    expect(rendered(raw)).toEqual(html);
  });
});
