/** Events of the calendar: lists, and one event by id or by slug with the same handlers. */
import type { Actor } from '@sevenfold/chassis/actor';
import { relationHeader } from '@sevenfold/chassis/db/search';
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
import { JSON_TYPE } from '@sevenfold/chassis/http/send';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { slugify } from '@sevenfold/text/slug';
import { namespaceRoot } from '../common/links';
import { listAnswer } from '../common/list-answer';
import { refuseCreate, refuseDelete, refuseEdit, refuseRead } from '../common/policy';
import { newSlug } from '../common/new-slug';
import { type Pair, restUrls } from '../common/rest-urls';
import type { CalendarCall, Deps } from '../deps';
import { ways } from '../items';
import { busy, eventNotFound } from './errors';
import { listEvents } from './list';
import type { ListQuery, Window } from './list-filters';
import { presentEvents } from './presenter';
import { isOfTheMoment, listQuery, listTags } from './query';
import type { EventBody } from './read';
import { eventTexts, lateEvent } from './ready';
import { ANYTHING } from '../content/news';
import { longPage } from '../common/long-page';
import { type LateText, type ReadyText, isLate } from './ready-text';
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
  const slug = newSlug(call.request.body);
  return slug === undefined ? body : { ...body, slug };
}

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
    throwDenial(refuseRead('event')({ actor, subject: again }), actor);
    subject = again;
  }
  throw busy();
}

const items = ways.flatMap((way): AnyRoute<Deps>[] => [
  route({
    methods: ['GET'],
    path: `/events${way.path}`,
    summary: `Read an event by ${way.by}`,
    description:
      'Answers an event with its venue, its organizers, its terms and, here only, structured data (`json_ld`).',
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
    description:
      'Changes fields of an event. Lists of terms and organizers take the place of what was there; venues and organizers that are sent as data are created.',
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
    description:
      'Moves an event to the trash and answers it. One that is there already is 410; nothing is deleted for good here.',
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

export const events: Resource<Deps> = {
  name: 'events',
  description: 'Events of the calendar.',
  routes: [
    route({
      methods: ['GET'],
      path: '/events',
      summary: 'List events',
      description:
        'A page of events with their venues and organizers, in the order of their start: those that are to come, unless `start_date` and `end_date` name another window. The addresses of the next and the previous page are in the answer.',
      args: listArgs,
      schema: eventSchema,
      answers: listAnswer('events', eventSchema),
      permission: anyone,
      shows: { lists: listTags, clock: true, never: isOfTheMoment },
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
        const headers = relationHeader(more);
        const paging = { address, total, page: query.page, perPage: query.per_page };
        if (events.some(({ text }) => isLate(text))) {
          const { deps, actor } = call;
          const things = events.map(
            ({ text, ...listed }) =>
              async (): Promise<object | undefined> =>
                isLate(text) ? lateEvent(deps, listed, actor) : (JSON.parse(text.text) as object),
          );
          return showing(paged(longPage(call, 'events', things, about, headers), paging), ANYTHING);
        }
        const ready = events.map(({ text }) => text as ReadyText);
        const text = `{"events":[${ready.map((event) => event.text).join()}],${JSON.stringify(about).slice(1)}`;
        const made = call.request.whole
          ? reply.text(text, JSON_TYPE, 200, headers)
          : reply.plain(JSON.parse(text), 200, headers);
        return showing(
          paged(made, paging),
          ready.flatMap(({ tags }) => tags),
        );
      },
    }),
    route({
      methods: ['POST'],
      path: '/events',
      summary: 'Create an event',
      description:
        'Creates an event, published where the caller may publish, else a draft, unless `status` says otherwise. Venue and organizers are numbers of known ones, or data of new ones, which are created with it; categories and tags are numbers or names, and unknown names are created.',
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

interface Listed extends store.EventVersion {
  readonly text: ReadyText | LateText;
}

async function wholePage(
  deps: Deps,
  actor: Actor,
  query: ListQuery,
): Promise<{ events: readonly Listed[]; total: number; more: boolean; window: Window }> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const { rows, total, more, window } = await listEvents(deps, actor, query);
    const texts = await eventTexts(deps, rows, actor);
    const events = rows.flatMap((row, index) => {
      const text = texts[index];
      return text ? [{ ...row, text }] : [];
    });
    if (events.length === rows.length) return { events, total, more, window };
  }
  throw busy();
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
  if (query.geoloc !== undefined) base.push(['geoloc', String(query.geoloc)]);
  for (const name of ['geoloc_lat', 'geoloc_lng'] as const)
    if (query[name] !== undefined) base.push([name, query[name] as string | number]);
  if (query.include) base.push(['include', query.include.join()]);
  if (query.post_parent !== undefined) base.push(['post_parent', query.post_parent]);
  const extra: Pair[] = [];
  if (query.venue) extra.push(['venue', query.venue.join()]);
  if (query.organizer) extra.push(['organizer', query.organizer.join()]);
  if (query.featured) extra.push(['featured', 1]);
  return { base, extra };
}
