/** Start tags written from data. Every value is escaped here and nowhere else, so that none can leave its quotes. */

import { escapeAttribute } from '@sevenfold/text/html';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Names are ours. What is undefined or false is left out, true stands without a value. */
export function openTag(name: string, attributes: Attributes = {}): string {
  const written = Object.entries(attributes).map(([key, value]) => {
    if (value === undefined || value === false) return '';
    return value === true ? ` ${key}` : ` ${key}="${escapeAttribute(String(value))}"`;
  });
  return `<${name}${written.join('')}>`;
}

/** `content` is HTML. */
export function element(name: string, attributes: Attributes, content: string): string {
  return `${openTag(name, attributes)}${content}</${name}>`;
}

export function hiddenInput(name: string, value: string | number): string {
  return openTag('input', { type: 'hidden', name, value });
}

/** A list of words for one attribute; undefined where there are none. */
export function words(...list: (string | false | undefined)[]): string | undefined {
  return list.filter(Boolean).join(' ') || undefined;
}
