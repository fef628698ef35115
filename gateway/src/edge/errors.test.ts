/** What a fault of a connection to a service means: whether the service may have done what was asked. */
import { upstreamFault } from './errors';

const fault = (code: string, syscall?: string): Error =>
  Object.assign(new Error(code), { code, ...(syscall === undefined ? {} : { syscall }) });

test.each<[string, string | undefined, number, boolean | undefined]>([
  ['ECONNREFUSED', 'connect', 503, false],
  ['ETIMEDOUT', 'connect', 503, false],
  ['UND_ERR_CONNECT_TIMEOUT', undefined, 503, false],
  ['ETIMEDOUT', 'read', 502, undefined],
  ['EHOSTUNREACH', 'write', 502, undefined],
  ['ECONNRESET', 'read', 502, undefined],
])('%s of %s', (code, syscall, status, done) => {
  const { status: told, data } = upstreamFault('forms', fault(code, syscall));
  expect([told, data.done]).toEqual([status, done]);
});
