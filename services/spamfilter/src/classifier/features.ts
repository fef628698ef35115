/*
 * What the classifier looks at: a bounded set of features, each a short text that is the same whenever the same thing is
 * seen, with the group it is shown under. Features are kept as numbers (52 bits of their digest): the model holds no words.
 */
import { hash as digestOf } from 'node:crypto';
import { senderOf } from '@sevenfold/chassis/networks';
import type { Message } from '../checks/message';
import { shorten } from '@sevenfold/text/text';
import { isForeign, tongueOf } from './language';
import { type Written, domainOf, fold, hostOf, read, wordsOf } from './words';

export const groups = ['words', 'hosts', 'sender', 'language', 'shape'] as const;
export type Group = (typeof groups)[number];

export interface Feature {
  readonly group: Group;
  /** For people. */
  readonly label: string;
  readonly hash: number;
}

/** Different words of one message that count: from its start and its end, as padding tends to be on one side. */
const FIRST_WORDS = 300;
const LAST_WORDS = 100;
const MOST_HOSTS = 20;

export interface Features {
  readonly written: Written;
  readonly all: readonly Feature[];
}

export function featuresOf(message: Message): Features {
  const written = read(message.content);
  const found = new Map<string, Feature>();
  const add = (group: Group, prefix: string, value: string): void => {
    const name = `${prefix}:${value}`;
    if (!found.has(name)) found.set(name, { group, label: value, hash: hashOf(name) });
  };
  for (const word of chosen(written.words)) add('words', 'w', word);
  for (const pair of chosen(pairsOf(written.words))) add('words', 'p', pair);
  addHosts(written, message, add);
  addSender(message, add);
  addLanguage(written, message, add);
  addShape(written, message, add);
  return { written, all: [...found.values()] };
}

type Add = (group: Group, prefix: string, value: string) => void;

/** A whole number that JavaScript and PostgreSQL both hold exactly. */
export function hashOf(name: string): number {
  const digest = digestOf('sha1', name, 'buffer');
  return digest.readUIntBE(0, 6) * 16 + (digest.readUInt8(6) >> 4);
}

function chosen(words: readonly string[]): string[] {
  const different = [...new Set(words)];
  if (different.length <= FIRST_WORDS + LAST_WORDS) return different;
  return [...different.slice(0, FIRST_WORDS), ...different.slice(-LAST_WORDS)];
}

/** Neighbours: `click here` says more than `click` and `here`. */
const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, index) => `${words[index]} ${word}`);

function addHosts(written: Written, { authorUrl }: Message, add: Add): void {
  const hosts = new Set(written.links.map(({ host }) => host));
  for (const host of [...hosts].slice(0, MOST_HOSTS)) {
    const domain = domainOf(host);
    if (/^[\d.]+$|:/.test(host)) add('hosts', 'l', 'a bare address');
    else {
      add('hosts', 'l', domain);
      add('hosts', 'tld', `.${domain.split('.').at(-1)}`);
      if (host !== domain) add('hosts', 'l', host);
    }
  }
  const own = hostOf(authorUrl);
  if (own) {
    add('hosts', 'l', domainOf(own));
    add('hosts', 'tld', `.${own.split('.').at(-1)}`);
  }
  add('hosts', 'own', authorUrl === '' ? 'no page of its own' : 'a page of its own');
}

const FREE_MAIL =
  /^(?:gmail|googlemail|yahoo|hotmail|outlook|live|aol|gmx|web|icloud|proton(?:mail)?|mail|yandex|qq|163)\./;

