/** Groups of checkboxes and radio buttons. */

import { escapeHtml } from '@sevenfold/text/html';
import { element, openTag, words } from './attributes';
import { spoken, type Control } from './control';
import { isList, isRequired } from './form';
import { freeTextField } from './values';

export function renderGroup(control: Control): string {
  const { tag, around, common } = control;
  const { readonly: _readonly, autocomplete: _autocomplete, tabindex: _tabindex, ...own } = common;
  const radio = tag.type === 'radio';
  // A group that must be answered can only be called so where it is one of radio buttons.
  const name = isRequired(tag) && !radio ? `${spoken(tag)} (required)` : spoken(tag);
  return element(
    'span',
    {
      ...own,
      class: words(
        String(own.class),
        tag.settings.flags.has('exclusive') && 'contact-form-exclusive-checkbox',
      ),
      role: radio ? 'radiogroup' : 'group',
      'aria-required': radio ? own['aria-required'] : undefined,
      'aria-label': around.inFieldset ? undefined : name,
    },
    tag.choices.map((_choice, index) => item(control, index)).join(''),
  );
}

function item(control: Control, index: number): string {
  const { tag, id, around, values, common, context } = control;
  const { flags } = tag.settings;
  const { label } = tag.choices[index]!;
  const last = index === tag.choices.length - 1;
  const free = last && flags.has('free_text');
  const input = openTag('input', {
    type: tag.type,
    id: `${id}-${index + 1}`,
    name: isList(tag) ? `${tag.name}[]` : tag.name,
    value: label,
    'aria-label': around.inLabel ? label : undefined,
    'aria-invalid': tag.type === 'checkbox' ? common['aria-invalid'] : undefined,
    tabindex: tag.settings.tabIndex,
    checked: values.some((value) => value === label || (free && value.startsWith(`${label} `))),
  });
  const attributes = { class: 'contact-form-list-item-label' };
  // A label must not stand in a label.
  const wraps = flags.has('use_label_element') && !around.inLabel;
  const plain = wraps || around.inLabel;
  const text = element(
    plain ? 'span' : 'label',
    plain ? attributes : { ...attributes, for: `${id}-${index + 1}` },
    escapeHtml(label),
  );
  const both = flags.has('label_first') ? text + input : input + text;
  return element(
    'span',
    { class: words('contact-form-list-item', index === 0 && 'first', last && 'last') },
    (wraps ? element('label', {}, both) : both) +
      (free ? freeText(control, label, context.shown.freeTextOf(tag)) : ''),
  );
}

function freeText({ tag }: Control, label: string, value: string): string {
  const attributes = { type: 'text', name: freeTextField(tag.name), class: 'contact-form-free-text' };
  return openTag('input', { ...attributes, 'aria-label': label, value });
}
