/*
 * Turns stored text into the HTML that clients get: paragraphs, line breaks, typography, captions, links.
 * It trusts its input: what may be stored is decided earlier, by the sanitizers in html.ts and the right to
 * unfiltered HTML.
 */

import { isOneBlock } from './blocks';
import { type Options, type Sources, render, rendering, unixLines } from './rendering';
import { type Steps, atOnce } from './steps';
import { newFlow, typeset } from './typography';

/**
 * HTML of a body, ending with a line break unless it is one block of an editor; '' if there is nothing to show. Addresses
 * that stand alone on a line, and those in `[embed]`, are shown by what `findEmbed` has for them.
 */
export function renderBody(raw: string, sources: Sources): string {
  return atOnce(renderingBody(raw, sources));
}

/** The same in steps. */
export function renderingBody(raw: string, sources: Sources): Steps<string> {
  return bodyOf(raw, { ...sources, shortcodes: 'shown' });
}

/** Asks `find…` for all that renderBody would ask them for, and maybe for more. */
export function* namedInBody(raw: string, find: Pick<Sources, 'findEmbed' | 'findFiles'>): Steps<void> {
  yield* rendering(unixLines(raw), { ...find, paragraphs: false, shortcodes: 'shown', silent: true });
}

export function* bodyOf(raw: string, options: Omit<Options, 'paragraphs'>): Steps<string> {
  const text = unixLines(raw);
  // A block editor has set the paragraphs itself; blank lines between its blocks mean nothing.
  const html = yield* rendering(text, { ...options, paragraphs: !/<!--\s+wp:/.test(text) });
  yield;
  return isOneBlock(text) ? html.trimEnd() : html;
}

/** HTML of a title: typography, no paragraphs. */
export function renderTitle(raw: string): string {
  // Most titles have no tags, and what looks for those takes longer than all the rest.
  const html = raw.includes('<')
    ? render(unixLines(raw), { paragraphs: false })
    : typeset(unixLines(raw), newFlow());
  return html.trim();
}

/** HTML of a comment: like a body, with bare addresses as links that search engines are told not to follow. */
export function renderCommentBody(raw: string, { smilies }: Pick<Sources, 'smilies'>): string {
  return render(unixLines(raw), { paragraphs: true, autolink: true, smilies });
}

/** HTML with paragraphs and line breaks, all else as it is: for what surrounds the fields of a form. */
export function renderParagraphs(html: string): string {
  return render(unixLines(html), { paragraphs: true, verbatim: true });
}
