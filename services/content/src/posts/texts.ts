/** Title, content and excerpt of a write: read from their wire forms, made safe, rendered. */
import type { Actor } from '@sevenfold/chassis/actor';
import { invalidParam } from '@sevenfold/chassis/errors';
import * as texts from '@sevenfold/publishing/texts';
import { renderExcerpt, renderingExcerpt } from '@sevenfold/text/excerpt';
import { renderTitle, renderingBody } from '@sevenfold/text/render';
import type { Sources } from '@sevenfold/text/rendering';
import { type Steps, inTurns } from '@sevenfold/text/steps';
import { isLonger } from '@sevenfold/text/text';
import { MOST_INDEXED_EXCERPT, MOST_TITLE } from '@sevenfold/text/told';

/** Text, or the `raw` of an object; anything else (numbers, `rendered` alone) counts as not sent. */
export function rawText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (value !== null && typeof value === 'object') {
    const { raw } = value as { raw?: unknown };
    if (typeof raw === 'string') return raw;
  }
  return undefined;
}

/** As long as others look at, in characters. Lists show a hundred of each, and a title is a line. */
const LONGEST = {
  title: MOST_TITLE,
  excerpt: MOST_INDEXED_EXCERPT,
  caption: MOST_INDEXED_EXCERPT,
  alt_text: MOST_TITLE,
} as const;

/** Throws 400 for a text that is too long. Not for the one that is there: some came with imports, and clients send back what they were given. */
export function refuseLong(name: keyof typeof LONGEST, sent: unknown, current = ''): void {
  const text = rawText(sent);
  if (text !== undefined && isLonger(text, LONGEST[name]) && text !== current)
    throw invalidParam(name, `${name} must be at most ${LONGEST[name]} characters long.`, 'rest_too_long');
}

export function cleanTitle(actor: Actor, value: unknown): string | undefined {
  const raw = rawText(value);
  return raw === undefined ? undefined : texts.cleanTitle(actor, raw);
}

export async function cleanBody(actor: Actor, value: unknown): Promise<string | undefined> {
  const raw = rawText(value);
  return raw === undefined ? undefined : inTurns(texts.cleaningBody(actor, raw));
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

/** A long one lets others have their turns meanwhile. */
export const renderTexts = (raw: RawTexts, sources: Sources): Promise<RenderedTexts> =>
  inTurns(rendering(raw, sources));

/** Of a file: its description shows nothing of elsewhere, and is no caption where there is none. */
export const renderFileTexts = async (
  raw: RawTexts,
  { smilies }: Pick<Sources, 'smilies'>,
): Promise<RenderedTexts> => ({
  titleHtml: renderTitle(raw.titleRaw),
  contentHtml: await inTurns(renderingBody(raw.contentRaw, { smilies })),
  excerptHtml: renderExcerpt(raw.excerptRaw, undefined, { smilies }),
});

function* rendering(raw: RawTexts, sources: Sources): Steps<RenderedTexts> {
  const contentHtml = yield* renderingBody(raw.contentRaw, sources);
  const body = { raw: raw.contentRaw, html: contentHtml };
  const excerptHtml = yield* renderingExcerpt(raw.excerptRaw, body, sources);
  return { titleHtml: renderTitle(raw.titleRaw), contentHtml, excerptHtml };
}
