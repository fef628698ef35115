/** The wizard as clients show it. */
import { type Answers, answerOf } from './derive';
import { fields, steps } from './fields';

export const present = (answers: Answers): object => ({
  fields: Object.fromEntries(
    Object.entries(fields).map(([id, { answer, ...shown }]) => [
      id,
      answer ? { ...shown, data: answerOf(answers, id) } : shown,
    ]),
  ),
  steps,
  // Its texts are in the fields themselves.
  translations: {},
});
