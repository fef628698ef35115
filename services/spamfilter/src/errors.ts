/** The errors of this service. */
import { type CodeTable, makersFor } from '@sevenfold/chassis/errors';

/** Codes of errors that only this service answers with. */
export const codes = {
  blocked_list_full: 'The list of what the site blocks takes no more entries.',
  blocked_not_found: 'There is no such entry in the list of what the site blocks.',
  hardcoded_key: 'The key is fixed by configuration.',
  invalid_key: 'This is no key, or the outside service does not know it.',
  key_lost: 'The key was stored under a secret that is no longer configured.',
  key_not_storable: 'No secret is configured under which a key could be stored.',
} as const satisfies CodeTable;
const { apiError, argumentError } = makersFor(codes);

export const errors = {
  blockedListFull: (most: number) =>
    apiError('blocked_list_full', 409, `The list takes ${most} entries and is full.`),
  nothingBlocked: () => apiError('blocked_not_found', 404, 'There is no entry with this number.'),
  invalidKey: () => argumentError('key', 'invalid_key', 400, 'A key has exactly 12 letters and digits.'),
  unknownKey: () => argumentError('key', 'invalid_key', 400, 'The outside service does not know this key.'),
  hardcodedKey: () =>
    apiError(
      'hardcoded_key',
      409,
      'The key is fixed by the configuration (SPAM_KEY) and cannot be changed here.',
    ),
  keyLost: () =>
    apiError(
      'key_lost',
      409,
      'The key was stored under a secret that is no longer configured (SPAM_KEY_SECRETS). Set the key anew, or add that secret again.',
    ),
  keyNotStorable: () =>
    apiError(
      'key_not_storable',
      409,
      'No secret is configured under which a key could be stored (SPAM_KEY_SECRETS).',
    ),
} as const;
