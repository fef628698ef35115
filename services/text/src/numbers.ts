/** Numbers as people write them: `12,50`, `1.000,50`, `10 000`, `CHF 1'500`, `1,00,000`. */

// Blanks that hold a number together on its line, and both apostrophes.
const MARK = "[ \\u00a0\\u2009\\u202f'’]";

/**
 * One number, as the source of a regular expression. `10 20` are two; `5 100` is one: people put something else between two prices.
 * Nothing in it is read twice, however long the text is.
 */
export const NUMBER = `(?:[1-9]\\d{0,2}(?<mark>${MARK})\\d{3}(?:\\k<mark>\\d{3})*(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*)`;

const MARKS = new RegExp(MARK, 'gu');

/** Without blanks and apostrophes, which only ever stand between thousands. */
export const withoutMarks = (number: string): string => number.replace(MARKS, '');
