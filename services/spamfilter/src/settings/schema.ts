/** The settings as the interface names them, and the arguments that change them. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';

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

export const settingsSchema: ItemSchema = {
  title: 'spamfilter-settings',
  description: 'Settings of the spam filter.',
  properties: saveArgs,
};
