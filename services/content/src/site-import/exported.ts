/** What an export holds, one type for each kind of record. All values are text as written. */
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
}

export interface ExportedTerm {
  kind: 'term';
  line: number;
  taxonomy: string;
  foreignId: string;
  slug: string;
  name: string;
  description: string;
  /** Slug of the parent; empty at the top. */
  parentSlug: string;
}

export type Meta = ReadonlyMap<string, readonly string[]>;

export interface ExportedComment {
  line: number;
  foreignId: string;
  author: string;
  email: string;
  url: string;
  ip: string;
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
  terms: { taxonomy: string; slug: string; name: string }[];
  meta: Meta;
  comments: ExportedComment[];
}

/** Larger than anything that can be taken. */
export interface Oversized {
  kind: 'oversized';
  line: number;
  title: string;
}

export type ExportedRecord = ExportedSite | ExportedAuthor | ExportedTerm | ExportedItem | Oversized;

/** The first value of a key; empty where there is none. */
export const metaOf = ({ meta }: { readonly meta: Meta }, key: string): string => meta.get(key)?.[0] ?? '';
