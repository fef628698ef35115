/*
 * The words behind a tag's name: what each means to which types, as one table. A word that means nothing, or has
 * a value that cannot be, is left out and reported.
 */

import { isDateBound } from './dates';
import type { Flag, Report, SenderPart, TagSettings, TagType } from './form';
import type { Word } from './scan';

interface Option {
  types: readonly TagType[];
  /** What a good value looks like, for the message of a bad one. */
  wants: string;
  /** Judges the value: what follows the colon. */
  fits: (value: string, type: TagType) => boolean;
  take: (settings: Draft, value: string, type: TagType) => void;
}

type Draft = TagSettings & { flags: Set<Flag> };

const LINES = ['text', 'email', 'url', 'tel'] as const;
const NUMBERS = ['number', 'range'] as const;
const CHOICES = ['checkbox', 'radio'] as const;
const WRITTEN = [...LINES, 'textarea', ...NUMBERS, 'date', 'quiz', 'captchar'] as const;
const SIZED = [...LINES, 'textarea', 'quiz', 'captchar', 'file'] as const;
const FOCUSED = [...WRITTEN, 'select', ...CHOICES, 'acceptance', 'file', 'submit'] as const;
const STYLED = [...FOCUSED, 'hidden', 'count', 'response', 'captchac', 'recaptcha'] as const;
const FILLED = [...LINES, 'textarea', ...NUMBERS, 'date', 'select', ...CHOICES, 'hidden'] as const;

const WANTS_WORD = 'letters, digits, “-” and “_”, a letter first';
const MOST_INDICES = 1000;
const MOST_OPTIONS = 100;
const CLASS = /^-?[A-Za-z_][\w-]{0,99}$/;
const COUNT = /^\d{1,9}$/;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,10})?|\.\d{1,10})$/;
const INDICES = /^\d{1,4}(?:_\d{1,4})*$/;
// Words of the page's address, of a form posted before, of the reader's account and of the page around it.
const SOURCE = /^(?:get|post|shortcode_attr|user_[a-z_]{1,40}|post_[A-Za-z\d_-]{1,60})$/;
const LIMIT = /^(\d{1,12})(kb|mb)?$/i;
const FILE_TYPE = /^(?:\.?[a-z\d]{1,10}|[a-z]{1,20}\/(?:\*|[a-z\d][a-z\d.+-]{0,80}))$/i;
const COLOUR = /^#(?:[\da-f]{3}){1,2}$/i;

function bound(key: 'min' | 'max'): Option {
  return {
    types: [...NUMBERS, 'date'],
    wants: 'a number, or for dates one like 2026-12-31 or today+7days',
    fits: (value, type) => (type === 'date' ? isDateBound(value) : NUMBER.test(value)),
    take: (settings, value) => void (settings[key] = value),
  };
}

function count(key: 'minLength' | 'maxLength' | 'size' | 'tabIndex', types: readonly TagType[]): Option {
  return {
    types,
    wants: 'a whole number',
    fits: (value) => COUNT.test(value),
    take: (settings, value) => void (settings[key] = Number(value)),
  };
}

function colour(): Option {
  return {
    types: ['captchac'],
    wants: 'a colour as #ff0000',
    fits: (value) => COLOUR.test(value),
    take: () => {},
  };
}

const NAMED: Record<string, Option> = {
  id: {
    types: STYLED,
    wants: WANTS_WORD,
    fits: (value) => CLASS.test(value),
    take: (settings, value) => void (settings.id = value),
  },
  class: {
    types: STYLED,
    wants: WANTS_WORD,
    fits: (value) => CLASS.test(value),
    take: (settings, value) => void settings.classes.push(value),
  },
  min: bound('min'),
  max: bound('max'),
  step: {
    types: [...NUMBERS, 'date'],
    wants: 'a number above 0, or any',
    fits: (value) => value === 'any' || (NUMBER.test(value) && Number(value) > 0),
    take: (settings, value) => void (settings.step = value),
  },
  minlength: count('minLength', WRITTEN),
  maxlength: count('maxLength', WRITTEN),
  size: {
    types: [...SIZED, 'captchac'],
    wants: 'a whole number',
    // Of a picture's size (s, m, l) nothing is left: the question is text.
    fits: (value, type) => (type === 'captchac' ? /^[sml]$/ : COUNT).test(value),
    take: (settings, value) => void (settings.size = Number(value)),
  },
  limit: {
    types: ['file'],
    wants: 'a number of bytes, as 20kb or 2mb',
    fits: (value) => bytesOf(value) > 0,
    take: (settings, value) => void (settings.limit = bytesOf(value)),
  },
  filetypes: {
    types: ['file'],
    wants: 'endings or types parted by “|”, as png|pdf|image/*',
    fits: (value) => value.split('|').every((type) => FILE_TYPE.test(type)),
    take: (settings, value) => {
      settings.fileTypes ??= [];
      for (const type of value.split('|')) settings.fileTypes.push(type.toLowerCase().replace(/^\./, ''));
    },
  },
  default: {
    types: [...FILLED, 'acceptance'],
    wants: 'numbers of choices as 1_3, or get, post, user_email and the like; on or off for an acceptance',
    fits: (value, type) =>
      type === 'acceptance' ? /^o(?:n|ff)$/.test(value) : INDICES.test(value) || SOURCE.test(value),
    take: (settings, value, type) => {
      if (type === 'acceptance') settings.defaultChoices = value === 'on' ? [1] : [];
      else if (INDICES.test(value))
        settings.defaultChoices.push(...value.split('_', MOST_INDICES).map(Number));
      else settings.defaultSources.push(value);
    },
  },
  autocomplete: {
    types: [...WRITTEN, 'select'],
    wants: 'a word that browsers know, as email or given-name',
    fits: (value) => /^[a-z][a-z\d-]{0,60}$/.test(value),
    take: (settings, value) => void (settings.autocomplete = value),
  },
  tabindex: count('tabIndex', FOCUSED),
  fg: colour(),
  bg: colour(),
};

