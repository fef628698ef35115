/**
 * How many messages a second the spam filter judges, each one new: over gRPC, as content and forms ask, beside what
 * PostgreSQL could do at best, which is to commit one row for each.
 */
import { readFileSync } from 'node:fs';
import { dial } from '@sevenfold/chassis/grpc/dial';
import {
  SpamServiceService,
  type SpamServiceServer,
} from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import pg from 'pg';
import { ownSet } from '../spam/sets';
import type { TestStack } from '../support/stack';
import { type Rates, rateOf } from './rates';

/** `askers` at a time, for so many seconds. */
export async function measureChecks(stack: TestStack, askers: number, seconds: number): Promise<Rates> {
  const { services, secretsFile } = stack.run();
  const { actorSecret } = JSON.parse(readFileSync(secretsFile, 'utf8')) as { actorSecret: string };
  const address = services.spamfilter?.grpc ?? '';
  const filter = dial<SpamServiceServer>(SpamServiceService, {
    service: 'spamfilter',
    address,
    caller: 'content',
    actorSecret,
  });
  const messages = ownSet().map(({ message }) => message);
  const round = performance.now();
  try {
    return await rateOf(askers, seconds, (at) => {
      const message = messages[at % messages.length] as (typeof messages)[number];
      return filter.check({
        key: `bench/${round}/${at}`,
        // Nobody sends this much: of one sender the rest would be counted only.
        message: { ...message, content: `${message.content} ${at}`, address: addressOf(at) },
      });
    });
  } finally {
    filter.close();
  }
}

const addressOf = (at: number): string =>
  `2001:db8:${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}::1`;

/** Rows a second, one commit each, on as many connections. */
export async function commitCeiling(stack: TestStack, connections: number, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: stack.run().databases.spamfilter, max: connections });
  const table = 'bench_commits';
  try {
    await pool.query(`drop table if exists ${table}; create table ${table} (like messages including all)`);
    const round = performance.now();
    const text = `insert into ${table} (key, kind) values ($1, 'comment')`;
    const { perSecond } = await rateOf(connections, seconds, (at) =>
      pool.query({ name: 'ceiling', text, values: [`${round}/${at}`] }),
    );
    return perSecond;
  } finally {
    await pool.query(`drop table if exists ${table}`).catch(() => undefined);
    await pool.end();
  }
}
