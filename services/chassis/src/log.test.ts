/** A line tells what went wrong, and nothing of what was asked, of rows or of connections. */
import { openDatabase } from './db/pool';
import { type Log, createLog } from './log';
import { closeRedis, openRedis } from './queue/redis';
import { type TestDatabase, createTestDatabase } from './testing/database';
import { sampleService } from './testing/sample';
import { testServers } from './testing/servers';
import { until } from './testing/until';

interface Line {
  readonly connection?: string;
  readonly err: Readonly<Record<string, unknown>>;
}

const collected = (): { lines: Line[]; log: Log } => {
  const lines: Line[] = [];
  return {
    lines,
    log: createLog('test', 'api', 'info', { write: (line) => void lines.push(JSON.parse(line) as Line) }),
  };
};

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(sampleService.migrations!);
});
afterAll(() => database.drop());

test('of a row that PostgreSQL refused only the constraint', async () => {
  const { lines, log } = collected();
  const db = openDatabase({ url: database.url, size: 1, application: 'test', log });
  try {
    await db.run(`insert into notes (id, text) values (1, 'one')`);
    log.error({
      err: await db
        .run('insert into notes (id, text, secret) values (2, null, $1)', ['hush hush'])
        .catch((error: unknown) => error),
    });
  } finally {
    await db.close();
  }
  expect(lines[0]?.err).toMatchObject({ code: '23502', table: 'notes', column: 'text' });
  expect(lines[0]?.err).toHaveProperty('stack');
  expect(JSON.stringify(lines)).not.toContain('hush');
});

test('of an idle connection that was lost nothing that opens it or ends what it does', async () => {
  const { lines, log } = collected();
  const db = openDatabase({ url: database.url, size: 1, application: 'test', log });
  const other = openDatabase({ url: database.url, size: 1, application: 'test', log });
  try {
    const { pid } = (await db.first<{ pid: number }>('select pg_backend_pid() as pid'))!;
    await other.run('select pg_terminate_backend($1)', [pid]);
    await until(() => lines.length > 0);
  } finally {
    await db.close();
    await other.close();
  }
  expect(lines).toEqual([expect.objectContaining({ connection: 'idle' })]);
  expect(Object.values(lines[0]!.err).filter((value) => typeof value === 'object')).toEqual([]);
  expect(JSON.stringify(lines)).not.toMatch(/secretKey|"user"/);
});

test('of a command that Redis refused nothing that was sent', async () => {
  const { lines, log } = collected();
  const redis = openRedis(testServers().redisUrl, log);
  try {
    await until(() => redis.isReady);
    log.error({ err: await redis.sendCommand(['AUTH', 'hush', 'hush']).catch((error: unknown) => error) });
  } finally {
    await closeRedis(redis);
  }
  const { err } = lines.at(-1)!;
  expect(err.message).toMatch(/^(WRONGPASS|ERR)/);
  expect(JSON.stringify(lines)).not.toContain('hush');
});

test('causes and all of several are told in the same way', () => {
  const { lines, log } = collected();
  const cause = Object.assign(new Error('the cause'), { code: 'EPIPE', command: { args: ['hush'] } });
  log.error({ err: new AggregateError([cause], 'all of them', { cause }) });
  const told = { type: 'Error', message: 'the cause', code: 'EPIPE', stack: expect.any(String) };
  expect(lines[0]?.err).toEqual({
    type: 'AggregateError',
    message: 'all of them',
    stack: expect.any(String),
    cause: told,
    aggregateErrors: [told],
  });
});
