/* Plain text: what is removed before storage, one-line and multi-line fields, cutting by words. */

import fc from 'fast-check';
import { cleanMultiline, cleanText, isLonger, stripControl, truncateWords } from './text';

const anyText = fc.string({ unit: 'binary' });

describe('stripControl', () => {
  it('removes controls and lone surrogates, keeps line ends, tabs and emoji', () => {
    expect(stripControl('a\u0000b\u0008c\u007f\ud800d\udc00\t\r\n😀')).toBe('abcd\t\r\n😀');
  });

  it('gives text that PostgreSQL takes, and changes it once only', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
        const clean = stripControl(String.fromCharCode(...codes));
        expect(clean).not.toContain('\0');
        expect(Buffer.from(clean, 'utf8').toString('utf8')).toBe(clean);
        expect(stripControl(clean)).toBe(clean);
      }),
    );
  });
});

describe('cleanText', () => {
  it.each([
    ['  a \n\t b  ', 'a b'],
    ['<b>Bold</b> & <i>fine</i>', 'Bold & fine'],
    ['a<script>alert(1)</script>b', 'ab'],
    ['<\0b>x', 'x'],
    ['3 < 4', '3 < 4'],
    ['a\u00a0\u00a0b', 'a b'],
  ])('%j → %j', (value, expected) => {
    expect(cleanText(value)).toBe(expected);
  });

  it('is one line without tags, whatever comes', () => {
    fc.assert(
      fc.property(anyText, (value) => {
        const clean = cleanText(value);
        expect(clean).not.toMatch(/[\n\t\0]|<[a-z/!?]|^\s|\s$/i);
        expect(cleanText(clean)).toBe(clean);
      }),
    );
  });
});

it('cleanMultiline keeps lines', () => {
  expect(cleanMultiline(' a\r\n\r\nb  <b>c</b>\rd ')).toBe('a\n\nb  c\nd');
});

describe('truncateWords', () => {
  it.each([
    ['a b c', 3, 'a b c'],
    ['a  b\nc d', 3, 'a b c…'],
    ['', 3, ''],
  ])('%j to %d words → %j', (text, count, expected) => {
    expect(truncateWords(text, count)).toBe(expected);
  });

  it('takes other words for what is left out', () => {
    expect(truncateWords('a b', 1, ' [more]')).toBe('a [more]');
  });
});

describe('isLonger', () => {
  it.each([
    ['abc', 3, false],
    ['abcd', 3, true],
    ['🌊🌊🌊', 3, false],
    ['🌊🌊ab', 3, true],
    ['🌊🌊🌊🌊', 3, true],
    ['🌊', 0, true],
    ['', 0, false],
  ])('counts code points: %s of %i', (text, most, expected) => {
    expect(isLonger(text, most)).toBe(expected);
  });
});
