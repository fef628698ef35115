/*
 * Everything that the database knows of a message, in one round trip: the model and what it knows of the features, what
 * became of the latest decisions, texts like it, and how much its sender sends.
 */
import type { Db } from '@sevenfold/chassis/db/sql';
import { type Calibration, LATEST, noCalibration } from '../classifier/calibration';
import type { Side } from '../classifier/store';
import type { Counts } from '../classifier/weigh';
import type { Evidence } from '../evidence/evidence';
import { type Alike, type Traces, copiesSql, judgeCopies, judgeRates, ratesSql } from '../evidence/others';

export interface Gathered {
  readonly totals: Counts;
  readonly counts: ReadonlyMap<number, Counts>;
  readonly calibration: Calibration;
  readonly others: readonly Evidence[];
}

type Numbers = readonly [hash: number, spam: number, ham: number, baseSpam: number, baseHam: number];

interface Row {
  totals: Counts;
  counts: Numbers[] | null;
  scores: [bin: number, decision: Side, count: number][] | null;
  alike: Alike;
  rates: number[];
}

const GATHER = `select
  (select json_build_object('spam', spam, 'ham', ham, 'baseSpam', base_spam, 'baseHam', base_ham) from model) as totals,
  (select json_agg(json_build_array(hash, spam, ham, base_spam, base_ham)) from features where hash = any($2::bigint[])) as counts,
  (select json_agg(json_build_array(taught_bin, decision, count)) from (
     select taught_bin, decision, count(*) as count from (
       select taught_bin, decision from messages where taught_bin is not null
       order by decided_at desc limit ${LATEST}) latest
     group by taught_bin, decision) scored) as scores,
  (select row_to_json(found) from (${copiesSql('$3', '$1')}) found) as alike,
  (${ratesSql('$4::bytea', '$5::bytea', '$1')}) as rates`;

export async function gather(
  db: Db,
  key: string,
  hashes: readonly number[],
  { likeness, address, network }: Traces,
): Promise<Gathered> {
  const row = (await db.first<Row>(GATHER, [key, hashes, likeness, address, network])) as Row;
  const calibration = noCalibration();
  for (const [bin, side, count] of row.scores ?? []) calibration[side][bin] = count;
  return {
    totals: row.totals,
    counts: new Map((row.counts ?? []).map(([hash, ...counts]) => [hash, toCounts(counts)])),
    calibration,
    others: [...judgeCopies(row.alike), ...judgeRates(row.rates)],
  };
}

const toCounts = ([spam, ham, baseSpam, baseHam]: [number, number, number, number]): Counts => ({
  spam,
  ham,
  baseSpam,
  baseHam,
});
