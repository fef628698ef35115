/** Titles and bodies on their way into the database: made safe for those without the right to any HTML, and rendered once. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import { sanitizeTitle, sanitizingRich } from '@sevenfold/text/html';
import { renderBody, renderTitle } from '@sevenfold/text/render';
import type { Sources } from '@sevenfold/text/rendering';
import { type Steps, atOnce } from '@sevenfold/text/steps';
import { stripControl } from '@sevenfold/text/text';

const mayWriteAnything = (actor: Actor): boolean => can(actor, 'unfiltered_html');

export function cleanTitle(actor: Actor, text: string): string {
  const plain = stripControl(text).trim();
  return mayWriteAnything(actor) ? plain : sanitizeTitle(plain).trim();
}

const cleanBody = (actor: Actor, text: string): string => atOnce(cleaningBody(actor, text));

/** The same in steps. */
export function* cleaningBody(actor: Actor, text: string): Steps<string> {
  const plain = stripControl(text);
  return mayWriteAnything(actor) ? plain : yield* sanitizingRich(plain);
}

export interface Rendered {
  readonly raw: string;
  readonly html: string;
}

export function readTitle(actor: Actor, text: string): Rendered {
  const raw = cleanTitle(actor, text);
  return { raw, html: renderTitle(raw) };
}

export function readBody(actor: Actor, text: string, sources: Sources): Rendered {
  const raw = cleanBody(actor, text);
  return { raw, html: renderBody(raw, sources) };
}
