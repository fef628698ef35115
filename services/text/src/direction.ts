/** What a page says of the language that it is in, and which way it runs. */
import { escapeAttribute } from './html';

/** Languages, without region, whose usual script runs from right to left. */
const RIGHT_TO_LEFT = new Set(['ar', 'arc', 'ckb', 'dv', 'fa', 'he', 'ps', 'sd', 'ug', 'ur', 'yi']);

/** For the `dir` of HTML. Takes `he`, `he_IL` and `he-IL`. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(language.split(/[_-]/)[0]!.toLowerCase()) ? 'rtl' : 'ltr';

/** Attributes of `<html>`. Takes what `directionOf` takes. */
export const languageAttributes = (language: string): string =>
  `lang="${escapeAttribute(language.replaceAll('_', '-'))}" dir="${directionOf(language)}"`;
