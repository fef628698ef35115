/**
 * One errand into the outside: a few requests that have their time and their bytes together, whoever answers them. Nothing
 * but public addresses, at each redirect anew (chassis/outgoing); what comes packed is unpacked within the same bounds.
 */
import type { Readable } from 'node:stream';
import { NotPublic, type Outgoing, type PublicAgent, openPublicAgent } from '@sevenfold/chassis/outgoing';
import { UnknownPacking, isBadlyPacked, unpacked } from '@sevenfold/chassis/unpacked';
import { webAddress } from '../site/address';
import { decode } from './decode';

export type Outside = Pick<Outgoing, 'allowPrivate' | 'isPublic' | 'resolve'>;

const TIMEOUT_MS = 5_000;
const LIMIT_BYTES = 1024 * 1024;
const MOST_REDIRECTS = 4;
const USER_AGENT = 'Sevenfold oEmbed';

/** `gone`: the other side says that there is nothing; `away`: nobody could say. */
export class NoAnswer extends Error {
  constructor(
    readonly why: 'gone' | 'away',
    cause?: unknown,
  ) {
    super(`nothing came of it: ${why}`, { cause });
    this.name = 'NoAnswer';
  }
}

export interface Fetched {
  /** After redirects. */
  readonly url: URL;
  readonly contentType: string;
  readonly text: string;
}

/** What is enough of a text: `mark`, of 20 characters at most, may be its end; `isIn` says whether it is. */
export interface Enough {
  readonly mark: RegExp;
  readonly isIn: (text: string) => boolean;
}

export interface Errand {
  /** Throws NoAnswer, whatever went wrong. With `until`, no more is read than what is enough. */
  fetch(url: URL, accept: string, until?: Enough): Promise<Fetched>;
}

/** Runs what it is given with an errand of its own, which ends with it. */
export async function onErrand<T>(outside: Outside, run: (errand: Errand) => Promise<T>): Promise<T> {
  const agent = openPublicAgent({ ...outside, timeoutMs: TIMEOUT_MS, limitBytes: LIMIT_BYTES });
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const budget = { left: LIMIT_BYTES };
  try {
    return await run({
      fetch: async (url, accept, until) => {
        try {
          return await follow({ agent, signal, budget, accept, until }, url);
        } catch (error) {
          if (error instanceof NoAnswer) throw error;
          const isGone = error instanceof NotPublic || error instanceof UnknownPacking;
          throw new NoAnswer(isGone ? 'gone' : 'away', error);
        }
      },
    });
  } finally {
    await agent.destroy();
  }
}

interface Asking {
  readonly agent: PublicAgent;
  readonly signal: AbortSignal;
  readonly budget: { left: number };
  readonly accept: string;
  readonly until?: Enough;
}

type Answer = Awaited<ReturnType<PublicAgent['request']>>;

async function follow(asking: Asking, start: URL): Promise<Fetched> {
  let url = start;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await asking.agent.request(url, {
      signal: asking.signal,
      headers: { accept: asking.accept, 'accept-encoding': 'gzip, identity', 'user-agent': USER_AGENT },
    });
    const { location } = answer.headers;
    if (answer.statusCode < 300 || answer.statusCode >= 400 || typeof location !== 'string')
      return { url, contentType: header(answer, 'content-type'), text: await read(asking, answer, url) };
    // Where it leads is not read of it.
    answer.body.destroy();
    const next = URL.canParse(location, url.href) ? webAddress(new URL(location, url).href) : undefined;
    if (!next) throw new NoAnswer('gone');
    url = next;
  }
  throw new NoAnswer('gone');
}

const header = ({ headers }: Answer, name: string): string => String(headers[name] ?? '').toLowerCase();

async function read(asking: Asking, answer: Answer, url: URL): Promise<string> {
  const { statusCode: status } = answer;
  // Too busy, or broken: it may be there again.
  if (status >= 500 || status === 429 || status === 408) throw new NoAnswer('away');
  if (status !== 200) throw new NoAnswer('gone');
  // So that of a long page only its beginning is unpacked; what is read of it counts once more than what came.
  const bytes = await collect(
    asking,
    unpacked(url, answer, (chunk) => take(asking.budget, chunk)),
  );
  return decode(bytes, header(answer, 'content-type'));
}

async function collect({ budget, until }: Asking, body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let [size, lookFrom, tail, isMarked] = [0, 0, '', false];
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      take(budget, chunk);
      chunks.push(chunk);
      size += chunk.length;
      if (!until) continue;
      tail = tail.slice(-20) + chunk.toString('latin1');
      isMarked ||= until.mark.test(tail);
      if (!isMarked || size < lookFrom) continue;
      if (until.isIn(Buffer.concat(chunks).toString('latin1'))) break;
      // Each look takes as long as all that has come: before the next one it is a quarter more. The mark may have been whole but not its tag.
      lookFrom = 1.25 * size;
    }
  } catch (error) {
    // What cannot be unpacked is what it is; what broke off before may come another time.
    throw isBadlyPacked(error) ? new NoAnswer('gone', error) : error;
  }
  return Buffer.concat(chunks);
}

function take(budget: { left: number }, { length }: Buffer): void {
  budget.left -= length;
  // More than anybody needs to say: what it is will not change.
  if (budget.left < 0) throw new NoAnswer('gone');
}
