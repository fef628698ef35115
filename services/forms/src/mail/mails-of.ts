/** Which mails a form sends of each submission. */
import { readSettings } from '../feedback/settings';
import type { MailName } from '../forms/properties';
import type { FormRow } from '../forms/store';

export const mailsOf = (form: FormRow): MailName[] => {
  if (readSettings(form.additional_settings).isOn('skip_mail')) return [];
  return form.mail_2.active ? ['mail', 'mail_2'] : ['mail'];
};
