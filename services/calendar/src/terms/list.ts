/** Lists of event categories and event tags. The content service finds them; while it is away, what was last seen. */
import type { Actor } from '@sevenfold/chassis/actor';
import { type ParamFault, invalidParams, unavailable } from '@sevenfold/chassis/errors';
import type { ListTermsResponse } from '@sevenfold/proto/gen/sevenfold/content/v1/terms';
import { canRead } from '../common/policy';
import type { Term } from '../content/known';
import * as knownStore from '../content/known-store';
import type { Deps } from '../deps';
import * as events from '../events/store';
import type { TermKind } from './kinds';
import { listKnown } from './last-known';
import type { TermListArgs } from './schema';

/** The remote call holds pages in 32 bits; nobody has as many terms. */
const LAST_PAGE = 10_000_000;

export async function listTerms(
  deps: Deps,
  kind: TermKind,
  actor: Actor,
  query: TermListArgs,
): Promise<ListTermsResponse> {
  const eventId = query.event ?? query.post;
  const [faults, event] = await Promise.all([
    unknownTerms(deps, kind, query),
    eventId === undefined ? undefined : events.findById(deps.db, eventId),
  ]);
  if (eventId !== undefined && (!event || !canRead(actor, event))) {
    const param = query.event === undefined ? 'post' : 'event';
    const message = `${param}: there is no event with the number ${eventId}.`;
    faults.push({ param, code: 'rest_invalid_param', message });
  }
  if (faults.length > 0) throw invalidParams(faults);

  let include = query.include ?? [];
  if (event) {
    const own = new Set(event[kind.eventField]);
    include = include.length === 0 ? [...own] : include.filter((id) => own.has(id));
    // Without ids the list would be of all terms.
    if (include.length === 0) return { terms: [], total: 0, more: false };
  }
  const request = {
    taxonomy: kind.taxonomy,
    page: Math.min(query.page, LAST_PAGE),
    perPage: query.per_page,
    search: query.search ?? '',
    include: [...include],
    exclude: [...(query.exclude ?? [])],
    order: query.order ?? 'asc',
    orderBy: query.orderby ?? 'name',
    // Counts follow some seconds later; what a published event carries is not empty before that either.
    hideEmpty: query.hide_empty && event?.status !== 'publish',
    parent: query.parent,
    slugs: query.slug ? [query.slug] : [],
  };
  const answer = await deps.known.ask('term list', (options) =>
    deps.content.terms.listTerms(request, options),
  );
  return answer ?? listKnown(deps.db, request);
}

/** Ids of the arguments that are no terms of the kind. */
async function unknownTerms(deps: Deps, kind: TermKind, query: TermListArgs): Promise<ParamFault[]> {
  const asked = {
    include: query.include ?? [],
    exclude: query.exclude ?? [],
    parent: query.parent === undefined ? [] : [query.parent],
  };
  const found = await findTerms(deps, Object.values(asked).flat());
  return Object.entries(asked).flatMap(([param, ids]) => {
    const unknown = [...new Set(ids)].filter((id) => found.get(id)?.taxonomy !== kind.taxonomy);
    const message = `${param}: there is no ${kind.one} with the number ${unknown.slice(0, 10).join(', ')}.`;
    return unknown.length === 0 ? [] : [{ param, code: 'rest_invalid_param', message }];
  });
}

/** As they are now; while nobody answers, as they were. 503 when it cannot be said whether one of them exists. */
export async function findTerms(deps: Deps, ids: readonly number[]): Promise<ReadonlyMap<number, Term>> {
  if (ids.length === 0) return new Map();
  const wanted = [...new Set(ids)];
  const answer = await deps.known.ask('terms', (options) =>
    deps.content.terms.getTerms({ ids: wanted }, options),
  );
  const terms = answer?.terms ?? (await knownStore.findTerms(deps.db, wanted));
  if (!answer && terms.length < wanted.length) throw unavailable('The content service');
  return new Map(terms.map((term) => [term.id, term]));
}
