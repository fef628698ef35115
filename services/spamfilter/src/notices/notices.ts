/** What administrators should know of the key: a pure function of its state and of what is configured. */
import type { Config } from '../config';
import type { KeyState } from '../keys/current';

const messages = {
  key_missing: 'An outside service is configured, but there is no key for it. Set one.',
  key_lost:
    'The key was stored under a secret that is no longer configured (SPAM_KEY_SECRETS). Set the key anew, or add that secret again.',
  key_refused: 'The outside service does not know the key any more. Set another one, or remove it.',
  key_unverified: 'The outside service has not said yet whether it knows the key. It is asked again.',
} as const;

export interface Notice {
  readonly code: keyof typeof messages;
  readonly message: string;
}

export function noticesOf(
  key: KeyState,
  {
    SPAM_VERIFY_URL: verifying,
    SPAM_CHECK_URL: checking,
  }: Pick<Config, 'SPAM_VERIFY_URL' | 'SPAM_CHECK_URL'>,
): Notice[] {
  const code = codeOf(key, { outside: verifying !== '' || checking !== '', verifying: verifying !== '' });
  return code === undefined ? [] : [{ code, message: messages[code] }];
}

/** `outside`: whether there is a service to which the key matters. `verifying`: whether it is asked about the key itself. */
function codeOf(
  key: KeyState,
  { outside, verifying }: { readonly outside: boolean; readonly verifying: boolean },
): Notice['code'] | undefined {
  if (key.state === 'lost') return 'key_lost';
  if (!outside) return undefined;
  if (key.state === 'none') return 'key_missing';
  if (key.state === 'fixed' || key.verified === 'valid') return undefined;
  if (key.verified === 'invalid') return 'key_refused';
  return verifying ? 'key_unverified' : undefined;
}
