import { pingRedis } from './redis';
import { checkDatabase } from './databases';
import { startTestServers } from './testing';

it('two servers are there, and gone afterwards', async () => {
  const servers = await startTestServers();
  await checkDatabase(servers.adminUrl);
  await pingRedis(servers.redisUrl);
  await servers.stop();
  await expect(checkDatabase(servers.adminUrl)).rejects.toThrow('ECONNREFUSED');
  await expect(pingRedis(servers.redisUrl)).rejects.toThrow('ECONNREFUSED');
});
