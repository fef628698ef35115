/** Where the processes of a stack listen. */
import { canListen, freePort, freePorts, hostOf } from '@sevenfold/chassis/ports';
import { type StackSettings, isEverywhere } from './settings';
import type { ProcessPorts, ProcessSpec } from './topology';

export async function gatewayPort({ PORT, HOST }: StackSettings): Promise<number> {
  if (PORT === 0) return freePort();
  const free = await canListen(PORT, HOST).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES')
      throw new Error(`PORT ${PORT} may not be used by this account. Set PORT to one above 1023.`);
    throw new Error(`HOST ${HOST} cannot be listened on: ${error.message}`);
  });
  if (!free)
    throw new Error(`PORT ${PORT} on ${HOST} is in use by another program. Stop it, or set another PORT.`);
  return PORT;
}

export async function choosePorts(
  specs: readonly ProcessSpec[],
  publicPort: number,
): Promise<Record<string, ProcessPorts>> {
  const free = await freePorts(specs.length * 2);
  return Object.fromEntries(
    specs.map((spec, index) => {
      const http = spec.needs.includes('public') ? publicPort : free[2 * index]!;
      return [spec.name, spec.grpc ? { http, grpc: free[2 * index + 1]! } : { http }];
    }),
  );
}

/** An address of this machine at which a listener on `host` answers. */
export function reachable(host: string): string {
  if (isEverywhere(host)) return host.includes(':') ? '[::1]' : '127.0.0.1';
  return hostOf(host);
}
