/*
 * Judges one message. The key is made known first, so that a burst of messages sees itself; then the evidence is
 * gathered without holding anything; then verdict and event commit together, once for each key and message, whoever was
 * faster.
 */
import { createHash } from 'node:crypto';
import { senderOf } from '@sevenfold/chassis/networks';
import { fit } from '../classifier/calibration';
import { featuresOf } from '../classifier/features';
import { weigh } from '../classifier/weigh';
import type { Deps } from '../deps';
import { blockedIn } from '../blocked/match';
import { conductOf } from '../evidence/conduct';
import { likenessOf } from '../evidence/likeness';
import type { Traces } from '../evidence/others';
import { asEvidence } from '../outside/ask';
import { consult } from '../outside/consult';
import { record } from '../verdicts/record';
import { contradict } from './contradict';
import { gather } from './gather';
import { type Message, fingerprintOf } from './message';
import * as store from './store';
import { type Judged, judge } from './verdict';

export async function check(deps: Deps, key: string, message: Message): Promise<Judged> {
  const fingerprint = fingerprintOf(message);
  const features = featuresOf(message);
  const traces = tracesOf(message, features.written.words);
  const isNew = (await store.note(deps.db, key, message.kind, traces)) > 0;
  const before = isNew ? undefined : known(await store.find(deps.db, key), fingerprint);
  if (before) return before;
  const [outside, blocked, { totals, counts, calibration, others }] = await Promise.all([
    consult(deps, message),
    deps.blocked(),
    gather(
      deps.db,
      key,
      features.all.map(({ hash }) => hash),
      traces,
    ),
  ]);
  const weighed = weigh(features.all, counts, totals);
  const seen = [
    ...blockedIn(blocked, message, features.written),
    ...conductOf(message, features.written),
    ...others,
    ...asEvidence(outside),
  ];
  const judged = judge(weighed, fit(calibration), seen);
  return (await settle(deps, key, fingerprint, weighed.raw, judged, traces)) ?? check(deps, key, message);
}

/** Verdict and event in one commit; undefined where the same message got its verdict meanwhile. */
const settle = (
  deps: Deps,
  key: string,
  fingerprint: Buffer,
  raw: number,
  judged: Judged,
  traces: Traces,
): Promise<Judged | undefined> =>
  deps.db.transaction(async (tx) => {
    const row = await store.setVerdict(tx, key, fingerprint, raw, judged, traces);
    if (!row) return undefined;
    const { verdict } = judged;
    await record(tx, { key, kind: row.kind, event: 'judged', verdict, judgedAt: row.judgedAt });
    // Decided before it was judged: the decision is about this verdict. An edited message is another one.
    if (row.decision !== null && row.isFirst) await contradict(tx, { ...row, verdict }, row.decision);
    return judged;
  });

function known(row: store.MessageRow | undefined, fingerprint: Buffer): Judged | undefined {
  if (!row || row.verdict === null || !row.fingerprint?.equals(fingerprint)) return undefined;
  return { verdict: row.verdict, score: row.score as number, evidence: row.evidence ?? [] };
}

export function tracesOf({ address }: Message, words: readonly string[]): Traces {
  const sender = senderOf(address);
  return {
    address: sender ? digest(sender.address) : null,
    network: sender ? digest(sender.network) : null,
    likeness: likenessOf(words) ?? null,
  };
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest().subarray(0, 12);
