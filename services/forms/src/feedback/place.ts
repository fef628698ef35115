/** What a form tells of itself and its page besides its fields, as it came: anybody may write anything there. */
import { HIDDEN } from '../tags/render';
import type { Posted } from './posted';

const textOf = (posted: Posted, name: string): string => {
  const value = Object.hasOwn(posted.fields, name) ? posted.fields[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/** It goes into selectors and ids: what is no word is none. */
export const unitTagOf = (posted: Posted): string => {
  const text = textOf(posted, HIDDEN.unitTag);
  return /^[A-Za-z][\w-]{0,99}$/.test(text) ? text : '';
};

/** Number of the page; 0 where it is not known. */
export const containerOf = (posted: Posted): number => {
  const container = Number(textOf(posted, HIDDEN.containerPost));
  return Number.isSafeInteger(container) && container > 0 ? container : 0;
};

/** When the form was shown, in seconds of Unix time; undefined where it is not known, or still to come. */
export const shownAtOf = (posted: Posted): number | undefined => {
  const shown = Number(textOf(posted, HIDDEN.shown));
  return shown > 0 && shown < Date.now() / 1000 ? shown : undefined;
};

/** Nobody sees the field, so only programs fill it in. */
export const isHoneypotFilled = (posted: Posted): boolean => textOf(posted, HIDDEN.honeypot) !== '';
