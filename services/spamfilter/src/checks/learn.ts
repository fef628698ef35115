/*
 * Takes in what a moderator decided. The row of the message is locked first, then the model: of several decisions on one
 * key the newest counts, and what an older one taught is taken back to the last number.
 */
import { binOf } from '../classifier/calibration';
import { featuresOf } from '../classifier/features';
import * as model from '../classifier/store';
import type { Deps } from '../deps';
import { tracesOf } from './check';
import { contradict } from './contradict';
import { isNews, isReporting, promiseReport } from '../outside/report';
import { type Message, fingerprintOf } from './message';
import * as store from './store';

export interface Decided {
  readonly key: string;
  readonly message: Message;
  readonly decision: model.Side;
  /** Counts the decisions on this key, from 1. */
  readonly revision: number;
}

export async function learn(deps: Deps, { key, message, decision, revision }: Decided): Promise<void> {
  const fingerprint = fingerprintOf(message);
  const features = featuresOf(message);
  const hashes = features.all.map(({ hash }) => hash);
  await store.note(deps.db, key, message.kind, tracesOf(message, features.written.words));
  const isReported = await isReporting(deps);
  await deps.db.transaction(async (tx) => {
    const row = await store.lock(tx, key);
    if (revision <= row.revision) return;
    if (row.decision === decision && row.decidedFingerprint?.equals(fingerprint)) {
      await store.setRevision(tx, key, revision);
      return;
    }
    const current = await model.lock(tx);
    if (row.decision && row.taught) await model.unteach(tx, row.decision, row.taught);
    const taught = await model.teach(tx, current, decision, hashes);
    const taughtBin = row.raw === null ? null : binOf(row.raw);
    await store.setDecision(tx, key, { decision, revision, fingerprint, taught, taughtBin });
    await contradict(tx, row, decision);
    if (isReported && isNews(row, decision)) await promiseReport(tx, { key, revision, decision, message });
  });
}
