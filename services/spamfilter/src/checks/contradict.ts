/* Tells the statistics where moderators decided against the filter, and when they take it back. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Side } from '../classifier/store';
import { type VerdictEvent, recordAll } from '../verdicts/record';
import * as store from './store';
import type { VerdictName } from './verdict';

interface Standing {
  readonly key: string;
  readonly kind: string;
  readonly verdict: VerdictName | null;
  readonly judgedAt: string | null;
  readonly against: VerdictName | null;
  readonly againstAt: string | null;
}

const sideOf = (verdict: VerdictName): Side => (verdict === 'ham' ? 'ham' : 'spam');

/** Under the lock of the row. What is counted afterwards is what the last decision says of the last verdict. */
export async function contradict(tx: Db, row: Standing, decision: Side): Promise<void> {
  const { key, kind, verdict, judgedAt, against, againstAt } = row;
  const wrong = verdict !== null && judgedAt !== null && sideOf(verdict) !== decision;
  if (wrong ? against === verdict && againstAt === judgedAt : against === null) return;
  const events: VerdictEvent[] = [];
  if (against !== null && againstAt !== null)
    events.push({ key, kind, event: 'reversed', verdict: against, judgedAt: againstAt });
  if (wrong) events.push({ key, kind, event: 'corrected', verdict, judgedAt });
  await recordAll(tx, events);
  await store.setAgainst(tx, key, wrong ? verdict : null, wrong ? judgedAt : null);
}
