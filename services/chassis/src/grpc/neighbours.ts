/**
 * Several interfaces of other services, dialled together. Of each service whose beats nobody follows yet these are followed, once
 * for all of its interfaces, until everything is closed: no call waits for a service that has stopped answering.
 */
import type { ServiceDefinition } from '@grpc/grpc-js';
import type { Log } from '../log';
import type { Dial, Remote, Target } from './dial';
import { followPulse } from './pulse';
import type { Pulse } from './promptly';

/** By the names they have here, which are those of `S`. */
export type Interfaces<S> = {
  readonly [K in keyof S]: readonly [definition: ServiceDefinition, target: Target];
};

export type Neighbours<S> = { readonly [K in keyof S]: Remote<S[K]> } & { close(): Promise<void> };

/** Targets that are one object share what is followed. */
export function dialAll<S>(dial: Dial, log: Log, interfaces: Interfaces<S>): Neighbours<S> {
  const followed = new Map<Target, Pulse>();
  const pulseOf = (target: Target): Pulse => {
    if (target.pulse) return target.pulse;
    const pulse = followed.get(target) ?? followPulse({ dial, log, ...target });
    followed.set(target, pulse);
    return pulse;
  };
  const table = Object.entries<Interfaces<S>[keyof S]>(interfaces);
  const remotes = Object.fromEntries(
    table.map(([name, [definition, target]]) => [
      name,
      dial(definition, { ...target, pulse: pulseOf(target) }),
    ]),
  ) as { readonly [K in keyof S]: Remote<S[K]> };
  const close = async (): Promise<void> => {
    await Promise.all([...followed.values()].map((pulse) => pulse.stop()));
    for (const remote of Object.values<{ close(): void }>(remotes)) remote.close();
  };
  return { ...remotes, close };
}
