/** Title, content and excerpt of a write: read from their wire forms, made safe, rendered. */
import type { Actor } from '@sevenfold/chassis/actor';
import * as texts from '@sevenfold/publishing/texts';
import { type Sources, renderBody, renderExcerpt, renderTitle } from '@sevenfold/text/render';

/** Text, or the `raw` of an object; anything else (numbers, `rendered` alone) counts as not sent. */
export function rawText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object') {
    const { raw } = value as { raw?: unknown };
    if (typeof raw === 'string') return raw;
  }
  return undefined;
}

export function cleanTitle(actor: Actor, value: unknown): string | undefined {
  const raw = rawText(value);
  return raw === undefined ? undefined : texts.cleanTitle(actor, raw);
}

export function cleanBody(actor: Actor, value: unknown): string | undefined {
  const raw = rawText(value);
  return raw === undefined ? undefined : texts.cleanBody(actor, raw);
}

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

export function renderTexts(raw: RawTexts, sources: Sources): RenderedTexts {
  const contentHtml = renderBody(raw.contentRaw, sources);
  return {
    titleHtml: renderTitle(raw.titleRaw),
    contentHtml,
    excerptHtml: renderExcerpt(raw.excerptRaw, { raw: raw.contentRaw, html: contentHtml }, sources),
  };
}
