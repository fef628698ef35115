/**
 * Posts, pages and attachments for other services. The one that keeps the index of the site gets all of them and decides
 * itself whom it shows what; the others get what the actor of the call may read.
 */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { isRasterMime } from '@sevenfold/chassis/files/file-types';
import type { Caller } from '@sevenfold/chassis/grpc/caller';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/serve';
import { anyone } from '@sevenfold/chassis/http/route';
import { isoLocal } from '@sevenfold/text/dates';
import {
  type Picture,
  type Post,
  type PostServiceServer,
  PostServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { type Version, versionLimit, versionsOf } from '../common/versions';
import type { Deps } from '../deps';
import { fileUrl } from '../media/presenter';
import { findIdByUrl } from './find-by-url';
import { postLink } from './links';
import { type PostSubject, canEditPost, canReadPost } from './policy';
import type { PostRow } from './store';
import { VIEW_COLUMNS } from './store';

type Row = PostRow & {
  readonly authorName: string | null;
  readonly authorSlug: string | null;
  /** What an attachment belongs to, as the rules look at it. */
  readonly parentPost: PostSubject | null;
  /** Its featured picture, or the file that an attachment is. */
  readonly shownFile: ShownFile | null;
  readonly version: string;
};

// Of files a part is in a table of its own.
const VERSION = `p.xmin::text || case when p.type = 'attachment' then coalesce('.' || m.xmin::text, '') else '' end`;

interface ShownFile extends PostSubject {
  readonly file: string;
  readonly mimeType: string;
  readonly altText: string;
  readonly width: number | null;
  readonly height: number | null;
}

/** JSON of what the rules look at in a row of `posts`: never a password. */
const subjectSql = (alias: string, more = ''): string =>
  `jsonb_build_object('type', ${alias}.type, 'status', ${alias}.status, 'author', ${alias}.author, 'password', '',
    'statusBeforeTrash', ${alias}.status_before_trash${more})`;

const FILE_SQL = `, 'file', m.file, 'mimeType', m.mime_type, 'altText', m.alt_text, 'width', m.details->'width',
  'height', m.details->'height', 'parentPost', case when fp.id is not null then ${subjectSql('fp')} end`;

const SELECT = `select ${VIEW_COLUMNS}, u.name as "authorName", u.slug as "authorSlug",
    case when p.status = 'inherit' and up.id is not null then ${subjectSql('up')} end as "parentPost",
    case when m.post_id is not null then ${subjectSql('f', FILE_SQL)} end as "shownFile",
    ${VERSION} as version
  from posts p left join users u on u.id = p.author left join posts up on up.id = p.parent
    left join posts f on f.id = case when p.type = 'attachment' then p.id else nullif(p.featured_media, 0) end
    left join media m on m.post_id = f.id
    left join posts fp on fp.id = f.parent and f.status = 'inherit'`;

/** Whose index holds what is not public as well. */
const INDEXER = 'seo';

const MOST_IDS = 1000;
const STREAM_PAGE = 200;

export const postService = (deps: Deps): RpcService => {
  const toPost = (row: Row, open = true): Post => ({
    id: row.id,
    type: row.type,
    status: row.status,
    slug: row.slug,
    link: postLink(deps.siteUrl, row),
    title: row.titleHtml,
    content: open ? row.contentHtml : '',
    excerpt: open ? row.excerptHtml : '',
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
    picture: pictureOf(deps.siteUrl, row.shownFile),
    public: canReadPost(stranger, subjectOf(row)),
    version: row.version,
  });
  const shown = ({ caller, actor }: Caller, row: Row): Post | undefined =>
    caller === INDEXER ? toPost(row) : readable(actor, row, toPost);
  const find = async (to: Caller, where: string, values: unknown[]): Promise<Post | undefined> => {
    const row = await deps.db.first<Row>(`${SELECT} where ${where}`, values);
    return row && shown(to, row);
  };
  return rpcService<PostServiceServer>(PostServiceService, {
    getPosts: {
      callers: ['oembed', 'seo'],
      permission: anyone,
      handle: async ({ ids }, to) => {
        const rows = await deps.db.rows<Row>(`${SELECT} where p.id = any($1::bigint[]) order by p.id`, [
          ids.slice(0, MOST_IDS),
        ]);
        return { posts: rows.flatMap((row) => shown(to, row) ?? []) };
      },
    },
    findPostByUrl: {
      callers: ['oembed', 'seo'],
      permission: anyone,
      handle: async ({ url }, to) => {
        const id = await findIdByUrl(deps.db, deps.siteUrl, url);
        return { post: id === undefined ? undefined : await find(to, 'p.id = $1', [id]) };
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
      callers: [INDEXER],
      permission: anyone,
      // Pages of its own, so that a slow reader holds no transaction open.
      handle: async function* ({ afterId, types, statuses, limit, ids }, { signal }) {
        let left = limit > 0 ? limit : Infinity;
        for (let last = afterId; !signal.aborted && left > 0;) {
          const size = Math.min(left, STREAM_PAGE);
          const rows = await deps.db.rows<Row>(
            `${SELECT}
            where p.id > $1 and (cardinality($2::text[]) = 0 or p.type = any($2)) and (cardinality($3::text[]) = 0 or p.status = any($3))
              ${ids.length > 0 ? 'and p.id = any($5::bigint[])' : ''}
            order by p.id limit $4`,
            [last, types, statuses, size, ...(ids.length > 0 ? [ids] : [])],
          );
          for (const row of rows) yield toPost(row);
          if (rows.length < size) return;
          left -= size;
          last = (rows.at(-1) as Row).id;
        }
      },
    },
    listPostVersions: {
      callers: [INDEXER],
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

/** Whoever hears of a post shows it to others: a picture that not everybody may see is none. */
function pictureOf(siteUrl: string, shown: ShownFile | null): Picture | undefined {
  if (!shown || !isRasterMime(shown.mimeType)) return undefined;
  if (!canReadPost(stranger, { ...shown, parentPost: shown.parentPost ?? undefined })) return undefined;
  const { file, altText, width, height } = shown;
  return { url: fileUrl(siteUrl, file), width: width ?? 0, height: height ?? 0, altText };
}

const subjectOf = (row: Row): PostSubject => ({ ...row, parentPost: row.parentPost ?? undefined });

/** What a password protects is for those who may edit it. */
function readable(actor: Actor, row: Row, toPost: (row: Row, open: boolean) => Post): Post | undefined {
  const subject = subjectOf(row);
  if (!canReadPost(actor, subject)) return undefined;
  return toPost(row, row.password === '' || canEditPost(actor, subject));
}
