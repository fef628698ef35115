/**
 * Who may read something, or change it, as data that travels: its owner says it, and whoever shows it elsewhere can judge each
 * user without asking the owner again.
 */
import type { Access as Message } from '@sevenfold/proto/gen/sevenfold/chassis/v1/access';
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

/** For gRPC, whose lists are nobody's to keep. */
export const toMessage = ({ public: isPublic, readers }: Access): Message => ({
  public: isPublic,
  readers: readers.map(({ user, capabilities }) => ({ user, capabilities: [...capabilities] })),
});
