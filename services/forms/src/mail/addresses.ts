/**
 * Mailboxes from a template such as `"[your-name]" <[your-email]>, office@example.org`. The template is parsed with
 * marks in the places of its tags; values are put into the parsed parts. So a comma or bracket in a value has no meaning,
 * and a visitor's value is one mailbox or none.
 */
import { isEmail } from '@sevenfold/chassis/http/coerce';
import addressparser from 'nodemailer/lib/addressparser';
import { oneLine } from './header-text';
import { type TagValue, joined, replaceTags } from './mail-tags';
import type { Mailbox, Submitted } from './template';

const LONGEST_NAME = 320;
/** More than this many recipients of one mail are a mistake or an abuse. */
const MOST_MAILBOXES = 50;

// From the private use area: no tag, value or address means anything by them.
const MARK = /\uE000(\d+)\uE001/g;
const ONLY_MARK = /^\uE000(\d+)\uE001$/;
/** One between two separators, or ends. */
const LONE_MARK = /(?<=^|[,;:])\s*\uE000(\d+)\uE001(?=\s*(?:[,;]|$))/g;
/** Makes an address of a mark. */
const AS_ADDRESS = '@\uE002';

/** A line of its own is as good as a comma: the parser takes the mailbox in it for a name of the one before. */
export const asList = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .reduce((list, line) => list + (list === '' ? '' : line.startsWith('<') ? ' ' : ', ') + line, '');

/** What is no mailbox is left out. */
export function mailboxesOf(template: string, submitted: Submitted): Mailbox[] {
  const values: TagValue[] = [];
  const marked = replaceTags(template.replace(/[\uE000-\uE002]/g, ''), submitted, (value) => {
    values.push(value);
    return `\uE000${values.length - 1}\uE001`;
  });
  const fill = (text: string): string =>
    text.replace(MARK, (_mark, index: string) => joined(values[Number(index)] as TagValue));
  // What has no “@” the parser takes for a piece of the next one's name, as it is in `[last-name], [first-name] <[your-email]>`, but not in
  // `[your-email], Office <office@example.org>`.
  const list = asList(marked).replace(LONE_MARK, (mark: string, index: string) => {
    const value = values[Number(index)] as TagValue;
    if (joined(value) === '') return '';
    return addressesIn(value).length > 0 ? mark + AS_ADDRESS : mark;
  });
  return addressparser(list, { flatten: true })
    .map(({ name, address }) => ({
      name: name.replaceAll(AS_ADDRESS, ''),
      address: address.replaceAll(AS_ADDRESS, ''),
    }))
    .flatMap(({ name, address }) => {
      const [, lone] = ONLY_MARK.exec((address || name).trim()) ?? [];
      if (lone === undefined) return mailbox(fill(name), fill(address));
      return addressesIn(values[Number(lone)] as TagValue).map((found) =>
        address === '' || name === '' ? found : { ...found, name: named(fill(name)) },
      );
    })
    .slice(0, MOST_MAILBOXES);
}

/**
 * A whole address that a tag stands for: the author may have written several behind a pipe, a visitor has one, and none beside what he
 * has chosen.
 */
function addressesIn({ values, authored }: TagValue): Mailbox[] {
  if (authored)
    return authored.flatMap((text) =>
      addressparser(asList(text), { flatten: true }).flatMap(({ name, address }) => mailbox(name, address)),
    );
  const [only = ''] = values;
  return values.length === 1 ? mailbox('', only.trim()) : [];
}

const mailbox = (name: string, address: string): Mailbox[] =>
  isEmail(address) ? [{ name: named(name), address: withPlainDomain(address) }] : [];

/** As servers are told it: who has taken a mail is known again by its address. */
function withPlainDomain(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

const named = (text: string): string => oneLine(text, LONGEST_NAME);