function addSender({ authorName, authorEmail, address, userAgent }: Message, add: Add): void {
  const [local = '', domain = ''] = fold(authorEmail).split('@');
  if (domain) {
    add('sender', 'mail', domain);
    add('sender', 'mailkind', FREE_MAIL.test(domain) ? 'free mail' : 'other mail');
    add('sender', 'maillocal', shapeOf(local));
  } else add('sender', 'mailkind', 'no mail address');
  const name = fold(authorName);
  const words = wordsOf(name).slice(0, 6);
  for (const word of words) add('sender', 'n', word);
  add('sender', 'names', `name of ${Math.min(words.length, 4)} words`);
  if (name) add('sender', 'name', `name: ${shapeOf(name.replace(/\s+/g, ''))}`);
  if (/https?:|www\.|\.\p{L}[\p{L}\p{M}]+$/u.test(name)) add('sender', 'name', 'an address as name');
  const sender = senderOf(address);
  if (sender) add('sender', 'net', sender.network);
  add('sender', 'agent', agentOf(userAgent));
}

/** Letters, digits and how they mix: made-up names look alike. */
function shapeOf(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const digits = text.match(/\p{N}/gu)?.length ?? 0;
  const mix =
    digits === 0 ? 'letters' : letters === 0 ? 'digits' : digits > 3 ? 'many digits' : 'some digits';
  const size = text.length < 4 ? 'short' : text.length < 12 ? 'middle' : 'long';
  return `${size}, ${mix}`;
}

function agentOf(agent: string): string {
  if (agent.length < 2) return 'no program named';
  if (!/^mozilla\//i.test(agent)) return `program ${fold(shorten(agent, 40)).split(/[\s/]/)[0]}`;
  return /bot|crawl|spider|headless|compatible;/i.test(agent) ? 'a robot' : 'a browser';
}

function addLanguage(written: Written, message: Message, add: Add): void {
  const tongue = tongueOf(written.text, written.words);
  if (tongue.script) add('language', 'script', `${tongue.script} letters`);
  if (tongue.language) add('language', 'lang', `in ${tongue.language}`);
  const foreign = isForeign(tongue, message.language);
  if (foreign !== undefined)
    add('language', 'place', foreign ? 'not the language of the place' : 'the language of the place');
}

function addShape(
  { seen, words, linkCount, anchors, bulletinCodes, disguised }: Written,
  { kind }: Message,
  add: Add,
): void {
  const letters = count(seen, /\p{L}/gu);
  const shape = (name: string, value: string): void => add('shape', `s:${name}`, value);
  shape('links', `${step(linkCount, [0, 1, 2, 5, 10])} links`);
  shape('length', `${step(words.length, [0, 3, 10, 30, 100, 300])} words`);
  shape('caps', `capitals: ${share(count(seen, /\p{Lu}/gu), letters)}`);
  shape('digits', `digits: ${share(count(seen, /\p{N}/gu), seen.length)}`);
  shape('linkshare', `links to words: ${share(linkCount * 5, words.length + linkCount * 5)}`);
  shape('cries', `exclamation marks: ${step(count(seen, /[!！]/g), [0, 1, 3, 8])}`);
  shape('money', `money signs: ${step(count(seen, /[$€£¥₽₿]/g), [0, 1, 3])}`);
  shape('pictures', `pictures: ${step(count(seen, /\p{Extended_Pictographic}/gu), [0, 2, 6])}`);
  shape('question', seen.includes('?') || seen.includes('？') ? 'asks something' : 'asks nothing');
  shape('kind', kind);
  if (anchors > 0) shape('markup', 'links as HTML');
  if (bulletinCodes > 0) shape('markup', 'bulletin codes');
  if (disguised.length > 0) shape('disguised', 'disguised words');
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** The first bound that is not exceeded, as text. */
function step(value: number, bounds: readonly number[]): string {
  const bound = bounds.find((most) => value <= most);
  return bound === undefined ? `more than ${bounds.at(-1)}` : bound === 0 ? 'no' : `up to ${bound}`;
}

function share(part: number, whole: number): string {
  if (part === 0 || whole === 0) return 'none';
  const of = part / whole;
  return of < 0.05 ? 'few' : of < 0.15 ? 'some' : of < 0.4 ? 'many' : 'most';
}
