/**
 * What was seen of a thing on a site that lives on, and how it was left here, as short texts that are compared the next time:
 * what did not change there is not touched, and what somebody changed here is not overwritten.
 */
import { createHash } from 'node:crypto';
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import type { ExportedItem } from './exported';

const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22);

/** Form, moment of the last change there (empty where nobody tells), and what was said. */
const markOf = (isRendered: boolean, modified: string, said: string): string =>
  [isRendered ? 'rendered' : 'raw', modified, said].join('#');

/**
 * What was written says all there is. What readers see may be made anew for each of them, so there the moment of the last
 * change tells.
 */
export function seenOf(item: ExportedItem): string {
  const { line: _line, meta, measures: _measures, isRendered = false, ...said } = item;
  return markOf(isRendered, item.modifiedGmt ?? '', isRendered ? '' : digest([said, [...meta]]));
}

export const seenOfText = (isRendered: boolean, ...said: readonly unknown[]): string =>
  markOf(isRendered, '', digest(said));

/** Of what tells the moment of its last change. */
export const leftAt = (modifiedUtc: string): string => fromSqlUtc(modifiedUtc).toISOString();

/** Of what does not. */
export const leftAs = (...written: readonly unknown[]): string => digest(written);

/** `hidden`: it changed, but what was written may not be read by now, and that is what is here. */
export function compareSeen(before: string, now: string): 'same' | 'changed' | 'hidden' {
  const [[form, modified], [formNow, modifiedNow]] = [before.split('#'), now.split('#')];
  if (form === 'raw' && formNow === 'rendered') return modified === modifiedNow ? 'same' : 'hidden';
  return before === now ? 'same' : 'changed';
}

export const CHANGED_HERE = 'it changed there, and here as well since it moved in: it stays as it is here';
export const HIDDEN =
  'it moved in as it was written, which may not be read by now: what changed there since is not brought';
