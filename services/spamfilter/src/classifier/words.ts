/*
 * From what somebody wrote to the words in it, in any language and through the usual disguises. Everything is bounded
 * before it is looked at, and every pass is linear in its input: what comes here was written by strangers.
 */
import { decodeEntities } from '@sevenfold/text/html';
import { attributesOf, nextMarkup, textOf } from '@sevenfold/text/markup';
import { normalized } from '@sevenfold/text/normalized';
import { withoutWww } from '@sevenfold/text/site-host';
import { shorten, stripControl } from '@sevenfold/text/text';

/** UTF-16 units of a message that are looked at; nobody writes a comment of 64 K by hand. */
export const MOST_CONTENT = 64 * 1024;
const MOST_LINKS = 50;
const MOST_URL = 2_000;
const LONGEST_WORD = 32;

export interface Link {
  readonly url: string;
  /** Lower case, without `www.`; '' where the address is not one. */
  readonly host: string;
}

export interface Written {
  /** Plain text without addresses, folded: lower case, without marks, without what cannot be seen. */
  readonly text: string;
  readonly words: readonly string[];
  readonly links: readonly Link[];
  /** More links than are listed are counted all the same. */
  readonly linkCount: number;
  /** Links written as HTML, and as `[url]`. */
  readonly anchors: number;
  readonly bulletinCodes: number;
  /** Words that were disguised: `v1agra`, `c-a-s-h`, letters of several scripts in one word. */
  readonly disguised: readonly string[];
  /** The text as people see it, before folding. */
  readonly seen: string;
}

// Soft hyphens, joiners, directions, variation selectors: what splits a word without being seen.
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const MARK = /\p{Mn}/gu;
// Accents; not the vowel signs of scripts that need theirs.
const ACCENTS = [
  [0x300, 0x36f],
  [0x1ab0, 0x1aff],
  [0x1dc0, 0x1dff],
  [0x20d0, 0x20ff],
] as const;
const BULLETIN_CODE = /\[\/?[a-z]{1,10}(?:=[^\][\n]{0,300})?\]/gi;
const ADDRESS = /(?:https?:\/\/|www\.)[^\s<>"'`\][(){}]+/gi;
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}[\p{L}\p{M}]*)*/gu;
const REPEATED = /(.)\1{2,}/gu;
/** Scripts that write no spaces between words, and Korean, which glues its endings on: read in pairs of letters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The same text for all its spellings: compatibility forms, accents, case and hidden characters folded. */
export function fold(text: string): string {
  const open = normalized(text.replace(UNSEEN, ''), 'NFKD');
  const plain = open.replace(MARK, (mark) => (isAccent(mark.charCodeAt(0)) ? '' : mark));
  // One character can become eighteen.
  return shorten(normalized(plain, 'NFC').toLowerCase(), MOST_CONTENT);
}

const isAccent = (code: number): boolean => ACCENTS.some(([from, to]) => code >= from && code <= to);

export function read(content: string): Written {
  const source = stripControl(shorten(content, MOST_CONTENT));
  const found = linksOf(source);
  const bulletinCodes = (source.match(BULLETIN_CODE) ?? []).length;
  const seen = decodeEntities(textOf(source.replace(BULLETIN_CODE, ' '), ' ')).replace(UNSEEN, '');
  const bare: string[] = [];
  const disguised: string[] = [];
  const text = fold(seen.replace(ADDRESS, ' '))
    .split(/\s+/)
    .filter((chunk) => {
      const host = hostInText(chunk);
      if (host) bare.push(host);
      return !host;
    })
    .map((chunk) => reveal(chunk, disguised))
    .join(' ');
  const words = wordsOf(text, disguised);
  const links = [...found.links, ...bare.map((host) => ({ url: host, host }))];
  return {
    text,
    words,
    links: links.slice(0, MOST_LINKS),
    linkCount: found.count + bare.length,
    anchors: found.anchors,
    bulletinCodes,
    disguised,
    seen,
  };
}

/** Folded words in order; text of scripts without spaces in overlapping pairs. */
export function wordsOf(folded: string, disguised: string[] = []): string[] {
  const words: string[] = [];
  let letters: string[] = [];
  const spelledOut = (): void => {
    // `v i a g r a`; three letters in a row are initials.
    if (letters.length > 3) {
      const word = letters.slice(0, LONGEST_WORD).join('');
      disguised.push(word);
      words.push(word);
    } else words.push(...letters.filter((letter) => /\p{L}/u.test(letter)));
    letters = [];
  };
  for (const [match] of folded.matchAll(WORD)) {
    const word = match.replace(REPEATED, '$1$1');
    if (UNSPACED.test(word)) {
      spelledOut();
      words.push(...pairsOf(word));
    } else if ([...word].length === 1) letters.push(word);
    else {
      spelledOut();
      words.push(ofOneScript(shorten(word, LONGEST_WORD), disguised));
    }
  }
  spelledOut();
  return words;
}

