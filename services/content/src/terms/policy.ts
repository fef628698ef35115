/** Who may see, make, change and delete terms: everybody sees them, the rest follows the taxonomy's rights. */
import type { Access } from '@sevenfold/chassis/access';
import { type Actor, can } from '@sevenfold/chassis/actor';
import { type Denial, type Subject } from '@sevenfold/chassis/http/route';
import { type PostSubject, canReadPost } from '../posts/policy';
import type { Taxonomy } from './taxonomies';
import { deny } from '../errors';
import { IS_DEFAULT } from './errors';

type Asked<S = unknown> = Pick<Subject<unknown, S>, 'actor' | 'args'> & { readonly subject: S };

/** A term that a route names, and whether the settings make it the default category. */
export interface TermSubject {
  readonly isDefault: boolean;
}

/** The post or event whose terms a list is asked for. */
interface ListSubject {
  readonly post?: PostSubject;
  readonly event?: { readonly readable: boolean };
}

export const refuseListTerms =
  (taxonomy: Taxonomy) =>
  ({ actor, args, subject }: Asked<ListSubject | undefined>): Denial | undefined => {
    const denial = args.context === 'edit' ? refuseEditContext(actor, taxonomy) : undefined;
    if (denial) return denial;
    if (subject?.event?.readable === false || (subject?.post && !canReadPost(actor, subject.post)))
      return deny('rest_forbidden_context', `You may not see the ${taxonomy.many} of this post.`);
    return undefined;
  };

export const refuseViewTerm =
  (taxonomy: Taxonomy) =>
  ({ actor, args }: Asked): Denial | undefined =>
    args.context === 'edit' ? refuseEditContext(actor, taxonomy) : undefined;

const refuseEditContext = (actor: Actor, { rights, many }: Taxonomy): Denial | undefined =>
  can(actor, rights.update)
    ? undefined
    : deny('rest_forbidden_context', `The edit context takes the right to edit ${many}.`);

export const refuseCreateTerm =
  ({ rights, many }: Taxonomy) =>
  ({ actor }: Pick<Asked, 'actor'>): Denial | undefined =>
    can(actor, rights.create) ? undefined : deny('rest_cannot_create', `You may not create ${many}.`);

export const refuseUpdateTerm =
  ({ rights, many }: Taxonomy) =>
  ({ actor }: Pick<Asked, 'actor'>): Denial | undefined =>
    can(actor, rights.update) ? undefined : deny('rest_cannot_update', `You may not edit ${many}.`);

/** As data: other services judge by it who may change what they keep of it. */
export const editorsOf = ({ rights }: Taxonomy): Access => ({
  public: false,
  readers: [{ user: 0, capabilities: [rights.update] }],
});

export const refuseDeleteTerm =
  ({ rights, many }: Taxonomy) =>
  ({ actor, subject }: Pick<Asked<TermSubject | undefined>, 'actor' | 'subject'>): Denial | undefined => {
    if (!can(actor, rights.delete)) return deny('rest_cannot_delete', `You may not delete ${many}.`);
    return subject?.isDefault ? deny('rest_cannot_delete', IS_DEFAULT) : undefined;
  };

/** Imports may bring terms along that are not there yet. */
export const mayCreateMissing = (actor: Actor, { rights }: Taxonomy): boolean =>
  can(actor, rights.create) || can(actor, 'manage_imports');
