import fc from 'fast-check';
import { SITE } from '../testing/items';
import { plainText, readPage } from './page';

const PAGE = `${SITE}/blog/2026/hello/`;
const page = (html: string, site = SITE): ReturnType<typeof readPage> => readPage(html, PAGE, site);
const linksOf = (html: string, site?: string): unknown =>
  page(html, site).links.map(({ url, isInternal, isNofollow }) => [url, isInternal, isNofollow]);

describe('links', () => {
  it.each([
    ['<a href="../next/">x</a>', [[`${SITE}/blog/2026/next/`, true, false]]],
    ['<a href="/a?x=1&amp;y=2#part">x</a>', [[`${SITE}/a?x=1&y=2`, true, false]]],
    ['<A HREF=//other.example/a REL="noopener NOFOLLOW">x</A>', [['https://other.example/a', false, true]]],
    [`<a href="http://example.org/a">x</a>`, [['http://example.org/a', true, false]]],
    [
      `<a href="https://example.org.evil.example/a">x</a>`,
      [['https://example.org.evil.example/a', false, false]],
    ],
    [
      '<a href="#part">x</a><a href="mailto:a@b.c">x</a><a href="javascript:x">x</a><a>x</a><a href="">x</a>',
      [],
    ],
    ['<a href="http://[broken">x</a><a href=" /ok ">x</a>', [[`${SITE}/ok`, true, false]]],
    // Once each; whoever is followed anywhere is followed.
    ['<a rel="nofollow" href="/a">x</a><a href="/a#b">y</a>', [[`${SITE}/a`, true, false]]],
    // What is no markup for a browser is none here.
    ['<script>"<a href=/a>"</script><!-- <a href=/b> --><textarea><a href=/c></textarea>', []],
  ])('%s', (html, links) => {
    expect(linksOf(html)).toEqual(links);
  });

  it('are internal below the folder that the site is in', () => {
    const links = linksOf(
      '<a href="/blog/x">a</a><a href="/blog">b</a><a href="/blogs">c</a>',
      `${SITE}/blog`,
    );
    expect(links).toEqual([
      [`${SITE}/blog/x`, true, false],
      [`${SITE}/blog`, true, false],
      [`${SITE}/blogs`, false, false],
    ]);
  });

  it('are a thousand at most', () => {
    const html = Array.from(
      { length: 1_500 },
      (_, index) => `<a href="/${index}">x</a><img src="/${index}">`,
    ).join('');
    expect(page(html).links).toHaveLength(1_000);
    expect(page(html).pictures).toHaveLength(1_000);
  });
});

it('pictures have whole addresses and what they show in words', () => {
  const html =
    '<img src="a.png" alt="One &amp; \n two"><img src="data:image/png;base64,x"><img src="/b.png"><img alt="x">';
  expect(page(html).pictures).toEqual([
    { url: `${PAGE}a.png`, alt: 'One & two' },
    { url: `${SITE}/b.png`, alt: '' },
  ]);
});

it('blocks are what is read at a time', () => {
  const html =
    '<h2>One <b>two</b></h2><p>Three<br>four &lt;b&gt;</p>loose<ul><li>five</li><li></li></ul><style>p{}</style><h7>six</h7>';
  expect(page(html).blocks).toEqual([
    { isHeading: true, text: 'One two' },
    { isHeading: false, text: 'Three four <b>' },
    { isHeading: false, text: 'loose' },
    { isHeading: false, text: 'five' },
    { isHeading: false, text: 'six' },
  ]);
});

it('nothing that PostgreSQL refuses comes out of entities', () => {
  expect(plainText('a&#0;b&#x1;c&#xd800;d\0', 100)).not.toMatch(/[\0\u0001]|\p{Surrogate}/u);
});

describe('takes any HTML', () => {
  it('and never throws', () => {
    const soup = fc.string({
      unit: fc.constantFrom(
        '<',
        '>',
        'a',
        ' href=',
        '"',
        "'",
        '/',
        '<a ',
        '<img src=',
        '<script>',
        '</',
        '&',
        ';',
        '#',
        '<!--',
      ),
    });
    fc.assert(fc.property(fc.oneof(soup, fc.string({ unit: 'binary' })), (html) => void page(html)));
  });

  it.each([
    '<a href="',
    '<a href=x ',
    '<script>',
    '</script',
    '<!--',
    '<',
    '<img src=a alt="',
    '&',
    '&#',
    '<p>',
    '!.',
    '<h1>',
  ])('in one pass: %s, over and over, costs no more than its length', (unit) => {
    // Anything that were quadratic would take hours.
    expect(page(unit.repeat(Math.ceil(2_000_000 / unit.length))).links.length).toBeLessThanOrEqual(1_000);
  });
});
