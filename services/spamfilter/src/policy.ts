/** Who may see and change how the site is kept from spam. */
import { refuseWithout } from '@sevenfold/chassis/http/refuse';

export const refuseOthers = refuseWithout(
  'manage_spamfilter',
  'Only administrators may see and change the spam filter.',
);
