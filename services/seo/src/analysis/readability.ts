/**
 * How easily a text is read: Flesch's Reading Ease and the forms of it that were published for other languages
 * (languages.ts), 0 (hard) to 100 (easy). Headings are no sentences and are left out, as Flesch says.
 */
import type { LanguageRules } from './languages';
import type { Block } from './page';
import { sentencesIn } from './words';

/** Undefined where there is nothing to read. */
export function readability(blocks: readonly Block[], rules: LanguageRules): number | undefined {
  const texts = blocks.filter(({ isHeading }) => !isHeading).map(({ text }) => text);
  const { words, count } = sentencesIn(texts, rules.abbreviations);
  if (words.length === 0) return undefined;
  const syllablesOf = rules.syllables();
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  const ease = rules.ease(words.length / count, syllables / words.length);
  return Math.round(Math.min(100, Math.max(0, ease)));
}
