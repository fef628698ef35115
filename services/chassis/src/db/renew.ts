/**
 * Sessions of PostgreSQL keep what they have looked up and planned: a new one has 1.3 MB of its own, one that has answered a site
 * for some minutes 5 to 10, and a pool never closes its last one. So after a busy time a new one takes its place, while nobody waits.
 */
import type { Pool } from 'pg';

/** Ends the sessions that are idle now and leaves one new one. Never fails: where the server is away, whoever comes next hears of it. */
export async function renewIdle(pool: Pool): Promise<void> {
  const { idleCount } = pool;
  if (idleCount === 0 || pool.waitingCount > 0) return;
  const idle = await Promise.allSettled(Array.from({ length: idleCount }, () => pool.connect()));
  for (const one of idle) if (one.status === 'fulfilled') one.value.release(true);
  if (pool.ending) return;
  // Whoever comes does not wait until one is made.
  const made = await pool.connect().catch(() => undefined);
  made?.release();
}
