/** Answers in the words of a profile: bodies while they pass or as a whole, and the headers that tell of them. */
import type { IncomingHttpHeaders } from 'node:http';
import { corsHeaders } from '../edge/public-headers';
import { placeAnswered, routeOf } from './addresses';
import { jsonTranslator } from './json';
import type { Node, NodeOf } from './nodes';
import type { ProfileData } from './profile';
import type { Asked, Profile, Told } from './spoken';
import type { Swaps } from './swaps';

export interface Answers extends Omit<Profile, 'name' | 'bodyOf'> {
  /** `Link` to the root. */
  readonly link: string;
}

const JSON_BODY = /^application\/(?:[\w.+-]+\+)?json/i;
const IN_LINK = /<([^<>]*)>/g;

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

  const nodeOf = ({ path, method }: Asked, status: number): Node | undefined => {
    if (status >= 400) return nodes('error');
    if (method === 'OPTIONS') return nodes('description');
    const place = placeAnswered(routeOf(path));
    return place && nodes(place);
  };
  const translator: Answers['translator'] = (asked, status, type) => {
    const node = JSON_BODY.test(type ?? '') ? nodeOf(asked, status) : undefined;
    return node && jsonTranslator(node);
  };
  const headers: Answers['headers'] = (asked, given, translated) => {
    const told: IncomingHttpHeaders = {};
    let linked = false;
    for (const name in given) {
      const value = given[name];
      const lower = name.toLowerCase();
      if (lower === 'link') {
        linked = true;
        told[name] = String(value).replace(IN_LINK, (_, address: string) => `<${swaps.address(address)}>`);
      } else if (lower === 'location') told[name] = swaps.address(String(value));
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
    const through = body.length === 0 ? undefined : translator(asked, status, type);
    return {
      ...given,
      headers: headers(asked, before, true),
      body: through ? Buffer.concat([through.write(body), through.end()]) : body,
    };
  };
  return {
    link,
    numbers,
    cors: corsHeaders(numbers, data.ignoredHeaders),
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
