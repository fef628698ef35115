/*
 * Sanitizers: what stays, what goes, and that nothing active survives hostile input. Outputs are judged by a
 * parser other than ours.
 */

import fc from 'fast-check';
import parse from 'sanitize-html';
import {
  addNofollow,
  decodeEntities,
  escapeAttribute,
  escapeHtml,
  sanitizeForm,
  sanitizeInline,
  sanitizeRich,
  sanitizeTitle,
  withAddressesOf,
  stripTags,
} from './html';

const ACTIVE_TAGS =
  /^(?:script|style|iframe|object|embed|applet|form|input|button|textarea|select|svg|math|link|meta|base|template|noscript|xmp|plaintext|frame|frameset|title)$/;

/** The tags another parser sees. */
function tagsIn(html: string): { name: string; attributes: Record<string, string> }[] {
  const seen: { name: string; attributes: Record<string, string> }[] = [];
  parse(html, {
    allowedTags: false,
    allowedAttributes: false,
    allowVulnerableTags: true,
    transformTags: {
      '*': (tagName, attribs) => {
        seen.push({ name: tagName, attributes: { ...attribs } });
        return { tagName, attribs: {} };
      },
    },
  });
  return seen;
}

function expectHarmless(html: string): void {
  for (const { name, attributes } of tagsIn(html)) {
    expect(name).not.toMatch(ACTIVE_TAGS);
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute).not.toMatch(/^on|^srcdoc$|^formaction$/i);
      if (!/^(?:href|src|srcset|cite|poster|longdesc|usemap)$/.test(attribute)) continue;
      expect(value.replace(/[\s\p{C}]/gu, '')).not.toMatch(/^(?:javascript|vbscript|data):/i);
    }
  }
  expect(html).not.toMatch(/<script/i);
}

