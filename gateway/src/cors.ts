/**
 * The headers that every answer carries. Any origin may read, as clients of this interface are used to: credentials
 * are application passwords, which programs hold and nobody types into a browser.
 */
import type { Exchange } from './exchange';

const EVERYWHERE = ['X-Content-Type-Options', 'nosniff'];
const ON_JSON = [
  ...EVERYWHERE,
  'X-Robots-Tag',
  'noindex',
  'Access-Control-Expose-Headers',
  'X-Total, X-Total-Pages, X-Total-Relation, Link',
  'Access-Control-Allow-Headers',
  'Authorization, Content-Disposition, Content-MD5, Content-Type',
];

/** Files are found by search engines as the pages are that show them; an error in place of one is not. */
export const isFile = (exchange: Exchange, type: string | undefined): boolean =>
  exchange.path.startsWith('/uploads/') && type?.startsWith('application/json') !== true;

/** As the flat list that `writeHead` takes. */
export function publicHeaders(exchange: Exchange, file: boolean): string[] {
  const list = ['X-Request-Id', exchange.id];
  if (file) return [...list, ...EVERYWHERE];
  list.push(...ON_JSON);
  const origin = exchange.request.headers.origin;
  if (origin !== undefined) {
    list.push('Access-Control-Allow-Origin', origin);
    list.push('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
    list.push('Access-Control-Allow-Credentials', 'true');
  }
  return list;
}

/** Shared caches must keep answers to different origins apart; what a service adds stays. */
export function varyOf(exchange: Exchange, file: boolean, given?: string | string[]): string {
  const names =
    given === undefined
      ? []
      : String(given)
          .split(',')
          .map((name) => name.trim());
  const { method, headers } = exchange.request;
  const read = method === 'GET' || method === 'HEAD';
  const origin = !file && (headers.origin !== undefined || (read && !exchange.caller));
  if (origin && !names.some((name) => /^origin$/i.test(name))) names.push('Origin');
  return names.join(', ');
}
