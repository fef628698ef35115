/**
 * Posts, pages and attachments for other services. The one that keeps the index of the site gets all of them and decides
 * itself whom it shows what; the others get what the actor of the call may read.
 */
import { type Late, inPieces } from '@sevenfold/chassis/db/pieces';
import type { Caller } from '@sevenfold/chassis/grpc/caller';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { anyone } from '@sevenfold/chassis/http/route';
import {
  type Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { INDEXED, LISTED, NO_TEXT, shareOf } from '@sevenfold/text/told';
import { type Version, versionLimit, versionsOf } from '../common/versions';
import type { Deps } from '../deps';
import { findIdByUrl } from './find-by-url';
import { type Row, VERSION, readable, selectOf, tagsOfTold, toPost, withEditors } from './told';

/** Whose index holds what is not public as well. */
const INDEXER = 'seo';
/** Who asks which of them everybody may read. */
const PAGE_MAKER = 'gateway';
/** Who shows other sites a few words of the summary. */
const FRAMER = 'oembed';

const MOST_IDS = 1000;
const STREAM_PAGE = 200;
const SELECT = selectOf(INDEXED);
const BY_IDS = 'where p.id = any($1::bigint[])';
/** SQL of the bytes of what may be long. */
const SIZE = 'octet_length(p.content_html) + octet_length(p.excerpt_html)';

export const postService = (deps: Deps): RpcService => {
  const shown = ({ caller, actor }: Caller, row: Row): Post | undefined =>
    caller === INDEXER ? toPost(deps, row) : readable(deps, actor, row);
  const find = async (to: Caller, where: string, values: unknown[]): Promise<Post | undefined> => {
    const row = await deps.db.first<Row>(`${SELECT} where ${where}`, values);
    return row && shown(to, row);
  };
  return rpcService<PostServiceServer>(PostServiceService, {
    getPosts: {
      callers: ['forms', 'gateway', 'oembed', 'seo'],
      permission: anyone,
      handle: async ({ ids }, to) => {
        const wanted = ids.slice(0, MOST_IDS);
        const isPageMakers = to.caller === PAGE_MAKER;
        const most = isPageMakers ? NO_TEXT : { text: '$2', excerpt: '$2' };
        const rows = await deps.db.rows<Row>(
          `${selectOf(most)} where p.id = any($1::bigint[]) order by p.id`,
          isPageMakers ? [wanted] : [wanted, shareOf(wanted.length)],
        );
        if (isPageMakers)
          to.show([
            ...wanted.flatMap((id) => [`post:${id}`, `page:${id}`, `attachment:${id}`]),
            ...rows.flatMap(tagsOfTold),
          ]);
        if (to.caller === INDEXER) return { posts: rows.map((row) => withEditors(deps, row)) };
        return { posts: rows.flatMap((row) => shown(to, row) ?? []) };
      },
    },
    findPostByUrl: {
      callers: ['oembed', 'seo'],
      permission: anyone,
      handle: async ({ url }, to) => {
        const id = await findIdByUrl(deps.db, deps.siteUrl, url);
        const select = to.caller === FRAMER ? selectOf(LISTED) : SELECT;
        const row =
          id === undefined ? undefined : await deps.db.first<Row>(`${select} where p.id = $1`, [id]);
        // A page goes before anything else at its address, and anything before nothing.
        to.show(row ? [...tagsOfTold(row), 'page'] : ['post', 'page', 'attachment']);
        return { post: row && shown(to, row) };
      },
    },
    findPostBySlug: {
      callers: ['oembed', 'seo'],
      permission: anyone,
      handle: async ({ slug, type }, to) => ({
        post:
          slug === ''
            ? undefined
            : await find(to, 'p.slug = $1 and p.type = $2 order by p.parent, p.id limit 1', [
                slug,
                type || 'post',
              ]),
      }),
    },
    streamPosts: {
      callers: [INDEXER, 'cli'],
      permission: anyone,
      // Pages of its own, so that a slow reader holds no transaction open.
      handle: async function* ({ afterId, types, statuses, limit, ids }, { signal }) {
        let left = limit > 0 ? limit : Infinity;
        for (let last = afterId; !signal.aborted && left > 0;) {
          const size = Math.min(left, STREAM_PAGE);
          const page = await deps.db.rows<Late>(
            `select p.id, ${SIZE} as size from posts p
            where p.id > $1 and (cardinality($2::text[]) = 0 or p.type = any($2)) and (cardinality($3::text[]) = 0 or p.status = any($3))
              ${ids.length > 0 ? 'and p.id = any($5::bigint[])' : ''}
            order by p.id limit $4`,
            [last, types, statuses, size, ...(ids.length > 0 ? [ids] : [])],
          );
          for await (const rows of inPieces(page, (some) => deps.db.rows<Row>(`${SELECT} ${BY_IDS}`, [some])))
            for (const row of rows) yield toPost(deps, row);
          if (page.length < size) return;
          left -= size;
          last = (page.at(-1) as Late).id;
        }
      },
    },
    listPostVersions: {
      callers: [INDEXER, 'cli'],
      permission: anyone,
      handle: async ({ afterId, limit }) =>
        versionsOf(
          await deps.db.rows<Version>(
            `select p.id, ${VERSION} as version from posts p left join media m on m.post_id = p.id
             where p.id > $1 order by p.id limit $2`,
            [afterId, versionLimit(limit)],
          ),
        ),
    },
  });
};
