/**
 * Words in JSON, exchanged while it passes: a reader of bytes that knows where it is and touches nothing but the names
 * and texts that places name. What it does not look at goes on as it came, byte by byte, valid or not; of what it looks
 * at it holds back no more than one name or text.
 */
import { type Node, memberOf, renamedIn } from './nodes';

export interface Translator {
  /** What can go on of it; may be empty. */
  write(chunk: Buffer): Buffer;
  end(): Buffer;
}

/** As long as an address may be; longer ones are nobody's word. */
export const LONGEST = 32 * 1024;
/** Deeper there are no places. */
const DEEPEST = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

interface Frame {
  readonly node: Node;
  readonly isObject: boolean;
}

export function jsonTranslator(root: Node): Translator {
  const frames: Frame[] = [];
  /** The node of the value that comes next. */
  let next: Node | undefined = root;
  let nameComes = false;
  /** How deep within something that nobody looks at. */
  let skipped = 0;
  /** Within a text that goes on as it is. */
  let passing = false;
  /** What came and is not settled, one character for each byte. */
  let held = '';
  /** How much of a text that is held was looked through for its end, which may be far away and come in a thousand pieces. */
  let searched = 0;

  const open = (isObject: boolean): void => {
    const node = next;
    if (!node || frames.length >= DEEPEST || (isObject && !node.names && !node.members && !node.each)) {
      skipped = 1;
      return;
    }
    frames.push({ node, isObject });
    nameComes = isObject;
    next = isObject ? undefined : node;
  };
  const close = (): void => {
    frames.pop();
    nameComes = false;
    next = undefined;
  };
  const separate = (): void => {
    const frame = frames.at(-1);
    nameComes = frame?.isObject === true;
    next = frame && !frame.isObject ? frame.node : undefined;
  };
  /** What stands between the quotes, as it goes on. */
  const settle = (raw: string): string => {
    if (nameComes) {
      nameComes = false;
      const name = plain(raw);
      const { node } = frames.at(-1) as Frame;
      const renamed = renamedIn(node, name);
      next = memberOf(node, name, renamed);
      return renamed === name ? raw : quoted(renamed, raw);
    }
    const swap = next?.text;
    if (!swap) return raw;
    const value = plain(raw);
    const swapped = swap(value);
    return swapped === value ? raw : quoted(swapped, raw);
  };

  const read = (text: string): string => {
    let told = '';
    let from = 0;
    let at = 0;
    const { length } = text;
    const before = searched;
    searched = 0;
    const hold = (start: number): string => {
      held = text.slice(start);
      return told + text.slice(from, start);
    };
    while (at < length) {
      if (passing) {
        const end = closingQuote(text, at);
        // A last backslash says what the next byte is.
        if (end < 0) return hold(length - (backslashesBefore(text, length, at) & 1));
        passing = false;
        at = end + 1;
        continue;
      }
      const code = text.charCodeAt(at);
      if (skipped > 0) {
        if (code === QUOTE) passing = true;
        else if (code === OPEN_OBJECT || code === OPEN_LIST) skipped += 1;
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) skipped -= 1;
        at += 1;
        continue;
      }
      if (code !== QUOTE) {
        if (code === COMMA) separate();
        else if (code === OPEN_OBJECT || code === OPEN_LIST) open(code === OPEN_OBJECT);
        else if (code === CLOSE_OBJECT || code === CLOSE_LIST) close();
        at += 1;
        continue;
      }
      if (!nameComes && !next?.text) {
        passing = true;
        at += 1;
        continue;
      }
      const end = closingQuote(text, at + 1, at === 0 ? before : 0);
      if (end < 0) {
        if (length - at <= LONGEST) {
          searched = length - at - 1;
          return hold(at);
        }
        if (nameComes) next = undefined;
        nameComes = false;
        passing = true;
        at += 1;
        continue;
      }
      const raw = text.slice(at + 1, end);
      const settled = settle(raw);
      if (settled !== raw) {
        told += text.slice(from, at + 1) + settled;
        from = end;
      }
      at = end + 1;
    }
    return from === 0 ? text : told + text.slice(from);
  };

  return {
    write: (chunk) => {
      const text = held + chunk.toString('latin1');
      held = '';
      const told = read(text);
      // Of most pieces nothing changes.
      if (told.length === chunk.length && told === text) return chunk;
      // Not from the pool that Node cuts small buffers from: one that is kept would keep its neighbours.
      const bytes = Buffer.allocUnsafeSlow(told.length);
      bytes.write(told, 'latin1');
      return bytes;
    },
    end: () => {
      const rest = Buffer.from(held, 'latin1');
      held = '';
      return rest;
    },
  };
}

/** The next quote that no backslash takes away; -1: not there yet. `searched` characters are known to have none. */
function closingQuote(text: string, from: number, searched = 0): number {
  let at = text.indexOf('"', from + searched);
  while (at > 0 && text.charCodeAt(at - 1) === BACKSLASH && backslashesBefore(text, at, from) & 1)
    at = text.indexOf('"', at + 1);
  return at;
}

function backslashesBefore(text: string, at: number, from: number): number {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return at - first;
}

/** Words are ASCII, so the bytes of a text are as good as its characters, unless some are escaped. */
function plain(raw: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return JSON.parse(`"${Buffer.from(raw, 'latin1').toString()}"`) as string;
  } catch {
    return raw;
  }
}

function quoted(text: string, raw: string): string {
  return raw.includes('\\') ? Buffer.from(JSON.stringify(text).slice(1, -1)).toString('latin1') : text;
}
