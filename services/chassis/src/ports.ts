/**
 * Free TCP ports for servers on this machine.
 * Picks below the range that the system hands out for outgoing connections (32768 and up on Linux): a port
 * from that range may be taken by any connection while the process that owns it is being restarted.
 * Between the picking and the listening others pick too: a port belongs to the process that picked it until that ends.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, isIPv6, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive } from './alive';

/** From the first on, up to the second. */
type Range = readonly [number, number];
const BELOW_OUTGOING: Range = [15_000, 32_000];
const ATTEMPTS = 500;

export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  return port!;
}

/** `count` different free ports on 127.0.0.1. */
export async function freePorts(count: number, range = BELOW_OUTGOING): Promise<number[]> {
  const [lowest, end] = range;
  const ports: number[] = [];
  for (let attempt = 0; ports.length < count; attempt += 1) {
    if (attempt > ATTEMPTS + count) throw new Error(`No free port found from ${lowest} up to ${end}.`);
    const port = lowest + Math.floor(Math.random() * (end - lowest));
    if (claim(port) && (await canListen(port))) ports.push(port);
  }
  return ports;
}

/** A host as it stands before a port: the parts of an IPv6 address have colons, too. */
export const hostOf = (address: string): string => (isIPv6(address) ? `[${address}]` : address);

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

/** Whether the port is this process's now: one file for each that is taken, which names the process. */
function claim(port: number): boolean {
  // By number: in a container it may be one without a name, of which the system tells nothing more.
  const folder = path.join(tmpdir(), `sevenfold-ports-${process.getuid?.() ?? 'all'}`);
  const file = path.join(folder, String(port));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (isTaken(file)) return false;
  rmSync(file, { force: true });
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    // Somebody was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isTaken(file: string): boolean {
  try {
    // One that has not been written yet is being taken.
    const pid = readFileSync(file, 'utf8');
    return pid === '' || isAlive(Number(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
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
