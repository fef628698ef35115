/**
 * How many connections one address may have open. What it opens beyond that is answered once, with 429, and closed; it is
 * given little time to ask. Behind a proxy all connections come from one address, which is none of a client's.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Counter } from 'prom-client';
import type { Source } from './sources';

export interface ConnectionLimit {
  /** Whether a connection is one too many. */
  isRefused(socket: Socket): boolean;
  /** From now on connections are counted. */
  watch(server: Server): void;
}

const ASKS_WITHIN_MS = 2_000;

const refusals = new Counter({
  name: 'gateway_connections_refused_total',
  help: 'Connections that were one too many for their address',
});

/** `most` is 0 where there is no limit. */
export function createConnectionLimit(most: number, sourceOf: (address: string) => Source): ConnectionLimit {
  const open = new Map<string, number>();
  const refused = new WeakSet<Socket>();

  const refuse = (socket: Socket): void => {
    refusals.inc();
    refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), ASKS_WITHIN_MS);
    socket.once('close', () => clearTimeout(timer));
  };
  return {
    isRefused: (socket) => refused.has(socket),
    watch: (server) => {
      if (most === 0) return;
      server.on('connection', (socket: Socket) => {
        const { address, allowed } = sourceOf(socket.remoteAddress ?? '');
        if (allowed) return;
        const count = (open.get(address) ?? 0) + 1;
        open.set(address, count);
        socket.once('close', () => {
          const left = (open.get(address) ?? 1) - 1;
          if (left > 0) open.set(address, left);
          else open.delete(address);
        });
        if (count > most) refuse(socket);
      });
    },
  };
}
