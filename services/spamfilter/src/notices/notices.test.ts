import type { KeyState } from '../keys/current';
import { noticesOf } from './notices';

const stored = (verified: 'unasked' | 'valid' | 'invalid'): KeyState => ({
  state: 'stored',
  key: 'k',
  verified,
});

test.each<[string, KeyState, string[], string[], string[]]>([
  ['a fixed key', { state: 'fixed', key: 'k' }, [], [], []],
  ['no key', { state: 'none' }, [], ['key_missing'], ['key_missing']],
  ['a lost key', { state: 'lost' }, ['key_lost'], ['key_lost'], ['key_lost']],
  ['a key that nobody was asked about', stored('unasked'), [], ['key_unverified'], []],
  ['a valid key', stored('valid'), [], [], []],
  ['a refused key', stored('invalid'), [], ['key_refused'], ['key_refused']],
])('%s', (_name, key, alone, verifying, checking) => {
  const codes = (SPAM_VERIFY_URL: string, SPAM_CHECK_URL = ''): string[] =>
    noticesOf(key, { SPAM_VERIFY_URL, SPAM_CHECK_URL }).map(({ code }) => code);
  const url = 'https://spam.example/';
  expect([codes(''), codes(url), codes('', url), codes(url, url)]).toEqual([
    alone,
    verifying,
    checking,
    verifying,
  ]);
});
