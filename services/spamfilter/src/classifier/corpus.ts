/*
 * The starting corpus, so that a new site is not defenceless: comments and form messages that we wrote ourselves, in
 * corpus/starting.jsonl. It becomes counts beside those of the site's own decisions, and fades as these come (weigh.ts).
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import { messageOf } from '../checks/message';
import { featuresOf } from './features';
import * as model from './store';

export interface Sample {
  readonly label: model.Side;
  readonly kind: string;
  readonly language: string;
  readonly content: string;
}

export interface Corpus {
  /** Names this text of it. */
  readonly digest: string;
  readonly samples: readonly Sample[];
}

const FILE = path.resolve(__dirname, '../../corpus/starting.jsonl');

export function readCorpus(file = FILE): Corpus {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return {
    digest: createHash('sha256').update(text).digest('hex'),
    samples: lines.map((line) => JSON.parse(line) as Sample),
  };
}

/** Nobody sent them: of their senders nothing can be learned. */
export const hashesOf = (sample: Sample): number[] =>
  featuresOf(messageOf(sample))
    .all.filter(({ group }) => group !== 'sender')
    .map(({ hash }) => hash);

/** Puts its counts into the model, in place of those of another corpus; nothing where they are there already. */
export async function load(db: Database, corpus: Corpus): Promise<void> {
  if ((await model.corpusOf(db)) === corpus.digest) return;
  const counts = new Map<number, { spam: number; ham: number }>();
  for (const sample of corpus.samples)
    for (const hash of hashesOf(sample)) {
      const known = counts.get(hash) ?? { spam: 0, ham: 0 };
      counts.set(hash, known);
      known[sample.label]++;
    }
  await db.transaction(async (tx) => {
    await model.lock(tx);
    if ((await model.corpusOf(tx)) !== corpus.digest) await setBase(tx, corpus, counts);
  });
}

async function setBase(
  tx: Db,
  { digest, samples }: Corpus,
  counts: ReadonlyMap<number, { spam: number; ham: number }>,
): Promise<void> {
  const of = (side: model.Side): number => samples.filter(({ label }) => label === side).length;
  await model.setBase(
    tx,
    [...counts].map(([hash, { spam, ham }]) => ({ hash, spam, ham })),
    { corpus: digest, spam: of('spam'), ham: of('ham') },
  );
}
