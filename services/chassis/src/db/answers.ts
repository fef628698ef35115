/**
 * Whether the server behind a pool answers, as it is known by those who work with it: for somebody who would have to stand in the line
 * to ask it himself.
 */
import type { Pool } from 'pg';

/** A statement that its limit ends is answered, too, a moment later. */
const SLACK_MS = 5_000;

/**
 * Answers whether any session of the pool was answered within the longest time that a statement may take, `longestMs`. Must be called
 * before the first connection is made.
 */
export function watchAnswers(pool: Pool, longestMs: number): () => boolean {
  let at = -Infinity;
  const note = (): void => void (at = performance.now());
  // Comes when the server is ready for the next statement, whatever became of the last one.
  pool.on('connect', (client) => client.on('drain', note));
  return () => performance.now() - at < longestMs + SLACK_MS;
}
