/** One exchange with the site, as data. `{name}` stands for what an earlier answer was remembered as. */
import type { Method } from '@sevenfold/chassis/http/route';

export interface Step {
  readonly method: Method;
  /** Below `/rest`, or below the site where it is the console's, with its query. */
  readonly path: string;
  /** JSON, or the fields of a form. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Makes the body a form with a picture as this part. */
  readonly file?: string;
  readonly form?: true;
  /** The administrator, unless it says otherwise; `session` shows what was remembered as `token`. */
  readonly as?: 'visitor' | 'helper' | 'session';
  /** What of the answer later steps name: a path into it. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Run in the database of a service before: what no client can bring about. */
  readonly after?: { readonly service: 'calendar'; readonly sql: string };
  /** Asked again until the answer holds this text. */
  readonly awaits?: string;
}

export const get = (path: string, more: Partial<Step> = {}): Step => ({ method: 'GET', path, ...more });
export const post = (path: string, body: Step['body'], more: Partial<Step> = {}): Step => ({
  method: 'POST',
  path,
  body,
  ...more,
});
export const remove = (path: string): Step => ({ method: 'DELETE', path });

/** Something of its own, made and deleted: what others name stays. */
export const madeAndDeleted = (
  collection: string,
  body: Step['body'],
  at: (made: string) => string = (made) => `/${made}?force=true`,
  field = 'id',
): readonly Step[] => [
  post(collection, body, { keep: { gone: field } }),
  remove(`${collection}${at('{gone}')}`),
];
