/** Templates and submissions of tests; a test states only what it is about. */
import type { MailTemplate } from '../../forms/properties';
import type { Submitted, SubmittedField } from '../template';

export const makeTemplate = (changes: Partial<MailTemplate> = {}): MailTemplate => ({
  active: true,
  subject: 'Subject',
  sender: 'Site <forms@site.test>',
  recipient: 'office@site.test',
  body: 'Body',
  additional_headers: '',
  attachments: '',
  use_html: false,
  exclude_blank: false,
  ...changes,
});

export const makeSubmitted = (
  fields: Record<string, string | readonly string[] | SubmittedField>,
): Submitted => ({
  fields: new Map(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? { raw: [value] } : 'raw' in value ? value : { raw: value },
    ]),
  ),
  files: [],
  special: new Map([
    ['_site_title', 'The site'],
    ['_form_title', 'Contact'],
  ]),
  messageId: '<1.mail@site.test>',
  date: new Date('2030-01-05T10:00:00Z'),
  zone: 'Europe/Brussels',
});
