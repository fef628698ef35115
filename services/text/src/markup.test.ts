/*
 * The scanner: what counts as a tag, a comment or an attribute, and that nothing readable as a tag is left of
 * text that lost its tags.
 */

import fc from 'fast-check';
import { attributesOf, endOfRawElement, nextMarkup, textOf } from './markup';
import { truncateWords } from './text';

function names(html: string): string[] {
  const found: string[] = [];
  for (let tag = nextMarkup(html, 0); tag; tag = nextMarkup(html, tag.end)) {
    found.push(`${tag.kind}:${html.slice(tag.start, tag.end)}`);
  }
  return found;
}

describe('nextMarkup', () => {
  it.each([
    ['a <b>c</B> d', ['open:<b>', 'close:</B>']],
    ['1 < 2, <3, a<=b', []],
    ['<!-- a > b -->x<!-->', ['comment:<!-- a > b -->', 'comment:<!-->']],
    ['<!doctype html><?php x ?>', ['comment:<!doctype html>', 'comment:<?php x ?>']],
    ['<a title="x>y">', ['open:<a title="x>y">']],
    ["<a title='x>y'>", ["open:<a title='x>y'>"]],
    ['<a x"y>', ['open:<a x"y>']],
    ['<b>x <a title="never ends> <i>', ['open:<b>']],
    ['x <!-- never ends <b>', []],
    ['</>a</3>b<!>c<?>d>', ['comment:</>', 'comment:</3>', 'comment:<!>', 'comment:<?>']],
    ['<A><Z><a><z>', ['open:<A>', 'open:<Z>', 'open:<a>', 'open:<z>']],
    ['<@><[><`><{>', []],
  ])('%j', (html, expected) => {
    expect(names(html)).toEqual(expected);
  });
});

// Letters are what the patterns pass over, from where they begin to where they end.
it.each(['<a', '<a/b=', '<a b', '<a =', '<a b=c/', '</a', '<a "', '<a b="', "<a/b='"])(
  'reads a text of %j over and over only a few times',
  (piece) => {
    const source = piece.repeat(2_000);
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called below with the pattern
    const { test } = RegExp.prototype;
    let letters = 0;
    const spy = jest.spyOn(RegExp.prototype, 'test').mockImplementation(function (this: RegExp, text) {
      const from = this.lastIndex;
      const isFound = test.call(this, text);
      letters += this.lastIndex - from;
      return isFound;
    });
    try {
      names(source);
    } finally {
      spy.mockRestore();
    }
    expect(letters).toBeLessThan(3 * source.length);
  },
);

it('attributesOf reads values quoted, unquoted and absent; the first of a name counts', () => {
  const html = '<a HREF="x y" b = \'"\' c=d/e disabled f= g href=z>';
  expect(attributesOf(html, nextMarkup(html, 0)!)).toEqual([
    { name: 'href', value: 'x y' },
    { name: 'b', value: '"' },
    { name: 'c', value: 'd/e' },
    { name: 'disabled', value: undefined },
    { name: 'f', value: 'g' },
  ]);
});

it('endOfRawElement finds the closing tag in any case, or the end of the text', () => {
  expect(endOfRawElement('if (a<b) </scripts></SCRIPT >x', 'script', 0)).toEqual({ contentEnd: 19, end: 29 });
  expect(endOfRawElement('abc', 'script', 1)).toEqual({ contentEnd: 3, end: 3 });
  expect(endOfRawElement('a</script>b>', 'script', 0)).toEqual({ contentEnd: 1, end: 10 });
  expect(endOfRawElement('a</script b="', 'script', 0)).toEqual({ contentEnd: 13, end: 13 });
});

describe('textOf', () => {
  it.each([
    ['<p>a <b>b</b></p>', 'a b'],
    ['a<script>x</script>b<style>y</style>c', 'abc'],
    ['a<script>never closed', 'a'],
    ['1 < 2 &amp; 3', '1 < 2 &amp; 3'],
    ['<<b>script>x', 'script>x'],
    ['a <b', 'a b'],
  ])('%j → %j', (html, text) => {
    expect(textOf(html)).toBe(text);
  });

  it('takes a closing tag for what begins nothing, and code for text where it is wanted', () => {
    expect(textOf('a</script>b</script>c')).toBe('abc');
    expect(textOf('a<script>b</script>c', '', 'code')).toBe('abc');
  });

  it('puts the gap where a block or a line ends', () => {
    expect(textOf('<li>a</li><li>b</li>c<br>d<b>e</b>', ' ')).toBe(' a  b c de');
  });

  it('has all of the words that are enough, as they are in the whole text', () => {
    const pieces = fc.constantFrom(
      ...['a', 'b', '<', ' ', '\n', '<b>', '</b>', '<p>', '<br>', '<script>x', '</script>'],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const html = parts.join('');
        const first = (text: string): string => truncateWords(text, 3, '…');
        expect(first(textOf(html, ' ', undefined, 3))).toBe(first(textOf(html, ' ')));
      }),
      { numRuns: 5_000 },
    );
    expect(textOf('<p>a b c</p>'.repeat(1_000), ' ', undefined, 3).length).toBeLessThan(30);
  });

  it('leaves no tag', () => {
    const pieces = fc.constantFrom(
      '<',
      '>',
      '/',
      '!',
      'b',
      'script',
      '<b>',
      '</b>',
      '<!--',
      '-->',
      '"',
      '=',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(pieces), (parts) => {
        expect(nextMarkup(textOf(parts.join('')) + '>-->', 0)).toBeUndefined();
      }),
    );
  });
});
