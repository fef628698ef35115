/*
 * The controls of a form, one function for each family. A control has an id, a name that assistive technology reads
 * (its label, else what stands inside it, else the name of the field), and beside it the place of its message.
 */

import { escapeHtml, sanitizeTitle } from '@sevenfold/text/html';
import { element, hiddenInput, openTag, words, type Attributes } from './attributes';
import { renderGroup } from './choices';
import { classes, controlId, isLabelled, spoken, type Context, type Control } from './control';
import { dayOf } from './dates';
import { typesOf } from './files';
import { isList, isRequired, type FormTag } from './form';
import { captchaTokenField, questionOf, quizTokenField } from './quiz';
import type { Surroundings } from './surroundings';
import { errorId } from './validate';

export function renderControl(tag: FormTag, around: Surroundings, context: Context): string {
  const nth = (context.seen.get(tag.name) ?? 0) + 1;
  // Beside its control: what is called by the control's name is not a second one.
  const isBeside = tag.type === 'count' || tag.type === 'captchac';
  if (tag.name && !isBeside) context.seen.set(tag.name, nth);
  const id = controlId(tag, context.unitTag) + (nth > 1 && !tag.settings.id ? `-${nth}` : '');
  const control = { tag, id, nth, around, context, values: context.shown.valuesOf(tag), common: {} };
  switch (tag.type) {
    case 'hidden':
      return openTag('input', {
        type: 'hidden',
        id: tag.settings.id,
        class: classes(control),
        name: tag.name,
        value: control.values[0] ?? '',
      });
    case 'submit':
      return openTag('input', {
        type: 'submit',
        id: tag.settings.id,
        class: classes(control),
        tabindex: tag.settings.tabIndex,
        value: tag.choices[0]?.label || 'Send',
      });
    case 'response':
      return context.result();
    case 'recaptcha':
      return '';
    case 'count':
      return count(control);
    case 'captchac':
      return challenge(control);
    default:
      return wrapped({ ...control, common: commonOf(control) });
  }
}

function commonOf({ tag, id, context }: Control): Attributes {
  const { settings, name } = tag;
  const message = context.messages.has(name);
  const counted = context.form.tags.some((other) => other.type === 'count' && other.name === name);
  const asked = tag.type === 'captchar' && `${context.unitTag}-captcha-${name}`;
  return {
    id,
    class: classes({ tag, context }),
    'aria-required': isRequired(tag) ? 'true' : undefined,
    'aria-invalid': message ? 'true' : 'false',
    'aria-describedby': words(
      errorId(context.unitTag, name),
      asked,
      counted && `${context.unitTag}-count-${name}`,
    ),
    tabindex: settings.tabIndex,
    readonly: settings.flags.has('readonly'),
    autocomplete: settings.autocomplete,
  };
}

function wrapped(control: Control): string {
  const { tag, context, nth, around } = control;
  const message = context.messages.get(tag.name);
  const attributes = {
    class: 'contact-form-not-valid-tip',
    id: errorId(context.unitTag, tag.name),
    // In a label it would be part of the control's name; the control is described by it all the same.
    'aria-hidden': around.inLabel ? 'true' : undefined,
  };
  // Controls of one name share one message.
  const tip = nth === 1 ? element('span', attributes, escapeHtml(message ?? '')) : '';
  return element(
    'span',
    { class: `contact-form-form-control-wrap ${tag.name}`, 'data-name': tag.name },
    inner(control) + tip,
  );
}

function inner(control: Control): string {
  switch (control.tag.type) {
    case 'textarea':
      return area(control);
    case 'select':
      return select(control);
    case 'checkbox':
    case 'radio':
      return renderGroup(control);
    case 'acceptance':
      return acceptance(control);
    case 'quiz':
      return quiz(control);
    case 'file':
      return file(control);
    default:
      return line(control);
  }
}

function named(control: Control): Attributes {
  return { ...control.common, 'aria-label': isLabelled(control) ? undefined : spoken(control.tag) };
}

function written(control: Control): Attributes {
  const { settings, choices, content } = control.tag;
  const hint = settings.flags.has('placeholder') ? content?.trim() || choices[0]?.label : undefined;
  return {
    ...named(control),
    name: control.tag.name,
    placeholder: hint,
    minlength: settings.minLength,
    maxlength: settings.maxLength,
  };
}

function line(control: Control): string {
  const { tag, context, values } = control;
  const { min, max, step, size } = tag.settings;
  const bound = (text?: string): string | undefined =>
    tag.type === 'date' && text !== undefined ? dayOf(text, context.today) : text;
  // Browsers count lengths in numbers and dates for nothing, and what is no number they would not show.
  return openTag('input', {
    type: tag.type === 'captchar' ? 'text' : tag.type,
    ...written(control),
    ...(tag.type === 'captchar' && {
      autocomplete: 'off',
      'aria-label': undefined,
      'aria-labelledby': `${context.unitTag}-captcha-${tag.name}`,
    }),
    size,
    min: bound(min),
    max: bound(max),
    step,
    value: tag.type === 'captchar' ? '' : (values[0] ?? ''),
  });
}

