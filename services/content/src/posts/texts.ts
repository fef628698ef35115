/** Title, content and excerpt of a write: read from their wire forms, cleaned for people without the right to any HTML, rendered. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import { sanitizeRich, sanitizeTitle } from '@sevenfold/text/html';
import { renderBody, renderExcerpt, renderTitle } from '@sevenfold/text/render';
import { stripControl } from '@sevenfold/text/text';

/** Text, or the `raw` of an object; anything else (numbers, `rendered` alone) counts as not sent. */
export function rawText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object') {
    const { raw } = value as { raw?: unknown };
    if (typeof raw === 'string') return raw;
  }
  return undefined;
}

export const cleanTitle = (actor: Actor, value: unknown): string | undefined => {
  const raw = rawText(value);
  if (raw === undefined) return undefined;
  const text = stripControl(raw).trim();
  return can(actor, 'unfiltered_html') ? text : sanitizeTitle(text).trim();
};

export const cleanBody = (actor: Actor, value: unknown): string | undefined => {
  const raw = rawText(value);
  if (raw === undefined) return undefined;
  const text = stripControl(raw);
  return can(actor, 'unfiltered_html') ? text : sanitizeRich(text);
};

export interface RawTexts {
  readonly titleRaw: string;
  readonly contentRaw: string;
  readonly excerptRaw: string;
}

export interface RenderedTexts {
  readonly titleHtml: string;
  readonly contentHtml: string;
  readonly excerptHtml: string;
}

export function renderTexts(texts: RawTexts): RenderedTexts {
  const contentHtml = renderBody(texts.contentRaw);
  return {
    titleHtml: renderTitle(texts.titleRaw),
    contentHtml,
    excerptHtml: renderExcerpt(texts.excerptRaw, contentHtml),
  };
}
