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
import { median } from './measure';

export interface CheckRates {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
}

/** `askers` at a time, for so many seconds. */
export async function measureChecks(stack: TestStack, askers: number, seconds: number): Promise<CheckRates> {
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
  const times: number[] = [];
  let [asked, failures] = [0, 0];
  const started = performance.now();
  const end = started + seconds * 1000;
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      const at = asked++;
      const message = messages[at % messages.length] as (typeof messages)[number];
      const before = performance.now();
      await filter
        .check({
          key: `bench/${started}/${at}`,
          // Nobody sends this much: of one sender the rest would be counted only.
          message: { ...message, content: `${message.content} ${at}`, address: addressOf(at) },
        })
        .then(() => times.push(performance.now() - before))
        .catch(() => failures++);
    }
  };
  try {
    await Promise.all(Array.from({ length: askers }, ask));
  } finally {
    filter.close();
  }
  const sorted = times.sort((a, b) => a - b);
  return {
    perSecond: (times.length * 1000) / (performance.now() - started),
    p50: median(sorted),
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    failures,
  };
}

const addressOf = (at: number): string =>
  `2001:db8:${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}::1`;

/** Rows a second, one commit each, on as many connections. */
export async function commitCeiling(stack: TestStack, connections: number, seconds: number): Promise<number> {
  const pool = new pg.Pool({ connectionString: stack.run().databases.spamfilter, max: connections });
  const table = 'bench_commits';
  try {
    await pool.query(`drop table if exists ${table}; create table ${table} (like messages including all)`);
    let written = 0;
    const started = performance.now();
    const end = started + seconds * 1000;
    const write = async (): Promise<void> => {
      while (performance.now() < end) {
        const values = [`${started}/${written++}`];
        await pool.query({
          name: 'ceiling',
          text: `insert into ${table} (key, kind) values ($1, 'comment')`,
          values,
        });
      }
    };
    await Promise.all(Array.from({ length: connections }, write));
    return (written * 1000) / (performance.now() - started);
  } finally {
    await pool.query(`drop table if exists ${table}`).catch(() => undefined);
    await pool.end();
  }
}
