/**
 * What a client would read at an address of a service, for services that hand it on in somebody's name: the request goes
 * to the process' own HTTP interface, so rights, presenters and everything else on the road are those of any reader.
 */
import { type ReadServiceServer, ReadServiceService } from '@sevenfold/proto/gen/sevenfold/chassis/v1/read';
import { ACTOR_HEADER, type Actor, isLoggedIn, signActor } from '../actor';
import { invalidParam, unavailable } from '../errors';
import { anyone } from '../http/route';
import { undiciLibrary } from '../http/undici-library';
import { requestId } from '../request-id';
import { limited } from '../time-limit';
import { type RpcService, rpcService } from './method';

export interface Readable {
  /** Where the process answers HTTP. */
  readonly url: string;
  readonly namespace: string;
  readonly actorSecret: string;
}

const READ_MS = 15_000;
// Nothing below `/rest/<namespace>` goes up again.
const PATH = /^\/[\w/-]{1,200}(\?[\w=&%,.-]{0,500})?$/;

export const readService = (service: Readable): RpcService =>
  rpcService<ReadServiceServer>(ReadServiceService, {
    read: {
      callers: ['content', 'cli'],
      // The route judges.
      permission: anyone,
      handle: ({ path }, { actor, signal }) => read(service, actor, path, signal),
    },
  });

async function read(
  { url, namespace, actorSecret }: Readable,
  actor: Actor,
  path: string,
  signal: AbortSignal,
): Promise<{ status: number; json: string }> {
  if (!PATH.test(path))
    throw invalidParam('path', 'path is an address below the namespace, such as /posts/12.');
  const { request } = undiciLibrary();
  return limited(READ_MS, signal, async (ending) => {
    try {
      const { statusCode: status, body } = await request(`${reachable(url)}/rest/${namespace}${path}`, {
        signal: ending,
        headers: {
          ...(isLoggedIn(actor) && { [ACTOR_HEADER]: signActor(actor, actorSecret) }),
          ...(requestId() !== '' && { 'x-request-id': requestId() }),
        },
      });
      const json = await body.text();
      return { status, json: status === 200 ? json : '' };
    } catch (error) {
      // A process answers itself until it stops.
      throw CUT.has((error as NodeJS.ErrnoException).code ?? '')
        ? unavailable('The service', 1, error)
        : error;
    }
  });
}

const CUT = new Set(['UND_ERR_SOCKET', 'ECONNREFUSED', 'ECONNRESET']);

/** A process that listens everywhere is at home, too. */
const reachable = (url: string): string =>
  url.replace('://0.0.0.0:', '://127.0.0.1:').replace('://[::]:', '://[::1]:');
