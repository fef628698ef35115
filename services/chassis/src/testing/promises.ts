import { createHook } from 'node:async_hooks';
import http from 'node:http';

const READS = 15;

/**
 * How many promises this process makes for a read of the address, over one connection. In the middle of some: what a process does
 * besides is over before or comes after.
 */
export async function promisesOf(url: string, headers: http.OutgoingHttpHeaders = {}): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const read = (done: () => void): void =>
    void http.get(url, { agent, headers }, (response) => {
      response.resume().on('end', () => setImmediate(done));
    });
  let made = 0;
  const counts: number[] = [];
  const hook = createHook({ init: (_id, type) => void (made += type === 'PROMISE' ? 1 : 0) });
  hook.enable();
  await new Promise<void>((resolve) => {
    const next = (): void => {
      counts.push(made);
      made = 0;
      if (counts.length < READS) read(next);
      else resolve();
    };
    read(next);
  });
  hook.disable();
  agent.destroy();
  return counts.sort((a, b) => a - b)[Math.floor(READS / 2)] as number;
}
