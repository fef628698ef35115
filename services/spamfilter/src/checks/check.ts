/*
 * Judges one message. The key is made known first, so that a burst of messages sees itself; then the evidence is
 * gathered without holding anything; then verdict and event commit together, once for each key and message, whoever was
 * faster.
 */
import { createHash } from 'node:crypto';
import { LATEST, fit } from '../classifier/calibration';
import { featuresOf } from '../classifier/features';
import * as model from '../classifier/store';
import { weigh } from '../classifier/weigh';
import type { Deps } from '../deps';
import { blockedIn } from '../blocked/match';
import { conductOf } from '../evidence/conduct';
import { likenessOf } from '../evidence/likeness';
import { senderOf } from '../evidence/networks';
import { type Traces, ratesOf, repeatedOf } from '../evidence/others';
import { asEvidence } from '../outside/ask';
import { current } from '../keys/current';
import { record } from '../verdicts/record';
import { contradict } from './contradict';
import { type Message, fingerprintOf } from './message';
import * as store from './store';
import { type Judged, judge } from './verdict';

export async function check(deps: Deps, key: string, message: Message): Promise<Judged> {
  const fingerprint = fingerprintOf(message);
  const before = known(await store.find(deps.db, key), fingerprint);
  if (before) return before;
  const features = featuresOf(message);
  const traces = tracesOf(message, features.written.words);
  await store.note(deps.db, key, message.kind, traces);
  const [outside, blocked, totals, counts, calibration, repeated, rates] = await Promise.all([
    current(deps).then((siteKey) => deps.outside.check(siteKey, message)),
    deps.blocked(),
    model.read(deps.db),
    model.countsOf(
      deps.db,
      features.all.map(({ hash }) => hash),
    ),
    store.calibration(deps.db, LATEST),
    repeatedOf(deps.db, key, traces),
    ratesOf(deps.db, key, traces),
  ]);
  const weighed = weigh(features.all, counts, totals);
  const seen = [
    ...blockedIn(blocked, message, features.written),
    ...conductOf(message, features.written),
    ...repeated,
    ...rates,
    ...asEvidence(outside),
  ];
  const judged = judge(weighed, fit(calibration), seen);
  return deps.db.transaction(async (tx) => {
    const row = await store.lock(tx, key);
    const faster = known(row, fingerprint);
    if (faster) return faster;
    // Of a message that was taught already the score tells nothing about those to come: it calibrates nothing.
    const raw = row.decision === null ? weighed.raw : null;
    const judgedAt = await store.setVerdict(tx, key, fingerprint, raw, judged, traces);
    const { verdict } = judged;
    await record(tx, { key, kind: message.kind, event: 'judged', verdict, judgedAt });
    // Decided before it was judged: the decision is about this verdict. An edited message is another one.
    if (row.decision !== null && row.verdict === null)
      await contradict(tx, { ...row, verdict, judgedAt }, row.decision);
    return judged;
  });
}

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
