/**
 * The post types of this service as a table: what differs between posts and pages is a value here, never a copy of
 * code. Attachments share the lists, slugs and links, and have their own folder (media/).
 */
export type PostTypeName = 'post' | 'page' | 'attachment';

export interface PostType {
  readonly name: PostTypeName;
  /** Route and link segment: `/posts`. */
  readonly restBase: string;
  /** Word of the type in capabilities: `edit_others_posts`. */
  readonly plural: 'posts' | 'pages';
  /** Query variable of the address that works in any status: `/?p=12`. */
  readonly idVariable: 'p' | 'page_id' | 'attachment_id';
  readonly hierarchical: boolean;
  /** Categories, tags, format and sticky. */
  readonly blog: boolean;
}

export const postTypes: Readonly<Record<PostTypeName, PostType>> = {
  post: {
    name: 'post',
    restBase: 'posts',
    plural: 'posts',
    idVariable: 'p',
    hierarchical: false,
    blog: true,
  },
  page: {
    name: 'page',
    restBase: 'pages',
    plural: 'pages',
    idVariable: 'page_id',
    hierarchical: true,
    blog: false,
  },
  attachment: {
    name: 'attachment',
    restBase: 'media',
    plural: 'posts',
    idVariable: 'attachment_id',
    hierarchical: false,
    blog: false,
  },
};
