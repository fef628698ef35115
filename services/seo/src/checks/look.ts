/**
 * Looks at the public address of the site as a crawler would: robots.txt, then the page with its redirects, each from public
 * addresses only (chassis/outgoing) and all within one deadline. Answers what was found, never throws.
 */
import {
  NotPublic,
  type Outgoing,
  type PublicAgent,
  openPublicAgent,
  readBeginning,
} from '@sevenfold/chassis/outgoing';
import { forbidsIndexing, isAllowed, pageForbidsIndexing } from './robots';

export interface Outcome {
  /** good: it is fetched and may be indexed. bad: it is not, or must not be. na: from here that cannot be told. */
  readonly score: 'good' | 'bad' | 'na';
  readonly label: string;
  /** Whether crawlers can fetch the page. */
  readonly can_fetch: boolean;
}

export type Surroundings = Pick<Outgoing, 'allowPrivate' | 'isPublic' | 'resolve'>;

export const DEADLINE_MS = 5_000;
// Directives stand at the beginning of a page; crawlers read as much of robots.txt (RFC 9309, 2.5).
const MOST_BYTES = 512 * 1024;
const MOST_REDIRECTS = 5;

const good: Outcome = {
  score: 'good',
  label: 'Search engines can fetch and index the site.',
  can_fetch: true,
};
const bad = (label: string, canFetch: boolean): Outcome => ({ score: 'bad', label, can_fetch: canFetch });
const unknown = (label: string): Outcome => ({ score: 'na', label, can_fetch: false });

export async function look(siteUrl: string, surroundings: Surroundings): Promise<Outcome> {
  const agent = openPublicAgent({
    ...surroundings,
    timeoutMs: DEADLINE_MS,
    // What is more is not read: this only keeps the connection from bringing it.
    limitBytes: 16 * MOST_BYTES,
  });
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    return await judge(new URL(`${siteUrl}/`), agent, signal);
  } catch (error) {
    if (error instanceof NotPublic)
      return unknown('The site is not at a public address, so that search engines cannot reach it.');
    if (signal.aborted) return bad('The site did not answer in time.', false);
    return bad('The site cannot be reached at its public address.', false);
  } finally {
    await agent.destroy();
  }
}

async function judge(home: URL, agent: PublicAgent, signal: AbortSignal): Promise<Outcome> {
  const page = await fetchPage(home, agent, signal);
  if (page === 'disallowed') return bad('robots.txt tells search engines to stay away.', false);
  if (page === 'endless') return bad('The address of the site redirects without end.', false);
  if (page.status !== 200)
    return bad(`The address of the site answers with the status ${page.status}.`, false);
  if (page.robots.some(forbidsIndexing))
    return bad('The header X-Robots-Tag tells search engines not to index the site.', true);
  if (pageForbidsIndexing(page.text))
    return bad('The page tells search engines not to index it (meta robots).', true);
  return good;
}

interface Fetched {
  readonly status: number;
  readonly robots: readonly string[];
  readonly location: string | undefined;
  readonly text: string;
}

async function fetchPage(
  start: URL,
  agent: PublicAgent,
  signal: AbortSignal,
): Promise<Fetched | 'disallowed' | 'endless'> {
  const rules = new Map<string, Promise<string | undefined>>();
  let url = start;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const robotsUrl = new URL('/robots.txt', url).href;
    const robots = rules.get(url.origin) ?? readRobots(robotsUrl, agent, signal);
    rules.set(url.origin, robots);
    const text = await robots;
    if (text === undefined || !isAllowed(robotsUrl, text, url.href)) return 'disallowed';
    const answer = await get(url, agent, signal);
    if (answer.location === undefined) return answer;
    url = new URL(answer.location, url);
  }
  return 'endless';
}

/** Undefined where crawlers must take everything as forbidden (RFC 9309, 2.3.1.4); empty where there is none. */
async function readRobots(
  start: string,
  agent: PublicAgent,
  signal: AbortSignal,
): Promise<string | undefined> {
  let url = new URL(start);
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const { status, text, location } = await get(url, agent, signal);
    if (location !== undefined) url = new URL(location, url);
    else if (status === 200) return text;
    else return status >= 500 ? undefined : '';
  }
  return '';
}

async function get(url: URL, agent: PublicAgent, signal: AbortSignal): Promise<Fetched> {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('not of the web');
  const answer = await agent.request(url, {
    signal,
    headers: { accept: 'text/html,text/plain', 'user-agent': 'Sevenfold site check' },
  });
  const { location, 'x-robots-tag': robots = [] } = answer.headers;
  const isRedirect = answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string';
  return {
    status: answer.statusCode,
    robots: Array.isArray(robots) ? robots : [robots],
    location: isRedirect ? location : undefined,
    text: isRedirect ? drop(answer.body) : await beginningOf(answer.body),
  };
}

type Body = Awaited<ReturnType<PublicAgent['request']>>['body'];

function drop(body: Body): string {
  body.destroy();
  return '';
}

async function beginningOf(body: Body): Promise<string> {
  const { bytes, error } = await readBeginning(body, MOST_BYTES);
  if (error !== undefined) throw error;
  return bytes.toString('utf8');
}
