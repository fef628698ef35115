/** A gateway behind a proxy, so that clients can be anywhere, and what they are answered. */
import { speaker } from '@sevenfold/chassis/testing/service';
import type { RunningGateway } from '../../gateway';
import { startTestGateway } from '../../testing';

export const ECHO = '/rest/core/v2/echo';
export const HERE = '203.0.113.9';

/** `where` are the services. */
export const startBehindProxy = (where: object, settings: object = {}): Promise<RunningGateway> =>
  startTestGateway({ ...where, TRUST_PROXY: true, ...settings });

export const from = (address: string, more: object = {}): Record<string, string> => ({
  'X-Forwarded-For': address,
  ...more,
});

/** Asks one after the other. */
export async function statuses(
  gateway: RunningGateway,
  times: number,
  headers: Readonly<Record<string, string>>,
  path = ECHO,
): Promise<number[]> {
  const all: number[] = [];
  for (let n = 0; n < times; n++) all.push((await speaker(gateway.url).get(path, headers)).status);
  return all;
}