function area(control: Control): string {
  const { rows, columns } = control.tag.settings;
  const attributes = { ...written(control), cols: columns ?? 40, rows: rows ?? 10 };
  // A line end behind the tag is dropped by browsers; one of the text's own must not be.
  return element('textarea', attributes, `\n${escapeHtml(control.values[0] ?? '')}`);
}

function select(control: Control): string {
  const { tag, values } = control;
  const { flags } = tag.settings;
  const options = tag.choices.map(({ label }) => ({ label, value: label }));
  if (flags.has('first_as_label') && options[0]) options[0].value = '';
  else if (flags.has('include_blank') || options.length === 0) {
    options.unshift({ label: '—Please choose an option—', value: '' });
  }
  const chosen = new Set(values);
  const list = isList(tag);
  return element(
    'select',
    { ...named(control), name: list ? `${tag.name}[]` : tag.name, multiple: list },
    options
      .map(({ label, value }) =>
        element('option', { value, selected: value !== '' && chosen.has(value) }, escapeHtml(label)),
      )
      .join(''),
  );
}

function file(control: Control): string {
  const { tag } = control;
  const accept = typesOf(tag).map((type) => (type.includes('/') ? type : `.${type}`));
  return openTag('input', {
    type: 'file',
    ...named(control),
    name: tag.name,
    size: tag.settings.size,
    accept: accept.join(','),
    multiple: tag.settings.flags.has('multiple'),
  });
}

function acceptance(control: Control): string {
  const { tag, id, around, common, values } = control;
  const { flags } = tag.settings;
  const { class: outer, ...own } = common;
  const condition = sanitizeTitle(tag.content ?? tag.choices[0]?.label ?? '') || escapeHtml(spoken(tag));
  const input = openTag('input', {
    type: 'checkbox',
    ...own,
    'aria-required': flags.has('optional') || flags.has('invert') ? undefined : 'true',
    name: tag.name,
    value: '1',
    checked: values.length > 0,
  });
  const text = element('span', { class: 'contact-form-list-item-label' }, condition);
  // A label must not stand in a label.
  const item = around.inLabel ? input + text : element('label', { for: id }, input + text);
  return element(
    'span',
    { class: words(outer as string, flags.has('optional') && 'optional', flags.has('invert') && 'invert') },
    element('span', { class: 'contact-form-list-item' }, item),
  );
}

function quiz(control: Control): string {
  const { tag, id, around, context } = control;
  const [question, token] = questionOf(tag, context.signing);
  const ask = element(
    'span',
    { class: 'contact-form-quiz-label', id: `${id}-question` },
    escapeHtml(question),
  );
  const input = openTag('input', {
    type: 'text',
    ...written(control),
    'aria-label': undefined,
    'aria-labelledby': around.inLabel ? `${id}-question` : undefined,
    size: tag.settings.size,
    autocomplete: 'off',
    value: '',
  });
  const both = `${ask} ${input}`;
  return (
    (around.inLabel ? both : element('label', { for: id }, both)) +
    hiddenInput(quizTokenField(tag.name), token)
  );
}

function challenge({ tag, context }: Control): string {
  const [question, token] = questionOf(tag, context.signing);
  const attributes = {
    class: words('contact-form-form-control', 'contact-form-captchac', `contact-form-captcha-${tag.name}`),
    id: `${context.unitTag}-captcha-${tag.name}`,
  };
  return element('span', attributes, escapeHtml(question)) + hiddenInput(captchaTokenField(tag.name), token);
}

/** How many characters there are or still fit. Without a script it tells the longest, or nothing. */
function count({ tag, context }: Control): string {
  const target = context.form.tags.find(({ name, type }) => name === tag.name && type !== 'count');
  const { maxLength, minLength } = target?.settings ?? {};
  const length = target ? [...(context.shown.valuesOf(target)[0] ?? '')].length : 0;
  const down = tag.settings.flags.has('down') && maxLength !== undefined;
  const start = down ? Math.max(0, maxLength - length) : length;
  return element(
    'span',
    {
      id: `${context.unitTag}-count-${tag.name}`,
      class: words('contact-form-character-count', down ? 'down' : 'up', ...tag.settings.classes),
      'data-target-name': tag.name,
      'data-starting-value': down ? maxLength : 0,
      'data-current-value': start,
      'data-maximum-value': maxLength,
      'data-minimum-value': minLength,
    },
    String(start),
  );
}
