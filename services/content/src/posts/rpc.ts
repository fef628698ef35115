/** Posts, pages and attachments for other services, which decide themselves whom they show them to. */
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/serve';
import { isoLocal } from '@sevenfold/text/dates';
import {
  type Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import type { Deps } from '../deps';
import { findIdByUrl } from './find-by-url';
import { postLink } from './links';
import type { PostRow } from './store';
import { VIEW_COLUMNS } from './store';

type Row = PostRow & { readonly authorName: string | null; readonly authorSlug: string | null };

const SELECT = `select ${VIEW_COLUMNS}, u.name as "authorName", u.slug as "authorSlug"
  from posts p left join users u on u.id = p.author`;

const MOST_IDS = 1000;
const STREAM_PAGE = 200;

export const postService = (deps: Deps): RpcService => {
  const toPost = (row: Row): Post => ({
    id: row.id,
    type: row.type,
    status: row.status,
    slug: row.slug,
    link: postLink(deps.siteUrl, row),
    title: row.titleHtml,
    content: row.contentHtml,
    excerpt: row.excerptHtml,
    author: row.author,
    authorName: row.authorName ?? '',
    authorLink: row.authorSlug === null ? '' : `${deps.siteUrl}/author/${row.authorSlug}/`,
    dateGmt: isoLocal(row.dateGmt),
    modifiedGmt: isoLocal(row.modifiedGmt),
    hasPassword: row.password !== '',
    featuredMedia: row.featuredMedia,
    parent: row.parent,
    categories: [...row.categories],
    tags: [...row.tags],
  });
  const find = async (where: string, values: unknown[]): Promise<Post | undefined> => {
    const row = await deps.db.first<Row>(`${SELECT} where ${where}`, values);
    return row && toPost(row);
  };
  return rpcService<PostServiceServer>(PostServiceService, {
    getPosts: async ({ ids }) => {
      const rows = await deps.db.rows<Row>(`${SELECT} where p.id = any($1::bigint[]) order by p.id`, [
        ids.slice(0, MOST_IDS),
      ]);
      return { posts: rows.map(toPost) };
    },
    findPostByUrl: async ({ url }) => {
      const id = await findIdByUrl(deps.db, deps.siteUrl, url);
      return { post: id === undefined ? undefined : await find('p.id = $1', [id]) };
    },
    findPostBySlug: async ({ slug, type }) => ({
      post:
        slug === ''
          ? undefined
          : await find('p.slug = $1 and p.type = $2 order by p.parent, p.id limit 1', [slug, type || 'post']),
    }),
    // Pages of its own, so that a slow reader holds no transaction open.
    streamPosts: async function* ({ afterId, types, statuses }, { signal }) {
      for (let last = afterId; !signal.aborted;) {
        const rows = await deps.db.rows<Row>(
          `${SELECT}
            where p.id > $1 and (cardinality($2::text[]) = 0 or p.type = any($2)) and (cardinality($3::text[]) = 0 or p.status = any($3))
            order by p.id limit ${STREAM_PAGE}`,
          [last, types, statuses],
        );
        for (const row of rows) yield toPost(row);
        if (rows.length < STREAM_PAGE) return;
        last = (rows.at(-1) as Row).id;
      }
    },
  });
};
