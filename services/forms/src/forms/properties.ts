/** What a form is made of besides its name, as it is kept, sent and shown: the words of the interface. */

export interface MailTemplate {
  readonly active: boolean;
  readonly subject: string;
  readonly sender: string;
  readonly recipient: string;
  readonly body: string;
  /** One header on each line. */
  readonly additional_headers: string;
  /** Names of fields in brackets. */
  readonly attachments: string;
  readonly use_html: boolean;
  /** Leaves out lines whose fields are all empty. */
  readonly exclude_blank: boolean;
}

/** The templates of a form: the first is always sent, the second where it is active. */
export type MailName = 'mail' | 'mail_2';

export const MESSAGES = [
  'mail_sent_ok',
  'mail_sent_ng',
  'validation_error',
  'spam',
  'accept_terms',
  'invalid_required',
  'invalid_too_long',
  'invalid_too_short',
  'invalid_date',
  'date_too_early',
  'date_too_late',
  'upload_failed',
  'upload_file_type_invalid',
  'upload_file_too_large',
  'upload_failed_php_error',
  'invalid_number',
  'number_too_small',
  'number_too_large',
  'quiz_answer_not_correct',
  'captcha_not_match',
  'invalid_email',
  'invalid_url',
  'invalid_tel',
] as const;
export type MessageName = (typeof MESSAGES)[number];
/** A text for each result and each fault of a field. */
export type Messages = Readonly<Record<MessageName, string>>;

export interface Properties {
  /** In the language of form tags. */
  readonly form: string;
  readonly mail: MailTemplate;
  readonly mail_2: MailTemplate;
  readonly messages: Messages;
  /** Lines `name: value`. */
  readonly additional_settings: string;
}
