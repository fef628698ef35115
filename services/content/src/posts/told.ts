/** Rows of posts, pages and attachments as other services are told of them. */
import { toMessage } from '@sevenfold/chassis/access';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { isRasterMime } from '@sevenfold/chassis/files/file-types';
import type { Picture, Post } from '@sevenfold/proto/gen/sevenfold/content/v1/posts';
import { isoLocal } from '@sevenfold/text/dates';
import { shorten } from '@sevenfold/text/text';
import { MOST_ON_A_PAGE, MOST_TITLE, type Most } from '@sevenfold/text/told';
import type { Deps } from '../deps';
import { fileUrl } from '../media/presenter';
import { LONGEST_TOLD } from '../media/store';
import { postLink } from './links';
import { type PostSubject, canEditPost, canReadPost, editorsOf } from './policy';
import type { PostRow } from './store';
import { cutColumns } from './store';

type Site = Pick<Deps, 'siteUrl'>;

export type Row = PostRow & {
  readonly authorName: string | null;
  readonly authorSlug: string | null;
  /** What an attachment belongs to, as the rules look at it. */
  readonly parentPost: PostSubject | null;
  /** Its featured picture, or the file that an attachment is. */
  readonly shownFile: ShownFile | null;
  readonly version: string;
};

// Of files a part is in a table of its own.
export const VERSION = `p.xmin::text || case when p.type = 'attachment' then coalesce('.' || m.xmin::text, '') else '' end`;

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

const FILE_SQL = `, 'file', m.file, 'mimeType', m.mime_type, 'altText', left(m.alt_text, ${LONGEST_TOLD}), 'width', m.details->'width',
  'height', m.details->'height', 'parentPost', case when fp.id is not null then ${subjectSql('fp')} end`;

/** For `select … from posts p …`. */
export const columnsOf = ({
  text,
  excerpt,
}: Most): string => `${cutColumns({ title: MOST_TITLE, content: text, excerpt })}, u.name as "authorName", u.slug as "authorSlug",
    case when p.status = 'inherit' and up.id is not null then ${subjectSql('up')} end as "parentPost",
    case when m.post_id is not null then ${subjectSql('f', FILE_SQL)} end as "shownFile",
    ${VERSION} as version`;
export const JOINS = `left join users u on u.id = p.author left join posts up on up.id = p.parent
    left join posts f on f.id = case when p.type = 'attachment' then p.id else nullif(p.featured_media, 0) end
    left join media m on m.post_id = f.id
    left join posts fp on fp.id = f.parent and f.status = 'inherit'`;

export const selectOf = (most: Most): string => `select ${columnsOf(most)} from posts p ${JOINS}`;

export const toPost = ({ siteUrl }: Site, row: Row, open = true): Post => ({
  id: row.id,
  type: row.type,
  status: row.status,
  slug: row.slug,
  link: postLink(siteUrl, row),
  title: row.titleHtml,
  // The database counts characters, some of which are two units.
  content: open ? shorten(row.contentHtml, MOST_ON_A_PAGE + 2) : '',
  excerpt: open ? row.excerptHtml : '',
  author: row.author,
  authorName: row.authorName ?? '',
  authorLink: row.authorSlug === null ? '' : `${siteUrl}/author/${row.authorSlug}/`,
  dateGmt: isoLocal(row.dateGmt),
  modifiedGmt: isoLocal(row.modifiedGmt),
  hasPassword: row.password !== '',
  featuredMedia: row.featuredMedia,
  parent: row.parent,
  categories: [...row.categories],
  tags: [...row.tags],
  picture: pictureOf(siteUrl, row.shownFile),
  public: canReadPost(stranger, subjectOf(row)),
  version: row.version,
  guid: row.guid,
});

export const withEditors = (site: Site, row: Row): Post => ({
  ...toPost(site, row),
  editors: toMessage(editorsOf(subjectOf(row))),
});

/** Whoever hears of a post shows it to others: a picture that not everybody may see is none. */
function pictureOf(siteUrl: string, shown: ShownFile | null): Picture | undefined {
  if (!shown || !isRasterMime(shown.mimeType)) return undefined;
  if (!canReadPost(stranger, { ...shown, parentPost: shown.parentPost ?? undefined })) return undefined;
  const { file, altText, width, height } = shown;
  return { url: fileUrl(siteUrl, file), width: width ?? 0, height: height ?? 0, altText };
}

/**
 * Which news make old what is told of it (migrations/0016_news.sql): of itself, what it belongs to, its picture and its author. News of
 * what a file belongs to name the file.
 */
export const tagsOfTold = ({ id, parent, featuredMedia, author }: Row): string[] => [
  ...[id, parent, featuredMedia].filter((one) => one !== 0).map((one) => `post:${one}`),
  `user:${author}`,
];

const subjectOf = (row: Row): PostSubject => ({ ...row, parentPost: row.parentPost ?? undefined });

/** What a password protects is for those who may edit it. */
export function readable(site: Site, actor: Actor, row: Row): Post | undefined {
  const subject = subjectOf(row);
  if (!canReadPost(actor, subject)) return undefined;
  return toPost(site, row, row.password === '' || canEditPost(actor, subject));
}
