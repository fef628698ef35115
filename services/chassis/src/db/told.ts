/**
 * Which news a session's own statements caused (news/wrote.ts). A transaction is told them with its commit, a statement by itself by
 * notices before its answer. Only requests that somebody wants to know it of pay for it.
 */
import type { ClientBase, Pool, PoolClient, QueryResult } from 'pg';
import { isReadOnly } from '../errors';
import type { Wrote } from '../news/wrote';
import { wroteHere } from '../request-id';
import { connect } from './connect';

const NEWS = 'news';
/** What a transaction has told so far (migrations/0015_news_told_at_once.sql). */
const WROTE = 'news.wrote';
/** Its beginning, where somebody wants to know. */
const WANTED = '-';
const hearers = new WeakMap<ClientBase, string[]>();

export function hearNews(client: ClientBase): void {
  client.on('notice', ({ message, detail }) => {
    if (message === NEWS && detail !== undefined) hearers.get(client)?.push(detail);
  });
}

/** What is told is there to be shown from the beginning: a session may never have had any. */
export const begin = (client: ClientBase, wrote: Wrote | undefined): Promise<unknown> =>
  client.query(wrote ? `begin; set local ${WROTE} = '${WANTED}'` : 'begin');

/** In one round trip with what the transaction told (migrations/0009_news_with_commit.sql). */
export async function commit(client: ClientBase, wrote: Wrote | undefined): Promise<void> {
  if (!wrote) return void (await client.query('commit'));
  // Nothing is planned for it, as there is for a function.
  const answers: unknown = await client.query(`show ${WROTE}; commit`);
  const [{ rows }] = answers as [QueryResult<Record<typeof WROTE, string>>, QueryResult];
  const lines = (rows[0]?.[WROTE] ?? '').split('\n');
  wrote.tell(lines.filter((line) => line !== '' && line !== WANTED));
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
  const client = await connect(pool);
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
    // It would go on refusing what writes for as long as it is kept, wherever its address leads by then.
    if (isReadOnly(error)) broken ??= error as Error;
    const isUndone = await undo(client, error).catch((fault: Error) => {
      broken ??= fault;
      return false;
    });
    if (!isUndone) wrote?.lost();
    throw error;
  } finally {
    hearers.delete(client);
    client.off('error', lost);
    client.release(broken);
  }
}
