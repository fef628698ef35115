/*
 * Shortcodes of a body: words in square brackets that stand for a picture with its caption, a gallery, a player or what is
 * at an address elsewhere. Here they are found, in one pass over the text; players.ts and rendering.ts write them.
 */

import { decodeEntities } from './html';
import { attributesOf } from './markup';

export interface Shortcode {
  /** An address that stands alone on a line, a shortcode, or one whose doubled brackets say that it is none. */
  readonly name: 'caption' | 'embed' | 'gallery' | 'playlist' | 'audio' | 'video' | 'address' | 'escaped';
  readonly start: number;
  readonly end: number;
  readonly settings: string;
  readonly content: string;
}

// Whether there is something between an opening and a closing one.
const ENCLOSES = {
  caption: 'always',
  embed: 'always',
  gallery: 'never',
  playlist: 'never',
  audio: 'maybe',
  video: 'maybe',
} as const;
type Name = keyof typeof ENCLOSES;
const NAMES = Object.keys(ENCLOSES).join('|');

const OPENING = [
  // [[caption …] and [/caption]], [[anything]]
  String.raw`\[(\[(?:${NAMES})(?:\s[^[\]]*)?\])(?!\])|(\[\/(?:${NAMES})\])\]|\[(\[[a-zA-Z][\w-]*(?:\s[^[\]]*)?\])\]`,
  String.raw`\[(${NAMES})(\s[^[\]]*)?\]`,
  String.raw`(?:^|(?<=<p>))[ \t]*(https?:\/\/[^\s<>"'[\]]+)(?=[ \t]*$|<\/p>)`,
].join('|');

// At the beginning of a line or paragraph: more than the pattern takes, never less.
const MAYBE_ADDRESS = /(?:^|[\n\r\u2028\u2029>])[ \t]*https?:\/\//;

const KNOWN = new RegExp(`\\[(?:${NAMES})[\\s\\]]`);

/** Whether there may be any: one that is never closed counts, too. */
export const hasShortcodes = (text: string): boolean => KNOWN.test(text);

/** Whether an address may stand alone on a line, or in `[embed]`. */
export const hasAddresses = (text: string): boolean => MAYBE_ADDRESS.test(text) || text.includes('[embed');

type FindShortcode = (from: number, limit: number) => Shortcode | undefined;

/**
 * Finds the shortcodes we know, in order: the first complete one that starts in [from, limit). Remembers what
 * it found, so that a text full of brackets is read once.
 */
export function shortcodeFinder(source: string): FindShortcode {
  // Most texts have neither: the pattern is not tried at each of their places.
  if (!source.includes('[') && !MAYBE_ADDRESS.test(source)) return () => undefined;
  const opening = new RegExp(OPENING, 'gm');
  const places = new Map<string, number>();
  let next: Shortcode | undefined;
  let searchedTo = -1;

  /** Where the text comes next at or after `from`; Infinity when nowhere. */
  function placeOf(text: string, from: number): number {
    const known = places.get(text);
    if (known !== undefined && known >= from) return known;
    const at = source.indexOf(text, from);
    places.set(text, at === -1 ? Infinity : at);
    return at === -1 ? Infinity : at;
  }

  function endOfContent(name: Name, contentStart: number): number | undefined {
    if (ENCLOSES[name] === 'never') return undefined;
    const closer = placeOf(`[/${name}]`, contentStart);
    if (closer === Infinity) return undefined;
    return ENCLOSES[name] === 'maybe' && placeOf(`[${name}`, contentStart) < closer ? undefined : closer;
  }

  function search(from: number): Shortcode | undefined {
    opening.lastIndex = from;
    for (let match = opening.exec(source); match; match = opening.exec(source)) {
      const [whole, escapedOpening, escapedClosing, escaped, word, settings = '', alone] = match;
      const start = match.index;
      const end = start + whole.length;
      const plain = escapedOpening ?? escapedClosing ?? escaped;
      if (plain !== undefined) return { name: 'escaped', start, end, settings: '', content: plain };
      if (alone !== undefined) return { name: 'address', start, end, settings: '', content: alone };
      const name = word as Name;
      const contentEnd = endOfContent(name, end);
      if (contentEnd !== undefined)
        return {
          name,
          start,
          end: contentEnd + name.length + 3,
          settings,
          content: source.slice(end, contentEnd),
        };
      if (ENCLOSES[name] !== 'always') return { name, start, end, settings, content: '' };
    }
    return undefined;
  }

  return (from, limit) => {
    if (searchedTo === -1 || (next && next.start < from)) {
      next = search(from);
      searchedTo = from;
    }
    return next && next.start < limit ? next : undefined;
  };
}

/** Settings as text, entities decoded; names in lower case. */
export function settingsOf(settings: string): Map<string, string> {
  const tag = { start: 0, end: settings.length + 3, kind: 'open', name: 'x' } as const;
  return new Map(
    attributesOf(`<x${settings}>`, tag).map(({ name, value }) => [name, decodeEntities(value ?? '')]),
  );
}
