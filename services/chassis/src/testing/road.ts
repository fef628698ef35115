/** A road to a server, which can be cut under whoever is on it, and closed to those who come. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { hostOf } from '../ports';

export interface Road {
  /** The address of the server, by this road. */
  readonly url: string;
  /** How many are on it. */
  connections(): number;
  /** Ends all connections; new ones are let in. */
  cut(): void;
  /** Keeps back what the server answers, until `release`: it has done what it was asked, and nobody knows. */
  hold(): void;
  release(): void;
  /** Lets in nobody else; those who are on it stay. */
  refuse(): void;
  close(): Promise<unknown>;
}

/** It begins at `host`. */
export async function openRoad(to: string, host = '127.0.0.1'): Promise<Road> {
  const target = new URL(to);
  const travellers = new Map<net.Socket, net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(Number(target.port), target.hostname);
    travellers.set(near, far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        travellers.delete(near);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await once(server.listen(0, host), 'listening');
  const closed = once(server, 'close');
  const url = new URL(target);
  url.host = `${hostOf(host)}:${(server.address() as AddressInfo).port}`;
  const cut = (): void => travellers.forEach((_far, near) => near.destroy());
  return {
    url: url.toString(),
    connections: () => travellers.size,
    cut,
    hold: () => travellers.forEach((far, near) => far.unpipe(near)),
    release: () => travellers.forEach((far, near) => far.pipe(near)),
    refuse: () => void server.close(),
    close: () => {
      cut();
      server.close();
      return closed;
    },
  };
}
