/** Tickets: what BullMQ is given of a job, under an id that is the same each time the same try of it is sent. */
import { Job, type Queue } from 'bullmq';
import type { RedisClient } from './redis';

/** Row of the outbox. */
export interface Sent {
  readonly id: number;
  readonly name: string;
  readonly attempts: number;
  readonly delay_ms: number;
  readonly turn: number;
}

const idOf = ({ id, attempts }: Sent): string => `ob-${id}-${attempts}`;

/** What is queued already is not added again. */
export async function addTickets(queue: Queue, jobs: readonly Sent[]): Promise<void> {
  const tickets = jobs.map((row) => ({
    name: row.name,
    data: { outbox: row.id },
    opts: {
      jobId: idOf(row),
      delay: Math.ceil(row.delay_ms),
      priority: row.turn,
      removeOnComplete: true,
      removeOnFail: true,
    },
  }));
  // A Redis that was restarted has forgotten BullMQ's scripts, and only single additions bring them back. What the
  // bulk did add is not added again: the ids are the same.
  await queue
    .addBulk(tickets)
    .catch(() => Promise.all(tickets.map((ticket) => queue.add(ticket.name, ticket.data, ticket.opts))));
}

/**
 * Of jobs whose time is over: a ticket that still sleeps was put there by a machine whose clock was ahead, and would sleep until the
 * clocks of all others have come so far.
 */
export async function wakeTickets(queue: Queue, redis: RedisClient, jobs: readonly Sent[]): Promise<void> {
  const moments = await redis.zmScore(queue.toKey('delayed'), jobs.map(idOf));
  for (const job of jobs.filter((_, index) => moments[index] !== null)) {
    const ticket = await Job.fromId(queue, idOf(job));
    // Somebody else may have woken it meanwhile, and whatever else it was comes up again with those that are late next.
    await ticket?.promote().catch(() => undefined);
  }
}
