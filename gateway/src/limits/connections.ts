/**
 * How many connections one address, and one network around it, may have open. What is opened beyond that is answered once, with 429,
 * and closed; it is given little time to ask. Where nearly all there are in all are taken, the networks that hold the most give
 * up one for each that comes: one that idles, or else one whose request is still coming. Behind a proxy all connections come from
 * one address, which is none of a client's.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { comingSince, isIdle } from '@sevenfold/chassis/http/connections';
import { Counter } from 'prom-client';
import type { Source } from './sources';

export interface ConnectionLimit {
  /** Whether a connection is one too many. */
  isRefused(socket: Socket): boolean;
  /** From now on connections are counted. */
  watch(server: Server): void;
}

export interface ConnectionLimits {
  /** 0 where there is no limit. */
  readonly perAddress: number;
  /** Of all; 0 for any number, or where networks are not told apart. */
  readonly inAll: number;
}

const ASKS_WITHIN_MS = 2_000;
/** As for requests: whoever has one address of IPv6 has thousands. */
const ADDRESSES_OF_A_NETWORK = 10;
/** Part of all that may be taken before the largest network makes room. */
const CROWDED = 0.9;

const refusals = new Counter({
  name: 'gateway_connections_refused_total',
  help: 'Connections that were one too many for their address or their network',
});
const evictions = new Counter({
  name: 'gateway_connections_evicted_total',
  help: 'Connections that idled, or whose request was still coming, given up by the networks with the most of them when nearly all there may be were open',
});

export function createConnectionLimit(
  { perAddress, inAll }: ConnectionLimits,
  sourceOf: (address: string) => Source,
): ConnectionLimit {
  const byAddress = new Map<string, Set<Socket>>();
  const byNetwork = new Map<string, Set<Socket>>();
  const refused = new WeakSet<Socket>();
  let open = 0;

  const refuse = (socket: Socket): void => {
    refusals.inc();
    refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), ASKS_WITHIN_MS);
    socket.once('close', () => clearTimeout(timer));
  };
  /**
   * What idles first: a client that comes back loses nothing by it. A request that is on its way for long is worth as little to one who
   * only holds the connection, but may be a slow client's; so it goes only where its network holds more than the one that wants room, or is that one.
   */
  const makeRoom = (newcomer: Socket, network: string): void => {
    const own = byNetwork.get(network) ?? new Set();
    for (const sockets of largestFirst(byNetwork, own.size)) {
      const isLarger = sockets === own || sockets.size > own.size;
      const given = idleOf(sockets, newcomer) ?? (isLarger ? longestComing(sockets) : undefined);
      if (!given) continue;
      evictions.inc();
      return void given.destroy();
    }
  };
  const take = (socket: Socket): void => {
    const { address, network, allowed } = sourceOf(socket.remoteAddress ?? '');
    if (allowed) return;
    open += 1;
    const its = add(byAddress, address, socket);
    const all = add(byNetwork, network, socket);
    socket.once('close', () => {
      open -= 1;
      remove(byAddress, address, socket);
      remove(byNetwork, network, socket);
    });
    if (perAddress > 0 && (its > perAddress || all > perAddress * ADDRESSES_OF_A_NETWORK))
      return refuse(socket);
    if (inAll > 0 && open > inAll * CROWDED) makeRoom(socket, network);
  };
  return {
    isRefused: (socket) => refused.has(socket),
    watch: (server) => {
      // Whoever may have any number makes room like others, or one address could take all there are.
      if (perAddress > 0 || inAll > 0) server.on('connection', take);
    },
  };
}

/** Of those with `least` or more. Sorted by counting: there may be as many networks as connections, at each that comes. */
function largestFirst<T>(groups: ReadonlyMap<string, Set<T>>, least: number): Set<T>[] {
  const bySize: Set<T>[][] = [];
  for (const group of groups.values()) if (group.size >= least) (bySize[group.size] ??= []).push(group);
  return bySize.reverse().flat();
}

function idleOf(sockets: Iterable<Socket>, newcomer: Socket): Socket | undefined {
  for (const socket of sockets) if (socket !== newcomer && !socket.destroyed && isIdle(socket)) return socket;
  return undefined;
}

function longestComing(sockets: Iterable<Socket>): Socket | undefined {
  let found: Socket | undefined;
  let earliest = Infinity;
  for (const socket of sockets) {
    const since = socket.destroyed ? undefined : comingSince(socket);
    if (since === undefined || since >= earliest) continue;
    earliest = since;
    found = socket;
  }
  return found;
}

/** Answers how many there are now. */
function add(groups: Map<string, Set<Socket>>, name: string, socket: Socket): number {
  const group = groups.get(name);
  if (group) return group.add(socket).size;
  groups.set(name, new Set([socket]));
  return 1;
}

function remove(groups: Map<string, Set<Socket>>, name: string, socket: Socket): void {
  const group = groups.get(name);
  group?.delete(socket);
  if (group?.size === 0) groups.delete(name);
}