describe('sanitizeRich', () => {
  it.each([
    ['keeps article markup', '<h2 class="a" id="b">T</h2>\n<p>x <strong>y</strong><br />z</p>', undefined],
    [
      'keeps images and tables',
      '<img src="/a.jpg" alt="" width="3" /><table><tr><td colspan="2">1</td></tr></table>',
    ],
    [
      'keeps block delimiters',
      '<!-- wp:image {"id":5} --><figure></figure><!-- /wp:image --><!-- wp:more /-->',
    ],
    ['keeps what names a group', '<fieldset><legend>a</legend><label for="b">c</label></fieldset>'],
    ['keeps shortcodes and entities', '[caption id="a"]&nbsp;&copy; x[/caption]'],
    ['keeps safe styles', '<p style="color: #fff; width: calc(100% - 2px)">x</p>'],
    [
      'keeps gradients, corners and places of pictures',
      '<p style="background: linear-gradient(135deg,rgb(6,147,227) 0%,#9b51e0 100%); object-position: 50% 20%; border-top-left-radius: 8px">x</p>',
    ],
    [
      'drops addresses in gradients',
      '<p style="background: linear-gradient(red, url(x)); background-image: url(x); color: red">a</p>',
      '<p style="color: red">a</p>',
    ],
    ['keeps data attributes', '<div data-a-b="1" aria-label="x">x</div>'],
    [
      'keeps unusual but harmless addresses',
      '<a href="//x.y/z">a</a><a href="tel:1">b</a><a href="?a:b">c</a>',
    ],
    ...[
      'a<!--more-->b',
      '<!-- wp:more {"customText":"Go on"} -->\n<!--more Go on-->\n<!--noteaser-->\n<!-- /wp:more -->',
      'a<!--nextpage-->b',
    ].map((text): [string, string, string] => ['keeps where the text is cut', text, text]),
    ['drops what only looks like a cut', 'a<!--more <b>--><!--more a--b--><!--nextpage x-->b', 'ab'],
    ['drops other comments', 'a<!-- note -->b<!--[if IE]>c<![endif]-->d', 'abd'],
    ["drops script tags, keeps the script's text", '<p>hi<script>alert(1)</script></p>', '<p>hialert(1)</p>'],
    ['shows a script as text', '<script>if (a<b) "<img src=x>"</script>', 'if (a&lt;b) "&lt;img src=x&gt;"'],
    ['drops an unclosed script tag', '<script>a <b>c</b>', 'a <b>c</b>'],
    ['drops style tags', '<style>p{}</style>x', 'p{}x'],
    ['drops event attributes', '<p onclick="x" ONLOAD=y class=z>a</p>', '<p class="z">a</p>'],
    [
      'drops frames, forms and objects',
      '<iframe src="x"></iframe><form><input></form><object>a</object>',
      'a',
    ],
    ['drops javascript addresses', '<a href=" jAva\tscript:x">a</a>', '<a>a</a>'],
    ['drops encoded javascript addresses', '<a href="&#106;avascript&colon;x">a</a>', '<a>a</a>'],
    ['drops encoded white space too', '<a href="java&NewLine;script:x">a</a>', '<a>a</a>'],
    ['drops data addresses', '<img src="data:image/png;base64,x" alt="y">', '<img alt="y" />'],
    ['drops unsafe srcset', '<img srcset="a.jpg 1x, data:x 2x">', '<img />'],
    [
      'drops unsafe styles',
      '<p style="background: url(x); position: fixed; color: red">a</p>',
      '<p style="color: red">a</p>',
    ],
    ['drops expressions', '<p style="width: expression(x); color: \\72 ed">a</p>', '<p>a</p>'],
    ['escapes stray characters', 'a < b & c > d &amp; &bogus', 'a &lt; b &amp; c &gt; d &amp; &amp;bogus'],
    [
      'escapes what only looks like an entity',
      '&A0; &Amp; &#0; &#xD800; &#1114112; &frac12; &AMP; &#160; &#x1F600;',
      '&amp;A0; &amp;Amp; &amp;#0; &amp;#xD800; &amp;#1114112; &frac12; &AMP; &#160; &#x1F600;',
    ],
    [
      'does not join what was apart',
      '<scr<b>ipt>alert(1)</scr</b>ipt>',
      '&lt;scr<b>ipt&gt;alert(1)&lt;/scr</b>ipt&gt;',
    ],
    ['reads NUL as browsers do not', '<scr\0ipt>x</script>', 'x'],
    ['takes a tag that never ends as text', 'a <b title="x', 'a &lt;b title="x'],
    ['quotes values', "<a href=x title='\"<b>'>y</a>", '<a href="x" title="&quot;&lt;b&gt;">y</a>'],
    [
      'shields the opener',
      '<a href="x" target="_blank">y</a>',
      '<a href="x" target="_blank" rel="noopener">y</a>',
    ],
    [
      'cleans settings in delimiters',
      '<!-- wp:a {"u":"javascript:x","t":"a\\u003cscript\\u003e"} /-->',
      '<!-- wp:a {"u":"","t":"a"} /-->',
    ],
    ['drops delimiters with broken settings', '<!-- wp:a {"u":} -->x', 'x'],
    ['keeps attributes without a value', '<details open><a target href="x">y</a></details>'],
    [
      'keeps what every tag may carry',
      '<p class="a" id="b" title="c" lang="d" xml:lang="e" dir="ltr" role="f" hidden>x</p>',
    ],
    [
      'drops what only begins or ends like data',
      '<p xdata-a="1" data-a.b="2" x-aria-b="3">a</p>',
      '<p>a</p>',
    ],
    ['keeps safe srcset', '<img srcset="a.jpg 1x, https://x.y/b.jpg 2x" />'],
    ['drops an end of what has none', 'a</br>b</img>c', 'abc'],
    ['escapes addresses', '<a href="?a=1&b=&quot;">x</a>', '<a href="?a=1&amp;b=&quot;">x</a>'],
    [
      'keeps functions of styles in any case',
      '<p style="color: RGBA(1, 2, 3, .5); writing-mode: vertical-rl">x</p>',
    ],
    [
      'reads styles without a space',
      '<p style="color:red;width:1px">x</p>',
      '<p style="color: red; width: 1px">x</p>',
    ],
    ['drops half a style', '<p style="colorx; width: 1px">x</p>', '<p style="width: 1px">x</p>'],
    ['takes no delimiter within a comment', 'a<!-- x <!-- wp:a -->b', 'ab'],
    [
      'keeps harmless settings as they are written',
      '<!-- wp:a { "t": "a & b", "c": [1, null, true, "d"], "e": {"f": 1.50} } -->x<!-- /wp:a -->',
    ],
    [
      'cleans settings within lists and objects',
      '<!-- wp:a {"u":["JavaScript:x",1,{"v":"data:text/html,x"}],"w":"see javascript: it"} -->',
      '<!-- wp:a {"u":["",1,{"v":""}],"w":"see javascript: it"} -->',
    ],
    [
      'lets nothing in cleaned settings end the comment',
      String.raw`<!-- wp:a {"u":"vbscript:x","t":"a\u002d\u002d\u003e & \"b\" <i onclick=\"x\">c</i>"} -->`,
      String.raw`<!-- wp:a {"u":"","t":"a\u002d\u002d\u0026gt; \u0026amp; \u0022b\u0022 \u003ci\u003ec\u003c/i\u003e"} -->`,
    ],
    [
      'takes no delimiter within a setting',
      String.raw`<!-- wp:a {"t":"a\u003c!\u002d\u002d wp:b \u002d\u002d\u003eb"} -->`,
      '<!-- wp:a {"t":"ab"} -->',
    ],
  ])('%s', (_, html, expected = html) => {
    expect(sanitizeRich(html)).toBe(expected);
  });
});

