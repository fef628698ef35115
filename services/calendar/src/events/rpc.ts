/**
 * Events, venues and organizers for other services. The one that keeps the index of the site gets all of them and decides
 * itself whom it shows what; the others get what the actor of the call may read.
 */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/serve';
import { anyone } from '@sevenfold/chassis/http/route';
import {
  type CalendarObject,
  type EventServiceServer,
  EventServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/events';
import { fromSqlUtc } from '@sevenfold/publishing/dates';
import { type Kind, publicLink, readPublicLink } from '../common/links';
import { canRead } from '../common/policy';
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
}

const common = `id, status, status_before_trash as "statusBeforeTrash", slug, description_html as description, author, image_id as "imageId", date_utc as "dateUtc", modified_utc as "modifiedUtc"`;
const selects: Readonly<Record<Kind, string>> = {
  event: `select 'event' as type, title_html as title, excerpt_html as excerpt, ${common} from events`,
  venue: `select 'venue' as type, name as title, '' as excerpt, ${common} from venues`,
  organizer: `select 'organizer' as type, name as title, excerpt_html as excerpt, ${common} from organizers`,
};
/** The three tables as one, each narrowed and cut by itself. */
const all = (rest: string): string =>
  Object.values(selects)
    .map((select) => `(${select} ${rest})`)
    .join(' union all ');

const CHUNK = 500;
/** Whose index holds what is not public as well. */
const INDEXER = 'seo';

export const eventService = (deps: Deps): RpcService =>
  rpcService<EventServiceServer>(EventServiceService, {
    getEvents: {
      callers: ['oembed', 'seo'],
      permission: anyone,
      handle: async ({ ids }, { caller, actor }) => {
        const rows = await deps.db.rows<ObjectRow>(all('where id = any($1::bigint[])'), [ids]);
        const shown = caller === INDEXER ? rows : rows.filter((row) => canRead(actor, row));
        return { objects: shown.map((row) => toObject(deps, row)) };
      },
    },
    findByUrl: {
      callers: ['oembed', 'seo'],
      permission: anyone,
      handle: async ({ url }) => {
        const named = readPublicLink(deps.siteUrl, url);
        if (!named) return { object: undefined };
        const row = await deps.db.first<ObjectRow>(
          `${selects[named.kind]} where ${named.id === undefined ? `slug = $1 and slug <> ''` : 'id = $1'}`,
          [named.id ?? named.slug],
        );
        return { object: row && isPublic(row.status) ? toObject(deps, row) : undefined };
      },
    },
    streamObjects: {
      callers: [INDEXER],
      permission: anyone,
      handle: async function* ({ afterId }, { signal }) {
        for (let after = afterId; !signal.aborted;) {
          const rows = await deps.db.rows<ObjectRow>(
            `select * from (${all('where id > $1 order by id limit $2')}) as objects order by id limit $2`,
            [after, CHUNK],
          );
          for (const row of rows) yield toObject(deps, row);
          if (rows.length < CHUNK) return;
          after = (rows[rows.length - 1] as ObjectRow).id;
        }
      },
    },
  });

const toObject = ({ siteUrl }: Deps, { statusBeforeTrash: _, ...row }: ObjectRow): CalendarObject => ({
  ...row,
  link: publicLink(siteUrl, row.type, row),
  dateUtc: fromSqlUtc(row.dateUtc).toISOString(),
  modifiedUtc: fromSqlUtc(row.modifiedUtc).toISOString(),
});
