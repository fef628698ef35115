/*
 * What is wrong with a form before any visitor comes: settings of mail that cannot work, and a form that some of its
 * visitors cannot use. Nothing here keeps a form from being stored; it is told whoever stores it.
 */

import { nextMarkup } from '@sevenfold/text/markup';
import type { Properties } from '../forms/properties';
import { CODES, type Note } from './config-codes';
import type { Form } from './form';
import { checkMail } from './mail-errors';
import { parseForm } from './parse';
import { surround } from './surroundings';

export interface ConfigError {
  message: string;
  /** Where our documentation tells more. */
  link: string;
}

/** By section: `form.body`, `mail.sender`, `messages.spam`, … Only those in which something is wrong. */
export type ConfigErrors = Record<string, ConfigError[]>;

const DOCUMENT = 'services/forms/CONFIG-ERRORS.md';

// Controls are found as properties of their form in scripts, where these mean something else.
const UNAVAILABLE = new Set(
  (
    'action attributes children className dataset elements enctype focus id innerHTML length lang method name nodeName ' +
    'parentNode reset style submit tagName target title'
  ).split(' '),
);
const CONTROLS = new Set('form input button select textarea script style iframe object'.split(' '));

export function configErrors(
  { form: text, mail, mail_2: second, messages }: Properties,
  { siteUrl }: { siteUrl: string },
): ConfigErrors {
  const errors: ConfigErrors = {};
  const note: Note = (section, code, detail) => {
    const message = detail ? `${detail} ${CODES[code]}` : CODES[code];
    (errors[section] ??= []).push({ message: message.trim(), link: `${DOCUMENT}#${code}` });
  };
  const form = parseForm(text);
  checkForm(form, note);
  checkMail('mail', mail, form, siteUrl, note);
  if (second.active) checkMail('mail_2', second, form, siteUrl, note);
  for (const [name, message] of Object.entries(messages)) {
    if (nextMarkup(message, 0)) note(`messages.${name}`, 'html-in-message');
  }
  return errors;
}

function checkForm(form: Form, note: Note): void {
  const section = 'form.body';
  for (const { line, column, message } of form.faults) {
    note(section, 'form-tag', `Line ${line}, column ${column}: ${message}`);
  }
  const names = new Set(form.tags.map(({ name }) => name).filter(Boolean));
  for (const name of names) {
    if (UNAVAILABLE.has(name)) note(section, 'unavailable-name', `“${name}”:`);
    if (name.includes(':')) note(section, 'colon-in-name', `“${name}”:`);
  }
  for (const tag of foreignTags(form)) note(section, 'unavailable-html', `<${tag}>:`);
  if (hasCrowdedLabel(form)) note(section, 'several-controls-in-label');
}

function foreignTags(form: Form): Set<string> {
  const html = form.parts.map((part) => (part.kind === 'tag' ? ' ' : part.text)).join('');
  const found = new Set<string>();
  for (let tag = nextMarkup(html, 0); tag; tag = nextMarkup(html, tag.end)) {
    if (CONTROLS.has(tag.name)) found.add(tag.name);
  }
  return found;
}

function hasCrowdedLabel(form: Form): boolean {
  const controls = new Map<number, number>();
  surround(form.parts, false, ({ type, choices }, { inLabel, label }) => {
    if (!inLabel || ['hidden', 'count', 'response', 'captchac', 'recaptcha'].includes(type)) return '';
    const own = type === 'checkbox' || type === 'radio' ? choices.length : 1;
    controls.set(label, (controls.get(label) ?? 0) + own);
    return '';
  });
  return [...controls.values()].some((count) => count > 1);
}
