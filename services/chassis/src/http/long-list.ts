/**
 * A list as text, item by item, for lists that are read while they are sent (db/pieces.ts): the next one is made when those before
 * are with the client.
 */
const PRETTY = 4;
const ENDS_OF_LINES = /\n/g;
const DEEPER = `\n${' '.repeat(PRETTY)}`;

/** What `JSON.stringify` makes of all items, one item at a time. */
export async function* listText(
  pieces: AsyncIterable<readonly unknown[]>,
  isPretty: boolean,
): AsyncGenerator<string> {
  const textOf = (item: unknown): string =>
    isPretty
      ? DEEPER + JSON.stringify(item, null, PRETTY).replace(ENDS_OF_LINES, DEEPER)
      : JSON.stringify(item);
  let isFirst = true;
  for await (const items of pieces)
    for (const item of items) {
      yield `${isFirst ? '[' : ','}${textOf(item)}`;
      isFirst = false;
    }
  yield isFirst ? '[]' : isPretty ? '\n]' : ']';
}
