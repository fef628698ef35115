/**
 * Secrets of webhooks and what is signed with them: the Standard Webhooks convention (https://www.standardwebhooks.com), and a
 * plain signature of the body for receivers that know no more than that.
 */
import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

export const makeSecret = (): string => `${PREFIX}${randomBytes(24).toString('base64')}`;

const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

export interface Message {
  readonly id: string;
  /** Unix seconds of this try. */
  readonly timestamp: number;
  readonly body: string;
}

/** `secrets`: all that are good, the newest first. The plain signature is under the newest, its key the text as it was shown. */
export function signatures(message: Message, secrets: readonly string[]): Record<string, string> {
  const { id, timestamp, body } = message;
  const signed = `${id}.${timestamp}.${body}`;
  const all = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
  );
  const [newest = ''] = secrets;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': all.join(' '),
    'x-signature': `sha256=${createHmac('sha256', newest).update(body).digest('hex')}`,
  };
}
