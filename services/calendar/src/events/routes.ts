/** Events of the calendar: lists, and one event by id or by slug with the same handlers. */
import { invalidParam } from '@sevenfold/chassis/errors';
import { pagingHeaders, totalPages } from '@sevenfold/chassis/http/paging';
import { type AnyRoute, type Resource, WRITE, anyone, reply, route } from '@sevenfold/chassis/http/route';
import { slugify } from '@sevenfold/chassis/text/slug';
import { namespaceRoot } from '../common/links';
import { mayCreate, mayDelete, mayEdit, mayRead } from '../common/policy';
import { type Pair, restUrls } from '../common/rest-urls';
import type { CalendarCall, Deps } from '../deps';
import { ways } from '../items';
import { eventNotFound } from './errors';
import { listEvents } from './list';
import type { ListQuery, Window } from './list-filters';
import { presentEvents } from './presenter';
import type { Asker, EventBody } from './read';
import { createArgs, eventSchema, listArgs, perPage, updateArgs } from './schema';
import * as store from './store';
import { createEvent, trashEvent, updateEvent } from './write';

type EventCall = CalendarCall<object, store.EventRow>;

const asker = (call: CalendarCall<object>): Asker => ({ actor: call.actor, requestId: call.request.id });

/** Only what was sent: a default must not reset what is there. */
const bodyOf = (call: CalendarCall<object>): EventBody =>
  Object.fromEntries(Object.entries(call.args).filter(([name]) => call.sent.has(name)));

async function load(call: CalendarCall<object, undefined>): Promise<store.EventRow> {
  const { id, slug } = call.args as { id?: number; slug?: string };
  const { db } = call.deps;
  const row =
    id === undefined ? await store.findBySlug(db, slugify(slug ?? '')) : await store.findById(db, id);
  if (!row) throw eventNotFound();
  return row;
}

/** By slug, the name in the body is the new one; the one in the path only finds the event. */
function renamed(call: CalendarCall<object>): EventBody {
  const { slug: _found, ...body } = bodyOf(call);
  const { slug } = call.request.body as { slug?: unknown };
  if (slug === undefined) return body;
  if (typeof slug !== 'string' && typeof slug !== 'number')
    throw invalidParam('slug', 'slug is not of type string.');
  if (String(slug).trim() === '') throw invalidParam('slug', 'It must not be empty.');
  return { ...body, slug: String(slug) };
}

const read = async (call: EventCall): Promise<object | undefined> =>
  (await presentEvents(call.deps, [call.subject], true))[0];

const items = ways.flatMap((way): AnyRoute<Deps>[] => [
  route({
    methods: ['GET'],
    path: `/events${way.path}`,
    summary: `Read an event by ${way.by}`,
    args: way.args,
    schema: eventSchema,
    load,
    permission: mayRead('event'),
    handle: async (call) => reply.plain(await read(call)),
  }),
  route({
    methods: WRITE,
    path: `/events${way.path}`,
    summary: `Change an event by ${way.by}`,
    args: updateArgs[way.by],
    schema: eventSchema,
    load,
    permission: mayEdit('event'),
    handle: async (call) => {
      const body = way.by === 'slug' ? renamed(call) : bodyOf(call);
      const row = await updateEvent(call.deps, call.subject.id, body, asker(call));
      return reply.plain((await presentEvents(call.deps, [row]))[0]);
    },
  }),
  route({
    methods: ['DELETE'],
    path: `/events${way.path}`,
    summary: `Move an event to the trash by ${way.by}`,
    args: way.args,
    schema: eventSchema,
    load,
    permission: mayDelete('event'),
    handle: async (call) => {
      const row = await trashEvent(call.deps, call.subject.id, call.actor);
      return reply.plain((await presentEvents(call.deps, [row]))[0]);
    },
  }),
]);

export const events: Resource<Deps> = {
  name: 'events',
  routes: [
    route({
      methods: ['GET'],
      path: '/events',
      summary: 'List events',
      args: listArgs,
      schema: eventSchema,
      permission: anyone,
      handle: async (call) => {
        const query = { ...listQuery(call), per_page: perPage(call.args.per_page) };
        const { rows, total, window } = await listEvents(call.deps, call.actor, query);
        const pages = totalPages(total, query.per_page);
        const address = `${namespaceRoot(call.root)}/events`;
        const body = {
          events: await presentEvents(call.deps, rows),
          ...restUrls(`${address}/`, { ...repeated(query, window), page: query.page, pages }),
          total,
          total_pages: pages,
        };
        const info = { total, page: query.page, perPage: query.per_page };
        return reply.plain(body, 200, pagingHeaders(info, address, call.request.query));
      },
    }),
    route({
      methods: ['POST'],
      path: '/events',
      summary: 'Create an event',
      args: createArgs,
      schema: eventSchema,
      permission: mayCreate('event'),
      handle: async (call) => {
        const row = await createEvent(call.deps, bodyOf(call), asker(call));
        return reply.plain((await presentEvents(call.deps, [row]))[0], 201);
      },
    }),
    ...items,
  ],
};

/** The default window is of the site's clock, which the argument table does not know. */
function listQuery(call: CalendarCall<object>): ListQuery {
  const query = { ...call.args } as { -readonly [K in keyof ListQuery]: ListQuery[K] };
  if (!call.sent.has('start_date')) delete query.start_date;
  if (!call.sent.has('end_date')) delete query.end_date;
  return query;
}

/** What the addresses of a list repeat; terms and status are not among it, as clients know it. */
function repeated(query: ListQuery, window: Window): { base: Pair[]; extra: Pair[] } {
  const base: Pair[] = [
    ['page', query.page],
    ['per_page', query.per_page],
    ['start_date', window.from],
    ['end_date', window.to],
  ];
  if (query.search !== undefined) base.push(['search', query.search]);
  if (query.include) base.push(['include', query.include.join()]);
  if (query.post_parent !== undefined) base.push(['post_parent', query.post_parent]);
  const extra: Pair[] = [];
  if (query.venue) extra.push(['venue', query.venue.join()]);
  if (query.organizer) extra.push(['organizer', query.organizer.join()]);
  if (query.featured) extra.push(['featured', 1]);
  return { base, extra };
}
