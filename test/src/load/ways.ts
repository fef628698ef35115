/**
 * How a row is asked, as what it costs goes by: from memory, past it, for whoever has the answer already, compressed. And
 * what is measured beside it: the same bytes from the bare servers, its own service behind an ordinary proxy, and what is
 * asked in a profile's words in ours.
 */
import { setTimeout } from 'node:timers/promises';
import { services } from '@sevenfold/catalog/catalog';
import { WANTS_TAGS_HEADER } from '@sevenfold/chassis/http/shows';
import { request } from 'undici';
import type { TestStack } from '../support/stack';
import { type Ceiling, type CeilingKind, type Same, startCeiling } from './ceilings';
import type { LoadOptions } from './load';
import type { Row, Way } from './rows';

/** The least ratio to a ceiling, by the ceiling's name. */
type Least = Partial<Record<CeilingKind | 'service' | 'ours', number>>;

const leastOfWay: Record<Way, Least> = {
  hit: { express: 0.8 },
  known: { express: 0.8 },
  gzip: { express: 0.8 },
  br: { express: 0.8 },
  miss: { service: 0.85 },
};

/** What a profile may cost: a tenth of what memory answers, a quarter of what it does not. */
const leastOfProfile: Least = { ours: 0.9 };
const leastOfProfileMiss: Least = { ours: 0.8 };

export function leastOf({ way, ours }: Row): Least | undefined {
  if (!way) return undefined;
  if (ours === undefined) return leastOfWay[way];
  return way === 'miss' ? leastOfProfileMiss : leastOfProfile;
}

type Asking = Pick<LoadOptions, 'path' | 'headers' | 'wantedStatus'>;

/** What is asked, again and again. */
export async function askingOf(row: Row, path: string, stack: TestStack): Promise<Asking> {
  const headers: Record<string, string> = row.signedIn ? { Authorization: stack.administrator } : {};
  if (row.way === 'miss') return { path: pastMemory(path), headers };
  if (row.way === 'gzip' || row.way === 'br') headers['Accept-Encoding'] = row.way;
  if (row.way !== 'known') return { path, headers };
  // Of the form that is asked for: the tag of another one counts only for whoever takes that.
  const etag = (await fetch(stack.url + path, { headers: { 'Accept-Encoding': 'identity' } })).headers.get(
    'etag',
  );
  if (!etag) throw new Error(`${path} has no ETag`);
  return { path, headers: { ...headers, 'If-None-Match': etag }, wantedStatus: 304 };
}

/** What nobody has asked for before. */
function pastMemory(path: string): () => string {
  const begun = `${path}${path.includes('?') ? '&' : '?'}unknown=${Date.now()}`;
  let n = 0;
  return () => `${begun}-${(n += 1)}`;
}

export interface Ceilings {
  /** Sets them to the bytes of a row; answers what is to be measured beside it. */
  beside(
    row: Row,
    asking: Asking,
  ): Promise<Record<string, Pick<LoadOptions, 'origin' | 'path' | 'headers' | 'wantedStatus'>>>;
  stop(): void;
}

export async function startCeilings(stack: TestStack): Promise<Ceilings> {
  const started: Ceiling[] = [];
  const start = async (kind: CeilingKind): Promise<Ceiling> => {
    const one = await startCeiling(kind);
    started.push(one);
    return one;
  };
  const [node, bare, proxy, relay] = [
    await start('node'),
    await start('express'),
    await start('proxy'),
    await start('proxy'),
  ];
  await proxy.give({ target: node.origin });
  return {
    beside: async (row, asking) => {
      const same = await sameAs(stack.url, asking);
      await Promise.all([node.give(same), bare.give(same)]);
      const wantedStatus = same.status;
      const asIs = (origin: string): Pick<LoadOptions, 'origin' | 'path' | 'wantedStatus'> => ({
        origin,
        path: '/',
        wantedStatus,
      });
      const all = { node: asIs(node.origin), express: asIs(bare.origin), proxy: asIs(proxy.origin) };
      if (row.way && row.ours !== undefined) {
        const ours = await askingOf({ ...row, path: row.ours }, row.ours, stack);
        return { ...all, ours: { origin: stack.url, ...ours } };
      }
      const service = row.way === 'miss' ? serviceOf(stack, asking) : undefined;
      if (!service) return all;
      await relay.give({ target: service });
      // As a gateway asks that keeps answers: only such are given what the service remembers.
      const headers = { [WANTS_TAGS_HEADER]: '1' };
      return { ...all, service: { origin: relay.origin, path: asking.path, headers } };
    },
    stop: () => started.forEach((one) => one.stop()),
  };
}

/** The answer as it comes over the wire. A compressed form is made after the first who wants it was answered. */
async function sameAs(origin: string, { path, headers }: Asking): Promise<Same> {
  const wanted = headers?.['Accept-Encoding'];
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const {
      statusCode,
      headers: given,
      body,
    } = await request(origin + (typeof path === 'string' ? path : path()), {
      headers,
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    if (wanted === undefined || given['content-encoding'] === wanted) {
      const kept = Object.entries(given).filter(([name]) => ITS_OWN.has(name));
      return {
        status: statusCode,
        headers: Object.fromEntries(kept) as Same['headers'],
        body: bytes.toString('base64'),
      };
    }
    await setTimeout(100);
  }
  throw new Error(`nothing comes as ${wanted ?? 'it is'}`);
}

const MOST_TURNS = 50;
const ITS_OWN: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'etag']);

/** Where the row would be asked without the gateway. */
function serviceOf(stack: TestStack, { path }: Asking): string | undefined {
  const text = typeof path === 'string' ? path : path();
  const row = services.find(({ namespace }) => text.startsWith(`/rest/${namespace}/`));
  return row && stack.run().services[row.name]?.http;
}
