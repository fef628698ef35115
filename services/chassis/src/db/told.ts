/**
 * Which news a session's own statements caused (news/wrote.ts). They come as notices before the statement's answer; what they tell
 * counts once it is committed, or may be. Only requests that somebody wants to know it of pay for it.
 */
import type { ClientBase, Pool, PoolClient } from 'pg';
import { wroteHere } from '../request-id';

const NEWS = 'news';
const hearers = new WeakMap<ClientBase, string[]>();

export function hearNews(client: ClientBase): void {
  client.on('notice', ({ message, detail }) => {
    if (message === NEWS && detail !== undefined) hearers.get(client)?.push(detail);
  });
}

/**
 * A connection for work that ends with a commit. Where it fails, `undo` ends what it began before the connection goes back;
 * whether all of it was undone is for `undo` to say.
 */
export async function withClient<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  undo: (client: PoolClient, error: unknown) => Promise<boolean>,
): Promise<T> {
  const wrote = wroteHere();
  const client = await pool.connect();
  const told: string[] = [];
  if (wrote) hearers.set(client, told);
  let broken: Error | undefined;
  // The pool listens only while it has the client: a server that goes away now must not take the process with it.
  const lost = (error: Error): void => void (broken ??= error);
  client.on('error', lost);
  try {
    const result = await work(client);
    wrote?.tell(told);
    return result;
  } catch (error) {
    const isUndone = await undo(client, error).catch((fault: Error) => {
      broken ??= fault;
      return false;
    });
    if (!isUndone) wrote?.tell(told);
    throw error;
  } finally {
    hearers.delete(client);
    client.off('error', lost);
    client.release(broken);
  }
}
