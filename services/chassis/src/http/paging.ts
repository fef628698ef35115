/**
 * Paging headers of lists: totals, and `Link` with prev and next. The URLs repeat the query as it was given, with
 * `page` set in its place (appended when it was absent).
 */
export interface PageInfo {
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
}

/** A list that has pages: `address` is the absolute URL of it without its query. */
export interface Paging extends PageInfo {
  readonly address: string;
}

/**
 * Two addresses as long as what was asked may be more than those who read heads take (16 KB in Node, 4 or 8 in proxies): then the
 * numbers alone tell of other pages.
 */
const LONGEST_LINK = 8_000;

export const totalPages = (total: number, perPage: number): number =>
  perPage > 0 ? Math.ceil(total / perPage) : 0;

/** `query` is the raw query string. */
export function pagingHeaders({ address, ...info }: Paging, query: string): Record<string, string> {
  const pages = totalPages(info.total, info.perPage);
  const headers: Record<string, string> = { 'X-Total': String(info.total), 'X-Total-Pages': String(pages) };
  const links: string[] = [];
  if (info.page > 1)
    links.push(`<${withPage(address, query, Math.min(info.page - 1, Math.max(pages, 1)))}>; rel="prev"`);
  if (info.page < pages) links.push(`<${withPage(address, query, info.page + 1)}>; rel="next"`);
  const link = links.join(', ');
  if (link !== '' && link.length <= LONGEST_LINK) headers.Link = link;
  return headers;
}

function withPage(address: string, query: string, page: number): string {
  const isPage = (part: string): boolean => part === 'page' || part.startsWith('page=');
  const given = query === '' ? [] : query.split('&').map(headerSafe);
  const at = given.findIndex(isPage);
  const parts = given.filter((part, index) => index === at || !isPage(part));
  if (at >= 0) parts[at] = `page=${page}`;
  else parts.push(`page=${page}`);
  return `${address}?${parts.join('&')}`;
}

// The raw query goes back into a header: anything that could end the URL or the header is escaped.
const headerSafe = (part: string): string =>
  part.replace(/[<>"\s\u0000-\u001f\u007f-\uffff]/g, (char) => encodeURIComponent(char));
