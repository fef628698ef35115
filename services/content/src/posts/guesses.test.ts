/** When wrong passwords are forgotten, and whose they are. */
import { stranger } from '@sevenfold/chassis/actor';
import { MOST_WRONG, openGuesses } from './guesses';
import type { PostSubject } from './policy';

const locked = { type: 'post', status: 'publish', author: 1, password: 'secret' } as PostSubject;
let now = 1_000_000;
const guesses = openGuesses(() => now);
const guess = (address: string, password: string, post = locked): boolean => {
  try {
    guesses.admit(
      { actor: stranger, request: { address }, args: { password } } as Parameters<typeof guesses.admit>[0],
      post,
    );
    return true;
  } catch {
    return false;
  }
};

test('as many as may be wrong in a minute, of each address; the right one is not counted', () => {
  const of = (address: string): number =>
    Array.from({ length: 30 }, () => guess(address, 'wrong')).filter(Boolean).length;
  for (let n = 0; n < 30; n++) expect(guess('203.0.113.1', 'secret')).toBe(true);
  expect(of('203.0.113.1')).toBe(MOST_WRONG);
  expect(guess('203.0.113.1', 'secret')).toBe(false);
  expect(guess('203.0.113.1', 'any', { ...locked, password: '' })).toBe(true);
  expect(of('203.0.113.2')).toBe(MOST_WRONG);
  expect([of('2001:db8::1'), of('2001:db8::2')]).toEqual([MOST_WRONG, 0]);
  now += 59_999;
  expect(guess('203.0.113.1', 'secret')).toBe(false);
  now += 1;
  expect(guess('203.0.113.1', 'secret')).toBe(true);
});
