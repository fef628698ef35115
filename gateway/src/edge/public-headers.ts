/** Headers that are the same on every answer. */

export const EVERYWHERE: readonly string[] = ['X-Content-Type-Options', 'nosniff'];
/** Of all but files and pages. */
export const UNLISTED: readonly string[] = ['X-Robots-Tag', 'noindex'];
const EXPOSED =
  'X-Total, X-Total-Pages, X-Total-Relation, Link, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy';
const ALLOWED =
  'Authorization, Content-Disposition, Content-MD5, Content-Type, Idempotency-Key, X-Batch-Hash';

/** Of files, for scripts of any origin: the same for everybody, as what caches keep of them is. */
export const ON_FILES: readonly string[] = [
  ...EVERYWHERE,
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Accept-Ranges, Content-Range, X-Request-Id',
];

/** As the flat list that `writeHead` takes: what scripts may read and send, and further headers of that kind. */
export const corsHeaders = (read: readonly string[], sent: readonly string[]): readonly string[] => [
  ...EVERYWHERE,
  ...UNLISTED,
  'Access-Control-Expose-Headers',
  [EXPOSED, ...read].join(', '),
  'Access-Control-Allow-Headers',
  [ALLOWED, ...sent].join(', '),
];
