/*
 * Finds tags and comments in HTML text, and reads their attributes. The sanitizers, the renderer and the
 * plain-text helpers all stand on this one scanner, so they agree on what a tag is.
 * It builds no tree and repairs nothing. Every function is linear in its input, whatever the input is.
 */

export interface Markup {
  start: number;
  /** Index after the closing `>`. */
  end: number;
  kind: 'open' | 'close' | 'comment';
  /** Lower case; '' for comments. */
  name: string;
}

export interface Attribute {
  /** Lower case. */
  name: string;
  /** As written, entities not decoded; undefined where there is no `=`. */
  value: string | undefined;
}

const TAG_NAME = /[a-zA-Z][^\s/<>]*/y;
const SPACE_OR_SLASH = /[\s/]*/y;
const SPACE = /\s*/y;
// A leading `=` belongs to the name, as browsers read it.
const ATTRIBUTE_NAME = /=?[^\s/>=]*/y;
const UNQUOTED_VALUE = /[^\s>]*/y;
// The same up to a `<`, where `nextMarkup` begins anew: what was read beyond it would be read again each time.
const TEXT_ATTRIBUTE_NAME = /=?[^\s/<>=]*/y;
const TEXT_UNQUOTED_VALUE = /[^\s<>]*/y;
const WORD_END = /\S\s/g;

const BLOCK_TAGS = new Set(
  (
    'address article aside blockquote caption center col colgroup dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol p pre ' +
    'section summary table tbody td tfoot th thead tr ul'
  ).split(' '),
);

const VOID_TAGS = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));

export function isBlockTag(name: string): boolean {
  return BLOCK_TAGS.has(name);
}

export function isVoidTag(name: string): boolean {
  return VOID_TAGS.has(name);
}

/**
 * The first tag or comment at or after `from`; undefined when there is none. One that never ends counts as
 * text, and so does everything behind it: browsers would swallow the rest, and trying again at each later
 * `<` would cost quadratic time. A `<` outside of quotes begins anew: people write «if x<y then <b>stop</b>», and what
 * stands before it is their text, whatever browsers make of it.
 */
export function nextMarkup(source: string, from: number): Markup | undefined {
  for (let start = source.indexOf('<', from); start !== -1; start = source.indexOf('<', start + 1)) {
    const next = source.charCodeAt(start + 1);
    const isClosing = next === 0x2f; /* / */
    const nameAt = isClosing ? start + 2 : start + 1;
    if (isLetter(source.charCodeAt(nameAt))) {
      const found = tag(source, start, nameAt, isClosing ? 'close' : 'open');
      if (typeof found !== 'number') return found;
      start = found - 1;
      continue;
    }
    if (isClosing) return comment(source, start, '>', start + 2);
    if (next === 0x21 /* ! */) {
      return source.startsWith('<!--', start)
        ? comment(source, start, '-->', start + 2)
        : comment(source, start, '>', start + 2);
    }
    if (next === 0x3f /* ? */) return comment(source, start, '>', start + 2);
  }
  return undefined;
}

/** The attributes of an opening tag; of repeated names the first counts. */
export function attributesOf(source: string, tag: Markup): Attribute[] {
  const found: Attribute[] = [];
  const from = tag.start + 1 + tag.name.length;
  // Most have none.
  if (from + 1 === tag.end) return found;
  const seen = new Set<string>();
  walkAttributes(source, from, (name, value) => {
    const key = name.toLowerCase();
    if (seen.has(key)) return;
    seen.add(key);
    found.push({ name: key, value });
  });
  return found;
}

/**
 * Where the content of an element whose content is no markup (script, style, textarea …) ends: `contentEnd`
 * is the index of its closing tag, `end` the index behind it. Without one both are the end of the text.
 */
export function endOfRawElement(
  source: string,
  name: string,
  from: number,
): { contentEnd: number; end: number } {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = from;
  const match = closing.exec(source);
  const end = match ? walkAttributes(source, match.index + 2 + name.length) : -1;
  if (!match || end === -1) return { contentEnd: source.length, end: source.length };
  return { contentEnd: match.index, end };
}

