/* What whoever stores a form is told about it. */

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { defaultsFor } from '../forms/defaults';
import type { MailTemplate, Properties } from '../forms/properties';
import { CODES } from './config-codes';
import { configErrors } from './config-errors';

const SITE = 'https://www.site.test';
const defaults = defaultsFor(SITE);

function codes(changes: Partial<Properties>, siteUrl = SITE): Record<string, string[]> {
  const errors = configErrors({ ...defaults, ...changes }, { siteUrl });
  return Object.fromEntries(
    Object.entries(errors).map(([section, list]) => [section, list.map(({ link }) => link.split('#')[1]!)]),
  );
}

const mailed = (changes: Partial<MailTemplate>): Record<string, string[]> =>
  codes({ mail: { ...defaults.mail, ...changes } });

it('nothing, of a new form on any site', () => {
  for (const site of [SITE, 'http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]']) {
    expect(configErrors(defaultsFor(site), { siteUrl: site })).toEqual({});
  }
});

it('says what is wrong and where more is told', () => {
  const mail = { ...defaults.mail, sender: 'own <site@example.org>' };
  expect(configErrors({ ...defaults, mail }, { siteUrl: SITE })).toEqual({
    'mail.sender': [
      {
        message: CODES['email-not-in-site-domain'],
        link: 'services/forms/CONFIG-ERRORS.md#email-not-in-site-domain',
      },
    ],
  });
  expect(
    configErrors({ ...defaults, form: '[text a min:1]' }, { siteUrl: SITE })['form.body']![0]!.message,
  ).toBe('Line 1, column 9: “min:1” means nothing on text.');
});

it('is told of in the documents, each and no other', () => {
  const text = readFileSync(path.resolve(__dirname, '../../CONFIG-ERRORS.md'), 'utf8');
  expect([...text.matchAll(/^## (.*)$/gm)].map(([, code]) => code)).toEqual(Object.keys(CODES));
});

describe('mail', () => {
  it.each([
    ['sender', 'nobody', 'invalid-mailbox'],
    ['sender', '[your-email]', 'email-not-in-site-domain'],
    ['sender', 'a@site.test, b@site.test', 'invalid-mailbox'],
    ['sender', 'a@mail.site.test', undefined],
    ['sender', 'a@evilsite.test', 'email-not-in-site-domain'],
    ['sender', 'a@test', 'invalid-mailbox'],
    ['recipient', '', 'invalid-mailbox'],
    ['recipient', '[_site_admin_email], "A, B" <a@b.cd>', undefined],
    ['recipient', '[your-email]', undefined],
    ['recipient', 'a@b.cd\nb@b.cd', undefined],
    ['recipient', 'a@b.cd b@b.cd', 'invalid-mailbox'],
    ['recipient', '"[your-email]" <a@b.cd>', undefined],
    ['recipient', '[your-mail]', 'invalid-mailbox'],
    ['recipient', '[your-name]', 'invalid-mailbox'],
    ['subject', '[your-message]', 'maybe-empty'],
    ['subject', '[your-subject]', undefined],
    ['body', ' [your-message]\n[_user_email] ', 'maybe-empty'],
    ['additional_headers', 'X-A: [your-name]\n b\nCc: a@b.cd', undefined],
    ['additional_headers', 'Content-Type: text/html', 'invalid-mail-header'],
    ['additional_headers', 'no header', 'invalid-mail-header'],
    ['additional_headers', 'Cc: [your-name]', 'invalid-mailbox'],
    ['additional_headers', 'Cc: [your-message]', undefined],
    ['attachments', '[cv]\n[photo]', undefined],
    ['attachments', 'uploads/a.pdf', 'attachment-not-a-field'],
    ['attachments', '../../etc/passwd', 'attachment-not-a-field'],
    ['attachments', '[your-name]', 'attachment-not-a-field'],
  ])('%s %j: %s', (part, text, code) => {
    const form = `${defaults.form}[file cv][file photo]`;
    expect(codes({ form, mail: { ...defaults.mail, [part]: text } })).toEqual(
      code ? { [`mail.${part}`]: [code] } : {},
    );
  });

  it.each([
    ['[select dept "A|a@site.test" "B|Bob <b@site.test>, c@site.test"]', undefined],
    ['[select dept "A|a@site.test" "B|nobody"]', 'invalid-mailbox'],
    ['[select dept include_blank "A|a@site.test"]', 'invalid-mailbox'],
    ['[radio dept "A|a@site.test"]', undefined],
    ['[checkbox dept "A|a@site.test"]', 'invalid-mailbox'],
    ['[email dept]', 'invalid-mailbox'],
    ['[hidden dept "a@site.test"]', undefined],
    ['[radio dept "A|a@site.test"] or [radio dept "B|nobody"]', 'invalid-mailbox'],
  ])('to a field: %s %s', (form, code) => {
    const mail = { ...defaults.mail, recipient: '[dept]', additional_headers: '', body: 'x', subject: 'x' };
    expect(codes({ form, mail })).toEqual(code ? { 'mail.recipient': [code] } : {});
  });

  it('the second counts where it is sent', () => {
    const broken = { ...defaults.mail_2, sender: '' };
    expect(codes({ mail_2: broken })).toEqual({});
    expect(codes({ mail_2: { ...broken, active: true } })).toEqual({ 'mail_2.sender': ['invalid-mailbox'] });
    expect(mailed({ sender: '' })).toEqual({ 'mail.sender': ['invalid-mailbox'] });
  });
});

describe('the form', () => {
  it.each([
    ['[text a min:1][text b', ['form-tag', 'form-tag']],
    ['[text* name]', ['unavailable-name']],
    ['[text a:b]', ['colon-in-name']],
    ['<form><input name="a"></form>', ['unavailable-html', 'unavailable-html']],
    ['<label>a [text b] [text c]</label>', ['several-controls-in-label']],
    ['<label>a [radio b "1" "2"]</label>', ['several-controls-in-label']],
    ['<label>a [text b] [count b]</label><label>[text c]</label>', undefined],
    ['[text a][checkbox b "1" "2"]', undefined],
  ])('%j: %j', (text, expected) => {
    const mail = { ...defaults.mail, additional_headers: '', subject: 'x' };
    expect(codes({ form: text, mail })['form.body']).toEqual(expected);
  });
});

it('messages with HTML', () => {
  expect(codes({ messages: { ...defaults.messages, spam: 'a <b>b</b>', invalid_url: '1 < 2' } })).toEqual({
    'messages.spam': ['html-in-message'],
  });
});
