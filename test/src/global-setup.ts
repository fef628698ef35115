/** Starts the PostgreSQL and the Redis of a test run, on free ports and in a folder of their own. */
import { startTestServers } from '@sevenfold/local/testing';

declare global {
  var testServersOfRun: { stop(): Promise<void> } | undefined;
}

export default async function globalSetup(): Promise<void> {
  // Already there: a run inside a run, or servers the caller keeps for several runs.
  if (process.env.TEST_POSTGRES_URL && process.env.TEST_REDIS_URL) return;
  const servers = await startTestServers();
  process.env.TEST_POSTGRES_URL = servers.adminUrl;
  process.env.TEST_REDIS_URL = servers.redisUrl;
  globalThis.testServersOfRun = servers;
}
