/** What a kind of assault is made of, and what each of them is told. */
import type { Dice } from './dice';
import type { Wire, WireOptions } from './wire';

export interface Kind {
  readonly name: string;
  /** Answers that this kind may get although they tell of a fault, such as 503 of whoever asks for too much. */
  readonly mayGet?: readonly number[];
  /** One bounded act. What it throws is counted and does no harm. */
  strike(field: Field): Promise<void>;
}

export interface Field {
  readonly dice: Dice;
  /** Opens a connection that is counted, and ended with the strike at the latest. */
  open(options?: Pick<WireOptions, 'reading' | 'from'>): Promise<Wire>;
  /** Says that so many requests, or attempts at one, were sent. */
  sent(count: number): void;
  /** One of many addresses of this machine, so that no limit for one address stands in for the guard that is tried. */
  address(): string | undefined;
  pause(ms: number): Promise<void>;
}

/** No strike takes longer, so that many fit into the time; what is stalled is stalled for less. */
export const LONGEST_STRIKE_MS = 8_000;

export const HOST = 'Host: 127.0.0.1\r\n';

/** The reads of every namespace, cheap and dear ones. */
export const READS = [
  '/rest/',
  '/rest/?_pretty',
  '/rest/core/v2',
  '/rest/core/v2/posts',
  '/rest/core/v2/posts?per_page=100&_embed',
  '/rest/core/v2/posts?search=a',
  '/rest/core/v2/categories',
  '/rest/core/v2/media/999999',
  '/rest/core/v2/types',
  '/rest/calendar/events/v1/events',
  '/rest/calendar/events/v1/events?per_page=50&search=x',
  '/rest/calendar/events/v1/venues',
  '/rest/calendar/events/v1/doc',
  '/rest/calendar/event-aggregator/v1/import/none/batch',
  '/rest/contact-form/v1/contact-forms/1/refill',
  '/rest/spamfilter/v1/stats',
  '/rest/seo/v1/statistics',
  '/rest/oembed/1.0/embed?url=http%3A%2F%2F127.0.0.1%2F',
  '/openapi/core/v2',
  '/uploads/none.png',
  '/nowhere',
] as const;

/** Where bodies go: routes of every service, with and without a right to be there. */
export const WRITES = [
  '/rest/core/v2/posts',
  '/rest/core/v2/comments',
  '/rest/core/v2/media',
  '/rest/core/v2/users',
  '/rest/core/v2/settings',
  '/rest/core/v2/categories',
  '/rest/calendar/events/v1/events',
  '/rest/calendar/events/v1/venues',
  '/rest/calendar/event-aggregator/v1/import/none/batch',
  '/rest/calendar/event-aggregator/v1/import/none/state',
  '/rest/contact-form/v1/contact-forms/1/feedback',
  '/rest/spamfilter/v1/key',
  '/rest/spamfilter/v1/settings',
  '/rest/seo/v1/external_check',
  '/rest/seo/v1/configurator',
  '/rest/oembed/1.0/proxy',
] as const;

export const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;

export const post = (path: string, type: string, length: number, more = ''): string =>
  `POST ${path} HTTP/1.1\r\n${HOST}Content-Type: ${type}\r\nContent-Length: ${length}\r\n${more}\r\n`;

export const head = (method: string, path: string, more: string): string =>
  `${method} ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;

/** Sends a whole request on a connection of its own and waits for its answer. */
export async function ask(field: Field, ...parts: readonly (string | Buffer)[]): Promise<Wire> {
  const wire = await field.open();
  field.sent(1);
  for (const part of parts) if (!(await wire.send(part))) break;
  await wire.answers(1);
  return wire;
}
