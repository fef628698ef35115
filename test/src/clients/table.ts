/**
 * Behaviour that clients notice, as tables: a sentence, an example of it over HTTP, and what is to be seen. One file for each
 * subject; the sentences are those of the interface's reference, one row or more for each.
 */
import type { Answer } from '@sevenfold/chassis/testing/service';

/** `see` does what the sentence speaks of and answers what it is about; `shown` is what that has to be. */
export type Row<S> = readonly [sentence: string, see: (site: S) => Promise<unknown>, shown: unknown];

/** One test for each row. `site` is asked when the tests run. */
export function table<S>(site: () => S, rows: readonly Row<S>[]): void {
  test.each(rows)('%s', async (_sentence, see, shown) => {
    expect(await see(site())).toEqual(shown);
  });
}

/** Rows look into bodies of every shape. */
export type Shown = Answer['body'];

/** Status and code of a refusal. */
export const refusal = ({ status, body }: Answer): string =>
  `${status} ${String((body as { code?: unknown }).code)}`;

/** The body of an answer that was to succeed. */
export function bodyOf(answer: Answer): Shown {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text.slice(0, 500)}`);
  return answer.body as Shown;
}
