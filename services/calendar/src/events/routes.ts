/** Events of the calendar: lists, and one event by id or by slug with the same handlers. */
import type { Actor } from '@sevenfold/chassis/actor';
import { relationHeader } from '@sevenfold/chassis/db/search';
import { invalidParam } from '@sevenfold/chassis/errors';
import { totalPages } from '@sevenfold/chassis/http/paging';
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
import { denied } from '@sevenfold/chassis/http/allow';
import { slugify } from '@sevenfold/text/slug';
import { namespaceRoot } from '../common/links';
import { listAnswer } from '../common/list-answer';
import { refuseCreate, refuseDelete, refuseEdit, refuseRead } from '../common/policy';
import { type Pair, restUrls } from '../common/rest-urls';
import { ofContent } from '../content/news';
import type { CalendarCall, Deps } from '../deps';
import { ways } from '../items';
import { busy, eventNotFound } from './errors';
import { listEvents } from './list';
import type { ListQuery, Window } from './list-filters';
import { presentEvents } from './presenter';
import type { EventBody } from './read';
import { eventTexts } from './ready';
import type { ReadyText } from './ready-text';
import { createArgs, eventSchema, listArgs, updateArgs } from './schema';
import * as store from './store';
import { createEvent, trashEvent, updateEvent } from './write';

type EventCall = CalendarCall<object, store.EventSubject>;

/** Only what was sent: a default must not reset what is there. */
const bodyOf = (call: CalendarCall<object>): EventBody =>
  Object.fromEntries(Object.entries(call.args).filter(([name]) => call.sent.has(name)));

/** Looks at nothing of the arguments but what the path names: that is all there is before a stranger's body is read. */
const load =
  (by: 'id' | 'slug') =>
  async (call: CalendarCall<object, undefined>): Promise<store.EventSubject> => {
    const { args, deps } = call as CalendarCall<{ id: number; slug: string }, undefined>;
    const row = await (by === 'slug'
      ? store.findSubjectBySlug(deps.db, slugify(args.slug))
      : store.findSubject(deps.db, args.id));
    if (!row) throw eventNotFound();
    return row;
  };

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

const JSON_TYPE = 'application/json; charset=UTF-8';

// An event that changes between two queries is looked for again; nothing changes that often.
const MOST_TRIES = 5;

/** The whole event as it lies in memory, or what `_fields` wants of it. */
async function read(call: EventCall): Promise<Reply<never>> {
  const { deps, actor, request } = call;
  let { subject } = call;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const [ready] = await eventTexts(deps, [subject], actor, true);
    if (ready) {
      const { text, tags } = ready;
      return showing(request.whole ? reply.text(text, JSON_TYPE) : reply.plain(JSON.parse(text)), tags);
    }
    const again = await store.findSubject(deps.db, subject.id);
    if (!again) throw eventNotFound();
    const denial = refuseRead('event')({ actor, subject: again });
    if (denial) throw denied(denial, actor);
    subject = again;
  }
  throw busy();
}

const items = ways.flatMap((way): AnyRoute<Deps>[] => [
  route({
    methods: ['GET'],
    path: `/events${way.path}`,
    summary: `Read an event by ${way.by}`,
    args: way.args,
    schema: eventSchema,
    load: load(way.by),
    permission: refuseRead('event'),
    handle: read,
  }),
  route({
    methods: WRITE,
    path: `/events${way.path}`,
    summary: `Change an event by ${way.by}`,
    args: updateArgs[way.by],
    schema: eventSchema,
    load: load(way.by),
    permission: refuseEdit('event'),
    handle: async (call) => {
      const body = way.by === 'slug' ? renamed(call) : bodyOf(call);
      const row = await updateEvent(call.deps, call.subject.id, body, call.actor);
      return reply.plain((await presentEvents(call.deps, [row], call.actor))[0]);
    },
  }),
  route({
    methods: ['DELETE'],
    path: `/events${way.path}`,
    summary: `Move an event to the trash by ${way.by}`,
    args: way.args,
    schema: eventSchema,
    load: load(way.by),
    permission: refuseDelete('event'),
    handle: async (call) => {
      const row = await trashEvent(call.deps, call.subject.id, call.actor);
      return reply.plain((await presentEvents(call.deps, [row], call.actor))[0]);
    },
  }),
]);

/** Its window begins with a day of the site. */
const shows: Shows<CalendarCall<object>> = {
  lists: ({
    sent,
    args: { venue = [], organizer = [] },
  }: CalendarCall<Pick<ListQuery, 'venue' | 'organizer'>>) => [
    'event',
    ofContent.zone,
    // What is at a place that nobody may see any more is refused.
    ...venue.map((id) => `venue:${id}`),
    ...organizer.map((id) => `organizer:${id}`),
    ...(sent.has('search') ? ['words'] : []),
    // Where venues are, and which category is below which.
    ...(['geoloc', 'geoloc_lat', 'geoloc_lng'].some((name) => sent.has(name)) ? ['venue'] : []),
    ...(sent.has('categories') ? [ofContent.categories] : []),
    ...(sent.has('tags') ? [ofContent.tags] : []),
  ],
  clock: true,
};

export const events: Resource<Deps> = {
  name: 'events',
  description: 'Events of the calendar.',
  routes: [
    route({
      methods: ['GET'],
      path: '/events',
      summary: 'List events',
      args: listArgs,
      schema: eventSchema,
      answers: listAnswer('events', eventSchema),
      permission: anyone,
      shows,
      handle: async (call) => {
        const query = listQuery(call);
        const { events, total, more, window } = await wholePage(call.deps, call.actor, query);
        const pages = totalPages(total, query.per_page);
        const address = `${namespaceRoot(call.root)}/events`;
        const about = {
          ...restUrls(`${address}/`, { ...repeated(query, window), page: query.page, pages }),
          total,
          total_pages: pages,
        };
        const text = `{"events":[${events.map((event) => event.text).join()}],${JSON.stringify(about).slice(1)}`;
        const headers = relationHeader(more);
        const made = call.request.whole
          ? reply.text(text, JSON_TYPE, 200, headers)
          : reply.plain(JSON.parse(text), 200, headers);
        return showing(
          paged(made, { address, total, page: query.page, perPage: query.per_page }),
          events.flatMap(({ tags }) => tags),
        );
      },
    }),
    route({
      methods: ['POST'],
      path: '/events',
      summary: 'Create an event',
      args: createArgs,
      schema: eventSchema,
      permission: refuseCreate('event'),
      handle: async (call) => {
        const row = await createEvent(call.deps, bodyOf(call), call.actor);
        return reply.plain((await presentEvents(call.deps, [row], call.actor))[0], 201);
      },
    }),
    ...items,
  ],
};

async function wholePage(
  deps: Deps,
  actor: Actor,
  query: ListQuery,
): Promise<{ events: readonly ReadyText[]; total: number; more: boolean; window: Window }> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { rows, total, more, window } = await listEvents(deps, actor, query);
    const texts = await eventTexts(deps, rows, actor);
    const events = texts.filter((text) => text !== undefined);
    if (events.length === texts.length) return { events, total, more, window };
  }
  throw busy();
}

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
