/** What a new form says where its maker says nothing. */
import { mailDomain } from './mail-domain';
import type { MailTemplate, Messages, Properties } from './properties';

export const UNTITLED = 'Untitled';
export const LOCALE = 'en_US';

const FORM = `<label> Your name
    [text* your-name autocomplete:name] </label>

<label> Your e-mail address
    [email* your-email autocomplete:email] </label>

<label> Subject
    [text* your-subject] </label>

<label> Your message (optional)
    [textarea your-message] </label>

[submit "Send"]`;

export const messages: Messages = {
  mail_sent_ok: 'Thank you for your message. It has been sent.',
  mail_sent_ng: 'Your message could not be sent. Please try again later.',
  validation_error: 'Some fields need your attention. Please check them and send the form again.',
  spam: 'Your message could not be sent. Please try again later.',
  accept_terms: 'Please accept the terms before you send the form.',
  invalid_required: 'Please fill out this field.',
  invalid_too_long: 'This text is too long.',
  invalid_too_short: 'This text is too short.',
  invalid_date: 'Please enter a date as year, month and day, such as 2030-01-31.',
  date_too_early: 'This date is too early.',
  date_too_late: 'This date is too late.',
  upload_failed: 'The file could not be uploaded.',
  upload_file_type_invalid: 'Files of this type cannot be uploaded here.',
  upload_file_too_large: 'This file is too large.',
  upload_failed_php_error: 'The file could not be stored.',
  invalid_number: 'Please enter a number.',
  number_too_small: 'This number is too small.',
  number_too_large: 'This number is too large.',
  quiz_answer_not_correct: 'This is not the right answer.',
  captcha_not_match: 'The code does not match.',
  invalid_email: 'Please enter an e-mail address.',
  invalid_url: 'Please enter a web address.',
  invalid_tel: 'Please enter a telephone number.',
};

const template = (host: string): MailTemplate => ({
  active: true,
  subject: '[_site_title] "[your-subject]"',
  sender: `[_site_title] <forms@${host}>`,
  recipient: '[_site_admin_email]',
  body: `From: [your-name] [your-email]
Subject: [your-subject]

Message:
[your-message]

--
This message was sent through a contact form of your site ([_site_title], [_site_url]).`,
  additional_headers: 'Reply-To: [your-email]',
  attachments: '',
  use_html: false,
  exclude_blank: false,
});

export function defaultsFor(siteUrl: string): Properties {
  const mail = template(mailDomain(siteUrl));
  return {
    form: FORM,
    mail,
    mail_2: {
      ...mail,
      active: false,
      recipient: '[your-email]',
      body: `Message:
[your-message]

--
This is a copy of what you sent through a contact form of our site ([_site_title], [_site_url]). If it was not you, please
ignore it.`,
      additional_headers: 'Reply-To: [_site_admin_email]',
    },
    messages,
    additional_settings: '',
  };
}
