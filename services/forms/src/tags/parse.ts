/*
 * Reads the text of a contact form. Never throws: what cannot be read stays text, what means nothing is left
 * out, and a fault says where and why.
 */

import { decodeEntities } from '@sevenfold/text/html';
import {
  TYPES,
  type Choice,
  type Fault,
  type Form,
  type FormTag,
  type Part,
  type Report,
  type TagType,
} from './form';
import { readSettings } from './options';
import { findClosing, readHead, type Head } from './scan';
import { cleanValue } from './values';

const NAME = /^[A-Za-z][\w:-]*$/;
const MOST_NAME = 100;
// Beyond these nobody reads on, and a hostile text must not make a list as long as itself.
const MOST_FAULTS = 100;
// Far more than anybody fills in. Whoever reads a form may look at each tag for each of the others.
const MOST_TAGS = 1000;
// Whole ones only: the `&` of an address, as in `?a=1&copy=2`, is none.
const ENTITY = /&(?:[a-z][a-z\d]{1,31}|#\d{1,7}|#x[\da-f]{1,6});/gi;
const ESCAPED = /\[(\[\/?[A-Za-z_][^[\]]*\])\]/y;

export function parseForm(text: string): Form {
  const parts: Part[] = [];
  const tags: FormTag[] = [];
  const faults: Fault[] = [];
  const placeOf = placeReader(text);
  const kinds = new Map<string, FormTag>();
  let done = 0;

  const report: Report = (offset, code, message) => {
    if (faults.length < MOST_FAULTS) faults.push({ code, ...placeOf(offset), message });
  };

  function addText(end: number): void {
    if (end > done) parts.push({ kind: 'text', text: text.slice(done, end) });
  }

  function addTag(head: Head): number {
    if (tags.length === MOST_TAGS) {
      report(
        head.start,
        'too_many_tags',
        `A form has ${MOST_TAGS} tags at most; from here on they are text.`,
      );
      return head.end;
    }
    const tag = toTag(text, head, placeOf(head.start), report);
    if (!tag) return head.end;
    checkName(tag, kinds, report);
    addText(head.start);
    parts.push({ kind: 'tag', tag });
    tags.push(tag);
    return (done = tag.place.end);
  }

  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at)) {
    const escaped = escapedAt(text, at);
    if (escaped) {
      addText(at);
      parts.push({ kind: 'escaped', text: escaped });
      at = done = at + escaped.length + 2;
      continue;
    }
    const head = readHead(text, at);
    if (typeof head === 'object') at = addTag(head);
    else {
      if (head) report(at, 'unclosed_tag', 'This tag is never closed by a “]”.');
      at++;
    }
  }
  addText(text.length);
  checkChallenges(tags, report);
  faults.sort((a, b) => a.line - b.line || a.column - b.column);
  return { parts, tags, faults };
}

/** What a tag in double brackets shows; undefined where none begins. */
function escapedAt(text: string, at: number): string | undefined {
  if (text[at + 1] !== '[') return undefined;
  const head = readHead(text, at + 1);
  if (typeof head === 'object') {
    if (text[head.end] === ']') return text.slice(at + 1, head.end);
    const closing = TYPES[head.type].encloses ? findClosing(text, head.type, head.end) : undefined;
    return closing && text[closing.end] === ']' ? text.slice(at + 1, closing.end) : undefined;
  }
  ESCAPED.lastIndex = at;
  return ESCAPED.exec(text)?.[1];
}

function toTag(
  text: string,
  head: Head,
  position: { line: number; column: number },
  report: Report,
): FormTag | undefined {
  const { type } = head;
  const rules = TYPES[type];
  const words = head.words.filter((word) => word.text !== '/');
  const name = rules.named ? words.shift() : undefined;
  if (rules.named && !name) {
    report(head.start, 'name_missing', `A ${type} tag needs a name, as in [${type} your-name].`);
    return undefined;
  }
  if (name && (!NAME.test(name.text) || name.text.length > MOST_NAME)) {
    report(
      name.start,
      'name_invalid',
      `A name begins with a letter and goes on with letters, digits, “-”, “_” and “:”, ${MOST_NAME} at most.`,
    );
    return undefined;
  }
  if (head.starred && !rules.starred) report(head.start, 'star_unused', `A star means nothing on ${type}.`);
  const closing = rules.encloses ? findClosing(text, type, head.end) : undefined;
  checkValues(head, report);
  if (type === 'acceptance' && !closing && head.values.length === 0) {
    report(head.start, 'unclosed_content', 'An acceptance needs its condition and a closing [/acceptance].');
  }
  const choices = head.values.map((value) => toChoice(value.text, type));
  return {
    type,
    name: name?.text ?? '',
    starred: head.starred,
    options: words.map((word) => word.text),
    values: head.values.map((value) => ({ text: value.text, quote: value.quote })),
    choices,
    settings: readSettings(type, words, choices.length, report),
    content: closing ? text.slice(head.end, closing.start) : undefined,
    place: { start: head.start, end: closing?.end ?? head.end, ...position },
  };
}

function checkValues({ type, start, values }: Head, report: Report): void {
  if ((type === 'checkbox' || type === 'radio' || type === 'select') && values.length === 0) {
    report(start, 'value_missing', `A ${type} needs something to choose from, in quotes.`);
  }
  if (type !== 'quiz') return;
  if (values.length === 0) report(start, 'value_missing', 'A quiz needs questions as "1+1=?|2".');
  const open = values.find(({ text }) => !text.includes('|'));
  if (open) report(open.start, 'value_missing', 'This question has no answer behind a “|”.');
}

/**
 * A label is what visitors send, and is read as that is: who wrote it in two lines offers it in one. Forms are HTML, so `R&amp;D` is «R&D» in
 * quotes as beside them.
 */
function toChoice(text: string, type: TagType): Choice {
  const pipe = text.indexOf('|');
  const label = cleanValue(plain(pipe === -1 ? text : text.slice(0, pipe)), type === 'textarea');
  return { label, value: pipe === -1 ? label : plain(text.slice(pipe + 1)).trim() };
}

const plain = (text: string): string => text.replace(ENTITY, (entity) => decodeEntities(entity));

/** Two tags may share a name only where they are of one kind: mail and validation could not tell them apart. */
function checkName(tag: FormTag, kinds: Map<string, FormTag>, report: Report): void {
  if (!TYPES[tag.type].sends) return;
  const first = kinds.get(tag.name);
  if (!first) kinds.set(tag.name, tag);
  else if (first.type !== tag.type) {
    report(
      tag.place.start,
      'name_taken',
      `“${tag.name}” is the name of a ${first.type} field in line ${first.place.line} already.`,
    );
  }
}

function checkChallenges(tags: FormTag[], report: Report): void {
  const challenged = new Set(tags.filter(({ type }) => type === 'captchac').map(({ name }) => name));
  for (const { type, name, place } of tags) {
    if (type === 'captchar' && !challenged.has(name)) {
      report(
        place.start,
        'value_missing',
        `What to answer here is asked by [captchac ${name}], which is missing.`,
      );
    }
    if (type === 'recaptcha') {
      report(
        place.start,
        'not_offered',
        'This is not needed here and shows nothing: the spam filter looks at each message.',
      );
    }
  }
}

function placeReader(text: string): (offset: number) => { line: number; column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}