const FLAGS: Record<string, { flag: Flag; types: readonly TagType[] }> = {
  multiple: { flag: 'multiple', types: ['select', 'file'] },
  include_blank: { flag: 'include_blank', types: ['select'] },
  first_as_label: { flag: 'first_as_label', types: ['select'] },
  exclusive: { flag: 'exclusive', types: ['checkbox'] },
  free_text: { flag: 'free_text', types: CHOICES },
  label_first: { flag: 'label_first', types: CHOICES },
  use_label_element: { flag: 'use_label_element', types: CHOICES },
  placeholder: { flag: 'placeholder', types: WRITTEN },
  watermark: { flag: 'placeholder', types: WRITTEN },
  readonly: { flag: 'readonly', types: WRITTEN },
  optional: { flag: 'optional', types: ['acceptance'] },
  invert: { flag: 'invert', types: ['acceptance'] },
  up: { flag: 'up', types: ['count'] },
  down: { flag: 'down', types: ['count'] },
};

// The service that the hint is for has many names in forms that exist; the part is what counts.
const SENDER = /^[a-z]+:(author|author_email|author_url)$/;
const AREA = /^(?=.*\d)(\d{1,4})?(x(\d{1,4})?)?(?:\/(\d{1,9})?)?$/;

/** What the words say. Faults are reported where they stand. */
export function readSettings(type: TagType, words: Word[], choices: number, report: Report): TagSettings {
  const settings: Draft = { classes: [], defaultChoices: [], defaultSources: [], flags: new Set() };
  for (const word of words.slice(0, MOST_OPTIONS)) readWord(settings, type, word, report);
  const beyond = words[MOST_OPTIONS];
  if (beyond)
    report(beyond.start, 'option_unknown', `Only the first ${MOST_OPTIONS} options of a tag are read.`);
  checkBounds(settings, type, words, report);
  const first = words.find((word) => word.text.startsWith('default:'));
  if (first && type !== 'acceptance' && settings.defaultChoices.some((at) => at < 1 || at > choices)) {
    report(first.start, 'option_invalid', `There are ${choices} choices here, counted from 1.`);
  }
  return settings;
}

function readWord(settings: Draft, type: TagType, word: Word, report: Report): void {
  const colon = word.text.indexOf(':');
  const name = colon === -1 ? word.text : word.text.slice(0, colon);
  const option = colon > 0 && Object.hasOwn(NAMED, name) ? NAMED[name] : undefined;
  if (option?.types.includes(type)) {
    const value = word.text.slice(colon + 1);
    if (option.fits(value, type)) option.take(settings, value, type);
    else report(word.start, 'option_invalid', `“${name}:” wants ${option.wants}.`);
    return;
  }
  if (colon === -1 && readFlag(settings, type, word.text)) return;
  if (readSender(settings, type, word.text) || readArea(settings, type, word.text)) return;
  report(word.start, 'option_unknown', `“${clip(word.text)}” means nothing on ${type}.`);
}

function readFlag(settings: Draft, type: TagType, word: string): boolean {
  const row = Object.hasOwn(FLAGS, word) ? FLAGS[word] : undefined;
  if (!row?.types.includes(type)) return false;
  settings.flags.add(row.flag);
  return true;
}

function readSender(settings: Draft, type: TagType, word: string): boolean {
  const part = SENDER.exec(word)?.[1];
  if (!part || !['text', 'email', 'url', 'textarea', 'hidden'].includes(type)) return false;
  settings.sender = part as SenderPart;
  return true;
}

/** `40`, `40/200`, `40x10`, `40x10/200`, `/200`: size, columns and rows, longest. What follows a sign may be left out: `40/`, `40x`. */
function readArea(settings: Draft, type: TagType, word: string): boolean {
  const match = AREA.exec(word);
  if (!match || !word || !SIZED.some((sized) => sized === type)) return false;
  const [, size, by, rows, longest] = match;
  if (by !== undefined && type !== 'textarea') return false;
  if (size !== undefined) settings[type === 'textarea' ? 'columns' : 'size'] = Number(size);
  if (rows !== undefined) settings.rows = Number(rows);
  if (longest !== undefined) settings.maxLength = Number(longest);
  return true;
}

function checkBounds(settings: Draft, type: TagType, words: Word[], report: Report): void {
  const { min, max, minLength, maxLength } = settings;
  const at = (name: string): number =>
    (words.find((word) => word.text.startsWith(name)) ?? words.find((word) => word.text.includes('/')))
      ?.start ?? 0;
  // Of days from today it depends on the day; those are compared when a visitor sends something.
  const comparable = type !== 'date' || !`${min}${max}`.includes('today');
  if (min !== undefined && max !== undefined && comparable) {
    const turned = type === 'date' ? min > max : Number(min) > Number(max);
    if (turned) report(at('min:'), 'range_empty', `Nothing lies between min:${min} and max:${max}.`);
  }
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength) {
    report(at('minlength:'), 'range_empty', `Nothing has from ${minLength} to ${maxLength} characters.`);
  }
}

function bytesOf(text: string): number {
  const [, digits, unit = ''] = LIMIT.exec(text) ?? [];
  const factors: Record<string, number> = { '': 1, kb: 1024, mb: 1024 * 1024 };
  return digits ? Number(digits) * factors[unit.toLowerCase()]! : 0;
}

function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
