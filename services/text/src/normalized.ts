/*
 * Unicode normalisation of text that strangers wrote. Marks behind a letter are put in order, which takes the square of how many
 * there are: half a megabyte of them is minutes. UAX #15 (Stream-Safe Text Format) knows of no writing with more than thirty.
 */

/** Whole ones, and those of half the width, which are letters until compatibility forms are folded. */
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** `text` in a normal form, in linear time; of more than thirty marks in a row the first thirty. */
export const normalized = (text: string, form: 'NFC' | 'NFD' | 'NFKC' | 'NFKD'): string =>
  text.replace(TOO_MANY_MARKS, '$1').normalize(form);
