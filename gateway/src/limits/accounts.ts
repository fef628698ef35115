/**
 * How often passwords of log-ins may be wrong: from one address and its network, and for one account, from wherever they come,
 * since guesses that are spread over many addresses are not more than those of a few. Whoever was right from his address lately is
 * not kept out by others who guess: there his account is counted by itself, so that who shares the address cannot guess without end.
 */
import { createHash } from 'node:crypto';
import { stripControl } from '@sevenfold/text/text';
import { openLru } from '@sevenfold/chassis/lru';
import type { Attempts } from './attempts';
import { RIGHT_LATELY_MS, type RightLately, unlessRight } from './right-lately';

const MOST_RIGHT_LATELY = 10_000;

export interface Accounts {
  /** Runs the check of a password. Throws 429 where too many from the address or for this account were wrong. */
  run<T>(account: Account, address: string, check: () => Promise<T>): Promise<T>;
}

export interface Account {
  /** User name or e-mail address, as it was sent. */
  readonly name: string;
  /** Whose that is; 0 for nobody's. */
  readonly userId: number;
}

export interface AccountsOptions {
  /** Of an address and its network. */
  readonly byAddress: Attempts;
  /** Of an account, by its name as it is counted. */
  readonly byAccount: Attempts;
  /** Of an account where it was right lately. */
  readonly byBoth: Attempts;
  /** Tells who of those that guess is whom. */
  readonly addressOf: (address: string) => string;
  /** What other gateways know. */
  readonly elsewhere: RightLately;
}

export function openAccounts({
  byAddress,
  byAccount,
  byBoth,
  addressOf,
  elsewhere,
}: AccountsOptions): Accounts {
  const rightLately = openLru<string, true>({ most: MOST_RIGHT_LATELY, ttl: RIGHT_LATELY_MS });
  return {
    run: async (account, address, check) => {
      const name = nameOf(account);
      const here = `${name} ${addressOf(address)}`;
      const who = `log-in ${here}`;
      const spared = (work: typeof check): ReturnType<typeof check> => byBoth.run(here, work);
      const found = await (rightLately.has(here)
        ? spared(check)
        : unlessRight(check, {
            counted: (work) => byAddress.run(address, () => byAccount.run(name, work)),
            wasRight: () => elsewhere.find(who),
            spared,
          }));
      rightLately.set(here, true);
      elsewhere.tell(who);
      return found;
    },
  };
}

/** One for both names of a user. Of one length whatever was sent, and the same for all that the content service takes for the same. */
function nameOf({ name, userId }: Account): string {
  const text = userId > 0 ? `user ${userId}` : `name ${stripControl(name).trim().toLowerCase()}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
