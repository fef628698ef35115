/*
 * What a visitor sent, read as the form's fields: names that it has not are dropped, lists are lists, texts are
 * clean. Nothing is judged here.
 */

import { stripControl } from '@sevenfold/text/text';
import { fieldsOf, isList, type Form, type FormTag, type TagType } from './form';
import { captchaTokenField, quizTokenField } from './quiz';

/** By name of the field; without a prototype, so that no name means anything but a field. */
export type Values = Record<string, string | string[]>;

export interface UploadedFile {
  name: string;
  /** As the sender declares it. */
  type: string;
  bytes: number;
}

/** By name of the field. */
export type Files = Readonly<Record<string, readonly UploadedFile[]>>;

/** Fields as they came, from form data (`box` or `box[]`, text or lists of it) or JSON. */
export type Posted = Readonly<Record<string, unknown>>;

const ASKING: ReadonlySet<TagType> = new Set(['quiz', 'captchar']);
const MOST_IN_LIST = 1000;
const NOT_ACCEPTED = new Set(['', '0', 'false', 'off', 'no']);

/**
 * The values of the form's fields. Each field but files has one: '' or [] where nothing was sent; an acceptance has
 * '1' or ''. Numbers and booleans of JSON count as text.
 */
export function readValues(form: Form, posted: Posted): Values {
  const values = Object.create(null) as Values;
  for (const tag of fieldsOf(form)) {
    if (tag.type === 'file') continue;
    const texts = textsOf(posted, tag.name, tag.type === 'textarea');
    if (tag.type === 'acceptance') values[tag.name] = isAccepting(texts.at(-1) ?? '') ? '1' : '';
    else if (isList(tag))
      // Each once before words are put to one of them: as often as it was sent they would be there.
      values[tag.name] = [...new Set(withFreeText(tag, [...new Set(texts.filter(Boolean))], posted))];
    else values[tag.name] = withFreeText(tag, texts.slice(-1), posted)[0] ?? '';
  }
  return values;
}

/** What was sent, but for the answers to quizzes and captchas: of the same asked anew they are others. */
export function withoutAnswers(form: Form, values: Values): Values {
  const asked = new Set(fieldsOf(form).flatMap(({ type, name }) => (ASKING.has(type) ? [name] : [])));
  const others = Object.create(null) as Values;
  for (const [name, value] of Object.entries(values)) if (!asked.has(name)) others[name] = value;
  return others;
}

/** The tokens that came with the questions of quizzes and captchas, by field. */
export function readTokens(form: Form, posted: Posted): Record<string, string> {
  const tokens = Object.create(null) as Record<string, string>;
  for (const { name, type } of fieldsOf(form)) {
    const field = type === 'quiz' ? quizTokenField(name) : type === 'captchar' && captchaTokenField(name);
    if (field) tokens[name] = textsOf(posted, field, false).at(-1) ?? '';
  }
  return tokens;
}

/** What a field holds, in any case as a list without empty texts. */
export function listOf(values: Values, name: string): string[] {
  const value = own(values, name);
  if (Array.isArray(value)) return value;
  return value === undefined || value === '' ? [] : [value];
}

export function textOf(values: Values, name: string): string {
  return listOf(values, name)[0] ?? '';
}

export function filesOf(files: Files, name: string): readonly UploadedFile[] {
  // Browsers send a nameless empty file for a control in which none was chosen.
  return (own(files, name) ?? []).filter((file) => file.name !== '' || file.bytes > 0);
}

export const freeTextField = (name: string): string => `_contact_form_free_text_${name}`;

/** The last choice of some groups is followed by words of the visitor's own. */
function withFreeText(tag: FormTag, texts: string[], posted: Posted): string[] {
  const last = tag.choices.at(-1)?.label;
  if (!tag.settings.flags.has('free_text') || last === undefined) return texts;
  const own = textsOf(posted, freeTextField(tag.name), false).at(-1) ?? '';
  return texts.map((text) => (text === last && own !== '' ? `${text} ${own}` : text));
}

/** The visitor's own words, in a value that begins with the last choice of such a group. */
export function freeTextIn({ settings, choices }: FormTag, text: string): string | undefined {
  const before = `${choices.at(-1)?.label ?? ''} `;
  return settings.flags.has('free_text') && text.startsWith(before) ? text.slice(before.length) : undefined;
}

function isAccepting(text: string): boolean {
  return !NOT_ACCEPTED.has(text.toLowerCase());
}

function textsOf(posted: Posted, name: string, lines: boolean): string[] {
  const sent = own(posted, name) ?? own(posted, `${name}[]`);
  return (Array.isArray(sent) ? sent : [sent])
    .slice(0, MOST_IN_LIST)
    .map((value) => cleanValue(toText(value), lines));
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Without characters that nobody types; one line where the field has one. Line ends are LF. */
export function cleanValue(text: string, lines: boolean): string {
  const clean = stripControl(text).replace(/\r\n?/g, '\n');
  return (lines ? clean : clean.replace(/[\n\t\u2028\u2029]+/g, ' ')).trim();
}
