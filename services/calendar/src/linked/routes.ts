/** The routes of a kind of linked things: lists, and one by id or by slug with the same handlers. */
import { relationHeader } from '@sevenfold/chassis/db/search';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import {
  type AnyRoute,
  type Reply,
  type Resource,
  WRITE,
  anyone,
  paged,
  reply,
  route,
  showing,
} from '@sevenfold/chassis/http/route';
import type { Shows } from '@sevenfold/chassis/http/shows';
import { slugify } from '@sevenfold/text/slug';
import { readableMedia } from '../content/images';
import { ofContent } from '../content/news';
import { namespaceRoot } from '../common/links';
import { listAnswer } from '../common/list-answer';
import { longPage } from '../common/long-page';
import { canRead, may, refuseCreate, refuseDelete, refuseEdit, refuseRead } from '../common/policy';
import { newSlug } from '../common/new-slug';
import { type Pair, restUrls } from '../common/rest-urls';
import type { CalendarCall, Deps } from '../deps';
import { ways } from '../items';
import * as actions from './actions';
import { notFound } from './errors';
import type { LinkedKind } from './kind';
import { listLinked } from './list';
import type { LinkedRow, Listed } from './fields';
import type { ListTable } from './schema';
import * as store from './store';

export function linkedResource<R extends LinkedRow>(kind: LinkedKind<R>): Resource<Deps> {
  const { one, many, article, args, schema } = kind;

  /** Looks at nothing of the arguments but what the path names: that is all there is before a stranger's body is read. */
  const load =
    (by: 'id' | 'slug') =>
    async (call: CalendarCall<object, undefined>): Promise<R> => {
      const { args, deps } = call as CalendarCall<{ id: number; slug: string }, undefined>;
      const row =
        by === 'slug'
          ? await store.findBySlug(deps.db, kind, slugify(args.slug))
          : await store.findById(deps.db, kind, args.id);
      if (!row) throw notFound(kind);
      return row;
    };

  const present = async (
    { deps, actor }: Pick<CalendarCall<object>, 'deps' | 'actor'>,
    rows: readonly R[],
    single = false,
  ): Promise<object[]> => {
    const images = rows.map((row) => row.imageId);
    const media = await readableMedia(deps, images, actor);
    return rows.map((row) => kind.present(row, { siteUrl: deps.siteUrl, media, single }));
  };

  const answer = async (
    call: Pick<CalendarCall<object>, 'deps' | 'actor'>,
    row: R,
    status = 200,
  ): Promise<Reply<never>> => reply.plain((await present(call, [row]))[0], status);

  const shows: Shows<CalendarCall<object>> = {
    lists: ({ sent }) => [one, ...(['event', 'has_events'].some((name) => sent.has(name)) ? ['event'] : [])],
    // What is to come is less with every moment.
    never: ({ args: { only_with_upcoming: upcoming } }: { args: { only_with_upcoming?: boolean } }) =>
      upcoming === true,
  };
  const tagsOf = (rows: readonly R[]): string[] =>
    rows.flatMap(({ id, imageId }) => [
      `${one}:${id}`,
      ...(imageId === 0 ? [] : [`${ofContent.file}:${imageId}`]),
    ]);

  /** A long one as it is now; none where the caller may not see it any more. */
  const shown = async (
    call: Pick<CalendarCall<object>, 'deps' | 'actor'>,
    listed: Listed<R>,
  ): Promise<object | undefined> => {
    const row = listed.isLong ? await store.findById(call.deps.db, kind, listed.id) : listed;
    if (!row || !canRead(call.actor, row) || row.status !== listed.status) return undefined;
    return (await present(call, [row]))[0];
  };

  const items = ways.flatMap((way): AnyRoute<Deps>[] => {
    const path = `/${many}${way.path}`;
    return [
      route({
        methods: ['GET'],
        path,
        summary: `Read ${article} ${one} by ${way.by}`,
        description: `Answers ${article} ${one} with, here only, structured data (\`json_ld\`).`,
        args: way.args,
        schema,
        load: load(way.by),
        permission: refuseRead(one),
        handle: async (call) => {
          const { subject } = call;
          return showing(reply.plain((await present(call, [subject], true))[0]), tagsOf([subject]));
        },
      }),
      route({
        methods: ['DELETE'],
        path,
        summary: `Move ${article} ${one} to the trash by ${way.by}`,
        description: `Moves ${article} ${one} to the trash and answers it. One that is there already is 410; nothing is deleted for good here.`,
        args: way.args,
        schema,
        load: load(way.by),
        permission: refuseDelete(one),
        handle: async (call) =>
          answer(call, await actions.trash(call.deps, kind, call.subject.id, call.actor)),
      }),
      route({
        methods: WRITE,
        path,
        summary: `Change ${article} ${one} by ${way.by}`,
        description: `Changes fields of ${article} ${one}; events that name it show the change at once.`,
        args: args.update[way.by],
        schema,
        load: load(way.by),
        permission: refuseEdit(one),
        handle: async (call) => {
          const { deps, subject, actor, request } = call;
          const data = await actions.prepare(deps, kind, call.args, { actor, current: subject.author });
          const slug = newSlug(request.body);
          return answer(call, await actions.update(deps, kind, subject.id, { ...data, slug }, actor));
        },
      }),
    ];
  });

  return {
    name: many,
    description: schema.description ?? many,
    routes: [
      route({
        methods: ['GET'],
        path: `/${many}`,
        summary: `List ${many}`,
        description: `A page of ${many}. The addresses of the next and the previous page are in the answer.`,
        args: args.list,
        schema,
        answers: listAnswer(many, schema),
        permission: anyone,
        shows,
        handle: async (call) => {
          const { deps, actor, root, args: query } = call;
          const { page, per_page } = query;
          const { rows, total, more, pages } = await listLinked(deps, kind, actor, query);
          const address = `${namespaceRoot(root)}/${many}`;
          const about = {
            ...restUrls(`${address}/`, { base: repeated(call, query), extra: [], page, pages }),
            total,
            total_pages: pages,
          };
          const headers = relationHeader(more);
          const made = rows.some(({ isLong }) => isLong)
            ? longPage(
                call,
                many,
                rows.map((row) => () => shown(call, row)),
                about,
                headers,
              )
            : reply.plain({ [many]: await present(call, rows), ...about }, 200, headers);
          return showing(paged(made, { address, total, page, perPage: per_page }), tagsOf(rows));
        },
      }),
      route({
        methods: ['POST'],
        path: `/${many}`,
        summary: `Create ${article} ${one}`,
        description: `Creates ${article} ${one}, published where the caller may publish, else a draft, unless \`status\` says otherwise.`,
        args: args.create,
        schema,
        permission: refuseCreate(one),
        handle: async (call) => {
          const { deps, actor, args: given } = call;
          const data = (await actions.prepare(deps, kind, given, { actor })) as actions.NamedData;
          return answer(call, await actions.create(deps, kind, data, actor), 201);
        },
      }),
      ...items,
    ],
  };
}

/** What the addresses of a list repeat, so that following them keeps the filters. */
function repeated({ actor }: CalendarCall<object>, query: ArgsOf<ListTable>): Pair[] {
  const base: Pair[] = [
    ['page', query.page],
    ['per_page', query.per_page],
  ];
  if (query.search !== undefined) base.push(['search', query.search]);
  if (query.event !== undefined) base.push(['event', query.event]);
  if (query.has_events !== undefined) base.push(['has_events', textOf(query.has_events)]);
  if (query.only_with_upcoming) base.push(['only_with_upcoming', 1]);
  base.push([
    'status',
    query.status === undefined ? (may(actor, 'edit') ? 'any' : 'publish') : textOf(query.status),
  ]);
  return base;
}

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join() : String(value));