function pairsOf(word: string): string[] {
  const letters = [...word];
  if (letters.length === 1) return letters;
  return letters.slice(1).map((letter, index) => `${letters[index]}${letter}`);
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{
    а: 'a',
    в: 'b',
    с: 'c',
    е: 'e',
    н: 'h',
    і: 'i',
    ј: 'j',
    к: 'k',
    м: 'm',
    о: 'o',
    р: 'p',
    ѕ: 's',
    т: 't',
  },
  ...{
    у: 'y',
    х: 'x',
    ԁ: 'd',
    ո: 'n',
    α: 'a',
    β: 'b',
    ε: 'e',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
  },
  ...{ υ: 'u', χ: 'x' },
};
const LATIN = /\p{Script=Latin}/u;
const ALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u;

/** Letters of another script in a Latin word are there to deceive. */
function ofOneScript(word: string, disguised: string[]): string {
  if (!LATIN.test(word) || !ALIKE.test(word)) return word;
  const revealed = [...word].map((letter) => LOOKALIKES[letter] ?? letter).join('');
  disguised.push(revealed);
  return revealed;
}

const SIGNS: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '!': 'i' },
  ...{ '|': 'i', '€': 'e', '£': 'l', '+': 't', '(': 'c' },
};
const SIGN_IN_WORD = /\p{L}[0134578@$!|€£+]{1,2}\p{L}/u;
const EDGES = /^[^\p{L}\p{N}@$€£]+|(?<![^\p{L}\p{M}\p{N}])[^\p{L}\p{M}\p{N}]+$/gu;

/** `v1agra`, `ca$ino`, `f.r.e.e`: the word behind it. Anything else is as it was. */
function reveal(chunk: string, disguised: string[]): string {
  if (chunk.length > LONGEST_WORD) return chunk;
  const core = chunk.replace(EDGES, '');
  const parts = core.split(/[.\-_*]/);
  if (parts.length > 3 && parts.every((part) => /^\p{L}$/u.test(part)))
    return revealed(parts.join(''), disguised);
  if (!SIGN_IN_WORD.test(core)) return chunk;
  const word = [...core].map((sign) => SIGNS[sign] ?? sign).join('');
  return /^\p{L}+$/u.test(word) ? revealed(word, disguised) : chunk;
}

function revealed(word: string, disguised: string[]): string {
  disguised.push(word);
  return word;
}

function linksOf(source: string): { links: Link[]; count: number; anchors: number } {
  const urls: string[] = [];
  let anchors = 0;
  for (let tag = nextMarkup(source, 0); tag; tag = nextMarkup(source, tag.end)) {
    if (tag.kind !== 'open') continue;
    for (const { name, value } of attributesOf(source, tag)) {
      if (!value || (name !== 'href' && name !== 'src')) continue;
      if (name === 'href') anchors++;
      urls.push(decodeEntities(value));
    }
  }
  // Addresses inside of tags are those of attributes, and were counted.
  for (const [url] of decodeEntities(textOf(source, ' ')).matchAll(ADDRESS)) urls.push(url);
  for (const [code] of source.matchAll(BULLETIN_CODE)) {
    const at = code.indexOf('=');
    if (at > 0 && !/https?:\/\/|www\./i.test(code)) urls.push(code.slice(at + 1, -1));
  }
  const links = urls.slice(0, MOST_LINKS).map((url) => ({ url: shorten(url, 200), host: hostOf(url) }));
  return { links: links.filter(({ host }) => host !== ''), count: urls.length, anchors };
}

/** Lower case without `www.`; '' for what is no address of the web. */
export function hostOf(url: string): string {
  if (url.length > MOST_URL) return '';
  try {
    const parsed = new URL(/^[a-z][a-z0-9+.-]{0,20}:/i.test(url) ? url : `http://${url.replace(/^\/+/, '')}`);
    if (!/^https?:$/.test(parsed.protocol) || !parsed.hostname.includes('.')) return '';
    return withoutWww(parsed.hostname).replace(/\.$/, '');
  } catch {
    return '';
  }
}

const ENDINGS = new Set(
  (
    'com net org info biz io co ru cn top xyz site online shop store club live pro vip win bid loan work click link ' +
    'cc tk ml ga cf gq pw su me tv app dev de fr uk es it nl pl in br us eu buzz icu fun space website cam'
  ).split(' '),
);

/** A bare `cheap-pills.example.com` in running text; undefined for everything else, abbreviations included. */
function hostInText(chunk: string): string | undefined {
  if (chunk.length < 4 || chunk.length > 253 || !chunk.includes('.') || chunk.includes('@')) return undefined;
  const [name = ''] = chunk.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}/])[^\p{L}\p{N}/]+$/gu, '').split('/');
  const labels = name.split('.');
  const ending = labels.at(-1) ?? '';
  if (labels.length < 2 || !ENDINGS.has(ending) || labels[0]!.length < 2) return undefined;
  return labels.every((label) => /^[\p{L}\p{M}\p{N}-]{1,63}$/u.test(label)) ? name : undefined;
}

/** What a host is registered as, near enough without the list of all registries. */
export function domainOf(host: string): string {
  const labels = host.split('.');
  if (labels.length <= 2 || /^\d+$/.test(labels.at(-1) as string)) return host;
  const [second, top] = labels.slice(-2) as [string, string];
  const keep = top.length === 2 && /^(?:com?|org|net|gov|ac|edu|gob|or|ne|go)$/.test(second) ? 3 : 2;
  return labels.slice(-keep).join('.');
}
