/**
 * The addresses in the envelope of a list. Clients compare them as text, so they are written exactly as the original
 * system does: the plain filters raw, and everything encoded once another filter or page is set on top of them
 * (REFERENCE.md 9.3).
 */
export type Pair = readonly [name: string, value: string | number];

/** Raw but for what would change the meaning of the query. */
const raw = ([name, value]: Pair): string =>
  `${name}=${String(value).replace(/[&#+%]/g, (char) => encodeURIComponent(char))}`;

/** As PHP's urlencode: blanks as plus signs, and all but letters, digits, `-`, `_` and `.` encoded. */
const encoded = ([name, value]: Pair): string =>
  `${name}=${encodeURIComponent(value)
    .replace(/[!'()*~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')}`;

export interface RestUrls {
  readonly rest_url: string;
  readonly next_rest_url?: string;
  readonly previous_rest_url?: string;
}

/** `page` is the first of `base`; `extra` are the filters that are set on top. */
export function restUrls(
  address: string,
  list: {
    readonly base: readonly Pair[];
    readonly extra: readonly Pair[];
    readonly page: number;
    readonly pages: number;
  },
): RestUrls {
  const { base, extra, page, pages } = list;
  const own = extra.length > 0 ? [...base.map(encoded), ...extra.map(raw)] : base.map(raw);
  const others = [...base.filter(([name]) => name !== 'page'), ...extra].map(encoded);
  const withPage = (number: number): string =>
    `${address}?${[...others, ...(number > 1 ? [`page=${number}`] : [])].join('&')}`;
  return {
    rest_url: `${address}?${own.join('&')}`,
    ...(page < pages ? { next_rest_url: withPage(page + 1) } : {}),
    ...(page > 1 ? { previous_rest_url: withPage(page - 1) } : {}),
  };
}