/**
 * The text of a piece of HTML: tags and comments gone, content of script and style dropped unless `code` is wanted, too,
 * entities left as written. `gap` stands in for each block-level tag and line break. What is left cannot be read as a tag.
 * It may end behind `enough` words.
 */
export function textOf(html: string, gap = '', code?: 'code', enough = Infinity): string {
  const parts: string[] = [];
  let at = 0;
  let words = 0;
  for (let found = nextMarkup(html, 0); found && words <= enough; found = nextMarkup(html, at)) {
    const part = html.slice(at, found.start);
    const isCode = !code && found.kind === 'open' && (found.name === 'script' || found.name === 'style');
    const isGap = !isCode && (isBlockTag(found.name) || found.name === 'br');
    parts.push(part, isGap ? gap : '');
    at = isCode ? endOfRawElement(html, found.name, found.end).end : found.end;
    if (enough !== Infinity) words += wordsEndedIn(isGap ? part + gap : part, enough);
  }
  if (words <= enough) parts.push(html.slice(at));
  // Taking tags out can join what was apart: `<<b>i>` must not become `<i>`.
  const text = parts.join('');
  return text.replace(/<+/g, (run, index: number) =>
    /[a-zA-Z/!?]/.test(text.charAt(index + run.length)) ? '' : run,
  );
}

/** Counted no further than somewhat beyond `most`. */
function wordsEndedIn(text: string, most: number): number {
  let words = 0;
  WORD_END.lastIndex = 0;
  while (words <= most && WORD_END.test(text)) words++;
  return words;
}

/** Where another `<` stands before it has ended, that index. */
function tag(
  source: string,
  start: number,
  nameAt: number,
  kind: 'open' | 'close',
): Markup | number | undefined {
  TAG_NAME.lastIndex = nameAt;
  TAG_NAME.test(source);
  const nameEnd = TAG_NAME.lastIndex;
  if (source[nameEnd] === '<') return nameEnd;
  const end = source[nameEnd] === '>' ? nameEnd + 1 : walkAttributes(source, nameEnd, undefined, 'text');
  if (end < -1) return ~end;
  return end === -1 ? undefined : { start, end, kind, name: source.slice(nameAt, nameEnd).toLowerCase() };
}

function comment(source: string, start: number, closer: string, from: number): Markup | undefined {
  const at = source.indexOf(closer, from);
  return at === -1 ? undefined : { start, end: at + closer.length, kind: 'comment', name: '' };
}

/**
 * Reads from behind the tag's name to behind its `>`; -1 if the text ends first, and in `text` the complement of the
 * index of a `<` outside of quotes.
 */
function walkAttributes(
  source: string,
  from: number,
  collect?: (name: string, value: string | undefined) => void,
  text?: 'text',
): number {
  const attributeName = text ? TEXT_ATTRIBUTE_NAME : ATTRIBUTE_NAME;
  const unquotedValue = text ? TEXT_UNQUOTED_VALUE : UNQUOTED_VALUE;
  let at = from;
  for (;;) {
    at = skip(SPACE_OR_SLASH, source, at);
    if (at >= source.length) return -1;
    if (source[at] === '>') return at + 1;
    const nameEnd = skip(attributeName, source, at);
    if (text && source[nameEnd] === '<') return ~nameEnd;
    const name = source.slice(at, nameEnd);
    at = skip(SPACE, source, nameEnd);
    if (source[at] !== '=') {
      collect?.(name, undefined);
      continue;
    }
    at = skip(SPACE, source, at + 1);
    const quote = source[at];
    if (quote === '"' || quote === "'") {
      const close = source.indexOf(quote, at + 1);
      if (close === -1) return -1;
      collect?.(name, source.slice(at + 1, close));
      at = close + 1;
    } else {
      const end = skip(unquotedValue, source, at);
      if (text && source[end] === '<') return ~end;
      collect?.(name, source.slice(at, end));
      at = end;
    }
  }
}

function skip(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(source);
  return pattern.lastIndex;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
