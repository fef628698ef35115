/**
 * A door in front of a port, which can be frozen: as in front of a process that was stopped, connections are still
 * accepted and nothing goes either way, until all of it goes on.
 */
import net, { type AddressInfo } from 'node:net';

export interface Freezable {
  readonly port: number;
  /** How many connections have come so far. */
  accepted(): number;
  freeze(): void;
  /** As of a machine that is gone: connections of now carry nothing any more, nor do they end; who comes anew is led through. */
  lose(): void;
  thaw(): void;
  stop(): Promise<void>;
}

/** On a port of its own, unless it is to come back on the one that it had. */
export async function startFreezable(behind: number, port = 0): Promise<Freezable> {
  let frozen = false;
  let accepted = 0;
  const sockets = new Set<net.Socket>();
  const pass = (from: net.Socket, to: net.Socket): void => {
    sockets.add(from);
    if (frozen) from.pause();
    from.on('data', (chunk) => to.write(chunk));
    from.on('end', () => to.end());
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    accepted += 1;
    const service = net.connect({ port: behind, host: '127.0.0.1', allowHalfOpen: true });
    pass(client, service);
    pass(service, client);
  });
  const pause = (): void => sockets.forEach((socket) => void socket.pause());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    accepted: () => accepted,
    freeze: () => {
      frozen = true;
      pause();
    },
    lose: pause,
    thaw: () => {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
