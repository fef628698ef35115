/** Texts that a filter, once taught, tells apart whatever else it learns: for tests of those who ask it. */
import { openFilter } from './filter';

const WANTED =
  'the map of the second part helped me does a ferry run in winter and who sells tickets for that island path near our harbour where boats stop each morning'.split(
    ' ',
  );
const UNWANTED =
  'buy cheap miracle pills lottery winners claim fortune wire transfer tonight only discount replica watches bonus jackpot loans guaranteed income crypto doubling herbal enlargement'.split(
    ' ',
  );

// More than what a starting corpus or a few decisions of a test say.
const LESSONS = 40;

let texts = 0;

/** In ever other orders: the same text again would be evidence of its own. */
function text(words: readonly string[]): string {
  texts += 1;
  let seed = texts * 7_919;
  const next = (): number => (seed = (seed * 48_271) % 2_147_483_647);
  return Array.from({ length: 14 }, () => words[next() % words.length]).join(' ');
}

export const hamText = (): string => text(WANTED);
export const spamText = (): string => text(UNWANTED);

/** Not enough to make spam blatant: for that it takes more than words. */
export async function teachTexts(grpcPort: number): Promise<void> {
  const filter = openFilter(grpcPort);
  for (let round = 0; round < LESSONS; round++) {
    await filter.learn(`lesson/spam-${round}`, 'spam', 1, { content: spamText() });
    await filter.learn(`lesson/ham-${round}`, 'ham', 1, { content: hamText() });
  }
  filter.close();
}
