/**
 * A port nobody listens on at this moment: below those that the system hands out for outgoing connections, which any
 * other test may take before the service of this one starts, or starts again.
 */
import { createServer } from 'node:net';

const LOWEST = 15_000;
const HIGHEST = 32_000;

export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
