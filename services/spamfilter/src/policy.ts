/** Who may see and change how the site is kept from spam. */
import { can } from '@sevenfold/chassis/actor';
import type { Denial, Subject } from '@sevenfold/chassis/http/route';
import { deny } from './errors';

export const refuseOthers = ({ actor }: Pick<Subject<unknown, unknown>, 'actor'>): Denial | undefined =>
  can(actor, 'manage_spamfilter')
    ? undefined
    : deny('rest_forbidden', 'Only administrators may see and change the spam filter.');
