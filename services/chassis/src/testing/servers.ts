/**
 * Where the tests' PostgreSQL and Redis are: started once for a whole run (test/global-setup), named in the
 * environment, so that every test file finds them.
 */
export interface TestServers {
  readonly adminUrl: string;
  readonly redisUrl: string;
}

export function testServers(): TestServers {
  const adminUrl = process.env.TEST_POSTGRES_URL;
  const redisUrl = process.env.TEST_REDIS_URL;
  if (!adminUrl || !redisUrl)
    throw new Error(
      'TEST_POSTGRES_URL and TEST_REDIS_URL are not set: run the tests through jest -c test/jest.config.cjs',
    );
  return { adminUrl, redisUrl };
}
