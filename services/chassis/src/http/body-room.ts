/**
 * Bodies in the memory of a process, of everybody together: one that is slow to come is held for minutes, and a few hundred large
 * ones are all the memory that a pod has, long before any limit of requests is reached. What each holds beyond a little needs room;
 * where there is none, the network that holds the most gives up its oldest one.
 */
import type { ServerResponse } from 'node:http';
import { type ApiError, busy, nothingDone } from '../errors';
import { neighbourhoodOf } from '../networks';

/** Made objects take some times as much, for a moment: a pod has half a gibibyte. */
const MOST_BYTES = 48 * 1024 * 1024;
/** Of each body without asking: no form and no usual write hangs on what others send. */
const FREE_BYTES = 16 * 1024;

/** The share of one body. */
export interface Share {
  /**
   * Counts what was read; throws 503 where there is no room for it. Once, when it begins to hold something of the room, it answers what
   * rejects when others need that.
   */
  take(bytes: number): Promise<never> | undefined;
  /** All of it is there: it is worked on, and nobody takes it away. */
  keep(): void;
}

interface Holder {
  bytes: number;
  /** Undefined once it is whole. */
  giveUp?: () => void;
}
/** In the order in which they began to hold something. */
interface Network {
  bytes: number;
  readonly holders: Set<Holder>;
}

const networks = new Map<string, Network>();
let taken = 0;

const tooMuch = (): ApiError =>
  nothingDone(busy('Too many large bodies are being sent at the moment. Try again shortly.'));

/** Of the body whose answer is `response`: what it holds is free again when that is over. `address` is the client's. */
export function openShare(address: string, response: ServerResponse): Share {
  const holder: Holder = { bytes: 0 };
  let read = 0;
  let isOver = false;
  /** Its network, once it holds something: most bodies never do. */
  let name: string | undefined;

  const end = (): void => {
    isOver = true;
    if (name !== undefined) release(name, holder);
  };
  const begin = (): Promise<never> => {
    if (response.closed) end();
    else response.once('close', end);
    const lost = new Promise<never>((_, reject) => {
      holder.giveUp = () => {
        end();
        reject(tooMuch());
      };
    });
    // It may be lost while nobody looks: what is read next says so.
    lost.catch(() => undefined);
    return lost;
  };
  return {
    take: (bytes) => {
      read += bytes;
      const wanted = Math.min(bytes, read - FREE_BYTES);
      if (wanted <= 0) return undefined;
      const lost = name === undefined ? begin() : undefined;
      name ??= neighbourhoodOf(address) ?? address;
      if (isOver || !makeRoom(name, wanted)) {
        end();
        throw tooMuch();
      }
      hold(name, holder, wanted);
      return lost;
    },
    keep: () => void delete holder.giveUp,
  };
}

function hold(name: string, holder: Holder, bytes: number): void {
  const network = networks.get(name) ?? { bytes: 0, holders: new Set() };
  networks.set(name, network);
  network.holders.add(holder);
  network.bytes += bytes;
  holder.bytes += bytes;
  taken += bytes;
}

function release(name: string, holder: Holder): void {
  const network = networks.get(name);
  if (!network?.holders.delete(holder)) return;
  network.bytes -= holder.bytes;
  taken -= holder.bytes;
  holder.bytes = 0;
  if (network.holders.size === 0) networks.delete(name);
}

/** Nobody gives way to who would hold more than he does. */
function makeRoom(name: string, bytes: number): boolean {
  while (taken + bytes > MOST_BYTES) {
    const own = (networks.get(name)?.bytes ?? 0) + bytes;
    let [largest, oldest]: [number, Holder | undefined] = [own, undefined];
    for (const network of networks.values()) {
      if (network.bytes <= largest) continue;
      const coming = [...network.holders].find(({ giveUp }) => giveUp);
      if (coming) [largest, oldest] = [network.bytes, coming];
    }
    if (!oldest?.giveUp) return false;
    oldest.giveUp();
  }
  return true;
}
