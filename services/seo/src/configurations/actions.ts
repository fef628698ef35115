/** Taking answers: what is right is kept, what is not changes nothing, and each field hears which it was. */
import type { Db } from '@sevenfold/chassis/db/sql';
import type { Deps } from '../deps';
import { requestComparison } from '../indexables/compare';
import { read } from '../settings/read';
import * as settings from '../settings/store';
import { ANSWERS, type Answers, answerOf, answersIn, settingsOf } from './derive';
import { fields } from './fields';

export const readAnswers = async (db: Db): Promise<Answers> => answersIn((await settings.read(db)).own);

export interface Result {
  readonly result: boolean;
  readonly data: string;
}

/** Of the fields that exist and take an answer. */
export async function save(
  { db, memory, config }: Pick<Deps, 'config' | 'db' | 'memory'>,
  sent: Readonly<Record<string, unknown>>,
): Promise<Record<string, Result>> {
  const taken = Object.keys(fields).flatMap((id) => {
    const answer = fields[id]?.answer;
    return answer && Object.hasOwn(sent, id) ? [{ id, text: answer.read(sent[id]) }] : [];
  });
  const right = Object.fromEntries(taken.flatMap(({ id, text }) => (text === undefined ? [] : [[id, text]])));
  const answers =
    Object.keys(right).length === 0
      ? await readAnswers(db)
      : await db.transaction(async (tx) => {
          // Two at once: the second one adds to what the first one has left.
          await tx.run('lock table settings in share row exclusive mode');
          const merged = { ...(await readAnswers(tx)), ...right };
          const before = await read(tx, config);
          await settings.save(tx, { ...settingsOf(merged), [ANSWERS]: merged });
          // What was made by other settings is found by comparing, and made anew in pieces.
          if ((await read(tx, config)).madeFor !== before.madeFor) await requestComparison(tx);
          return merged;
        });
  memory.forget('settings');
  return Object.fromEntries(
    taken.map(({ id, text }) => [id, { result: text !== undefined, data: answerOf(answers, id) }]),
  );
}
