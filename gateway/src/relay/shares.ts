/**
 * Who gives way to whom where all places on the way to a service are taken: whoever hardly comes on gives way to anybody, and
 * beyond a fair share the network that holds the most to one that holds less, of it the address that holds the most, and of that
 * the slowest. Within one network addresses do so among themselves. Whoever waits for himself gets nothing by that: what he has nearly done would be
 * lost for what he has yet to do.
 */
import { neighbourhoodOf, subscriberOf } from '@sevenfold/chassis/networks';
import { openTally } from '@sevenfold/chassis/tally';

/** A quarter is nobody's loss; whoever has so many networks at hand that they hold all with a sixteenth each is not told from a crowd. */
const LARGEST_SHARE = 1 / 4;
const SMALLEST_SHARE = 1 / 16;

/** One who holds a place with what its client sends or takes. */
export interface Holder {
  readonly address: string;
  /** Bytes in a second of the last ones. */
  readonly rate: number;
  /** Hardly comes on. */
  readonly isStuck: boolean;
  /** Holds its place for so long that its rate says something. */
  readonly isKnown: boolean;
}

export interface Waiting {
  readonly address: string;
}

interface Place<T> {
  readonly of: T;
  readonly network: string;
  readonly address: string;
}

/** Pairs of who gives way and who is to have that place. */
export function whoGivesWay<H extends Holder, W extends Waiting>(
  holders: readonly H[],
  waiters: readonly W[],
  atOnce: number,
): [giver: H, taker: W][] {
  const held = holders.map(placeOf).sort((a, b) => a.of.rate - b.of.rate);
  const line = waiters.map(placeOf);
  const counts = openTally<string>();
  const count = ({ network, address }: Place<unknown>, more: number): void => {
    for (const name of [network, address]) counts.add(name, more);
  };
  for (const one of held) count(one, 1);
  const parties = new Set([...held, ...line].map(({ network }) => network)).size;
  const share = atOnce * Math.min(LARGEST_SHARE, Math.max(SMALLEST_SHARE, 1 / parties));
  const left = new Set(held.filter(({ of }) => of.isStuck || of.isKnown));

  // Where one holds one place more than the other they would take turns at cutting each other.
  const givesWay = (giver: string, taker: string): boolean =>
    counts.of(giver) > share && counts.of(giver) > counts.of(taker) + 1;
  const isLarger = (one: Place<H>, other: Place<H>): boolean =>
    counts.of(one.network) > counts.of(other.network) ||
    (one.network === other.network && counts.of(one.address) > counts.of(other.address));
  const giverTo = (taker: Place<W>): Place<H> | undefined => {
    let largest: Place<H> | undefined;
    for (const one of left) {
      if (one.of.isStuck) return one;
      const gives =
        one.network === taker.network
          ? one.address !== taker.address && givesWay(one.address, taker.address)
          : givesWay(one.network, taker.network);
      if (gives && (!largest || isLarger(one, largest))) largest = one;
    }
    return largest;
  };

  const pairs: [H, W][] = [];
  // Whoever holds the least comes first: a line may be as full of one network as the places are.
  for (const taker of [...line].sort((a, b) => counts.of(a.network) - counts.of(b.network))) {
    const giver = giverTo(taker);
    if (!giver) continue;
    left.delete(giver);
    count(giver, -1);
    count(taker, 1);
    pairs.push([giver.of, taker.of]);
  }
  return pairs;
}

/** As connections are counted. What is no address is one, whatever it says. */
export const networkOf = (address: string): string => neighbourhoodOf(address) ?? 'no network';

const placeOf = <T extends Waiting>(of: T): Place<T> => ({
  of,
  network: networkOf(of.address),
  address: subscriberOf(of.address) ?? 'no address',
});
