/** Terms for other services: the same rules and rights as the routes, in batches. */
import { toMessage } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { type Denial, anyone } from '@sevenfold/chassis/http/route';
import type { RpcPermission } from '@sevenfold/chassis/grpc/caller';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import {
  type Term,
  TermServiceService,
  type TermServiceServer,
} from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { versionLimit, versionsOf } from '../common/versions';
import type { Deps } from '../deps';
import { LONGEST as LONGEST_DESCRIPTION, brief } from '../common/description';
import * as actions from './actions';
import { termErrors } from './errors';
import { setExternalCounts } from './external-counts';
import * as policy from './policy';
import { termLink } from './presenter';
import { type TermRef, resolveTerms } from './resolve';
import { type TermOrder, listTerms } from './list';
import * as store from './store';
import { type Taxonomy, isTaxonomy, taxonomies } from './taxonomies';

const ORDERS: Readonly<Record<string, TermOrder>> = {
  id: 'id',
  include: 'include',
  name: 'name',
  slug: 'slug',
  include_slugs: 'include_slugs',
  term_group: 'term_group',
  description: 'description',
  count: 'count',
};
type Told = store.TermRow & { readonly version?: string };

/** Of each of so many that are told at once, in characters: one message has room for all of them. */
const shareOf = (count: number): number =>
  Math.min(LONGEST_DESCRIPTION, Math.floor(MOST_DESCRIBED / Math.max(count, 1)));
const MOST_DESCRIBED = 2_500_000;

export const findTold = async (
  { db, siteUrl }: Pick<Deps, 'db' | 'siteUrl'>,
  ids: readonly number[],
): Promise<Term[]> => {
  const most = shareOf(ids.length);
  // One character more says of which there is more: those are cut where no tag is left open.
  return (await store.findMany(db, ids, most + 1)).map((row) => tellTerm(siteUrl, row, most));
};

const tellTerm = (siteUrl: string, row: Told, most?: number): Term => ({
  id: row.id,
  taxonomy: row.taxonomy,
  name: row.name,
  slug: row.slug,
  // Longer ones are from before there was a limit.
  description: brief(row.description, most),
  parent: row.parent,
  count: row.count,
  link: termLink(siteUrl, row),
  version: row.version ?? '',
});

const DEFAULT_PAGE = 10;
const LARGEST_PAGE = 1000;

export const termService = (deps: Deps): RpcService => {
  const toTerm = (row: Told): Term => tellTerm(deps.siteUrl, row);
  return rpcService<TermServiceServer>(TermServiceService, {
    getTerms: {
      callers: ['calendar', 'cli', 'gateway', 'seo'],
      permission: anyone,
      handle: async ({ ids }, { show }) => {
        show(ids.map((id) => `term:${id}`));
        return {
          terms: (await findTold(deps, ids)).map((term) => ({
            ...term,
            editors: toMessage(policy.editorsOf(taxonomyOf(term.taxonomy))),
          })),
        };
      },
    },

    listTermVersions: {
      callers: ['cli', 'seo'],
      permission: anyone,
      handle: async ({ afterId, limit }) =>
        versionsOf(await store.listVersions(deps.db, afterId, versionLimit(limit))),
    },

    resolveTerms: {
      callers: ['calendar', 'cli'],
      // Finding is for everybody; making what is missing asks for the actor's rights once something is.
      permission: anyone,
      handle: async ({ taxonomy, refs, createMissing, importId, slugsFirst }, { actor }) => {
        const wanted = refs.map(({ ref }): TermRef => (ref?.$case === 'id' ? ref.value : (ref?.value ?? '')));
        const options = { createMissing, actor, importId, slugsFirst };
        const results = await resolveTerms(deps.db, taxonomyOf(taxonomy), wanted, options);
        return {
          results: results.map(({ term, created, isOfImport }) => ({
            term: term && toTerm(term),
            created,
            ofImport: isOfImport,
          })),
        };
      },
    },

    listTerms: {
      callers: ['calendar'],
      permission: anyone,
      handle: async (request, { actor }) => {
        const taxonomy = taxonomyOf(request.taxonomy);
        const limit = Math.min(request.perPage > 0 ? request.perPage : DEFAULT_PAGE, LARGEST_PAGE);
        const { rows, total, more } = await listTerms(deps, actor, {
          taxonomy: taxonomy.name,
          search: request.search,
          include: request.include,
          exclude: request.exclude,
          slugs: request.slugs,
          parent: taxonomy.hierarchical ? request.parent : undefined,
          hideEmpty: request.hideEmpty,
          orderBy: ORDERS[request.orderBy] ?? 'name',
          order: request.order === 'desc' ? 'desc' : 'asc',
          limit,
          offset: (Math.max(request.page, 1) - 1) * limit,
        });
        return { terms: rows.map(toTerm), total, more };
      },
    },

    listDescendants: {
      callers: ['calendar'],
      permission: anyone,
      handle: async ({ ids }) => ({ ids: await store.listDescendants(deps.db, ids) }),
    },

    createTerm: {
      callers: ['calendar'],
      permission: refuseBy(policy.refuseCreateTerm),
      handle: async ({ taxonomy, ...input }) =>
        toTerm(await actions.createTerm(deps, taxonomyOf(taxonomy), input)),
    },

    updateTerm: {
      callers: ['calendar'],
      permission: refuseBy(policy.refuseUpdateTerm),
      handle: async ({ taxonomy: name, id, ...input }) => {
        const taxonomy = taxonomyOf(name);
        await existing(deps, taxonomy, id);
        return toTerm(await actions.updateTerm(deps, taxonomy, id, input));
      },
    },

    deleteTerm: {
      callers: ['calendar'],
      permission: refuseBy(refuseDeleteAny),
      handle: async ({ taxonomy: name, id }, { actor }) => {
        const taxonomy = taxonomyOf(name);
        await existing(deps, taxonomy, id);
        const isDefault = await actions.isDefaultTerm(deps, taxonomy, id);
        throwDenial(policy.refuseDeleteTerm(taxonomy)({ actor, subject: { isDefault } }), actor);
        return toTerm(await actions.deleteTerm(deps, taxonomy, id));
      },
    },

    setExternalCounts: {
      callers: ['calendar'],
      permission: anyone,
      handle: async ({ source, counts, complete }) => {
        const byTerm = new Map(counts.map(({ termId, count }) => [termId, count]));
        await deps.db.transaction((tx) => setExternalCounts(tx, { source, counts: byTerm, complete }));
        return {};
      },
    },
  });
};

type Rule = (taxonomy: Taxonomy) => (call: { readonly actor: Actor }) => Denial | undefined;

/** A rule of the routes. Of a taxonomy that does not exist the handler speaks, to those who may write at all. */
const refuseBy =
  (rule: Rule): RpcPermission<{ readonly taxonomy: string }> =>
  ({ actor, request }) =>
    rule(isTaxonomy(request.taxonomy) ? taxonomies[request.taxonomy] : taxonomies.category)({ actor });

/** The default category is known only when the term is loaded. */
const refuseDeleteAny: Rule =
  (taxonomy) =>
  ({ actor }) =>
    policy.refuseDeleteTerm(taxonomy)({ actor, subject: undefined });

function taxonomyOf(name: string): Taxonomy {
  if (!isTaxonomy(name)) throw termErrors.unknownTaxonomy(name);
  return taxonomies[name];
}

async function existing(deps: Deps, taxonomy: Taxonomy, id: number): Promise<void> {
  if (!(await store.findById(deps.db, taxonomy.name, id))) throw termErrors.notFound(taxonomy);
}
