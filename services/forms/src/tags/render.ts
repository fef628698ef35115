/*
 * A form as HTML that needs no script: it posts to the feedback route, which answers with a page. What is wrong stands
 * beside the fields and, as links to them, in the place of the result; both are tied to the controls for assistive
 * technology. A script that takes over adds `novalidate` and fills the same places.
 */

import { directionOf } from '@sevenfold/text/direction';
import { escapeHtml } from '@sevenfold/text/html';
import { element, hiddenInput, openTag, words } from './attributes';
import { controlId, type Context } from './control';
import { renderControl } from './controls';
import { shownValues, type Sources } from './defaults';
import type { Form } from './form';
import type { Signing } from './quiz';
import { surround } from './surroundings';
import type { InvalidField } from './validate';
import type { Values } from './values';

export interface RenderOptions extends Sources {
  /** `contact-form-f<form>-p<page>-o<position>`, as unitTag makes it. */
  unitTag: string;
  version: string;
  locale: string;
  /** The page it stands in; 0 where none is known. */
  containerId: number;
  /** Of the feedback route. */
  action: string;
  /** Where the browser goes after sending without a script; '' for a page of our own. */
  returnUrl: string;
  /** The page on which it stood first, where it is shown again; '' where that is not known. */
  cameFrom?: string;
  /** When it was shown first, in seconds of Unix time; absent: now. */
  shownAt?: number;
  /** Names the form to assistive technology. */
  title: string;
  /** Whether lines become paragraphs: not with `autop: off`. */
  paragraphs: boolean;
  signing: Signing;
  /** What came of sending it, where it is shown again. */
  outcome?: Outcome;
}

export interface Outcome {
  /** As the answer to feedback has it: `mail_sent`, `validation_failed`, … */
  status: string;
  message: string;
  values: Values;
  invalid: readonly InvalidField[];
}

/** What the form sends besides its fields. */
export const HIDDEN = {
  form: '_contact_form',
  version: '_contact_form_version',
  locale: '_contact_form_locale',
  unitTag: '_contact_form_unit_tag',
  containerPost: '_contact_form_container_post',
  returnUrl: '_contact_form_return_url',
  cameFrom: '_contact_form_came_from',
  /** When it was shown first, in seconds of Unix time. */
  shown: '_contact_form_shown',
  /** Must come back empty: people do not see it. */
  honeypot: '_contact_form_homepage',
} as const;

const STATES: Readonly<Record<string, string>> = {
  mail_sent: 'sent',
  mail_failed: 'failed',
  validation_failed: 'invalid',
  acceptance_missing: 'unaccepted',
  spam: 'spam',
  aborted: 'aborted',
};

export function unitTag(formId: number, containerId: number, position: number): string {
  const page = containerId > 0 ? `-p${containerId}` : '';
  return `contact-form-f${formId}${page}-o${position}`;
}

export function renderForm(form: Form, options: RenderOptions): string {
  const { outcome, locale } = options;
  const state = (outcome && STATES[outcome.status]) ?? 'init';
  const context: Context = {
    unitTag: options.unitTag,
    today: options.today,
    signing: options.signing,
    form,
    shown: shownValues(form, options),
    messages: new Map(outcome?.invalid.map(({ field, message }) => [field, message])),
    seen: new Map(),
    result: () => result(form, options, state),
  };
  const fields = surround(form.parts, options.paragraphs, (tag, around) =>
    renderControl(tag, around, context),
  );
  const last = form.tags.some(({ type }) => type === 'response') ? '' : result(form, options, state);
  const attributes = {
    action: options.action,
    method: 'post',
    class: `contact-form-form ${state}`,
    'aria-label': options.title,
    'data-status': state,
    'accept-charset': 'utf-8',
    enctype: form.tags.some(({ type }) => type === 'file') ? 'multipart/form-data' : undefined,
  };
  return element(
    'div',
    {
      class: 'contact-form',
      id: options.unitTag,
      lang: locale.replaceAll('_', '-'),
      dir: directionOf(locale),
    },
    element('form', attributes, `\n${hidden(options)}\n${fields.trim()}\n${last}\n`),
  );
}

function hidden(options: RenderOptions): string {
  const { signing, returnUrl, cameFrom, shownAt = signing.now.getTime() / 1000 } = options;
  const fields = [
    hiddenInput(HIDDEN.form, signing.formId),
    hiddenInput(HIDDEN.version, options.version),
    hiddenInput(HIDDEN.locale, options.locale),
    hiddenInput(HIDDEN.unitTag, options.unitTag),
    hiddenInput(HIDDEN.containerPost, options.containerId),
    hiddenInput(HIDDEN.shown, Math.floor(shownAt)),
    returnUrl && hiddenInput(HIDDEN.returnUrl, returnUrl),
    cameFrom && hiddenInput(HIDDEN.cameFrom, cameFrom),
    honeypot(),
  ];
  return element('div', { hidden: true }, fields.join(''));
}

/** Nobody sees, hears or reaches it, and browsers do not fill it in. */
function honeypot(): string {
  const input = openTag('input', {
    type: 'text',
    name: HIDDEN.honeypot,
    value: '',
    tabindex: -1,
    autocomplete: 'off',
  });
  return element('label', { 'aria-hidden': 'true' }, `Leave this empty ${input}`);
}

/** What came of sending the form; empty at first, as live regions must be there before they speak. */
function result(form: Form, { outcome, unitTag: unit }: RenderOptions, state: string): string {
  const links = (outcome?.invalid ?? []).map(({ field, message, idref }) => {
    const tag = form.tags.find(({ name }) => name === field);
    const href = `#${idref ?? (tag ? controlId(tag, unit) : unit)}`;
    return element('li', {}, element('a', { href }, escapeHtml(message)));
  });
  const content =
    (outcome ? element('p', {}, escapeHtml(outcome.message)) : '') +
    (links.length > 0 ? element('ul', {}, links.join('')) : '');
  const failed = state !== 'init' && state !== 'sent';
  return element(
    'div',
    {
      class: words('contact-form-response-output', state !== 'init' && state),
      role: failed ? 'alert' : 'status',
    },
    content,
  );
}
