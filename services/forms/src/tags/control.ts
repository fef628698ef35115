/** What controls of all families have in common: their id, their name, their classes. */

import { words, type Attributes } from './attributes';
import type { Shown } from './defaults';
import { isRequired, type Form, type FormTag } from './form';
import type { Signing } from './quiz';
import type { Surroundings } from './surroundings';

export interface Context {
  unitTag: string;
  today: string;
  signing: Signing;
  form: Form;
  shown: Shown;
  /** What is wrong, by field. */
  messages: ReadonlyMap<string, string>;
  /** How many controls of a name there are so far. */
  seen: Map<string, number>;
  /** The place of the result, where the form says. */
  result: () => string;
}

/** One control on its way to HTML. */
export interface Control {
  tag: FormTag;
  id: string;
  /** Which of the controls of its name it is, from 1. */
  nth: number;
  values: string[];
  around: Surroundings;
  context: Context;
  /** Of the control, or of the group that stands for it. */
  common: Attributes;
}

/** The id of a field's first control. */
export function controlId(tag: FormTag, unitTag: string): string {
  return tag.settings.id ?? `${unitTag}-${tag.name}`;
}

/** The field's name as words, for want of a better one. */
export function spoken(tag: FormTag): string {
  const text = tag.name.replace(/[-_:]+/g, ' ').trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `contact-form-` before what the original classes say. */
export function classes({ tag, context }: Pick<Control, 'tag' | 'context'>): string | undefined {
  const { type, name, settings } = tag;
  const checked = ['email', 'url', 'tel', 'number', 'range', 'date'].includes(type);
  const numeric = type === 'range' || type === 'number';
  return words(
    'contact-form-form-control',
    numeric ? 'contact-form-number' : `contact-form-${type}`,
    type !== 'text' && ['email', 'url', 'tel'].includes(type) && 'contact-form-text',
    isRequired(tag) && 'contact-form-validates-as-required',
    checked && `contact-form-validates-as-${numeric ? 'number' : type}`,
    context.messages.has(name) && 'contact-form-not-valid',
    ...settings.classes,
  );
}

/** Whether something in the author's HTML names the control. */
export function isLabelled({ around, id }: Control): boolean {
  return around.inLabel || around.labelled.has(id);
}
