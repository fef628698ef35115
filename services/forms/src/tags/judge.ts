/** Whether a text is what its field asks for: an address, a number, a date, of a certain length. */

import { isEmail } from '@sevenfold/chassis/http/coerce';
import { isLonger } from '@sevenfold/text/text';
import type { MessageName } from '../forms/properties';
import { dayNumber, dayOf, isDay } from './dates';
import { writtenValue } from './defaults';
import type { FormTag, TagSettings } from './form';

const NUMBER = /^[+-]?(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?$/;
const TELEPHONE = /^\+?\d{1,40}$/;
const LONGEST_URL = 2083;
// Quotients of decimal fractions are not quite whole.
const WHOLE = 1e-7;

/** What is wrong with a text that is not empty. `today` is `YYYY-MM-DD`. */
export function faultOfText(tag: FormTag, text: string, today: string): MessageName | undefined {
  switch (tag.type) {
    case 'email':
      return isEmail(text) ? faultOfLength(tag.settings, text) : 'invalid_email';
    case 'url':
      return isWebAddress(text) ? faultOfLength(tag.settings, text) : 'invalid_url';
    case 'tel':
      return isTelephone(text) ? faultOfLength(tag.settings, text) : 'invalid_tel';
    case 'number':
    case 'range':
      return faultOfNumber(tag, text);
    case 'date':
      return faultOfDate(tag, text, today);
    case 'text':
    case 'textarea':
      return faultOfLength(tag.settings, text);
    default:
      return undefined;
  }
}

/** Lengths count code points; a line end is one. */
function faultOfLength({ minLength, maxLength }: TagSettings, text: string): MessageName | undefined {
  if (maxLength !== undefined && isLonger(text, maxLength)) {
    return 'invalid_too_long';
  }
  if (minLength !== undefined && (text.length < minLength || [...text].length < minLength)) {
    return 'invalid_too_short';
  }
  return undefined;
}

function isWebAddress(text: string): boolean {
  if (text.length > LONGEST_URL || !/^(?:https?|ftp):\/\/[^\s<>"]+$/i.test(text)) return false;
  return URL.canParse(text);
}

function isTelephone(text: string): boolean {
  return TELEPHONE.test(text.replace(/[()/.*#\s-]+/g, ''));
}

function faultOfNumber(tag: FormTag, text: string): MessageName | undefined {
  const { min, max } = tag.settings;
  const number = NUMBER.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(number)) return 'invalid_number';
  if (min !== undefined && number < Number(min)) return 'number_too_small';
  if (max !== undefined && number > Number(max)) return 'number_too_large';
  const start = startOfSteps(tag);
  return isOnStep(tag, number - (NUMBER.test(start) ? Number(start) : 0)) ? undefined : 'invalid_number';
}

function faultOfDate(tag: FormTag, text: string, today: string): MessageName | undefined {
  if (!isDay(text)) return 'invalid_date';
  const { min, max } = tag.settings;
  const first = min && dayOf(min, today);
  const last = max && dayOf(max, today);
  if (first && text < first) return 'date_too_early';
  if (last && text > last) return 'date_too_late';
  const start = dayOf(startOfSteps(tag), today) ?? '1970-01-01';
  return isOnStep(tag, dayNumber(text) - dayNumber(start)) ? undefined : 'invalid_date';
}

/** As browsers count: from the least, else from what the form fills in; '' where it says neither. */
const startOfSteps = (tag: FormTag): string => tag.settings.min ?? writtenValue(tag) ?? '';

/**
 * Steps count only where the form names one; browsers take 1 for granted, programs need not. Where a field without a least is filled in
 * from elsewhere, browsers count from what that was, which nobody knows here.
 */
function isOnStep({ settings: { min, step, defaultSources } }: FormTag, distance: number): boolean {
  if (step === undefined || step === 'any' || (min === undefined && defaultSources.length > 0)) return true;
  const steps = distance / Number(step);
  return Math.abs(steps - Math.round(steps)) < WHOLE;
}
