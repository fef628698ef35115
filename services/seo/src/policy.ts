/** Who may see and change what the site does for search engines. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';

export const refuseOthers = refuseWithout(
  'manage_seo',
  'Only administrators may see and change the search-engine optimisation.',
);
