/** What visitors are told: the texts of a form, by key. A form's own texts replace these one by one. */

export const DEFAULT_MESSAGES = {
  mail_sent_ok: 'Thank you for your message. It has been sent.',
  mail_sent_ng: 'There was an error trying to send your message. Please try again later.',
  validation_error: 'One or more fields have an error. Please check and try again.',
  spam: 'There was an error trying to send your message. Please try again later.',
  accept_terms: 'You must accept the terms and conditions before sending your message.',
  invalid_required: 'Please fill out this field.',
  invalid_too_long: 'This field has too many characters.',
  invalid_too_short: 'This field has too few characters.',
  invalid_date: 'Please enter a date in YYYY-MM-DD format.',
  date_too_early: 'This field has a date that is too early.',
  date_too_late: 'This field has a date that is too late.',
  upload_failed: 'There was an unknown error uploading the file.',
  upload_file_type_invalid: 'You are not allowed to upload files of this type.',
  upload_file_too_large: 'The uploaded file is too large.',
  upload_failed_php_error: 'There was an error uploading the file.',
  invalid_number: 'Please enter a number.',
  number_too_small: 'This field has a number that is too small.',
  number_too_large: 'This field has a number that is too large.',
  quiz_answer_not_correct: 'The answer to the quiz is incorrect.',
  captcha_not_match: 'The answer you gave to the question is incorrect.',
  invalid_email: 'Please enter an e-mail address.',
  invalid_url: 'Please enter an address that begins with http:// or https://.',
  invalid_tel: 'Please enter a telephone number.',
};

export type MessageKey = keyof typeof DEFAULT_MESSAGES;
export type Messages = Record<MessageKey, string>;

/** The form's texts over ours; an empty one counts as none. */
export function withDefaults(own: Partial<Record<string, string>>): Messages {
  const messages = { ...DEFAULT_MESSAGES };
  for (const key of Object.keys(messages) as MessageKey[]) {
    const text = Object.hasOwn(own, key) ? own[key] : undefined;
    if (text?.trim()) messages[key] = text;
  }
  return messages;
}
