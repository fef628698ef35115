/** What stands for a text where there is no room for it. */
import { type Sources, render, unixLines } from './rendering';
import { bodyOf } from './render';
import { textOf } from './markup';
import { hasShortcodes } from './shortcodes';
import { type Steps, atOnce } from './steps';
import { shorten, truncateWords } from './text';

const EXCERPT_WORDS = 55;
/** Japanese, Chinese and Thai set no words apart: 55 pieces between spaces may be the whole text. 55 words of other languages are shorter. */
const EXCERPT_LETTERS = 600;
const MORE = ' [&hellip;]';
const REFERENCE = /&#?\w{1,31};/y;
/** In UTF-16 units: most references are as long. Marks without end upon one letter count as several. */
const LONGEST_LETTER = 10;
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A body whose first words may stand for an excerpt: as it is stored, and rendered. */
export interface Body {
  readonly raw: string;
  readonly html: string;
}

/** HTML of an excerpt: the stored one, or else the first words of the body, without what its shortcodes show. */
export function renderExcerpt(
  raw: string,
  body: Body | undefined,
  { smilies }: Pick<Sources, 'smilies'>,
): string {
  if (raw.trim()) return render(unixLines(raw), { paragraphs: true, smilies });
  if (!body) return '';
  return atOnce(firstWords(body, smilies));
}

/** The same in steps. */
export function* renderingExcerpt(raw: string, body: Body, sources: Pick<Sources, 'smilies'>): Steps<string> {
  return raw.trim() ? renderExcerpt(raw, undefined, sources) : yield* firstWords(body, sources.smilies);
}

function* firstWords(body: Body, smilies: boolean): Steps<string> {
  const html = hasShortcodes(body.raw) ? yield* bodyOf(body.raw, { smilies, shortcodes: 'gone' }) : body.html;
  yield;
  const words = truncateWords(textOf(html, ' ', undefined, EXCERPT_WORDS), EXCERPT_WORDS, MORE);
  return words && `<p>${bounded(words)}</p>\n`;
}

function bounded(words: string): string {
  const all = words.endsWith(MORE) ? words.slice(0, -MORE.length) : words;
  const few = firstLetters(all, EXCERPT_LETTERS);
  return few === all ? words : few + MORE;
}

/** As readers count them: what is one letter together, or one written as a reference, stays whole. */
function firstLetters(html: string, most: number): string {
  if (html.length <= most) return html;
  const near = shorten(html, most * LONGEST_LETTER);
  let letters = 0;
  let at = 0;
  for (const { index } of graphemes.segment(near)) {
    if (index < at) continue;
    if (letters === most) return html.slice(0, index).trimEnd();
    letters += 1;
    REFERENCE.lastIndex = index;
    at = REFERENCE.test(near) ? REFERENCE.lastIndex : index;
  }
  return near === html ? html : near.replace(/&#?\w*$/, '').trimEnd();
}
