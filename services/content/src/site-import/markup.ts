/**
 * Takes the text of an export apart into tags and text, as a stream. Exports are written by many hands: it repairs what a
 * strict reader stops at (entities that XML does not know, a bare `&` or `<`), knows nothing of the format, and never
 * holds more than a tag.
 */
import { decodeEntities } from '@sevenfold/text/html';

export interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly kind: 'open' | 'close' | 'empty';
  /** As written. */
  readonly source: string;
  readonly line: number;
}

export interface Handlers {
  readonly tag: (tag: Tag) => void;
  readonly text: (text: string) => void;
}

/** A tag that does not end within so many characters is none. */
const LONGEST_TAG = 64 * 1024;
const TAG = /^<(\/?)([A-Za-z_][\w:.-]*)(?![\w:.-])((?:[^"'>]|"[^"]*"|'[^']*')*)>$/;
const ATTRIBUTE = /(?<![\w:.-])[\d:.-]*([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Where a tag ends: quotes may hold `>`. */
const TAG_END = /"[^"]*"|'[^']*'|>/g;
/** An entity that may go on in the next piece. */
const PARTIAL_ENTITY = /&[#\w]{0,40}$/;

type Section = { readonly end: string; readonly isText: boolean };
const SECTIONS: readonly (readonly [string, Section])[] = [
  ['<![CDATA[', { end: ']]>', isText: true }],
  ['<!--', { end: '-->', isText: false }],
  ['<?', { end: '?>', isText: false }],
  ['<!', { end: '>', isText: false }],
];

export interface MarkupReader {
  readonly write: (text: string) => void;
  /** The end of the file: what is left is text. */
  readonly end: () => void;
  /** Of what comes next, from 1. */
  readonly line: number;
}

export function openMarkup({ tag, text }: Handlers): MarkupReader {
  let buffer = '';
  let line = 1;
  let section: Section | undefined;

  const take = (length: number): string => {
    const taken = buffer.slice(0, length);
    buffer = buffer.slice(length);
    for (let at = taken.indexOf('\n'); at >= 0; at = taken.indexOf('\n', at + 1)) line += 1;
    return taken;
  };
  const say = (plain: string): void => {
    if (plain !== '') text(plain.includes('&') ? decodeStrictly(plain) : plain);
  };

  /** False: the rest must be read first. */
  const inSection = ({ end, isText }: Section, isLast: boolean): boolean => {
    const at = buffer.indexOf(end);
    const taken = take(at >= 0 ? at : isLast ? buffer.length : Math.max(0, buffer.length - end.length + 1));
    if (isText && taken !== '') text(taken);
    if (at < 0) return false;
    take(end.length);
    section = undefined;
    return true;
  };

  const atMark = (isLast: boolean): boolean => {
    if (!isLast && (buffer === '<' || buffer === '</')) return false;
    const found = SECTIONS.find(([start]) => buffer.startsWith(start));
    // `<!` may be the beginning of one of the others.
    if (
      !isLast &&
      buffer.length < 9 &&
      SECTIONS.some(([start]) => start.startsWith(buffer) || buffer.startsWith('<!'))
    )
      return false;
    if (found) {
      take(found[0].length);
      section = found[1];
      return true;
    }
    const end = /^<\/?[A-Za-z_]/.test(buffer) ? endOfTag(buffer) : -1;
    if (end > 0) {
      const at = line;
      const source = take(end);
      const read = readTag(source, at);
      if (read) tag(read);
      else say(source);
      return true;
    }
    if (end === 0 && !isLast && buffer.length < LONGEST_TAG) return false;
    say(take(1));
    return true;
  };

  const inText = (isLast: boolean): boolean => {
    const at = buffer.indexOf('<');
    if (at === 0) return atMark(isLast);
    if (at > 0) {
      say(take(at));
      return true;
    }
    const partial = isLast ? null : PARTIAL_ENTITY.exec(buffer);
    say(take(partial ? partial.index : buffer.length));
    return false;
  };

  const drain = (isLast: boolean): void => {
    while (buffer !== '') if (!(section ? inSection(section, isLast) : inText(isLast))) return;
  };
  return {
    write: (piece) => {
      buffer += piece;
      drain(false);
    },
    end: () => drain(true),
    get line() {
      return line;
    },
  };
}

/** Length of the tag at the start of the text; 0: it does not end here; -1: it is none. */
function endOfTag(text: string): number {
  TAG_END.lastIndex = 1;
  for (let match = TAG_END.exec(text); match; match = TAG_END.exec(text))
    if (match[0] === '>') return TAG_END.lastIndex;
  return /^<\/?[A-Za-z_][\w:.-]*$/.test(text) || /^<\/?[A-Za-z_][\w:.-]*[\s/]/.test(text) ? 0 : -1;
}

function readTag(source: string, line: number): Tag | undefined {
  const match = TAG.exec(source);
  if (!match) return undefined;
  const [, slash, name = '', rest = ''] = match;
  const attributes: Record<string, string> = {};
  for (const [, key = '', double, single] of rest.matchAll(ATTRIBUTE))
    attributes[key] = decodeStrictly(double ?? single ?? '');
  const kind = slash === '/' ? 'close' : rest.endsWith('/') ? 'empty' : 'open';
  return { name, attributes, kind, source, line };
}

/** Only what ends with its semicolon is an entity: addresses are full of bare `&`. */
const decodeStrictly = (text: string): string =>
  text.replace(/&(?:[A-Za-z][A-Za-z\d]{1,40}|#\d{1,7}|#[xX][\da-fA-F]{1,6});/g, (entity) => {
    const character = decodeEntities(entity);
    // What stands for no character at all comes out as the mark of a fault.
    return CONTROL.test(character) || character === '\ufffd' ? '' : character;
  });
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/;
