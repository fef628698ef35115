/** Arguments of the settings routes. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const saveArgs = {
  spamfilter_strictness: {
    type: 'boolean',
    description: 'Whether the worst spam is rejected outright instead of going to the spam folder.',
  },
  spamfilter_show_user_comments_approved: {
    type: 'boolean',
    description: 'Whether the list of comments shows, beside each author, how many of theirs were approved.',
  },
} as const satisfies ArgTable;
