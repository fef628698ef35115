/**
 * How often passwords for one account may be wrong, from wherever they come: guesses that are spread over many addresses are
 * not more than those of a few. Whoever was right from his network lately is not kept out by others who guess.
 */
import { createHash } from 'node:crypto';
import { stripControl } from '@sevenfold/text/text';
import { openLru } from '@sevenfold/chassis/lru';
import type { Attempts } from './attempts';

const RIGHT_LATELY_MS = 24 * 3_600_000;
const MOST_RIGHT_LATELY = 10_000;

export interface Accounts {
  /** Runs the check of a password. Throws 429 where too many for this account were wrong. */
  run<T>(account: Account, address: string, check: () => Promise<T>): Promise<T>;
}

export interface Account {
  /** User name or e-mail address, as it was sent. */
  readonly name: string;
  /** Whose that is; 0 for nobody's. */
  readonly userId: number;
}

/** `attempts` are of names as they are counted; `networkOf` tells who of those that guess is whom. */
export function openAccounts(attempts: Attempts, networkOf: (address: string) => string): Accounts {
  const rightLately = openLru<string, true>({ most: MOST_RIGHT_LATELY, ttl: RIGHT_LATELY_MS });
  return {
    run: async (account, address, check) => {
      const name = nameOf(account);
      const here = `${name} ${networkOf(address)}`;
      const found = await (rightLately.has(here) ? check() : attempts.run(name, check));
      rightLately.set(here, true);
      return found;
    },
  };
}

/** One for both names of a user. Of one length whatever was sent, and the same for all that the content service takes for the same. */
function nameOf({ name, userId }: Account): string {
  const text = userId > 0 ? `user ${userId}` : `name ${stripControl(name).trim().toLowerCase()}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