it.each([
  'a href',
  'img src',
  'q cite',
  'blockquote cite',
  'video poster',
  'img longdesc',
  'img usemap',
  'img srcset',
])('no address of %s is a script', (where) => {
  const [tag, attribute] = where.split(' ');
  const open = (value: string): string => sanitizeRich(`<${tag} ${attribute}="${value}">`);
  expect(open('javascript:x')).not.toContain(attribute);
  expect(open('/x')).toContain(`${attribute}="/x"`);
});

describe('sanitizeInline', () => {
  it.each([
    [
      '<b>a</b> <a href="https://x.y" title="t" rel="me" class="c">l</a>',
      '<b>a</b> <a href="https://x.y" title="t">l</a>',
    ],
    ['<p>a</p><img src=x><h1>b</h1>', 'ab'],
    [
      '<a href="ftp://x">a</a><a href="mailto:a@b.c">b</a><a href="/c">c</a>',
      '<a>a</a><a href="mailto:a@b.c">b</a><a href="/c">c</a>',
    ],
    ['<b>a<i>b</b>c</i></strong>', '<b>a<i>b</i></b>c'],
    ['<i><b>a</b>b</b>c</i>d', '<i><b>a</b>bc</i>d'],
    ['<a href="http://x">a</a>', '<a href="http://x">a</a>'],
    ['<q cite="javascript:x">a</q><q cite="/x">b</q>', '<q>a</q><q cite="/x">b</q>'],
    ['<blockquote>a', '<blockquote>a</blockquote>'],
    ['Tom & Jerry <3', 'Tom &amp; Jerry &lt;3'],
    ['<!-- wp:a -->x', 'x'],
  ])('%j → %j', (html, expected) => {
    expect(sanitizeInline(html)).toBe(expected);
  });
});

it('sanitizeTitle keeps inline formatting only', () => {
  expect(sanitizeTitle('<h1>A <em onclick=x>b</em></h1><script>c</script> <sub>d')).toBe(
    'A <em>b</em>c <sub>d</sub>',
  );
});

it('sanitizeForm keeps labels and groups of fields, closes what is open, and has no controls', () => {
  expect(
    sanitizeForm(
      '<fieldset><legend>a</legend><label for="b" onclick=x>c<input name="d"></form><!-- wp:e -->',
    ),
  ).toBe('<fieldset><legend>a</legend><label for="b">c</label></fieldset>');
});

describe('addNofollow', () => {
  it.each([
    ['<a href="x">a</a>', '<a href="x" rel="nofollow ugc">a</a>'],
    ['<a rel="me nofollow" href=x>a</a>', '<a href="x" rel="me nofollow ugc">a</a>'],
    ['<a name="x">a</a> <b>c</b> & d', '<a name="x">a</a> <b>c</b> & d'],
    ['x <link href="y"> <a title="z">', 'x <link href="y"> <a title="z">'],
    ['x <a id=b href=y>', 'x <a id="b" href="y" rel="nofollow ugc">'],
    ["<a href='a\"b'>", '<a href="a&quot;b" rel="nofollow ugc">'],
  ])('%j → %j', (html, expected) => {
    expect(addNofollow(html)).toBe(expected);
  });
});

it('stripTags, escapes and entities', () => {
  expect(stripTags('<p>a &amp; b</p><script>c</script>')).toBe('a &amp; b');
  expect(escapeHtml(`<a b="c">'&`)).toBe(`&lt;a b="c"&gt;'&amp;`);
  expect(escapeAttribute(`<a b="c">'&`)).toBe('&lt;a b=&quot;c&quot;&gt;&#039;&amp;');
  expect(decodeEntities('&lt;&#8217;&#x41;&eacute;&nosuch;&')).toBe('<’Aé&nosuch;&');
});

