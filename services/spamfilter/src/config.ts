/** Variables of the spamfilter service. */
import { type ConfigOf, type Variables, WEB } from '@sevenfold/chassis/config';
import { databaseVariables, redisVariables, serviceVariables } from '@sevenfold/chassis/variables';

export const variables = {
  ...serviceVariables,
  ...databaseVariables,
  ...redisVariables,
  SPAM_KEY: {
    kind: 'string',
    secret: true,
    default: '',
    description: 'key of the outside service, fixed here: then it cannot be changed over the interface',
  },
  SPAM_KEY_SECRETS: {
    kind: 'secrets',
    secret: true,
    default: '',
    description:
      'secrets under which the key is stored, separated by commas: the first one seals, the others still open what was sealed before; empty: no key can be stored',
  },
  SPAM_VERIFY_URL: {
    kind: 'url',
    protocols: WEB,
    default: '',
    description:
      'address of an outside service that says whether a key is valid (posted: key, blog; answered: valid or invalid); empty: its form decides',
  },
  SPAM_CHECK_URL: {
    kind: 'url',
    protocols: WEB,
    default: '',
    description:
      'address below which an outside service answers comment-check, submit-spam and submit-ham; asked where there is a key as well; empty: nobody outside is asked',
  },
  OUTBOUND_ALLOW_PRIVATE: {
    kind: 'boolean',
    default: false,
    description:
      'whether outside services may be at private addresses; only for sites that have theirs there',
  },
  SPAM_KEEP_DAYS: {
    kind: 'integer',
    default: 15,
    min: 1,
    max: 3650,
    description: 'days after which the spam folders are emptied',
  },
  SPAM_EVENTS_DAYS: {
    kind: 'integer',
    default: 400,
    min: 62,
    max: 36_500,
    description: 'days for which verdicts and corrections are kept one by one; the statistics stay for good',
  },
} as const satisfies Variables;

export type Config = ConfigOf<typeof variables>;
