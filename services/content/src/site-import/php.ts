/**
 * Reads the notation in which exports keep lists inside of texts: `a:1:{s:5:"width";i:600;}`. It takes what it can read,
 * answers undefined otherwise, and runs nothing. Lengths count bytes of UTF-8; where an editor changed a text and not its
 * length, the quotation mark and the semicolon behind it say where it ends.
 */
export type PhpValue = string | number | boolean | null | ReadonlyMap<string, PhpValue>;

const DEEPEST = 20;
const LONGEST = 4 * 1024 * 1024;

export function unserialize(text: string): PhpValue | undefined {
  if (text.length > LONGEST) return undefined;
  const reader = { bytes: Buffer.from(text.trim(), 'utf8'), at: 0 };
  try {
    return readValue(reader, 0);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

export const listIn = (value: PhpValue | undefined): ReadonlyMap<string, PhpValue> | undefined =>
  value instanceof Map ? (value as ReadonlyMap<string, PhpValue>) : undefined;

class Unreadable extends Error {}

interface Reader {
  readonly bytes: Buffer;
  at: number;
}

function readValue(reader: Reader, depth: number): PhpValue {
  if (depth > DEEPEST) throw new Unreadable();
  const kind = String.fromCharCode(reader.bytes[reader.at] ?? 0);
  reader.at += 2;
  switch (kind) {
    case 'N':
      return null;
    case 'b':
      return upTo(reader, ';') === '1';
    case 'i':
    case 'd':
      return numberIn(upTo(reader, ';'));
    case 's':
      return readText(reader);
    case 'a':
      return readList(reader, depth);
    default:
      throw new Unreadable();
  }
}

function upTo(reader: Reader, mark: string): string {
  const end = reader.bytes.indexOf(mark, reader.at);
  if (end < 0 || end - reader.at > 64) throw new Unreadable();
  const text = reader.bytes.toString('latin1', reader.at, end);
  reader.at = end + 1;
  return text;
}

function numberIn(text: string): number {
  const number = Number(text);
  if (text === '' || !Number.isFinite(number)) throw new Unreadable();
  return number;
}

function readText(reader: Reader): string {
  const length = numberIn(upTo(reader, ':'));
  const start = reader.at + 1;
  const said = start + length;
  const isRight = reader.bytes.toString('latin1', said, said + 2) === '";';
  const end = isRight ? said : reader.bytes.indexOf('";', start);
  if (end < 0) throw new Unreadable();
  reader.at = end + 2;
  return reader.bytes.toString('utf8', start, end);
}

function readList(reader: Reader, depth: number): ReadonlyMap<string, PhpValue> {
  const count = numberIn(upTo(reader, ':'));
  reader.at += 1;
  const list = new Map<string, PhpValue>();
  for (let n = 0; n < count; n++) {
    const key = readValue(reader, depth + 1);
    if (typeof key !== 'string' && typeof key !== 'number') throw new Unreadable();
    list.set(String(key), readValue(reader, depth + 1));
  }
  reader.at += 1;
  return list;
}
