/**
 * Events, venues and organizers for other services. The one that keeps the index of the site gets all of them and decides
 * itself whom it shows what; the others get what the actor of the call may read.
 */
import { toMessage } from '@sevenfold/chassis/access';
import { stranger } from '@sevenfold/chassis/actor';
import { type Late, inPieces } from '@sevenfold/chassis/db/pieces';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import { nextQuarter } from '@sevenfold/chassis/http/shows';
import {
  type CalendarObject,
  type EventDetails,
  type PlaceDetails,
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import { shorten } from '@sevenfold/text/text';
import {
  INDEXED,
  IN_A_FRAME,
  LISTED,
  MOST_ON_A_PAGE,
  MOST_TITLE,
  type Most,
  ON_A_PAGE,
  shareOf,
} from '@sevenfold/text/told';
import { type Kind, publicLink, readPublicLink } from '../common/links';
import { canRead, editorsOf } from '../common/policy';
import { ofContent } from '../content/news';
import { listEvents } from './list';
import type { Owned } from '@sevenfold/publishing/rights';
import { isPublic } from '@sevenfold/publishing/statuses';
import type { Deps } from '../deps';

interface ObjectRow {
  readonly id: number;
  readonly type: Kind;
  readonly status: string;
  readonly statusBeforeTrash: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly excerpt: string;
  readonly author: number;
  readonly imageId: number;
  readonly dateUtc: string;
  readonly modifiedUtc: string;
  readonly version: string;
  readonly website: string;
  readonly phone: string;
  readonly event: EventDetails | null;
  readonly place: PlaceDetails | null;
}

const moment = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
const EVENT = `jsonb_build_object('startUtc', ${moment('start_utc')}, 'endUtc', ${moment('end_utc')}, 'timezone', timezone,
  'allDay', all_day, 'cost', cost, 'costValues', coalesce(cost_details->'values', '[]'),
  'currency', coalesce(cost_details->>'symbol', ''), 'venueId', venue_id, 'organizerIds', organizer_ids,
  'categoryIds', category_ids, 'tagIds', tag_ids)`;
const PLACE = `jsonb_strip_nulls(jsonb_build_object('address', address, 'city', city, 'region', stateprovince, 'zip', zip, 'country', country,
  'latitude', geo_lat, 'longitude', geo_lng))`;

const common = `xmin::text as version, id, status, status_before_trash as "statusBeforeTrash", slug, author, image_id as "imageId", date_utc as "dateUtc", modified_utc as "modifiedUtc"`;
const title = (column: string): string => `left(${column}, ${MOST_TITLE}) as title`;
const selectsOf = ({ text, excerpt }: Most): Readonly<Record<Kind, string>> => {
  const texts = `left(description_html, ${text}) as description`;
  const summary = `left(excerpt_html, ${excerpt}) as excerpt`;
  return {
    event: `select 'event' as type, ${title('title_html')}, ${summary}, coalesce(website, '') as website, '' as phone, ${EVENT} as event, null::jsonb as place, ${texts}, ${common} from events`,
    venue: `select 'venue' as type, ${title('name')}, '' as excerpt, website, phone, null::jsonb as event, ${PLACE} as place, ${texts}, ${common} from venues`,
    organizer: `select 'organizer' as type, ${title('name')}, ${summary}, website, phone, null::jsonb as event, null::jsonb as place, ${texts}, ${common} from organizers`,
  };
};
/** The three tables as one, each narrowed and cut by itself. */
const all = (most: Most, rest: string): string =>
  Object.values(selectsOf(most))
    .map((select) => `(${select} ${rest})`)
    .join(' union all ');

const TABLES = ['events', 'venues', 'organizers'] as const;
const INDEXED_BY_IDS = all(INDEXED, 'where id = any($1::bigint[])');
/** The same tables with the bytes of what may be long. */
const sizes = (rest: string): string =>
  TABLES.map((table) => {
    const excerpt = table === 'venues' ? '' : ' + octet_length(excerpt_html)';
    return `(select id, octet_length(description_html)${excerpt} as size from ${table} ${rest})`;
  }).join(' union all ');
const CHUNK = 500;
const SHARED: Most = { text: '$2', excerpt: '$2' };
const MOST_LISTED = 50;
const MOST_VERSIONS = 5000;
/** Whose index holds what is not public as well. */
const INDEXER = 'seo';
/** Who shows other sites a few words. */
const FRAMER = 'oembed';

export const eventService = (deps: Deps): RpcService =>
  rpcService<EventServiceServer>(EventServiceService, {
    getEvents: {
      callers: ['gateway', 'oembed', 'seo'],
      permission: anyone,
      handle: async ({ ids }, { caller, actor, show }) => {
        show(ids.flatMap((id) => [`event:${id}`, `venue:${id}`, `organizer:${id}`]));
        const rows = await deps.db.rows<ObjectRow>(all(SHARED, 'where id = any($1::bigint[])'), [
          ids,
          shareOf(ids.length),
        ]);
        if (caller === INDEXER)
          return {
            objects: rows.map((row) => ({ ...toObject(deps, row), editors: toMessage(editorsOf(row)) })),
          };
        const shown = rows.filter((row) => canRead(actor, row));
        return { objects: shown.map((row) => toObject(deps, row)) };
      },
    },
    getTerms: {
      callers: ['content'],
      permission: anyone,
      handle: async ({ id }, { actor }) => {
        const event = await deps.db.first<Owned & { categoryIds: number[]; tagIds: number[] }>(
          `select status, status_before_trash as "statusBeforeTrash", author, category_ids as "categoryIds",
              tag_ids as "tagIds" from events where id = $1`,
          [id],
        );
        const readable = event !== undefined && canRead(actor, event);
        return {
          found: event !== undefined,
          readable,
          categoryIds: readable ? event.categoryIds : [],
          tagIds: readable ? event.tagIds : [],
        };
      },
    },
    findByUrl: {
      callers: ['gateway', 'oembed', 'seo'],
      permission: anyone,
      handle: async ({ url }, { caller, show }) => {
        const named = readPublicLink(deps.siteUrl, url);
        show([]);
        if (!named) return { object: undefined };
        const row = await deps.db.first<ObjectRow>(
          `${selectsOf(caller === FRAMER ? IN_A_FRAME : ON_A_PAGE)[named.kind]} where ${named.id === undefined ? `slug = $1 and slug <> ''` : 'id = $1'}`,
          [named.id ?? named.slug],
        );
        show([row ? `${named.kind}:${row.id}` : named.kind]);
        return { object: row && isPublic(row.status) ? toObject(deps, row) : undefined };
      },
    },
    listUpcoming: {
      callers: ['gateway'],
      permission: anyone,
      handle: async ({ categoryId, tagId, venueId, organizerId, page, perPage }, { show }) => {
        // A category holds what is in those below it; what is to come begins with a day.
        show(['event', ofContent.categories], { until: nextQuarter(Date.now()) });
        const only = (id: number): readonly number[] | undefined => (id === 0 ? undefined : [id]);
        const size = Math.min(Math.max(perPage, 1), MOST_LISTED);
        const { rows, total } = await listEvents(deps, stranger, {
          page: Math.max(page, 1),
          per_page: size,
          categories: only(categoryId),
          tags: only(tagId),
          venue: only(venueId),
          organizer: only(organizerId),
        });
        // What is hidden from views leaves its place empty: no index of starts would have to know of it.
        const events = await deps.db.rows<ObjectRow>(
          `${selectsOf(LISTED).event} where id = any($1::bigint[]) and not hide_from_listings
           order by array_position($1::bigint[], id)`,
          [rows.map(({ id }) => id)],
        );
        const objects = events.map((row) => toObject(deps, row));
        show(rows.map(({ id }) => `event:${id}`));
        return { objects, pages: Math.ceil(total / size) };
      },
    },
    streamObjects: {
      callers: [INDEXER, 'cli'],
      permission: anyone,
      handle: async function* ({ afterId, limit, ids }, { signal }) {
        const only = ids.length > 0 ? 'and id = any($3::bigint[])' : '';
        let left = limit > 0 ? limit : Infinity;
        for (let after = afterId; !signal.aborted && left > 0;) {
          const size = Math.min(left, CHUNK);
          const page = await deps.db.rows<Late>(
            `select id, size from (${sizes(`where id > $1 ${only} order by id limit $2`)}) as objects order by id limit $2`,
            [after, size, ...(only ? [ids] : [])],
          );
          for await (const rows of inPieces(page, (some) => deps.db.rows<ObjectRow>(INDEXED_BY_IDS, [some])))
            for (const row of rows) yield toObject(deps, row);
          if (page.length < size) return;
          left -= size;
          after = (page.at(-1) as Late).id;
        }
      },
    },
    listVersions: {
      callers: [INDEXER, 'cli'],
      permission: anyone,
      handle: async ({ afterId, limit }) => {
        const rows = await deps.db.rows<{ id: number; version: string }>(
          `select id, version from (${TABLES.map(
            (table) => `(select id, xmin::text as version from ${table} where id > $1 order by id limit $2)`,
          ).join(' union all ')}) as objects order by id limit $2`,
          [afterId, limit > 0 ? Math.min(limit, MOST_VERSIONS) : MOST_VERSIONS],
        );
        return { ids: rows.map(({ id }) => id), versions: rows.map(({ version }) => version) };
      },
    },
  });

const toObject = (
  { siteUrl }: Deps,
  { statusBeforeTrash: _, event, place, ...row }: ObjectRow,
): CalendarObject => ({
  ...row,
  // The database counts characters, some of which are two units.
  description: shorten(row.description, MOST_ON_A_PAGE + 2),
  event: event ?? undefined,
  place: place ?? undefined,
  public: isPublic(row.status),
  link: publicLink(siteUrl, row.type, row),
  dateUtc: fromSqlUtc(row.dateUtc).toISOString(),
  modifiedUtc: fromSqlUtc(row.modifiedUtc).toISOString(),
});
