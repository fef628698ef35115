/**
 * SQL as visible text with typed rows. `Db` is what stores take: the pool itself or a transaction, so callers own
 * transactions. Statements are prepared under a name made from their text, which saves PostgreSQL the planning.
 */
import { createHash } from 'node:crypto';
import { type ClientBase, Pool, type PoolClient, type QueryResult } from 'pg';
import { isPostgresError } from '../errors';
import { wroteHere } from '../request-id';
import { currentSpan, step } from '../tracing/tracing';
import { elsewhere, mustWait } from './connect';
import { spanOf } from './summary';
import { begin, commit, withClient } from './told';

export interface QueryOptions {
  /**
   * `values`: PostgreSQL plans the statement anew for these very values. For filters whose best plan depends on what
   * is asked for, and for texts with too many forms to keep them all prepared. `form`: prepared once, among those of
   * which clients choose the form; they leave the names of all others alone. Default `text`: prepared once.
   */
  readonly planFor?: 'text' | 'form' | 'values';
}

export interface Db {
  rows<T extends object>(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<T[]>;
  first<T extends object>(
    text: string,
    values?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<T | undefined>;
  /** Number of rows touched. */
  run(text: string, values?: readonly unknown[], options?: QueryOptions): Promise<number>;
}

export interface Database extends Db {
  /** Commits when `work` resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  readonly pool: Pool;
  close(): Promise<void>;
}

// Each name lives in every connection for good, so their number must stay finite: statements beyond it are unnamed.
const mostNames = { text: 300, form: 100 };
const named = { text: new Map<string, string>(), form: new Map<string, string>() };

function nameOf(text: string, kind: keyof typeof named): string | undefined {
  const names = named[kind];
  const known = names.get(text);
  if (known) return known;
  if (names.size >= mostNames[kind]) return undefined;
  const name = `s${createHash('sha1').update(text).digest('hex').slice(0, 24)}`;
  names.set(text, name);
  return name;
}

interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

interface Queryable {
  query(statement: Statement): Promise<QueryResult>;
}

export function dbOf(target: Pool | ClientBase): Db {
  const query = (
    text: string,
    values?: readonly unknown[],
    { planFor = 'text' }: QueryOptions = {},
  ): Promise<QueryResult> => {
    const name = planFor === 'values' ? undefined : nameOf(text, planFor);
    const statement = { name, text, values: values as unknown[] | undefined };
    const ask = target instanceof Pool && (wroteHere() || mustWait(target)) ? told : plainly;
    return currentSpan()
      ? step(
          () => spanOf(text),
          () => ask(target as Pool, statement),
        )
      : ask(target as Pool, statement);
  };
  type Asked = Parameters<typeof query>;
  // Not async functions: each would cost a promise more.
  const answerOf = <T>(asked: Asked, read: (result: QueryResult) => T): Promise<T> =>
    query(...asked).then(read, (error: unknown) => elsewhere(error, () => query(...asked)).then(read));
  return {
    rows: <T extends object>(...asked: Asked) => answerOf(asked, ({ rows }) => rows as T[]),
    first: <T extends object>(...asked: Asked) => answerOf(asked, ({ rows }) => rows[0] as T | undefined),
    run: (...asked) => answerOf(asked, ({ rowCount }) => rowCount ?? 0),
  };
}

const plainly = (target: Queryable, statement: Statement): Promise<QueryResult> => target.query(statement);

/** A statement by itself, on a connection that is known while its news come, or that is waited for. */
const told = (pool: Pool, statement: Statement): Promise<QueryResult> =>
  withClient(
    pool,
    (client) => (client as Queryable).query(statement),
    (_, error) =>
      // What PostgreSQL refused is undone; a connection on which something else happened is not used again.
      isPostgresError(error) ? Promise.resolve(true) : Promise.reject(error as Error),
  );

export async function inTransaction<T>(
  pool: Pool,
  work: (tx: Db, client: PoolClient) => Promise<T>,
): Promise<T> {
  const wrote = wroteHere();
  let isCommitting = false;
  return withClient(
    pool,
    async (client) => {
      await begin(client, wrote);
      const result = await work(dbOf(client), client);
      isCommitting = true;
      await commit(client, wrote);
      return result;
    },
    async (client, error) => {
      // It would stand behind the statement that nobody answers, for as long again.
      if (isUnanswered(error)) throw error;
      await client.query('rollback');
      return !isCommitting;
    },
  );
}

/** What the library says where the server has not ended a statement itself by the time it should have: it is gone, or stands still. */
const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** Builds the `where` of list queries: each condition brings its values, `?` stands for the next one. */
export class Conditions {
  readonly parts: string[] = [];
  readonly values: unknown[] = [];
  private readonly checked = new Set<string>();

  constructor(...values: unknown[]) {
    this.values.push(...values);
  }

  add(condition: string, ...values: unknown[]): this {
    let index = 0;
    this.parts.push(
      condition.replace(/\?/g, () => {
        this.values.push(values[index++]);
        return `$${this.values.length}`;
      }),
    );
    return this;
  }

  /** Adds a condition that no index answers: it is asked of each row that the others bring. */
  check(condition: string, ...values: unknown[]): this {
    this.add(condition, ...values);
    this.checked.add(this.parts.at(-1) as string);
    return this;
  }

  /** Adds a value without a condition; answers its placeholder. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** `true` when there is no condition. */
  get where(): string {
    return allOf(this.parts);
  }

  /** What indexes may answer of it. */
  get answered(): string {
    return allOf(this.parts.filter((part) => !this.checked.has(part)));
  }
}

const allOf = (parts: readonly string[]): string =>
  parts.length === 0 ? 'true' : parts.map((part) => `(${part})`).join(' and ');

/** A statement without the values that it does not use: PostgreSQL refuses parameters of unknown type. */
export function withUsed(text: string, all: readonly unknown[]): { text: string; values: unknown[] } {
  const used = new Map<string, string>();
  const values: unknown[] = [];
  const renamed = text.replace(/\$(\d+)/g, (name, index: string) => {
    let known = used.get(name);
    if (known === undefined) {
      values.push(all[Number(index) - 1]);
      used.set(name, (known = `$${values.length}`));
    }
    return known;
  });
  return { text: renamed, values };
}
