/**
 * From an address elsewhere to what stands for it: known, or asked of its provider, which the list names or the page
 * itself. Many who ask for one thing at once cause one errand; what was known stands in for a provider that is away.
 */
import type { Log } from '@sevenfold/chassis/log';
import type { EmbedCache, Kept } from './cache';
import { discover } from './discover';
import { NoAnswer, type Errand, type Outside, onErrand } from './fetch';
import { type Gate, isFull } from './gate';
import { parseOembed } from './parse';
import type { FindEndpoint } from './providers';
import { type Embed, type Wanted, reduce } from './reduce';

export interface Asked {
  /** Id of the user who asks; 0: a service. */
  readonly asker: number;
  readonly address: URL;
  readonly maxWidth: number;
  readonly maxHeight?: number;
  /** Whether a page that nobody on the list provides for may name its own provider. */
  readonly discover: boolean;
}

export type Resolve = (asked: Asked) => Promise<Kept>;

export interface ResolveParts {
  readonly siteUrl: string;
  readonly log: Log;
  readonly cache: EmbedCache;
  readonly gate: Gate;
  readonly outside: Outside;
  readonly findEndpoint: FindEndpoint;
}

const SECOND = 1_000;
/** Providers say how long it lasts; not for less than minutes, not for more than a week. */
const LEAST_MS = 300 * SECOND;
const USUAL_MS = 86_400 * SECOND;
const MOST_MS = 7 * 86_400 * SECOND;
/** Where there is nothing, there may be something soon. */
const NOTHING_MS = 60 * SECOND;
/** How long after an embed is no longer fresh it can still stand in. */
const STALE_MS = 7 * 86_400 * SECOND;
/** What is away is left alone for so long. */
const AWAY_MS = 30 * SECOND;

export function openResolve(parts: ResolveParts): Resolve {
  const running = new Map<string, Promise<Kept>>();
  return async (asked) => {
    const key = JSON.stringify([asked.address.href, asked.maxWidth, asked.maxHeight ?? 0, asked.discover]);
    const flight = running.get(key) ?? find(parts, key, asked).finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  };
}

async function find(parts: ResolveParts, key: string, asked: Asked): Promise<Kept> {
  const known = await parts.cache.find(key);
  if (known && known.freshUntil > Date.now()) return known;
  const standIn = known?.embed && known.staleUntil > Date.now() ? known : undefined;
  let kept: Kept;
  try {
    kept = await ask(parts, asked);
  } catch (error) {
    // Its provider may be well: nothing is noted of it.
    if (standIn && isFull(error)) return standIn;
    if (!(error instanceof NoAnswer)) throw error;
    parts.log.debug({ err: error.cause ?? error, address: asked.address.href }, 'no embed');
    kept = standsFor(error, standIn);
  }
  await parts.cache.keep(key, kept);
  return kept;
}

function standsFor({ why }: NoAnswer, standIn: Kept | undefined): Kept {
  if (why === 'gone') return { freshUntil: Date.now() + NOTHING_MS, staleUntil: 0 };
  return { embed: standIn?.embed, freshUntil: Date.now() + AWAY_MS, staleUntil: standIn?.staleUntil ?? 0 };
}

async function ask(parts: ResolveParts, asked: Asked): Promise<Kept> {
  const { address } = asked;
  // The fragment is the reader's, not the provider's.
  const page = new URL(address);
  page.hash = '';
  const listed = parts.findEndpoint(page);
  if (!listed && !asked.discover) throw new NoAnswer('gone');
  const wanted = { ...asked, siteUrl: parts.siteUrl, isListed: listed !== undefined };
  return parts.gate({ asker: asked.asker, host: (listed ?? page).host }, () =>
    onErrand(parts.outside, async (errand) => {
      const endpoint = listed ? askAbout(listed, page) : await discover(errand, page);
      if (!endpoint) throw new NoAnswer('gone');
      return hear(errand, sized(endpoint, asked), wanted);
    }),
  );
}

const askAbout = (endpoint: URL, page: URL): URL => {
  const url = new URL(endpoint);
  url.searchParams.set('url', page.href);
  if (!/\.json$/.test(url.pathname)) url.searchParams.set('format', 'json');
  return url;
};

function sized(endpoint: URL, { maxWidth, maxHeight }: Asked): URL {
  const url = new URL(endpoint);
  url.searchParams.set('maxwidth', String(maxWidth));
  if (maxHeight !== undefined) url.searchParams.set('maxheight', String(maxHeight));
  return url;
}

async function hear(errand: Errand, endpoint: URL, wanted: Wanted): Promise<Kept & { embed: Embed }> {
  const { text } = await errand.fetch(endpoint, 'application/json, text/xml;q=0.9');
  const said = parseOembed(text);
  const embed = said && reduce(said, wanted);
  if (!embed) throw new NoAnswer('gone');
  const freshUntil = Date.now() + lasting(said.cache_age);
  return { embed, freshUntil, staleUntil: freshUntil + STALE_MS };
}

function lasting(age: unknown): number {
  const seconds = Number(typeof age === 'string' || typeof age === 'number' ? age : NaN);
  return seconds >= 0 ? Math.min(Math.max(seconds * SECOND, LEAST_MS), MOST_MS) : USUAL_MS;
}
