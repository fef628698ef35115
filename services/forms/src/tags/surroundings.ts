/*
 * The author's HTML around the fields: made safe, set in paragraphs, and joined with the controls. While it is worked
 * on a mark stands for each control, so that no control is ever read as the author's HTML, nor the other way round.
 */

import { renderParagraphs } from '@sevenfold/text/render';
import { sanitizeForm } from '@sevenfold/text/html';
import { attributesOf, nextMarkup } from '@sevenfold/text/markup';
import type { FormTag, Part } from './form';

/** What is around a control that decides how it is named. */
export interface Surroundings {
  inLabel: boolean;
  /** Counts the labels so far: two controls in a label have the same. */
  label: number;
  inFieldset: boolean;
  /** Ids that labels elsewhere name. */
  labelled: ReadonlySet<string>;
}

// From the private use area; what authors have of it is taken out.
const MARKS = /[\uE000\uE001]/g;
const MARK = /\uE000(\d+)\uE001/g;

export function surround(
  parts: readonly Part[],
  paragraphs: boolean,
  control: (tag: FormTag, around: Surroundings) => string,
): string {
  const tags: FormTag[] = [];
  const source = parts.map((part) => {
    if (part.kind !== 'tag') return part.text.replace(MARKS, '');
    const mark = `\uE000${tags.push(part.tag) - 1}\uE001`;
    // The place of the result is a block: no paragraph may be around it.
    return part.tag.type === 'response' ? `<div>${mark}</div>` : mark;
  });
  const safe = sanitizeForm(source.join(''));
  const html = paragraphs ? renderParagraphs(safe) : safe;
  return join(html, (index, around) => control(tags[index]!, around));
}

function join(html: string, control: (index: number, around: Surroundings) => string): string {
  const labelled = labelledIds(html);
  const depth = { label: 0, fieldset: 0 };
  let label = 0;
  const fill = (text: string): string =>
    text.replace(MARK, (_mark, index: string) =>
      control(Number(index), { inLabel: depth.label > 0, label, inFieldset: depth.fieldset > 0, labelled }),
    );
  const out: string[] = [];
  let at = 0;
  for (let tag = nextMarkup(html, 0); tag; tag = nextMarkup(html, at)) {
    out.push(fill(html.slice(at, tag.start)));
    // A control cannot stand inside an attribute.
    out.push(html.slice(tag.start, tag.end).replace(MARK, ''));
    at = tag.end;
    if (tag.name === 'label' && tag.kind === 'open') label++;
    if (tag.name === 'label' || tag.name === 'fieldset') depth[tag.name] += tag.kind === 'open' ? 1 : -1;
  }
  out.push(fill(html.slice(at)));
  return out.join('');
}

function labelledIds(html: string): Set<string> {
  const ids = new Set<string>();
  for (let tag = nextMarkup(html, 0); tag; tag = nextMarkup(html, tag.end)) {
    if (tag.kind !== 'open' || tag.name !== 'label') continue;
    const id = attributesOf(html, tag).find(({ name }) => name === 'for')?.value;
    if (id) ids.add(id);
  }
  return ids;
}
