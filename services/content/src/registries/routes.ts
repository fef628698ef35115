/** Types, statuses and taxonomies: what there is on this site. Collections are objects keyed by name. */
import { type ItemSchema, filterContext } from '@sevenfold/chassis/http/present';
import { type Reply, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import * as shape from '@sevenfold/chassis/http/shapes';
import { fixed } from '@sevenfold/chassis/http/shows';
import type { ContentCall, Deps } from '../deps';
import * as policy from './policy';
import { presentStatus, presentTaxonomy, presentType } from './presenter';
import * as schemas from './schema';
import { type StatusEntry, hiddenStatuses, statuses as allStatuses } from './statuses';
import { type TaxonomyEntry, hiddenTaxonomies, shownTaxonomies } from './taxonomies';
import { type TypeEntry, hiddenTypes, shownTypes } from './types';
import { apiError, type Code } from '../errors';

const present =
  <E>(show: (entry: E, site: Deps) => Record<string, unknown>) =>
  (entry: E, { deps }: { deps: Deps }): object =>
    show(entry, deps);

/** An object with a member for each entry, so empty as `{}`. */
const keyed = <E>(
  { deps, context }: ContentCall,
  schema: ItemSchema,
  entries: readonly E[],
  show: (entry: E, site: Deps) => Record<string, unknown>,
): Reply<never> =>
  reply.plain(
    Object.fromEntries(
      entries
        .map((entry) => show(entry, deps))
        .map((item) => [item.slug, filterContext(item, schema, context)]),
    ),
  );

function named<E>(found: E | undefined, isHidden: boolean, code: Code, message: string): policy.Named<E> {
  if (found) return found;
  if (isHidden) return 'hidden';
  throw apiError(code, 404, message);
}

export const types: Resource<Deps> = {
  name: 'types',
  description: 'Kinds of posts.',
  routes: [
    route({
      methods: ['GET'],
      path: '/types',
      summary: 'List post types',
      description: 'The kinds of posts that the site has, by name.',
      args: schemas.listArgs,
      schema: schemas.typeSchema,
      answers: { body: shape.mapOf(shape.itemOf(schemas.typeSchema)) },
      permission: policy.refuseListTypes,
      shows: fixed,
      handle: (call: ContentCall) => {
        const listed = shownTypes.filter(
          (type) => call.context !== 'edit' || policy.canEditType(call.actor, type),
        );
        return keyed(call, schemas.typeSchema, listed, presentType);
      },
    }),
    route({
      methods: ['GET'],
      path: '/types/(?P<type>[\\w-]+)',
      summary: 'Read a post type',
      description: 'One kind of posts, by its name.',
      args: schemas.typeArgs,
      schema: schemas.typeSchema,
      load: async ({ args: { type: name = '' } }) =>
        named(
          shownTypes.find(({ slug }) => slug === name),
          hiddenTypes.has(name),
          'rest_type_invalid',
          'There is no such post type.',
        ),
      permission: policy.refuseViewType,
      shows: fixed,
      present: present(presentType),
      handle: ({ subject }) => reply.item(subject as TypeEntry),
    }),
  ],
};

export const statuses: Resource<Deps> = {
  name: 'statuses',
  description: 'States that posts can be in.',
  routes: [
    route({
      methods: ['GET'],
      path: '/statuses',
      summary: 'List post statuses',
      description: 'The states that posts can be in, by name: those that the caller may ask for.',
      args: schemas.listArgs,
      schema: schemas.statusSchema,
      answers: { body: shape.mapOf(shape.itemOf(schemas.statusSchema)) },
      permission: policy.refuseListStatuses,
      shows: fixed,
      handle: (call: ContentCall) => {
        const listed = allStatuses.filter((status) => policy.canReadStatus(call.actor, status));
        return keyed(call, schemas.statusSchema, listed, presentStatus);
      },
    }),
    route({
      methods: ['GET'],
      path: '/statuses/(?P<status>[\\w-]+)',
      summary: 'Read a post status',
      description: 'One state of posts, by its name; all but `publish` are for those who write.',
      args: schemas.statusArgs,
      schema: schemas.statusSchema,
      load: async ({ args: { status: name = '' } }) =>
        named(
          allStatuses.find(({ slug }) => slug === name),
          hiddenStatuses.has(name),
          'rest_status_invalid',
          'There is no such status.',
        ),
      permission: policy.refuseViewStatus,
      shows: fixed,
      present: present(presentStatus),
      handle: ({ subject }) => reply.item(subject as StatusEntry),
    }),
  ],
};

const ofType = ({ type }: { readonly type?: unknown }): readonly TaxonomyEntry[] =>
  shownTaxonomies.filter(
    (taxonomy) => type === undefined || type === '' || taxonomy.types.includes(type as string),
  );

export const taxonomies: Resource<Deps> = {
  name: 'taxonomies',
  description: 'Kinds of terms.',
  routes: [
    route({
      methods: ['GET'],
      path: '/taxonomies',
      summary: 'List taxonomies',
      description:
        'The kinds of terms that the site has, by name; with `type` only those that posts of that type carry.',
      args: schemas.taxonomyListArgs,
      schema: schemas.taxonomySchema,
      answers: { body: shape.mapOf(shape.itemOf(schemas.taxonomySchema)) },
      permission: policy.refuseListTaxonomies(ofType),
      shows: fixed,
      handle: (call: ContentCall) => {
        const listed = ofType(call.args).filter(
          (taxonomy) => call.context !== 'edit' || policy.canAssign(call.actor, taxonomy),
        );
        return keyed(call, schemas.taxonomySchema, listed, presentTaxonomy);
      },
    }),
    route({
      methods: ['GET'],
      path: '/taxonomies/(?P<taxonomy>[\\w-]+)',
      summary: 'Read a taxonomy',
      description: 'One kind of terms, by its name.',
      args: schemas.taxonomyArgs,
      schema: schemas.taxonomySchema,
      load: async ({ args: { taxonomy: wanted = '' } }) =>
        named(
          shownTaxonomies.find(({ name }) => name === wanted),
          hiddenTaxonomies.has(wanted),
          'rest_taxonomy_invalid',
          'There is no such taxonomy.',
        ),
      permission: policy.refuseViewTaxonomy,
      shows: fixed,
      present: present(presentTaxonomy),
      handle: ({ subject }) => reply.item(subject as TaxonomyEntry),
    }),
  ],
};
