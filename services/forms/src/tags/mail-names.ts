/*
 * The names that mail templates of a form may use in brackets: its fields, and special ones for what comes with a
 * submission. What they stand for is composed elsewhere.
 */

import { fieldsOf, type Form, type FormTag } from './form';

/** Special names and what they stand for. */
export const SPECIAL_NAMES = {
  _site_title: 'title of the site',
  _site_description: 'tagline of the site',
  _site_url: 'address of the site',
  _site_domain: 'host of the site',
  _site_admin_email: 'e-mail address of the site',
  _contact_form_title: 'title of the form',
  _contact_form_locale: 'language of the form',
  _form_title: 'title of the form',
  _form_id: 'number of the form',
  _date: 'day of the submission at the site',
  _time: 'time of the submission at the site',
  _serial_number: 'number of the submission',
  _remote_ip: 'network address of the sender',
  _user_agent: 'program of the sender',
  _referrer: 'address of the page before it',
  _url: 'address of the page with the form',
  _post_id: 'number of the page with the form',
  _post_name: 'slug of the page with the form, where everybody may read that',
  _post_title: 'title of the page with the form',
  _post_url: 'permanent address of the page with the form',
  _post_author: 'name of the author of the page with the form',
  _user_login: 'log-in name of the sender, where somebody logged in sent it',
  _user_email: 'e-mail address of the sender’s account',
  _user_url: 'web address of the sender’s account',
  _user_display_name: 'shown name of the sender’s account',
} as const;

export type SpecialName = keyof typeof SPECIAL_NAMES;

/** The fields whose values mail may show: all but the answers that only prove that somebody is there. */
export function mailFields(form: Form): FormTag[] {
  return fieldsOf(form).filter(({ type }) => type !== 'quiz' && type !== 'captchar');
}
