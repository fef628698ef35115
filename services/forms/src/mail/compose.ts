/**
 * A template and a submission as one message. Pure: files are named, not read. Throws MailFault where the template can
 * make no mail of this submission, which no later try would change.
 */
import { decodeEntities, escapeAttribute } from '@sevenfold/text/html';
import { textOf } from '@sevenfold/text/markup';
import { stripControl } from '@sevenfold/text/text';
import { mailboxesOf } from './addresses';
import { MailFault } from './fault';
import { oneLine } from './header-text';
import { headersOf } from './headers';
import { type TagValue, joined, replaceTags, tagsIn, valueOf } from './mail-tags';
import type { MailTemplate } from '../forms/properties';
import type { Message, Submitted, SubmittedFile } from './template';

const LONGEST_SUBJECT = 900;

export function compose(template: MailTemplate, submitted: Submitted): Message {
  const [from] = mailboxesOf(template.sender, submitted);
  if (!from) throw new MailFault('The sender of the template is no mailbox.');
  const to = mailboxesOf(template.recipient, submitted);
  const { headers, ...others } = headersOf(template.additional_headers, submitted);
  if (to.length + others.cc.length + others.bcc.length === 0)
    throw new MailFault('The template names no mailbox to send to.');
  const subject = oneLine(replaceTags(template.subject, submitted, joined), LONGEST_SUBJECT);
  return {
    from,
    to,
    ...others,
    subject,
    ...bodyOf(template, submitted, subject),
    headers,
    files: filesOf(template.attachments, submitted),
    messageId: submitted.messageId,
    date: submitted.date,
  };
}

function bodyOf(
  { body, use_html: useHtml, exclude_blank: excludeBlank }: MailTemplate,
  submitted: Submitted,
  subject: string,
): { text: string; html?: string } {
  const lines = body.replace(/\r\n?/g, '\n').split('\n');
  const kept = excludeBlank ? lines.filter((line) => !isBlank(line, submitted)) : lines;
  const put = useHtml ? inHtml : inText;
  const filled = stripControl(replaceTags(kept.join('\n'), submitted, put));
  if (!useHtml) return { text: filled };
  const html = wholePage(filled, subject);
  return { html, text: plainOf(filled) };
}

/** For readers that show no HTML. */
const plainOf = (html: string): string =>
  decodeEntities(textOf(html.replace(/<br *\/?>\n?/gi, '\n').replace(/<\/(?:p|div|tr|h[1-6]|li)>/gi, '$&\n')))
    .replace(/\n{3,}/g, '\n\n')
    .trim();

const inText = (value: TagValue): string => joined(value).replace(/\r\n?/g, '\n');
const inHtml = (value: TagValue): string => escapeAttribute(inText(value)).replace(/\n/g, '<br />\n');

/** A line with tags of which none stands for anything. */
function isBlank(line: string, submitted: Submitted): boolean {
  const known = tagsIn(line).flatMap((name) => valueOf(name, undefined, submitted) ?? []);
  return known.length > 0 && known.every((value) => joined(value).trim() === '');
}

function wholePage(body: string, subject: string): string {
  if (/<html[\s>]/i.test(body)) return body;
  const blocks = /<(?:p|div|table|h[1-6]|ul|ol|br)[\s>/]/i.test(body.replaceAll('<br />\n', ''))
    ? body
    : body
        .split(/\n{2,}/)
        .map((part) => `<p>${part.replace(/(?<!<br \/>)\n/g, '<br />\n')}</p>`)
        .join('\n');
  return `<!DOCTYPE html>\n<html><head><meta charset="utf-8"><title>${escapeAttribute(subject)}</title></head>\n<body>\n${blocks}\n</body></html>\n`;
}

/** Only what tags of file fields name: a path in a template means nothing. */
function filesOf(attachments: string, { files }: Submitted): SubmittedFile[] {
  const fields = new Set(tagsIn(attachments));
  return files.filter(({ field }) => fields.has(field));
}
