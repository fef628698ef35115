/** Who may read what visitors sent: who may change forms. Erasing somebody's data is for administrators. */
import { can, isLoggedIn } from '@sevenfold/chassis/actor';
import type { Denial, Subject } from '@sevenfold/chassis/http/route';
import { deny } from '../errors';

type Asked = Pick<Subject<unknown, unknown>, 'actor'>;

const refuseWithout =
  (capability: string, what: string) =>
  ({ actor }: Asked): Denial | undefined =>
    can(actor, capability)
      ? undefined
      : deny('rest_forbidden', isLoggedIn(actor) ? `You may not ${what}.` : `Log in to ${what}.`);

export const refuseReading = refuseWithout('publish_pages', 'read submissions');
export const refuseErasing = refuseWithout('manage_options', 'erase personal data');
