/** Categories, tags and event categories: one set of routes, three rows of terms/taxonomies.ts. */
import { relationHeader } from '@sevenfold/chassis/db/search';
import type { ApiError } from '@sevenfold/chassis/errors';
import { type Resource, WRITE, reply, route } from '@sevenfold/chassis/http/route';
import type { Shows } from '@sevenfold/chassis/http/shows';
import type { ContentCall, Deps } from '../deps';
import type { GetTermsResponse } from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import { argumentError, errors } from '../errors';
import * as media from '../media/store';
import type { PostSubject } from '../posts/policy';
import * as posts from '../posts/store';
import * as actions from './actions';
import { termErrors } from './errors';
import * as policy from './policy';
import { presentTerm } from './presenter';
import { flatArgs, itemArgs, removeArgs, termSchema, treeArgs } from './schema';
import { listTerms } from './list';
import * as store from './store';
import { type Taxonomy, taxonomies } from './taxonomies';

interface Found extends policy.TermSubject {
  readonly term: store.TermRow;
}

/** What the terms are of that a list is asked for. */
interface TermedObject {
  readonly post?: PostSubject & Pick<posts.PostRow, 'categories' | 'tags'>;
  readonly event?: GetTermsResponse;
}

const EVENT_DEADLINE_MS = 2_000;

function terms(taxonomy: Taxonomy): Resource<Deps> {
  const { restBase, one, many, article, postsColumn } = taxonomy;
  // The arguments of a flat taxonomy are those of a tree but for `offset` and an unlisted `parent`.
  const args = (taxonomy.hierarchical ? treeArgs : flatArgs) as typeof treeArgs;
  const schema = termSchema(taxonomy);
  const collection = `/${restBase}`;
  const item = `/${restBase}/(?P<id>[\\d]+)`;
  const present = (row: store.TermRow, { deps }: { deps: Deps }): object => presentTerm(row, deps);

  const shows: Shows<ContentCall> = {
    rows: 'term',
    lists: ({ args: { orderby, hide_empty: hidesEmpty, post } }) => [
      taxonomy.name,
      ...(orderby === 'count' || hidesEmpty ? ['counts'] : []),
      // Of things of the calendar only that service has news.
      ...(post === undefined ? [] : [`post:${post as number}`]),
    ],
    never: ({ args: { post }, subject }) =>
      post !== undefined && (postsColumn === undefined || (subject as TermedObject).event !== undefined),
  };

  const load = async ({ deps, args: { id } }: ContentCall<{ readonly id?: number }>): Promise<Found> => {
    const term = await store.findById(deps.db, taxonomy.name, id ?? 0);
    if (!term) throw termErrors.notFound(taxonomy);
    return { term, isDefault: await actions.isDefaultTerm(deps, taxonomy, term.id) };
  };

  /** What the terms are of that are asked for: a post, page or file, or an event, which the calendar knows. */
  const loadObject = async ({
    deps,
    actor,
    args: { post },
  }: ContentCall<{ readonly post?: number }>): Promise<TermedObject> => {
    if (post === undefined) return {};
    if (post < 1) throw invalidPost();
    const row = await posts.findById(deps.db, post);
    // A file is as visible as what it is attached to.
    const found = row?.type === 'attachment' ? await media.findById(deps.db, post) : row;
    if (found) return { post: found };
    if (row) throw invalidPost();
    const event = await deps.calendar.getTerms({ id: post }, { actor, deadlineMs: EVENT_DEADLINE_MS });
    if (!event.found) throw invalidPost();
    return { event };
  };

  const termsOf = ({ post, event }: TermedObject): readonly number[] => {
    if (event)
      return taxonomy.types.includes('calendar_events') ? event[postsColumn ? 'tagIds' : 'categoryIds'] : [];
    return (postsColumn && post?.[postsColumn]) ?? [];
  };

  return {
    name: restBase,
    description: `All ${many}.`,
    routes: [
      route({
        methods: ['GET'],
        path: collection,
        summary: `List ${many}`,
        description: `A page of the ${many}, by name unless \`orderby\` says otherwise; with \`post\` those that something carries.`,
        args: args.list,
        schema,
        load: loadObject,
        permission: policy.refuseListTerms(taxonomy),
        shows,
        present,
        handle: async ({ deps, actor, args: sent, subject }) => {
          const offset = (sent as { offset?: number }).offset;
          const { rows, total, more } = await listTerms(deps, actor, {
            taxonomy: taxonomy.name,
            search: sent.search,
            include: sent.include,
            exclude: sent.exclude,
            slugs: sent.slug,
            parent: taxonomy.hierarchical ? sent.parent : undefined,
            hideEmpty: sent.hide_empty,
            only: sent.post === undefined ? undefined : termsOf(subject),
            orderBy: sent.orderby,
            order: sent.order,
            limit: sent.per_page,
            offset: offset ?? (sent.page - 1) * sent.per_page,
            skippedBy: offset === undefined ? 'page' : 'offset',
          });
          return reply.list(rows, total, relationHeader(more));
        },
      }),
      route({
        methods: ['POST'],
        path: collection,
        summary: `Create ${article} ${one}`,
        description: `Creates ${article} ${one}. A name that is there already, below the same parent, is 400 and names the number of that term.`,
        args: args.create,
        schema,
        permission: policy.refuseCreateTerm(taxonomy),
        present,
        handle: async ({ deps, args: sent, root }) => {
          const term = await actions.createTerm(deps, taxonomy, sent);
          return reply.created(term, `${root}/core/v2/${restBase}/${term.id}`);
        },
      }),
      route({
        methods: ['GET'],
        path: item,
        summary: `Read ${article} ${one}`,
        description: `Answers ${article} ${one} with the number of published objects that carry it.`,
        args: itemArgs,
        schema,
        load,
        permission: policy.refuseViewTerm(taxonomy),
        shows,
        present,
        handle: ({ subject }) => reply.item(subject.term),
      }),
      route({
        methods: WRITE,
        path: item,
        summary: `Change ${article} ${one}`,
        description: `Changes name, slug, description or parent of ${article} ${one}.`,
        args: args.update,
        schema,
        load,
        permission: policy.refuseUpdateTerm(taxonomy),
        present,
        handle: async ({ deps, args: sent, subject }) =>
          reply.item(await actions.updateTerm(deps, taxonomy, subject.term.id, sent)),
      }),
      route({
        methods: ['DELETE'],
        path: item,
        summary: `Delete ${article} ${one}`,
        description: `Deletes ${article} ${one} for good and takes it off everything that carries it. There is no trash, so it takes \`force\`.`,
        args: removeArgs,
        schema,
        load,
        permission: policy.refuseDeleteTerm(taxonomy),
        present,
        handle: async ({ deps, args: { force }, subject }) => {
          if (!force) throw errors.trashNotSupported(one);
          return reply.deleted(await actions.deleteTerm(deps, taxonomy, subject.term.id));
        },
      }),
    ],
  };
}

const invalidPost = (): ApiError =>
  argumentError('post', 'rest_post_invalid_id', 400, 'There is no such post.');

export const categories = terms(taxonomies.category);
export const tags = terms(taxonomies.post_tag);
export const eventCategories = terms(taxonomies.calendar_events_cat);
