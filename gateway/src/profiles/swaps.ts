/**
 * A profile's words of each kind, compiled: one function both ways, since pairs are exchanged. What is no word of the
 * kind comes back as it is.
 */
import { openAddresses } from './addresses';
import type { Kind } from './places';
import type { Pairs, ProfileData, Swap } from './profile';
import { remembered } from './remembered';

export type Swaps = Readonly<Record<Kind | 'once', Swap>>;

const both = (pairs: Pairs): Pairs => [...pairs, ...pairs.map(([ours, theirs]) => [theirs, ours] as const)];

function exact(pairs: Pairs): Swap {
  const table = new Map(both(pairs));
  return (text) => table.get(text) ?? text;
}

function beginning(pairs: Pairs): Swap {
  const table = both(pairs);
  return (text) => {
    const pair = table.find(([from]) => text.startsWith(from));
    return pair ? pair[1] + text.slice(pair[0].length) : text;
  };
}

function ending(pairs: Pairs): Swap {
  const table = both(pairs);
  return (text) => {
    const pair = table.find(([from]) => text.endsWith(from));
    return pair ? text.slice(0, -pair[0].length) + pair[1] : text;
  };
}

/** Lists are written as the services read them: with commas, blanks or both. */
const LIST = /([\s,]+)/;
const STEPS = /(\.)/;

/** Each part of a list within one text; what stands between them, which the expression captures, stays as it is. */
const parts =
  (between: RegExp, swap: Swap): Swap =>
  (text) =>
    text
      .split(between)
      .map((part, at) => (at % 2 === 0 ? swap(part) : part))
      .join('');

/** The first that knows the word. */
const anyOf =
  (...swaps: readonly Swap[]): Swap =>
  (text) => {
    for (const swap of swaps) {
      const swapped = swap(text);
      if (swapped !== text) return swapped;
    }
    return text;
  };

export function compileSwaps(data: ProfileData, siteUrl: string): Swaps {
  const word = exact(data.words);
  const namespace = exact(data.namespaces);
  const relation = remembered(beginning([data.relations.prefix]));
  const setting = exact(data.settings);
  const capability = ending(data.capabilities);
  // Members of an index are called by their routes.
  const route: Swap = (text) => (text.startsWith('/') ? addresses.route(text) : text);
  const swaps = {
    namespace,
    word,
    words: parts(LIST, word),
    subtype: exact(data.subtypes),
    relation,
    relations: parts(LIST, relation),
    curie: exact([data.relations.curie]),
    setting,
    formField: beginning(data.formFields),
    formPart: beginning(data.formParts),
    code: beginning(data.codes),
    capability,
    value: anyOf(word, namespace),
    fields: parts(LIST, parts(STEPS, anyOf(word, relation, setting, capability, route))),
  };
  const addresses = openAddresses(data, siteUrl, swaps);
  return Object.assign(swaps, addresses);
}
