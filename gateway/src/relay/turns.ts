/**
 * Whose turn it is to try whether a service is back. A client that hangs up, or never ends its body, makes a trial that says nothing,
 * and whoever asks the most often would be each of them and keep the way shut for all others. So the next one is kept for a while for
 * whoever was refused and has had none, or none for longer than the others: networks first, then the addresses of one.
 */
import { subscriberOf } from '@sevenfold/chassis/networks';
import { networkOf } from './shares';

/** Whoever is refused is told to come back after two seconds; a little later he may. */
const KEPT_MS = 3_000;
/** Trials that are remembered. Who had one before them is as good as new. */
const MOST = 16;

export interface Turns {
  /** Whether the trial is this client's; where it is due, and whoever comes first has not come. */
  take(address: string, isDue: boolean): boolean;
}

interface Asker {
  readonly network: string;
  readonly address: string;
}

export function createTurns(now: () => number): Turns {
  /** Whose the last trials were, the newest at the end. */
  const last: Asker[] = [];
  let first: { readonly asker: Asker; readonly until: number } | undefined;

  /** The less, the longer ago was the last trial of the network, and within it that of the address. */
  const rank = ({ network, address }: Asker): number =>
    last.findLastIndex((one) => one.network === network) * MOST +
    last.findLastIndex((one) => one.address === address);
  const note = (asker: Asker): void => {
    last.push(asker);
    if (last.length > MOST) last.shift();
    first = undefined;
  };

  return {
    take: (address, isDue) => {
      const asker = { network: networkOf(address), address: subscriberOf(address) ?? '' };
      if (first && now() < first.until && rank(first.asker) < rank(asker)) return false;
      if (isDue) note(asker);
      else first = { asker, until: now() + KEPT_MS };
      return isDue;
    },
  };
}
