/**
 * Who may read something, as data that travels: its owner says it, and whoever shows it elsewhere can judge each reader
 * without asking the owner again. It says nothing of writing.
 */
import type { Actor } from './actor';

export interface Readers {
  /** 0: whoever has the capabilities. */
  readonly user: number;
  /** All of them. */
  readonly capabilities: readonly string[];
}

export interface Access {
  readonly public: boolean;
  /** Any of them, where it is not public; none: nobody. */
  readonly readers: readonly Readers[];
}

export const everybody: Access = { public: true, readers: [] };
export const nobody: Access = { public: false, readers: [] };

/** What is not known to be readable is not. */
export function admits(access: Access | undefined, actor: Actor): boolean {
  if (!access) return false;
  if (access.public) return true;
  return access.readers.some(
    ({ user, capabilities }) =>
      (user === 0 ? capabilities.length > 0 : user === actor.id) &&
      capabilities.every((name) => actor.capabilities.has(name)),
  );
}
