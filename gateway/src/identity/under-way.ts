/**
 * Requests of users whose bodies are still coming, which may take minutes. Services are told who is calling with the head, so what a
 * user has lost since, a right or the credential itself, would still count for what he goes on to send: when there is news of
 * him, it is asked once more who is calling, and the request ends where that is no longer who it was.
 */
import { ApiError } from '@sevenfold/chassis/errors';
import { isComing } from '@sevenfold/chassis/http/connections';
import { errors } from '../edge/errors';
import type { Exchange } from '../edge/exchange';
import type { Authenticator } from './actor';
import type { Caller } from './caller';

/**
 * What is given back is called with each exchange before it is asked who its caller is, and what that gives back once he is known: the
 * answer may be of before some news that came first.
 */
export function watchUnderWay({
  authenticate,
  hear,
}: Pick<Authenticator, 'authenticate' | 'hear'>): (exchange: Exchange) => () => void {
  const coming = new Set<Exchange>();
  let news = 0;

  /** Undefined where the caller is still who it was, and while nobody can say, be it that too many ask (429). */
  const faultOf = async (exchange: Exchange, before: Caller): Promise<ApiError | undefined> => {
    try {
      const now = await authenticate(exchange);
      return now && hasAllOf(now, before) ? undefined : errors.rightsLost();
    } catch (error) {
      return error instanceof ApiError && error.status === 401 ? error : undefined;
    }
  };
  const askAgain = async (exchange: Exchange, before: Caller): Promise<void> => {
    const fault = await faultOf(exchange, before);
    if (!fault || !coming.has(exchange)) return;
    if (exchange.cut) exchange.cut(fault);
    // The gateway itself reads it.
    else exchange.request.destroy();
  };
  hear((userId) => {
    news += 1;
    for (const exchange of coming) {
      const { caller } = exchange;
      if (caller && (userId === 0 || userId === caller.actor.id)) void askAgain(exchange, caller);
    }
  });

  return (exchange) => {
    const before = news;
    return () => {
      const { caller, request } = exchange;
      if (!caller || !isComing(request)) return;
      coming.add(exchange);
      request.once('close', () => coming.delete(exchange));
      if (news !== before) void askAgain(exchange, caller);
    };
  };
}

const hasAllOf = ({ actor: now }: Caller, { actor: before }: Caller): boolean =>
  now.id === before.id && [...before.capabilities].every((one) => now.capabilities.has(one));
