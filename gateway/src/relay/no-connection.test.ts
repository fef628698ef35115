/** A service whose connections to its database are all taken says so itself, before the gateway takes it for silent. */
import type { PoolClient } from 'pg';
import { sampleService } from '@sevenfold/chassis/testing/sample';
import { speaker, startTestService } from '@sevenfold/chassis/testing/service';
import { addresses, startTestGateway } from '../testing';

test('503 that says when to come again, and an answer as soon as there is one to spare', async () => {
  const site = await startTestService(
    { ...sampleService, name: 'content', namespace: 'core/v2' },
    { DATABASE_WAIT_SECONDS: 1 },
  );
  const gateway = await startTestGateway({
    ...addresses('CONTENT', site.service),
    // Less than the pool once gave each wait.
    REQUEST_TIMEOUT_SECONDS: 4,
  });
  try {
    const { pool } = site.deps.db;
    const held: PoolClient[] = [];
    while (held.length < pool.options.max) held.push(await pool.connect());
    const client = speaker(gateway.url);
    const { status, headers, body } = await client.get('/rest/core/v2/notes');
    expect([status, body.code, Number(headers.get('retry-after')) > 0]).toEqual([
      503,
      'service_unavailable',
      true,
    ]);
    for (const one of held) one.release();
    expect((await client.get('/rest/core/v2/notes')).status).toBe(200);
  } finally {
    await gateway.stop();
    await site.stop();
  }
});
