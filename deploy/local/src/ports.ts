/**
 * Free TCP ports for servers on this machine.
 * Picks below the range that the system hands out for outgoing connections (32768 and up on Linux): a port
 * from that range may be taken by any connection while the process that owns it is being restarted.
 */
import { createServer, type Server } from 'node:net';

const LOWEST = 15_000;
const HIGHEST = 32_000;
const ATTEMPTS = 500;

/** Ports given out by this process: two starts at the same moment must not be told the same one. */
const given = new Set<number>();

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** `count` different free ports on 127.0.0.1. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  for (let attempt = 0; ports.length < count; attempt += 1) {
    if (attempt > ATTEMPTS + count) throw new Error(`No free port found between ${LOWEST} and ${HIGHEST}.`);
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (given.has(port) || !(await canListen(port))) continue;
    given.add(port);
    ports.push(port);
  }
  return ports;
}

/** Whether nothing listens on the port. Other faults (no such address, no permission) are thrown. */
export async function canListen(port: number, host = '127.0.0.1'): Promise<boolean> {
  try {
    const server = await listen(port, host);
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
}

function listen(port: number, host: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}
