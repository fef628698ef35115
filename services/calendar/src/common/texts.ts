/** Titles and bodies on their way into the database: made safe for those without the right to any HTML, and rendered once. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import { sanitizeRich, sanitizeTitle } from '@sevenfold/text/html';
import { renderBody, renderTitle } from '@sevenfold/text/render';
import { stripControl } from '@sevenfold/text/text';

export interface Rendered {
  readonly raw: string;
  readonly html: string;
}

const mayWriteAnything = (actor: Actor): boolean => can(actor, 'unfiltered_html');

export function readTitle(actor: Actor, text: string): Rendered {
  const plain = stripControl(text).trim();
  const raw = mayWriteAnything(actor) ? plain : sanitizeTitle(plain).trim();
  return { raw, html: renderTitle(raw) };
}

export function readBody(actor: Actor, text: string): Rendered {
  const plain = stripControl(text);
  const raw = mayWriteAnything(actor) ? plain : sanitizeRich(plain);
  return { raw, html: renderBody(raw) };
}
