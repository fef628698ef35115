/** What an export holds, one type for each kind of record. All values are text as written. */
import type { PhpValue } from './php';

export interface ExportedSite {
  kind: 'site';
  title: string;
  description: string;
  /** Address of the site; empty where the export names none. */
  url: string;
}

export interface ExportedAuthor {
  kind: 'author';
  line: number;
  foreignId: string;
  login: string;
  email: string;
  displayName: string;
  firstName: string;
  lastName: string;
  /** What exports do not tell. */
  more?: AuthorDetails;
}

interface AuthorDetails {
  slug: string;
  nickname: string;
  url: string;
  description: string;
  locale: string;
  /** Those that a user who is made here gets; otherwise the one of authors. */
  roles?: readonly string[];
}

export interface ExportedTerm {
  kind: 'term';
  line: number;
  taxonomy: string;
  foreignId: string;
  slug: string;
  name: string;
  description: string;
  /** Slug of the parent; empty at the top, and where its number tells. */
  parentSlug: string;
  parentId?: string;
}

export type Meta = ReadonlyMap<string, readonly string[]>;

export interface ExportedComment {
  line: number;
  foreignId: string;
  author: string;
  email: string;
  url: string;
  ip: string;
  /** Exports do not tell it. */
  agent?: string;
  date: string;
  dateGmt: string;
  content: string;
  approved: string;
  type: string;
  parent: string;
  user: string;
  meta: Meta;
}

export interface ExportedItem {
  kind: 'item';
  line: number;
  foreignId: string;
  type: string;
  title: string;
  link: string;
  creator: string;
  guid: string;
  content: string;
  excerpt: string;
  date: string;
  dateGmt: string;
  commentStatus: string;
  pingStatus: string;
  slug: string;
  status: string;
  parent: string;
  menuOrder: string;
  password: string;
  sticky: string;
  attachmentUrl: string;
  /** By slug and name, or by the number there alone. */
  terms: { taxonomy: string; slug: string; name: string; foreignId?: string }[];
  meta: Meta;
  comments: ExportedComment[];
  /** Where authors are known by their numbers. */
  creatorId?: string;
  /** Exports do not tell: then it is the date. */
  modified?: string;
  modifiedGmt?: string;
  /** The texts are what readers see, since what was written may not be read. */
  isRendered?: boolean;
  /** Of a file, as `_wp_attachment_metadata` has it. */
  measures?: PhpValue;
}

/** A comment by itself; in exports they lie in their items. */
export interface ExportedRemark extends ExportedComment {
  kind: 'remark';
  post: string;
  isRendered?: boolean;
}

/** Larger than anything that can be taken. */
export interface Oversized {
  kind: 'oversized';
  line: number;
  title: string;
}

export type ExportedRecord =
  ExportedSite | ExportedAuthor | ExportedTerm | ExportedItem | ExportedRemark | Oversized;

/** The first value of a key; empty where there is none. */
export const metaOf = ({ meta }: { readonly meta: Meta }, key: string): string => meta.get(key)?.[0] ?? '';
