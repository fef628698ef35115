/** What others are told of many things at once: an import changes hundreds, and nobody gains from hundreds of messages. */
import { emitAll } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';

// Keeps a message to some ten kilobytes. Each costs several transactions, whatever it holds: one of whoever hears it.
const MOST = 500;

/** In as few messages as hold them, each with a list of this name. */
export function emitTogether(
  tx: Db,
  topic: string,
  list: 'events' | 'items',
  things: readonly object[],
): Promise<void> {
  const messages: object[] = [];
  for (let start = 0; start < things.length; start += MOST)
    messages.push({ [list]: things.slice(start, start + MOST) });
  return emitAll(tx, topic, messages);
}
