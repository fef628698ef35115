/**
 * Event categories and event tags: one resource, two rows. The terms belong to the content service, which decides by
 * the rights of the caller once more; reads go on without it, writes answer 503.
 */
import { ApiError, invalidParam } from '@sevenfold/chassis/errors';
import { relationHeader } from '@sevenfold/chassis/db/search';
import { type Actor, can } from '@sevenfold/chassis/actor';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import { totalPages } from '@sevenfold/chassis/http/paging';
import {
  type Denial,
  type Resource,
  WRITE,
  anyone,
  paged,
  reply,
  route,
} from '@sevenfold/chassis/http/route';
import type { Shows } from '@sevenfold/chassis/http/shows';
import { namespaceRoot } from '../common/links';
import { listAnswer } from '../common/list-answer';
import { type Pair, restUrls } from '../common/rest-urls';
import type { Term } from '../content/known';
import { ofContent } from '../content/news';
import type { CalendarCall, Deps } from '../deps';
import { idArgs } from '../items';
import { type TermKind, categoryKind, tagKind } from './kinds';
import { findTerms, listTerms } from './list';
import { coreAddress, presentSingle, presentTerm } from './presenter';
import { apiError, deny } from '../errors';

/** Deleting a term takes it off everything that carries it. */
const WRITE_DEADLINE_MS = 10_000;

const verbs = { create: 'create', update: 'change', delete: 'delete' } as const;

const refuseWrite =
  (kind: TermKind, right: keyof TermKind['rights']) =>
  ({ actor }: { readonly actor: Actor }): Denial | undefined =>
    can(actor, kind.rights[right])
      ? undefined
      : deny(`rest_cannot_${right}`, `You are not allowed to ${verbs[right]} ${kind.many}.`);

const asker = ({ actor }: CalendarCall<object>): CallOptions => ({ actor, deadlineMs: WRITE_DEADLINE_MS });

function termResource(kind: TermKind): Resource<Deps> {
  const { name, one, many, args, schema } = kind;
  const itemPath = `/${name}/(?P<id>[\\d]+)`;

  const load = async (call: CalendarCall<object, undefined>): Promise<Term> => {
    const { id } = call.args as { id: number };
    const term = (await findTerms(call.deps, [id])).get(id);
    if (term?.taxonomy !== kind.taxonomy)
      throw apiError('rest_term_invalid', 404, `There is no ${one} with this number.`);
    return term;
  };

  /** Their names and numbers are the content service's, and so are their news. */
  const shows: Shows<CalendarCall<object>> = {
    lists: ({ sent }) => [
      `content/${kind.taxonomy}`,
      ofContent.counts,
      ...(['event', 'post'].some((given) => sent.has(given)) ? ['event'] : []),
    ],
    also: () => [`content/${kind.taxonomy}`, ofContent.counts],
    asks: true,
  };

  return {
    name,
    description: `All ${many}, which the content service keeps.`,
    routes: [
      route({
        methods: ['GET'],
        path: `/${name}`,
        summary: `List ${many}`,
        description: `A page of the ${many} that something published carries; with \`hide_empty=false\` of all.`,
        args: args.list,
        schema,
        answers: listAnswer(name, schema),
        permission: anyone,
        shows,
        handle: async (call) => {
          const { args: query } = call;
          const { page, per_page } = query;
          const { terms, total, more } = await listTerms(call.deps, kind, call.actor, query);
          const address = `${namespaceRoot(call.root)}/${name}`;
          const pages = totalPages(total, per_page);
          const { next_rest_url, previous_rest_url } = restUrls(`${address}/`, {
            base: [['page', page], ...repeated(call)],
            extra: [],
            page,
            pages,
          });
          const body = {
            rest_url: `${address}/`,
            total,
            total_pages: pages,
            [name]: terms.map((term) => presentTerm(term, kind, call.deps)),
            ...(next_rest_url ? { next_rest_url } : {}),
            ...(previous_rest_url ? { previous_rest_url } : {}),
          };
          const made = reply.plain(body, 200, relationHeader(more));
          return paged(made, { address, total, page, perPage: per_page });
        },
      }),
      route({
        methods: ['POST'],
        path: `/${name}`,
        summary: `Create an ${one}`,
        description: `Creates an ${one}. A name that is there already is 400.`,
        args: args.create,
        schema,
        permission: refuseWrite(kind, 'create'),
        handle: async (call) => {
          const { deps, root } = call;
          const { name: given, slug, description, parent } = call.args;
          const request = { taxonomy: kind.taxonomy, name: given, slug, description, parent };
          const term = await ofParent(deps.content.terms.createTerm(request, asker(call)));
          await deps.known.learnTerms([term]);
          const headers = { Location: coreAddress(term, kind, root) };
          return reply.plain(presentSingle(term, kind, deps), 201, headers);
        },
      }),
      route({
        methods: ['GET'],
        path: itemPath,
        summary: `Read an ${one}`,
        description: `Answers an ${one} with the number of published objects that carry it.`,
        args: idArgs,
        schema,
        load,
        permission: anyone,
        shows,
        present: (term: Term, { deps }) => presentSingle(term, kind, deps),
        handle: ({ subject }) => reply.item(subject),
      }),
      route({
        methods: ['DELETE'],
        path: itemPath,
        summary: `Delete an ${one} for good`,
        description: `Deletes an ${one}, takes it off everything that carries it, and answers what it was.`,
        args: idArgs,
        schema,
        load,
        permission: refuseWrite(kind, 'delete'),
        handle: async (call) => {
          const { deps, subject } = call;
          const request = { taxonomy: kind.taxonomy, id: subject.id };
          const former = await deps.content.terms.deleteTerm(request, asker(call));
          await deps.known.forgetTerms([subject.id]);
          return reply.plain(presentSingle(former, kind, deps));
        },
      }),
      route({
        methods: WRITE,
        path: itemPath,
        summary: `Change an ${one}`,
        description: `Changes fields of an ${one}.`,
        args: args.update,
        schema,
        load,
        permission: refuseWrite(kind, 'update'),
        handle: async (call) => {
          const { deps, subject } = call;
          const { name: given, slug, description, parent } = call.args;
          const request = { taxonomy: kind.taxonomy, id: subject.id, name: given, slug, description, parent };
          const term = await ofParent(deps.content.terms.updateTerm(request, asker(call)));
          await deps.known.learnTerms([term]);
          return reply.plain(presentSingle(term, kind, deps));
        },
      }),
    ],
  };
}

/** Here an unknown parent is a fault of the argument. */
const ofParent = (answer: Promise<Term>): Promise<Term> =>
  answer.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'rest_term_invalid' || error.status !== 400)
      throw error;
    throw invalidParam('parent', error.message);
  });

/** The filters that were sent, so that following the addresses of a list keeps them. */
const repeated = (call: CalendarCall<object>): Pair[] =>
  Object.entries(call.args)
    .filter(([name]) => name !== 'page' && call.sent.has(name))
    .map(([name, value]) => [name, Array.isArray(value) ? value.join() : String(value)] as const);

export const categories = termResource(categoryKind);
export const tags = termResource(tagKind);
