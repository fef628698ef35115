/**
 * What a bad client does to a request, on purpose: it hangs up before the answer is read, or breaks off in the middle of the
 * body. No proper client can be made to do that, so it is done by hand.
 */
import http from 'node:http';
import https from 'node:https';

export type Misdeed = 'drop' | 'interrupt';

export interface Victim {
  readonly target: URL;
  readonly authorization?: string;
  readonly body: Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Resolves when it is done; rejects where not even that could be. */
export function commit(
  misdeed: Misdeed,
  { target, authorization, body, timeoutMs, signal }: Victim,
): Promise<void> {
  const { request } = target.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const out = request(target, {
      method: 'POST',
      agent: false,
      signal,
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        ...(authorization === undefined ? {} : { Authorization: authorization }),
      },
      timeout: timeoutMs,
    });
    const hangUp = (): void => {
      resolve();
      out.destroy();
    };
    out.on('timeout', () => out.destroy(new Error('no answer in time')));
    out.on('error', reject);
    out.on('response', hangUp);
    if (misdeed === 'interrupt') out.write(body.subarray(0, Math.floor(body.length / 2)), hangUp);
    else out.end(body);
  });
}
