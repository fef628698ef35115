/** Links to the picture that goes with an e-mail address. Only links: nothing is fetched, and the address is hashed. */
import { hash } from 'node:crypto';

const SIZES = [24, 48, 96] as const;

export function avatarUrls(email: string): Record<string, string> {
  const name = hash('sha256', email.trim().toLowerCase(), 'hex');
  return Object.fromEntries(
    SIZES.map((size) => [String(size), `https://secure.gravatar.com/avatar/${name}?s=${size}&d=mm&r=g`]),
  );
}
