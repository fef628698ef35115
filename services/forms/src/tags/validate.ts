/** What is wrong with what a visitor sent: all fields at once, one message each. */

import { fieldsOf, isRequired, type Form, type FormTag } from './form';
import type { MessageKey, Messages } from './messages';
import { listOf, textOf, type Files, type Values } from './values';

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
  formId: number;
  /** Signs the questions of quizzes. */
  key: Buffer;
  now: Date;
  /** Whether a missing acceptance is a fault of its field (`acceptance_as_validation`). */
  acceptances: boolean;
}

/** Values as readValues gives them; messages as withDefaults gives them. */
export function validate(
  form: Form,
  values: Values,
  files: Files,
  messages: Messages,
  context: ValidationContext,
): InvalidField[] {
  const invalid: InvalidField[] = [];
  for (const tag of fieldsOf(form)) {
    const key = faultOf(tag, values, files);
    if (!key) continue;
    invalid.push({
      field: tag.name,
      message: messages[key],
      idref: tag.settings.id ?? null,
      error_id: errorId(context.unitTag, tag.name),
    });
  }
  return invalid;
}

/** The id of the element that holds a field's message. */
export function errorId(unitTag: string, name: string): string {
  return `${unitTag || 'contact-form'}-ve-${name}`;
}

function faultOf(tag: FormTag, values: Values, files: Files): MessageKey | undefined {
  if (tag.type === 'file') {
    const count = Object.hasOwn(files, tag.name) ? files[tag.name]!.length : 0;
    return isRequired(tag) && count === 0 ? 'invalid_required' : undefined;
  }
  if (listOf(values, tag.name).length === 0) return isRequired(tag) ? 'invalid_required' : undefined;
  if (tag.type === 'email' && !/^[^\s@]+@[^\s@]+$/.test(textOf(values, tag.name))) return 'invalid_email';
  return undefined;
}
