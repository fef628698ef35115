/** Answers in the words of a profile: bodies while they pass or as a whole, and the headers that tell of them. */
import type { IncomingHttpHeaders } from 'node:http';
import { hashOf } from '@sevenfold/chassis/http/body-hash';
import { version } from '@sevenfold/chassis/version';
import { LRUCache } from 'lru-cache';
import { corsHeaders } from '../edge/public-headers';
import { placeAnswered, routeOf } from './addresses';
import { type Translator, jsonTranslator } from './json';
import type { NodeOf } from './nodes';
import type { PlaceName } from './places';
import type { ProfileData } from './profile';
import type { Asked, Profile, Told } from './spoken';
import type { Swaps } from './swaps';

export interface Answers extends Omit<Profile, 'name' | 'bodyOf'> {
  /** `Link` to the root. */
  readonly link: string;
}

const JSON_BODY = /^application\/(?:[\w.+-]+\+)?json/i;
const IN_LINK = /<([^<>]*)>/g;
/** Of bodies in other words, to be found by what they say in ours: most of them are what the cache keeps. */
const MOST_BYTES = 8 * 1024 * 1024;
const OVERHEAD = 300;

type Body = Pick<Told, 'body' | 'bodyHash'>;

interface Parts {
  readonly data: ProfileData;
  readonly siteUrl: string;
  readonly swaps: Swaps;
  readonly nodes: NodeOf;
}

export function openAnswers({ data, siteUrl, swaps, nodes }: Parts): Answers {
  const link = `<${siteUrl}${data.root}/>; rel="${data.rootRelation}"`;
  const numbers = [...new Set(Object.values(data.totals).flat())];
  const remembered = new WeakMap<Told, Told>();

  const placeOf = ({ path, method }: Asked, status: number, type = ''): PlaceName | undefined => {
    if (!JSON_BODY.test(type)) return undefined;
    if (status >= 400) return 'error';
    return method === 'OPTIONS' ? 'description' : placeAnswered(routeOf(path));
  };
  const translator: Answers['translator'] = (asked, status, type) => {
    const place = placeOf(asked, status, type);
    return place && jsonTranslator(nodes(place));
  };
  // What is said in this profile is another thing than the same words of another one, or of another version of it.
  const ownWords = hashOf(JSON.stringify([version, data, siteUrl]));
  const bodies = new LRUCache<string, Required<Body>>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ body }) => body.length + OVERHEAD,
  });
  const bodyOf = (place: PlaceName, given: Told): Body => {
    if (given.bodyHash === undefined) return { body: translated(jsonTranslator(nodes(place)), given.body) };
    const key = `${place} ${given.bodyHash}`;
    const known = bodies.get(key);
    if (known) return known;
    const made = {
      body: translated(jsonTranslator(nodes(place)), given.body),
      bodyHash: hashOf(`${ownWords} ${key}`),
    };
    bodies.set(key, made);
    return made;
  };
  const headers: Answers['headers'] = (asked, given, translated) => {
    const told: IncomingHttpHeaders = {};
    let linked = false;
    for (const name in given) {
      const value = given[name];
      const lower = name.toLowerCase();
      if (lower === 'link') {
        linked = true;
        told[name] = String(value).replace(IN_LINK, (_, address: string) => `<${swaps.once(address)}>`);
      } else if (lower === 'location') told[name] = swaps.once(String(value));
      // Of the body as it is sent, whoever sends it says the length.
      else if (lower !== 'content-length' || !translated) told[name] = value;
    }
    const totals = data.totals[routeOf(asked.path).namespace];
    const [rows, pages] = [
      given['x-total'] ?? given['X-Total'],
      given['x-total-pages'] ?? given['X-Total-Pages'],
    ];
    if (totals && rows !== undefined) told[totals[0]] = rows;
    if (totals && pages !== undefined) told[totals[1]] = pages;
    if (!linked) told.Link = link;
    return told;
  };
  const answer = <A extends Told>(asked: Asked, given: A): A => {
    const { status, body, headers: before = {} } = given;
    const type = before['Content-Type'] ?? 'application/json';
    const place = body.length === 0 ? undefined : placeOf(asked, status, type);
    return { ...given, headers: headers(asked, before, true), ...(place && bodyOf(place, given)) };
  };
  return {
    link,
    numbers,
    cors: corsHeaders(numbers, data.ignoredHeaders),
    ofScripts: data.ignoredHeaders.map((name) => name.toLowerCase()),
    translator,
    headers,
    answer,
    kept: (asked, given) => {
      let known = remembered.get(given);
      if (!known) remembered.set(given, (known = answer(asked, given)));
      return known as typeof given;
    },
  };
}

function translated(through: Translator, body: Buffer): Buffer {
  const told = through.write(body);
  const rest = through.end();
  return rest.length === 0 ? told : Buffer.concat([told, rest]);
}
