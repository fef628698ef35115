/*
 * Addresses of a site in texts: found and replaced wherever they stand, in attributes, in text, in blocks. An address
 * ends before white space, quotes, brackets and the punctuation of a sentence.
 */

import { trimEnd } from './trim';

// `&amp;` and its like are part of an address in HTML; other entities are not.
const REST = String.raw`(?:&(?:amp|#0*38|#x0*26);|[^\s"'<>()\[\]{}|\\^\x60&]|&(?!(?:[a-z]+|#x?[\da-f]+);))*`;
const TRAILING = '.,;:!?*_~';

/** Addresses below one of the sites (`https://old.example/blog`), as written, each once. Any scheme counts, and none. */
export function findAddresses(text: string, sites: readonly string[]): string[] {
  const found = new Set<string>();
  for (const match of text.matchAll(pattern(sites))) {
    const address = trimEnd(match[0], TRAILING);
    if (address !== '') found.add(address);
  }
  return [...found];
}

/** Every address that is a key becomes its value; `replaced` counts them. */
export function replaceAddresses(
  text: string,
  by: ReadonlyMap<string, string>,
): { text: string; replaced: number } {
  if (by.size === 0) return { text, replaced: 0 };
  let replaced = 0;
  const sites = [...new Set([...by.keys()].flatMap((key) => siteOf(key) ?? []))];
  const changed = text.replace(pattern(sites), (whole: string) => {
    const address = trimEnd(whole, TRAILING);
    const other = by.get(address);
    if (other === undefined) return whole;
    replaced += 1;
    return other + whole.slice(address.length);
  });
  return { text: changed, replaced };
}

const siteOf = (address: string): string | undefined => /^(?:https?:)?\/\/[^/?#]+/i.exec(address)?.[0];

function pattern(sites: readonly string[]): RegExp {
  const places = sites.map((site) =>
    site.replace(/^(?:https?:)?\/\//i, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  if (places.length === 0) return /(?!)/g;
  // Another host may only begin like this one, and a path, too.
  return new RegExp(`(?<![\\w.-])(?:https?:)?\\/\\/(?:${places.join('|')})(?![\\w-]|[.:]\\w)${REST}`, 'gi');
}
