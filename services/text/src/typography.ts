/*
 * Typographic characters for text between tags: curly quotes and apostrophes, primes, dashes, ellipsis, the times and
 * trade mark signs. Written as numeric entities, which clients of the interface are used to, so the result is HTML.
 * Addresses, entities and shortcodes with settings pass through unchanged.
 */

import { ENTITY, isEntity } from './entities';
import { STEP, type Steps } from './steps';

/** What went before, so that quotes are judged across the tags inside a paragraph. */
export interface Flow {
  /** The last character; '' where a quotation may open. */
  before: string;
  openDoubles: number;
  openSingles: number;
}

const LEFT_DOUBLE = '&#8220;';
const RIGHT_DOUBLE = '&#8221;';
const LEFT_SINGLE = '&#8216;';
const RIGHT_SINGLE = '&#8217;';
const PRIME = '&#8242;';
const DOUBLE_PRIME = '&#8243;';
const EN_DASH = '&#8211;';
const EM_DASH = '&#8212;';
const ELLIPSIS = '&#8230;';

const MARK = new RegExp(
  [
    'https?://[^\\s<>"\'[\\]&]+',
    '\\[[a-zA-Z][\\w-]*\\s[^[\\]<>=]*=[^[\\]<>]*\\]',
    ENTITY,
    '``',
    "''",
    '["\'&]',
    // 2x4 and 1.5x3; 0x70 is a number of another kind.
    '(?<!\\w)(?:0[\\d.,]{1,30}|[1-9][\\d.,]{0,30})x\\d(?:[\\d.,]{0,30}\\d)?(?!\\w)',
    ' \\(tm\\)',
    '-+',
    '\\.{3,}',
  ].join('|'),
  'g',
);

const TIMES = '&#215;';
const TRADE_MARK = ' &#8482;';
const FEET_AND = /\d'\d{1,3}$/;

const SPACE_ENTITY = /^&(?:nbsp|#160|#x0*a0|ensp|emsp|thinsp|mdash|ndash|#821[126]|#8220|ldquo|lsquo);$/i;
const OPENS_AFTER = /[\s([{\-/=<“‘«„–—]/;
const WORD = /[\p{L}\p{N}]/u;
// Words that begin with an apostrophe, and years without their century.
const ELIDED = /(?:tis|twas|twere|twill|tain|til|em|n|nuff)(?![\p{L}\p{N}])|\d\ds?(?![\p{L}\p{N}])/iuy;

export function newFlow(): Flow {
  return { before: '', openDoubles: 0, openSingles: 0 };
}

/** Sets one piece of text (no tags in it) and moves `flow` behind it. */
export function typeset(text: string, flow: Flow): string {
  if (!text) return text;
  const setter = setterOf(text, flow);
  const result = text.replace(MARK, setter.set);
  setter.end();
  return result;
}

/** The same in steps. */
export function* typesetting(text: string, flow: Flow): Steps<string> {
  if (text.length <= STEP) return typeset(text, flow);
  const setter = setterOf(text, flow);
  // Its place in the text is its own: others set theirs between two steps.
  const mark = new RegExp(MARK);
  // Of each step a text: to join a million at the end would be one more that is long.
  const steps: string[] = [];
  let out: string[] = [];
  let at = 0;
  let pauseAt = STEP;
  for (let found = mark.exec(text); found; found = mark.exec(text)) {
    if (found.index >= pauseAt) {
      steps.push(out.join(''));
      out = [];
      yield;
      pauseAt = found.index + STEP;
    }
    out.push(text.slice(at, found.index), setter.set(found[0], found.index));
    at = mark.lastIndex;
  }
  setter.end();
  return steps.join('') + out.join('') + text.slice(at);
}

interface Setter {
  /** What stands for the mark; to be asked for one after the other. */
  readonly set: (mark: string, at: number) => string;
  readonly end: () => void;
}

function setterOf(text: string, flow: Flow): Setter {
  // Index of a character that stands behind an opening quote or a space written as an entity.
  let opensAt = -1;

  const set = (mark: string, at: number): string => {
    const before = at === opensAt ? '' : at > 0 ? text[at - 1]! : flow.before;
    const after = text[at + mark.length] ?? '';
    switch (mark[0]) {
      case '`':
        opensAt = at + 2;
        return LEFT_DOUBLE;
      case ' ':
        return TRADE_MARK;
      case '"': {
        const set = doubleQuote(before, after, flow, FEET_AND.test(text.slice(Math.max(0, at - 5), at)));
        if (set === LEFT_DOUBLE) opensAt = at + 1;
        return set;
      }
      case "'": {
        if (mark.length === 2) return RIGHT_DOUBLE;
        const set = singleQuote(before, after, text, at, flow);
        if (set === LEFT_SINGLE) opensAt = at + 1;
        return set;
      }
      case '-':
        return dash(mark, before, after);
      case '.':
        return ELLIPSIS + mark.slice(3);
      case '&':
        if (SPACE_ENTITY.test(mark)) opensAt = at + mark.length;
        return mark !== '&' && isEntity(mark) ? mark : `&#038;${mark.slice(1)}`;
      case 'h':
      case '[':
        return mark;
      default:
        return mark.replace('x', TIMES);
    }
  };
  const end = (): void => {
    flow.before = opensAt === text.length ? '' : text[text.length - 1]!;
  };
  return { set, end };
}

/** Inches behind feet end like a quotation (5&#8217;10&#8221;), as clients are used to. */
function doubleQuote(before: string, after: string, flow: Flow, isBehindFeet: boolean): string {
  if (opens(before) && !/\s/.test(after)) {
    flow.openDoubles++;
    return LEFT_DOUBLE;
  }
  if (flow.openDoubles > 0) {
    flow.openDoubles--;
    return RIGHT_DOUBLE;
  }
  return isDigit(before) && !isBehindFeet && !WORD.test(after) ? DOUBLE_PRIME : RIGHT_DOUBLE;
}

function singleQuote(before: string, after: string, text: string, at: number, flow: Flow): string {
  if (isDigit(before) && isDigit(after)) return RIGHT_SINGLE;
  if (opens(before)) {
    ELIDED.lastIndex = at + 1;
    if (/\s/.test(after) || ELIDED.test(text)) return RIGHT_SINGLE;
    flow.openSingles++;
    return LEFT_SINGLE;
  }
  if (WORD.test(after)) return RIGHT_SINGLE;
  if (flow.openSingles > 0) {
    flow.openSingles--;
    return RIGHT_SINGLE;
  }
  return isDigit(before) ? PRIME : RIGHT_SINGLE;
}

function dash(run: string, before: string, after: string): string {
  const spaced = /^\s?$/.test(before) && /^\s?$/.test(after) && before + after !== '';
  switch (run.length) {
    case 1:
      return spaced && before && after ? EN_DASH : run;
    case 2:
      return spaced ? EM_DASH : EN_DASH;
    case 3:
      return EM_DASH;
    default:
      // Longer runs are drawn lines, not punctuation.
      return run;
  }
}

function opens(before: string): boolean {
  return before === '' || OPENS_AFTER.test(before);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
