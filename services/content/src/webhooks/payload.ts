/** The body of a delivery, made when it goes out: an object as its reader sees it then, or that there is none to see. */
import { stranger } from '@sevenfold/chassis/actor';
import type { Deps } from '../deps';
import { findActor } from '../users/actors';
import type { Claimed } from './deliveries';
import { isoMillis } from './presenter';
import type { Target } from './store';
import { PING, isOfGone } from './topics';

/** Of a ping. */
const GREETING = { message: 'This webhook works.' };

/** Throws where the object cannot be read now. */
export async function bodyOf(
  { db, webhookSources }: Pick<Deps, 'db' | 'webhookSources'>,
  webhook: Pick<Target, 'owner' | 'audience'>,
  delivery: Claimed,
): Promise<string> {
  const { topic, kind, objectId, sequence, happenedAt } = delivery;
  const object = await objectOf();
  return JSON.stringify({
    type: topic,
    timestamp: isoMillis(happenedAt),
    sequence,
    data: {
      kind,
      id: /^\d{1,15}$/.test(objectId) && kind !== 'import' ? Number(objectId) : objectId,
      object,
    },
  });

  async function objectOf(): Promise<unknown> {
    if (topic === PING) return GREETING;
    if (isOfGone(topic)) return null;
    const actor = webhook.audience === 'owner' ? await findActor(db, webhook.owner ?? 0) : stranger;
    return (await webhookSources.read(kind, objectId, actor)) ?? null;
  }
}
