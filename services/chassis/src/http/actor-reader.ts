/** Who calls, as the gateway has signed it: believed by the signature alone, whoever the request came from. */
import type { IncomingMessage } from 'node:http';
import { ACTOR_HEADER, type Actor, stranger, verifyActor } from '../actor';
import { apiError } from '../errors';
import { openLru } from '../lru';
import { header } from './trip';

/** Verifying costs a hash; the same header comes again and again within its minute. */
export function actorReader(secret: string): (request: IncomingMessage) => Actor {
  const known = openLru<string, Actor>({ most: 1_000, ttl: 10_000 });
  return (request) => {
    const value = header(request, ACTOR_HEADER);
    if (value === '') return stranger;
    const hit = known.get(value);
    if (hit) return hit;
    const actor = verifyActor(value, secret);
    if (!actor) throw apiError('rest_invalid_actor', 401, 'The signature of the caller is wrong or too old.');
    known.set(value, actor);
    return actor;
  };
}
