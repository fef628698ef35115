/** Where requests come from, as limits count: the address (of IPv6 its network of 2^64) and the network around it. */
import { isWithin, neighbourhoodOf, rangeOf, senderOf, subscriberOf } from '@sevenfold/chassis/networks';
import { openLru } from '@sevenfold/chassis/lru';

export interface Source {
  readonly address: string;
  readonly network: string;
  /** Of a network that RATE_LIMIT_ALLOW names. */
  readonly allowed: boolean;
}

/** What RATE_LIMIT_ALLOW names. */
export interface Allowed {
  readonly networks: readonly string[];
  readonly words: ReadonlySet<string>;
}

const MOST_REMEMBERED = 10_000;

/** Throws, with what is wrong, for what is neither a network nor a word. */
export function readAllowed(text: string): Allowed {
  const networks: string[] = [];
  const words = new Set<string>();
  for (const entry of text.split(',').map((one) => one.trim())) {
    const range = rangeOf(entry);
    if (range !== undefined) networks.push(range);
    else if (/^[a-z_]+$/.test(entry)) words.add(entry);
    else if (entry !== '') throw new Error(`"${entry}" is neither a network nor a capability`);
  }
  return { networks, words };
}

/** The same addresses come again and again. */
export function sourcesOf({ networks }: Allowed): (address: string) => Source {
  const known = openLru<string, Source>({ most: MOST_REMEMBERED });
  return (text) => {
    let source = known.get(text);
    if (!source) {
      const sender = senderOf(text);
      source = {
        // What a proxy names that is no address is one address, whatever it says.
        address: subscriberOf(text) ?? 'unknown',
        network: neighbourhoodOf(text) ?? 'unknown',
        allowed: networks.some((range) => isWithin(sender, range)),
      };
      known.set(text, source);
    }
    return source;
  };
}
