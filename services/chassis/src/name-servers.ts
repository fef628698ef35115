/**
 * Names that strangers choose, looked up at the name servers themselves. What the system's resolver is asked holds a thread of
 * the process until an answer comes, and there are few of them for all look-ups: those of neighbours and databases would wait
 * behind names whose servers never answer. Here it is a packet, given up after a while.
 */
import type { LookupAddress, lookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** The second try waits for twice as long. */
const TIMEOUT_MS = 1_500;
const TRIES = 2;

/** By definition this machine, whatever name servers say. */
const isThisMachine = (name: string): boolean => /(^|\.)localhost\.?$/i.test(name);

/** As the system's resolver tells it: whether there is no such name, or asking again may help. */
function faultOf(name: string, results: readonly PromiseSettledResult<unknown>[]): Error {
  const codes = results.map((one) => one.status === 'rejected' && (one.reason as NodeJS.ErrnoException).code);
  const code = codes.every((one) => one === 'ENOTFOUND' || one === 'ENODATA') ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error(`${name} could not be looked up: ${code}`), { code });
}

async function addressesOf(resolver: Resolver, name: string): Promise<LookupAddress[]> {
  if (isThisMachine(name)) return [{ address: '127.0.0.1', family: 4 }];
  const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const [v4, v6] = results.map((one) => (one.status === 'fulfilled' ? one.value : []));
  const found = [
    ...(v4 ?? []).map((address) => ({ address, family: 4 })),
    ...(v6 ?? []).map((address) => ({ address, family: 6 })),
  ];
  if (found.length === 0) throw faultOf(name, results);
  return found;
}

/**
 * In place of `dns.lookup`, always with all addresses; `/etc/hosts` and search domains are not looked at. `servers`: other
 * ones than the system's, as `address:port`.
 */
export function lookupByServers(servers?: readonly string[]): typeof lookup {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers) resolver.setServers(servers);
  const look = (
    name: string,
    _options: object,
    callback: (error: Error | null, addresses: LookupAddress[]) => void,
  ): void => {
    addressesOf(resolver, name).then(
      (addresses) => callback(null, addresses),
      (error: Error) => callback(error, []),
    );
  };
  return look as typeof lookup;
}
