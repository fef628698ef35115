/* A form as HTML that needs no script: it posts to the feedback route, which answers with a page. */

import { escapeAttribute, escapeHtml } from '@sevenfold/text/html';
import { isRequired, type Form, type FormTag } from './form';
import { errorId, type InvalidField } from './validate';
import { textOf, type Values } from './values';

export interface RenderOptions {
  formId: number;
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
  /** Names the form to assistive technology. */
  title: string;
  /** Arguments of the page's address, for `default:get`. */
  query: Readonly<Record<string, unknown>>;
  /** Of who reads the page, for `default:user_email` and the like; none for strangers. */
  reader: Readonly<Record<string, string>>;
  /** Whether lines become paragraphs. */
  paragraphs: boolean;
  /** Signs the questions of quizzes. */
  key: Buffer;
  now: Date;
  /** What came of sending it, where it is shown again. */
  outcome?: Outcome;
}

export interface Outcome {
  status: string;
  message: string;
  values: Values;
  invalid: InvalidField[];
}

export function unitTag(formId: number, containerId: number, position: number): string {
  return containerId > 0
    ? `contact-form-f${formId}-p${containerId}-o${position}`
    : `contact-form-f${formId}-o${position}`;
}

export function renderForm(form: Form, options: RenderOptions): string {
  const body = form.parts
    .map((part) => (part.kind === 'tag' ? control(part.tag, options) : escapeHtml(part.text)))
    .join('');
  return `<form action="${escapeAttribute(options.action)}" method="post">${body}</form>`;
}

function control(tag: FormTag, { outcome, unitTag: unit }: RenderOptions): string {
  const name = escapeAttribute(tag.name);
  const value = escapeAttribute(outcome ? textOf(outcome.values, tag.name) : '');
  const described = `aria-describedby="${escapeAttribute(errorId(unit, tag.name))}"`;
  const required = isRequired(tag) ? ' aria-required="true"' : '';
  if (tag.type === 'submit')
    return `<button type="submit">${escapeHtml(tag.choices[0]?.label ?? 'Send')}</button>`;
  if (tag.type === 'textarea')
    return `<textarea name="${name}" ${described}${required}>\n${value}</textarea>`;
  return `<input type="${tag.type}" name="${name}" value="${value}" ${described}${required} />`;
}
