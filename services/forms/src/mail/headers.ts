/**
 * Additional headers of a template, one a line. Names come from the template alone and from a list of what mail may be
 * told by a form; what decides about sender, way, content or identity of the mail is none of them.
 */
import { mailboxesOf } from './addresses';
import { oneLine } from './header-text';
import { joined, replaceTags } from './mail-tags';
import type { Mailbox, Submitted } from './template';

const LONGEST_VALUE = 2_000;
const MOST_HEADERS = 50;

const FREE =
  /^(?:X-[A-Za-z0-9-]{1,60}|Importance|Priority|Precedence|Sensitivity|Organization|Auto-Submitted|List-Id|List-Unsubscribe)$/i;

const ADDRESSES: ReadonlyMap<string, 'replyTo' | 'cc' | 'bcc'> = new Map([
  ['reply-to', 'replyTo'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
]);

export interface Headers {
  readonly replyTo: Mailbox[];
  readonly cc: Mailbox[];
  readonly bcc: Mailbox[];
  readonly headers: { key: string; value: string }[];
}

export interface HeaderLine {
  readonly name: string;
  readonly value: string;
}

/** Lines of the template; a line that begins with white space continues the one before. */
export function headerLines(template: string): HeaderLine[] {
  return template
    .replace(/\r\n?/g, '\n')
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const [, name, value = ''] = /^([A-Za-z][A-Za-z0-9-]{0,60})[ \t]*:(.*)$/.exec(line.trim()) ?? [];
      return name === undefined ? [] : [{ name, value: value.trim() }];
    })
    .slice(0, MOST_HEADERS);
}

/** Whether forms may set it. */
export const isAllowedHeader = (name: string): boolean =>
  FREE.test(name) || ADDRESSES.has(name.toLowerCase());

export function headersOf(template: string, submitted: Submitted): Headers {
  const result: Headers = { replyTo: [], cc: [], bcc: [], headers: [] };
  for (const { name, value } of headerLines(template)) {
    const list = ADDRESSES.get(name.toLowerCase());
    if (list !== undefined) result[list].push(...mailboxesOf(value, submitted));
    else if (FREE.test(name)) {
      const text = oneLine(replaceTags(value, submitted, joined), LONGEST_VALUE);
      if (text !== '') result.headers.push({ key: name, value: text });
    }
  }
  return result;
}
