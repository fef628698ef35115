/** Who may see and change forms. Strangers are refused as users are, with 403: clients know no other answer. */
import { can } from '@sevenfold/chassis/actor';
import type { Denial, Subject } from '@sevenfold/chassis/http/route';
import { deny } from '../errors';

type Asked = Pick<Subject<unknown, unknown>, 'actor'>;

const refuseUnless =
  (capability: string, message: string) =>
  ({ actor }: Asked): Denial | undefined =>
    can(actor, capability) ? undefined : deny('contact_form_forbidden', message, 403);

export const refuseList = refuseUnless('edit_posts', 'Only who may write posts may list contact forms.');
export const refuseForm = refuseUnless(
  'publish_pages',
  'Only who may publish pages may see and change contact forms.',
);