describe('hostile input', () => {
  const sanitizers = { sanitizeRich, sanitizeInline, sanitizeTitle, sanitizeForm };
  const pieces = fc.constantFrom(
    '<', '>', '/', '"', "'", '=', ' ', '\n', '\0', '&', ';', '!', '--', '-->', '<!--', '<!-- wp:a ', '{"a":"', '"}',
    'script', 'style', 'img', 'svg', 'a', 'b', 'p', 'textarea', 'onerror', 'href', 'src', 'srcset', 'title', 'style=',
    'javascript:', 'data:', '&#106;avascript:', '&colon;', '&Tab;', '<script>', '</script>', '<a href="', '<p title=\'',
    '<img src=x onerror=alert(1)>', '\u2028', '\ud83d', ']]>', '<![CDATA[', '<?', '`', '\\', 'url(',
  ); // prettier-ignore
  const soup = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

  it.each(Object.entries(sanitizers))('%s leaves nothing active and is stable', (_, sanitizer) => {
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (html) => {
        const safe = sanitizer(html);
        expectHarmless(safe);
        expect(sanitizer(safe)).toBe(safe);
        expectHarmless(addNofollow(safe));
      }),
      { numRuns: 500 },
    );
  });

  it('stripTags leaves no tag', () => {
    fc.assert(fc.property(soup, (html) => expect(stripTags(html)).not.toMatch(/<[a-z/!?]/i)));
  });

  it.each([
    ['<', 1_000_000],
    ['<script>', 1_000_000],
    ...['<a ', '<a x=">" ', '<!--', '<b>', '&', '<!-- wp:a {', '</b>'].map(
      (piece) => [piece, 200_000] as const,
    ),
  ] as const)('much of %j passes quickly', (piece, size) => {
    const html = piece.repeat(size / piece.length);
    const started = process.cpuUsage();
    sanitizeRich(html);
    sanitizeInline(html);
    stripTags(html);
    addNofollow(html);
    // Quadratic time would be minutes.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(15);
  });
});

describe('a < before another one', () => {
  it.each([
    ['if x<y then <b>stop</b> now', 'if x&lt;y then <b>stop</b> now'],
    ['temp <code>a<b</code> end', 'temp <code>a&lt;b</code> end'],
    ['for(i=0;i<n;i++) { <em>go</em> }', 'for(i=0;i&lt;n;i++) { <em>go</em> }'],
    ['<a href="/x" title="a <b> c">x</a>', '<a href="/x" title="a &lt;b&gt; c">x</a>'],
    ['<a title=x<script>alert(1)</script>', '&lt;a title=xalert(1)'],
  ])('is text: %s', (sent, kept) => {
    expect(sanitizeRich(sent)).toBe(kept);
    expect(sanitizeRich(kept)).toBe(kept);
  });

  it('is text as often as it comes', () => {
    const many = 50_000;
    expect(sanitizeRich(`${'<a b="<a b" '.repeat(many)}<`)).toBe(`${'&lt;a b="&lt;a b" '.repeat(many)}&lt;`);
  });
});

describe('withAddressesOf', () => {
  const AT = 'https://site.test/2026/11/post/';
  it.each([
    ['<a href="/about/?a=1&amp;b=2">x</a>', '<a href="https://site.test/about/?a=1&amp;b=2">x</a>'],
    ['<a href="#note" class="b">x</a>', '<a href="https://site.test/2026/11/post/#note" class="b">x</a>'],
    ['<img src=up.png alt>', '<img src="https://site.test/2026/11/post/up.png" alt />'],
    [
      '<img srcset="/a.png 1x, b.png 2x">',
      '<img srcset="https://site.test/a.png 1x, https://site.test/2026/11/post/b.png 2x" />',
    ],
    ['<video poster="//cdn.test/p.png"></video>', '<video poster="https://cdn.test/p.png"></video>'],
  ])('%s leads to where it led there', (html, whole) => {
    expect(withAddressesOf(AT, html)).toBe(whole);
  });

  it.each([
    "<a href='https://else.test/'>x</a> <IMG SRC=https://else.test/a.png> a < b",
    '<a href="mailto:a@b.test">x</a><a name="x">y</a><!-- <a href="/x"> -->',
    '<a href="http://[">x</a>',
  ])('%s stays as it is', (html) => {
    expect(withAddressesOf(AT, html)).toBe(html);
  });
});
