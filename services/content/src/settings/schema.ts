/**
 * The settings as the interface names them, and the arguments that change them. `null` takes a setting back to its
 * default, so every argument takes it.
 */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import type { ItemSchema, Property } from '@sevenfold/chassis/http/present';

const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 } as const;
const accept = ['null'] as const;
const openOrClosed = { type: 'string', enum: ['open', 'closed'], accept } as const;

export const updateArgs = {
  title: { type: 'string', accept, description: 'Title of the site.' },
  description: { type: 'string', accept, description: 'Tagline of the site.' },
  url: {
    type: 'string',
    accept,
    description: 'Address of the site; fixed by configuration, so writing it changes nothing.',
  },
  email: { type: 'string', format: 'email', accept, description: 'Address for administrative mail.' },
  timezone: { type: 'string', accept, description: 'A city in the time zone of the site.' },
  date_format: { type: 'string', accept, description: 'Format of dates.' },
  time_format: { type: 'string', accept, description: 'Format of times of day.' },
  start_of_week: {
    type: 'integer',
    ...INT32,
    accept,
    description: 'Number of the first weekday; 0 is Sunday.',
  },
  language: { type: 'string', accept, description: 'Locale code of the site.' },
  use_smilies: { type: 'boolean', accept, description: 'Whether emoticons are shown as pictures.' },
  default_category: { type: 'integer', accept, description: 'Category of posts that have no other.' },
  default_post_format: { type: 'string', accept, description: 'Format of posts that have no other.' },
  posts_per_page: { type: 'integer', ...INT32, accept, description: 'Posts on a page of the site.' },
  default_ping_status: { ...openOrClosed, description: 'Whether new posts take notices of links.' },
  default_comment_status: { ...openOrClosed, description: 'Whether new posts take comments.' },
} as const satisfies ArgTable;

export type SettingName = keyof typeof updateArgs;
export const settingNames = Object.keys(updateArgs) as SettingName[];

export const settingsSchema: ItemSchema = {
  title: 'settings',
  description: 'Settings of the site.',
  properties: Object.fromEntries(
    Object.entries(updateArgs).map(([name, arg]): [string, Property] => [
      name,
      {
        type: name === 'title' ? ['string', 'null'] : arg.type,
        description: arg.description,
        ...('enum' in arg ? { enum: arg.enum } : {}),
      },
    ]),
  ),
};
