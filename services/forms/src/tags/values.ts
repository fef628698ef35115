/*
 * What a visitor sent, read as the form's fields: names that it has not are dropped, lists are lists, texts are
 * clean. Nothing is judged here.
 */

import { stripControl } from '@sevenfold/text/text';
import { fieldsOf, isList, type Form } from './form';

/** By name of the field; without a prototype, so that no name means anything but a field. */
export type Values = Record<string, string | string[]>;

export interface UploadedFile {
  name: string;
  /** As the sender declares it. */
  type: string;
  bytes: number;
}

/** By name of the field. */
export type Files = Record<string, readonly UploadedFile[]>;

const MOST_IN_LIST = 1000;

/**
 * The values of the form's fields from what was posted, as form data (`box` or `box[]`, text or lists of it) or
 * JSON (numbers and booleans count as text). Each field but files has a value: '' or [] where none was sent.
 */
export function readValues(form: Form, posted: Readonly<Record<string, unknown>>): Values {
  const values = Object.create(null) as Values;
  for (const tag of fieldsOf(form)) {
    if (tag.type === 'file') continue;
    const sent = own(posted, tag.name) ?? own(posted, `${tag.name}[]`);
    const texts = (Array.isArray(sent) ? sent : [sent])
      .slice(0, MOST_IN_LIST)
      .map((text) => cleanValue(toText(text), tag.type === 'textarea'));
    values[tag.name] = isList(tag) ? texts.filter((text) => text !== '') : (texts.at(-1) ?? '');
  }
  return values;
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

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

/** Without characters that nobody types; one line where the field has one. Line ends are LF. */
function cleanValue(text: string, lines: boolean): string {
  const clean = stripControl(text).replace(/\r\n?/g, '\n');
  return (lines ? clean : clean.replace(/[\n\t]+/g, ' ')).trim();
}
