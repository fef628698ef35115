/** Who may see which entries of the registries. */
import { type Actor, can } from '@sevenfold/chassis/actor';
import { type Denial, type Subject } from '@sevenfold/chassis/http/route';
import type { StatusEntry } from './statuses';
import type { TaxonomyEntry } from './taxonomies';
import { type TypeEntry, shownTypes } from './types';
import { deny } from '../errors';

/** An entry that a route names; `hidden` ones exist, and nobody is shown them. */
export type Named<E> = E | 'hidden';
type Asked<E> = Pick<Subject<unknown, Named<E> | undefined>, 'actor' | 'args' | 'subject'>;
type ListAsked = Pick<Asked<unknown>, 'actor' | 'args'>;

export const canEditType = (actor: Actor, { capabilities }: TypeEntry): boolean =>
  can(actor, capabilities.edit_posts as string);
const canEditSomeType = (actor: Actor): boolean => shownTypes.some((type) => canEditType(actor, type));

export const refuseListTypes = ({ actor, args }: ListAsked): Denial | undefined =>
  args.context !== 'edit' || canEditSomeType(actor)
    ? undefined
    : deny('rest_cannot_view', 'The edit context takes the right to edit posts.');

export function refuseViewType({ actor, args, subject }: Asked<TypeEntry>): Denial | undefined {
  if (!subject) return undefined;
  if (subject === 'hidden') return deny('rest_cannot_read_type', 'You may not see this post type.');
  return args.context !== 'edit' || canEditType(actor, subject)
    ? undefined
    : deny('rest_forbidden_context', 'The edit context takes the right to edit posts of this type.');
}

export const refuseListStatuses = ({ actor, args }: ListAsked): Denial | undefined =>
  args.context !== 'edit' || canEditSomeType(actor)
    ? undefined
    : deny('rest_cannot_view', 'The edit context takes the right to edit posts.');

export const canReadStatus = (actor: Actor, status: StatusEntry): boolean =>
  status.public || canEditSomeType(actor);

export const refuseViewStatus = ({ actor, subject }: Asked<StatusEntry>): Denial | undefined =>
  !subject || (subject !== 'hidden' && canReadStatus(actor, subject))
    ? undefined
    : deny('rest_cannot_read_status', 'You may not see this status.');

export const canAssign = (actor: Actor, { rights }: TaxonomyEntry): boolean => can(actor, rights.assign);

export const refuseListTaxonomies =
  (listed: (args: Asked<unknown>['args']) => readonly TaxonomyEntry[]) =>
  ({ actor, args }: ListAsked): Denial | undefined =>
    args.context !== 'edit' || listed(args).some((taxonomy) => canAssign(actor, taxonomy))
      ? undefined
      : deny('rest_cannot_view', 'The edit context takes the right to assign terms.');

export function refuseViewTaxonomy({ actor, args, subject }: Asked<TaxonomyEntry>): Denial | undefined {
  if (!subject) return undefined;
  if (subject === 'hidden') return deny('rest_forbidden', 'You may not see this taxonomy.');
  return args.context !== 'edit' || canAssign(actor, subject)
    ? undefined
    : deny('rest_forbidden_context', 'The edit context takes the right to assign terms of this taxonomy.');
}
