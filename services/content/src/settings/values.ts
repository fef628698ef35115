/** Names, types and defaults of the site's settings (INTERFACE.md 2.10). */
export interface SiteSettings {
  /** Null after a client has taken it back, until the next one is set: clients are used to that. */
  title: string | null;
  description: string;
  url: string;
  email: string;
  timezone: string;
  date_format: string;
  time_format: string;
  start_of_week: number;
  language: string;
  use_smilies: boolean;
  default_category: number;
  default_post_format: string;
  posts_per_page: number;
  default_ping_status: 'open' | 'closed';
  default_comment_status: 'open' | 'closed';
}

export const defaultSettings: SiteSettings = {
  title: '',
  description: '',
  url: '',
  email: '',
  timezone: 'UTC',
  date_format: 'F j, Y',
  time_format: 'g:i a',
  start_of_week: 1,
  language: 'en_US',
  use_smilies: true,
  default_category: 1,
  default_post_format: '0',
  posts_per_page: 10,
  default_ping_status: 'open',
  default_comment_status: 'open',
};
