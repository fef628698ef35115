/*
 * What is wrong with a mail template, judged by a mail as it would be if visitors filled in only what they must:
 * required fields and what always has a value.
 */

import { isEmail } from '@sevenfold/chassis/http/coerce';
import addressparser from 'nodemailer/lib/addressparser';
import { isOfSite } from '../forms/mail-domain';
import type { MailTemplate } from '../forms/properties';
import { asList } from '../mail/addresses';
import { headerLines, isAllowedHeader } from '../mail/headers';
import { joined, replaceTags, tagsIn } from '../mail/mail-tags';
import type { Submitted, SubmittedField } from '../mail/template';
import type { Note } from './config-codes';
import { CHOOSING, isRequired, type Form, type FormTag } from './form';
import { SPECIAL_NAMES, mailFields } from './mail-names';

const SAMPLE_EMAIL = 'visitor@example.org';
const ADDRESSES = new Set(['reply-to', 'cc', 'bcc']);

export function checkMail(name: string, mail: MailTemplate, form: Form, siteUrl: string, note: Note): void {
  const least = leastSubmission(form);
  const fill = (text: string): string => replaceTags(text, least, joined).trim();

  if (fill(mail.subject) === '') note(`${name}.subject`, 'maybe-empty');
  if (fill(mail.body) === '') note(`${name}.body`, 'maybe-empty');
  checkSender(`${name}.sender`, fill(mail.sender), siteUrl, note);
  checkMailboxes(`${name}.recipient`, fill(mail.recipient), note);
  checkHeaders(`${name}.additional_headers`, mail.additional_headers, fill, note);
  checkAttachments(`${name}.attachments`, mail.attachments, form, note);
}

function checkSender(section: string, filled: string, siteUrl: string, note: Note): void {
  const [sender, ...others] = addressesIn(filled) ?? [];
  if (sender === undefined || others.length > 0) note(section, 'invalid-mailbox');
  else if (!isOfSite(sender, siteUrl)) note(section, 'email-not-in-site-domain');
}

function checkMailboxes(section: string, filled: string, note: Note, detail?: string): void {
  if (!addressesIn(filled)) note(section, 'invalid-mailbox', detail);
}

function checkHeaders(section: string, template: string, fill: (text: string) => string, note: Note): void {
  const lines = headerLines(template);
  const written = template.split(/\r\n?|\n/).filter((line) => line.trim() !== '' && !/^[ \t]/.test(line));
  const wrong = lines.find(({ name }) => !isAllowedHeader(name));
  if (wrong) note(section, 'invalid-mail-header', `“${wrong.name}”:`);
  else if (lines.length < written.length) note(section, 'invalid-mail-header');
  for (const { name, value } of lines) {
    const filled = fill(value);
    // A header without a value is left out of the mail, which harms nobody.
    if (ADDRESSES.has(name.toLowerCase()) && filled !== '')
      checkMailboxes(section, filled, note, `“${name}”:`);
  }
}

function checkAttachments(section: string, template: string, form: Form, note: Note): void {
  const files = new Set(form.tags.filter(({ type }) => type === 'file').map(({ name }) => name));
  const rest = template.replace(/\[[^[\]]*\]/g, '').trim();
  if (rest !== '' || tagsIn(template).some((name) => !files.has(name)))
    note(section, 'attachment-not-a-field');
}

/** The addresses of a list of mailboxes; undefined where it is empty or one of them is none. */
function addressesIn(text: string): string[] | undefined {
  const list = asList(text);
  const found = addressparser(list, { flatten: true });
  // Of two with nothing but a blank between them one is taken for the name of the other, and gets no mail.
  const isWhole = ({ name, address }: { name: string; address: string }): boolean =>
    isEmail(address) && (list.includes(`<${address}>`) || !name.includes('@'));
  return found.length > 0 && found.every(isWhole) ? found.map(({ address }) => address) : undefined;
}

function leastSubmission(form: Form): Submitted {
  const fields = new Map<string, SubmittedField>();
  for (const tag of mailFields(form)) fields.set(tag.name, leastValue(tag));
  const known = Object.keys(SPECIAL_NAMES).map((name): [string, string] => [name, specialValue(name)]);
  return { fields, files: [], special: new Map(known), messageId: '', date: new Date(0), zone: 'UTC' };
}

function leastValue(tag: FormTag): SubmittedField {
  const { type, choices, settings } = tag;
  const [first] = choices;
  // A list without a blank always has one of its choices.
  const always = type === 'select' && !settings.flags.has('include_blank') && !settings.flags.has('multiple');
  if (first && (type === 'hidden' || always || (isRequired(tag) && CHOOSING.has(type)))) {
    // Of what authors wrote behind pipes, what is no address speaks for all.
    const spoiling = choices.find(({ value }) => !addressesIn(value)) ?? first;
    return { raw: [spoiling.label], piped: [spoiling.value] };
  }
  if (type === 'acceptance' && !settings.flags.has('optional')) return { raw: ['1'] };
  if (!isRequired(tag)) return { raw: [] };
  return { raw: [type === 'email' ? SAMPLE_EMAIL : 'sample'] };
}

/** Strangers have no account, and a page need not be known. */
function specialValue(name: string): string {
  if (/^_(?:user|post)_/.test(name)) return name === '_user_agent' ? 'sample' : '';
  return name.endsWith('_email') ? SAMPLE_EMAIL : 'sample';
}
