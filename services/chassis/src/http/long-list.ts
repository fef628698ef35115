/**
 * Lists that are read while they are sent (db/pieces.ts): the next item is made when those before are with the client. What turns
 * out to be short is an answer like any other.
 */
import { type Late, PIECE_BYTES, cut } from '../db/pieces';
import { ReadyItem } from './present';
import { LONG_ROW_BYTES, sharedBy } from './ready';
import type { AnyRoute, Call, Ready, Reply } from './route';

type Piece = string | Buffer;

const PRETTY = 4;
const ENDS_OF_LINES = /\n/g;
const DEEPER = `\n${' '.repeat(PRETTY)}`;

/** What `JSON.stringify` makes of them all, one item at a time. */
export async function* listText(
  pieces: AsyncIterable<readonly unknown[]>,
  isPretty: boolean,
): AsyncGenerator<Piece> {
  let sign = '[';
  for await (const items of pieces)
    for (const item of items) {
      if (item instanceof ReadyItem) {
        yield sign;
        yield item.json;
      } else if (isPretty)
        yield sign + DEEPER + JSON.stringify(item, null, PRETTY).replace(ENDS_OF_LINES, DEEPER);
      else yield sign + JSON.stringify(item);
      sign = ',';
    }
  yield sign === '[' ? '[]' : isPretty ? '\n]' : ']';
}

/** With so many bytes at hand that a fault in them is an answer of its own: the whole of it where it ends within them. */
export async function begun(
  text: AsyncGenerator<Piece>,
  most = PIECE_BYTES,
): Promise<Buffer | AsyncIterable<Piece>> {
  const held: Buffer[] = [];
  for (let bytes = 0; bytes <= most;) {
    const next = await text.next();
    if (next.done) return Buffer.concat(held);
    const piece = Buffer.from(next.value);
    held.push(piece);
    bytes += piece.length;
  }
  return goOn(held, text);
}

async function* goOn(held: Buffer[], text: AsyncGenerator<Piece>): AsyncGenerator<Piece> {
  for (let piece = held.shift(); piece; piece = held.shift()) yield piece;
  yield* text;
}

/** The rows in pieces, where they are too much to be shown at once or some came without their texts. */
export function longList<D>(
  row: AnyRoute<D>,
  call: Call<D>,
  { rows = [], rest }: Reply<unknown>,
): AsyncIterable<readonly unknown[]> | undefined {
  if (rest) return followed(rows, rest);
  if (!row.ready) return undefined;
  const listed = rows as readonly Late[];
  if (!sharedBy(row, call))
    return listed.some(isLong) ? completed(row.ready as Ready<D>, call, listed) : undefined;
  const bytes = listed.reduce((sum, { size }) => sum + size, 0);
  return bytes > PIECE_BYTES ? slowly(cut(listed)) : undefined;
}

async function* followed<R>(first: R, rest: AsyncIterable<R>): AsyncGenerator<R> {
  yield first;
  yield* rest;
}

async function* slowly<R>(pieces: Iterable<R>): AsyncGenerator<R> {
  yield* pieces;
}

const isLong = ({ size }: Late): boolean => size > LONG_ROW_BYTES;

/** Those that came without their texts are read with them; one that the caller must not see by now is left out. */
async function* completed<D>(
  ready: Ready<D>,
  call: Call<D>,
  listed: readonly Late[],
): AsyncGenerator<readonly unknown[]> {
  const columns = `${ready.columns(call)}, ${ready.version} as version`;
  for (const piece of cut(listed)) {
    const late = piece.filter(isLong).map(({ id }) => id);
    const rows = late.length === 0 ? [] : await ready.find(call, columns, late);
    const found = new Map(rows.map((row) => [row.id, row]));
    yield piece.flatMap((row) => (isLong(row) ? (found.get(row.id) ?? []) : row));
  }
}
