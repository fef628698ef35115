/** What administrators should know of the key: a pure function of its state and of what is configured. */
import type { Config } from '../config';
import type { KeyState } from '../keys/current';

export interface Notice {
  readonly code: 'key_missing' | 'key_lost' | 'key_refused' | 'key_unverified';
  readonly message: string;
}

export function noticesOf(
  key: KeyState,
  { SPAM_VERIFY_URL: asked }: Pick<Config, 'SPAM_VERIFY_URL'>,
): Notice[] {
  const outside = asked !== '';
  switch (key.state) {
    case 'fixed':
      return [];
    case 'lost':
      return [
        {
          code: 'key_lost',
          message:
            'The key was stored under a secret that is no longer configured (SPAM_KEY_SECRETS). Set the key anew, or add that secret again.',
        },
      ];
    case 'none':
      return outside
        ? [
            {
              code: 'key_missing',
              message: 'An outside service is configured, but there is no key for it. Set one.',
            },
          ]
        : [];
    case 'stored':
      if (outside && key.verified === 'invalid')
        return [
          {
            code: 'key_refused',
            message: 'The outside service does not know the key any more. Set another one, or remove it.',
          },
        ];
      return outside && key.verified === 'unasked'
        ? [
            {
              code: 'key_unverified',
              message: 'The outside service has not said yet whether it knows the key. It is asked again.',
            },
          ]
        : [];
  }
}
