/** Who may see and change what the site does for search engines. */
import { can } from '@sevenfold/chassis/actor';
import { deny } from '@sevenfold/chassis/errors';
import type { Denial, Subject } from '@sevenfold/chassis/http/route';

export const refuseOthers = ({ actor }: Pick<Subject<unknown, unknown>, 'actor'>): Denial | undefined =>
  can(actor, 'manage_seo')
    ? undefined
    : deny('rest_forbidden', 'Only administrators may see and change the search-engine optimisation.');
