/**
 * Hostile texts as a browser's parser reads what becomes of them: no tag, attribute or address that would act. The pieces are
 * harmless by themselves; what is made of them must not depend on where one of them ends.
 */
import fc from 'fast-check';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { addNofollow, sanitizeInline, sanitizeRich, sanitizeTitle } from './html';
import { renderExcerpt } from './excerpt';
import { renderBody, renderCommentBody, renderTitle } from './render';

const SHORTCODES = [
  ...['[caption]', '[caption id="', '[caption caption="', "[caption caption='", '[/caption]', '[[caption '],
  ...['[embed]', '[embed ', '[/embed]', '[[', '[[x ', '[[/caption]]', '[[gallery]]', ']]', ']', '['],
  ...['[gallery ids="1"]', '[gallery ', '[audio src="http://x/a.mp3"]', '[audio ', '[/audio]'],
  ...['[video src="http://x/a.mp4"]', '[video poster="', '[/video]', '[playlist ids=1]'],
];
const WORDS = [
  ...[
    'x',
    ' ',
    '\n',
    '\n\n',
    '"',
    "'",
    '`',
    '<',
    '>',
    '<!--',
    '-->',
    '&lt;',
    '&gt;',
    '&quot;',
    '&#34;',
    '&#60;',
  ],
  ...['&lt;img src=x onerror=alert(1)&gt;', ' onmouseover=alert(1) ', '" onmouseover=alert(1) "'],
  ...['\nhttp://x.example\n', 'www.a.example', 'a@b.example', 'javascript:alert(1)', ':)'],
];
const TAGS = [
  ...[
    'a',
    'b',
    'img',
    'p',
    'div',
    'pre',
    'code',
    'video',
    'audio',
    'picture',
    'br',
    'td',
    'blockquote',
    'details',
  ],
  ...[
    'figure',
    'object',
    'svg',
    'math',
    'script',
    'style',
    'textarea',
    'select',
    'template',
    'noscript',
    'iframe',
  ],
];
const ATTRIBUTES = [
  'title',
  'alt',
  'href',
  'src',
  'class',
  'id',
  'style',
  'data-x',
  'srcset',
  'poster',
  'cite',
];

const attribute = fc
  .record({
    name: fc.constantFrom(...ATTRIBUTES),
    quote: fc.constantFrom('"', "'"),
    parts: fc.array(fc.constantFrom(...SHORTCODES, ...WORDS), { maxLength: 3 }),
    isEscaped: fc.boolean(),
  })
  .map(({ name, quote, parts, isEscaped }) => {
    const value = parts
      .join('')
      .replaceAll('"', isEscaped ? '&quot;' : "'")
      .replaceAll(quote, '');
    return ` ${name}=${quote}${value}${quote}`;
  });
const opening = fc
  .tuple(fc.constantFrom(...TAGS), fc.array(attribute, { maxLength: 2 }), fc.constantFrom('>', '>', '>', ''))
  .map(([name, attributes, end]) => `<${name}${attributes.join('')}${end}`);
const closing = fc.constantFrom(...TAGS).map((name) => `</${name}>`);
const text = fc
  .array(fc.oneof(fc.constantFrom(...SHORTCODES), fc.constantFrom(...WORDS), opening, closing), {
    minLength: 2,
    maxLength: 10,
  })
  .map((parts) => parts.join(''));

const ACTIVE =
  /^(script|style|svg|math|object|embed|textarea|noscript|form|input|button|base|link|meta|select|iframe|template)$/;
const ADDRESS = /^(href|src|poster|action|formaction|xlink:href)$/;
const RUNS = /^[\u0000-\u0020]*(javascript|vbscript|data):/i;

/** What of it would act; undefined when nothing would. */
function active(node: DefaultTreeAdapterMap['node']): string | undefined {
  if ('tagName' in node) {
    if (ACTIVE.test(node.tagName)) return `<${node.tagName}>`;
    const found = node.attrs.find(
      ({ name, value }) =>
        name.startsWith('on') || /["'<]/.test(name) || (ADDRESS.test(name) && RUNS.test(value)),
    );
    if (found) return `${found.name}="${found.value}"`;
  }
  const children = 'childNodes' in node ? node.childNodes : [];
  return children.map(active).find((one) => one !== undefined);
}

const sources = { smilies: true, findEmbed: () => '<i>embedded</i>' };

const shown: [what: string, show: (text: string) => string][] = [
  ['a body', (text) => renderBody(sanitizeRich(text), sources)],
  ['an excerpt', (text) => renderExcerpt(sanitizeRich(text), undefined, sources)],
  [
    'the beginning of a body',
    (text) => {
      const raw = sanitizeRich(text);
      return renderExcerpt('', { raw, html: renderBody(raw, sources) }, sources);
    },
  ],
  ['a title', (text) => renderTitle(sanitizeTitle(text))],
  ['a comment', (text) => renderCommentBody(addNofollow(sanitizeInline(text)), sources)],
];

test.each(shown)('nothing in %s acts', (_what, show) => {
  fc.assert(
    fc.property(text, (one) => {
      expect(active(parseFragment(show(one)))).toBeUndefined();
    }),
    { numRuns: 20_000 },
  );
});
