/** What is wrong with what a visitor sent: all fields at once, one message each. */

import type { MessageName, Messages } from '../forms/properties';
import { faultOfFiles } from './files';
import { fieldsOf, isRequired, type Form, type FormTag } from './form';
import { faultOfText } from './judge';
import { isRightAnswer, type Signing } from './quiz';
import { filesOf, listOf, textOf, type Files, type Values } from './values';

/** A field that was refused, as the answer to feedback shows it. */
export interface InvalidField {
  field: string;
  message: string;
  /** The `id:` that the form gives the control; null where it gives none. */
  idref: string | null;
  /** Of the element beside the control that holds the message. */
  error_id: string;
}

export interface ValidationContext {
  /** The unit tag of the form in its page; '' where the sender gave none. */
  unitTag: string;
  /** Today at the site, `YYYY-MM-DD`. */
  today: string;
  signing: Signing;
  /** As readTokens gives them. */
  tokens: Readonly<Record<string, string>>;
  /** Whether a missing acceptance is a fault of its field (`acceptance_as_validation`). */
  acceptances: boolean;
}

/** Values as readValues gives them. */
export function validate(
  form: Form,
  values: Values,
  files: Files,
  messages: Messages,
  context: ValidationContext,
): InvalidField[] {
  const challenged = new Set(form.tags.filter(({ type }) => type === 'captchac').map(({ name }) => name));
  const invalid: InvalidField[] = [];
  for (const tag of fieldsOf(form)) {
    // Without a question nobody could know the answer.
    if (tag.type === 'captchar' && !challenged.has(tag.name)) continue;
    const fault = faultOf(tag, values, files, context);
    if (!fault) continue;
    invalid.push({
      field: tag.name,
      message: messages[fault],
      idref: tag.settings.id ?? null,
      error_id: errorId(context.unitTag, tag.name),
    });
  }
  return invalid;
}

/** Whether a condition is not met without which the form must not be sent. */
export function isAcceptanceMissing(form: Form, values: Values): boolean {
  return fieldsOf(form).some((tag) => tag.type === 'acceptance' && !isMet(tag, values));
}

/** The id of the element that holds a field's message. */
export function errorId(unitTag: string, name: string): string {
  return `${unitTag || 'contact-form'}-ve-${name}`;
}

function faultOf(
  tag: FormTag,
  values: Values,
  files: Files,
  { tokens, signing, today, acceptances }: ValidationContext,
): MessageName | undefined {
  const text = textOf(values, tag.name);
  const rightly = (): boolean => isRightAnswer(tag.name, text, tokens[tag.name] ?? '', signing);
  switch (tag.type) {
    case 'file':
      return faultOfFiles(tag, filesOf(files, tag.name));
    case 'quiz':
      return rightly() ? undefined : 'quiz_answer_not_correct';
    case 'captchar':
      return rightly() ? undefined : 'captcha_not_match';
    case 'acceptance':
      return acceptances && !isMet(tag, values) ? 'accept_terms' : undefined;
    case 'select':
    case 'checkbox':
    case 'radio':
      return faultOfChoices(tag, listOf(values, tag.name));
    default:
      if (text === '') return isRequired(tag) ? 'invalid_required' : undefined;
      return faultOfText(tag, text, today);
  }
}

function isMet({ name, settings }: FormTag, values: Values): boolean {
  return settings.flags.has('optional') || (textOf(values, name) !== '') !== settings.flags.has('invert');
}

function faultOfChoices(tag: FormTag, chosen: string[]): MessageName | undefined {
  const { flags } = tag.settings;
  // The first may only be the heading of the list.
  const offered = tag.choices.slice(flags.has('first_as_label') ? 1 : 0).map(({ label }) => label);
  if (chosen.length === 0) return isRequired(tag) && offered.length > 0 ? 'invalid_required' : undefined;
  const known = new Set(offered);
  const other = flags.has('free_text') ? offered.at(-1) : undefined;
  const isOffered = (text: string): boolean =>
    known.has(text) || (other !== undefined && text.startsWith(`${other} `));
  return chosen.every(isOffered) ? undefined : 'validation_error';
}
