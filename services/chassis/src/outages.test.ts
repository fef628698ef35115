/** However many requests an outage fails, its log is two lines: that it began, with the cause, and how many it failed. */
import { ApiError, apiError, invalidParam, unavailable } from './errors';
import { openDatabase } from './db/pool';
import { createLog } from './log';
import { beginStart, logFault } from './outages';
import { createTestDatabase } from './testing/database';
import { sampleService } from './testing/sample';

interface Line {
  level: string;
  msg: string;
  outage?: string;
  times?: number;
  err?: { message: string; stack: string };
}

const collected = (name: string): { lines: Line[]; log: ReturnType<typeof createLog> } => {
  const lines: Line[] = [];
  const log = createLog(name, 'api', 'info', { write: (line) => void lines.push(JSON.parse(line) as Line) });
  return { lines, log };
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a database that is away', async () => {
  jest.useRealTimers();
  const { lines, log } = collected('away');
  const gone = await createTestDatabase(sampleService.migrations!);
  await gone.drop();
  const db = openDatabase({ url: gone.url, size: 2, application: 'test', log });
  const error = await db.first('select 1').catch((fault: Error) => fault);
  await db.close();
  jest.useFakeTimers();

  for (let n = 0; n < 10_000; n++) logFault(log, error, { requestId: String(n) });
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', requestId: '0', outage: expect.stringContaining('database') }),
  ]);
  expect(lines[0]!.err!.message).toMatch(/does not exist/);

  jest.advanceTimersByTime(9_000);
  logFault(log.child({ job: 'apply' }), error, {});
  jest.advanceTimersByTime(9_000);
  expect(lines).toHaveLength(1);
  jest.advanceTimersByTime(2_000);
  expect(lines.slice(1)).toEqual([
    expect.objectContaining({ level: 'info', msg: 'an outage is over', times: 10_001 }),
  ]);

  logFault(log, error, {});
  expect(lines).toHaveLength(3);
  jest.advanceTimersByTime(20_000);
});

test('different outages have lines of their own; faults of ours are logged each time', () => {
  const { lines, log } = collected('mixed');
  for (let n = 0; n < 3; n++) {
    logFault(log, unavailable('The moon'), {});
    logFault(log, unavailable('The sun'), {});
    logFault(log, new TypeError('a fault'), {}, 'what failed');
  }
  expect(lines.filter((line) => line.outage !== undefined)).toHaveLength(2);
  expect(lines.filter((line) => line.msg === 'what failed' && line.err?.stack)).toHaveLength(3);
  jest.advanceTimersByTime(20_000);
});

test('what a client did wrong is told at info, whoever meets it', () => {
  const { lines, log } = collected('mistake');
  logFault(log, invalidParam('text', 'It is too long.'), {}, 'a text could not be used');
  logFault(log, new ApiError('rest_trash_not_supported', 501, 'There is no trash.'), {}, 'a file was kept');
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['info', 'a text could not be used'],
    ['info', 'a file was kept'],
  ]);
});

test.each(['rest_search_busy', 'rest_list_busy'] as const)(
  'a full line (%s) is a warning, told once until nobody has met it for a while, also at the start',
  (code) => {
    const { lines, log } = collected(code);
    beginStart();
    const busy = apiError(code, 503, 'Too many of these are going on.');
    for (let second = 0; second < 30; second++) {
      for (let n = 0; n < 100; n++) logFault(log, busy, {});
      jest.advanceTimersByTime(1_000);
    }
    expect(lines.map(({ level }) => level)).toEqual(['warn']);
    jest.advanceTimersByTime(60_000);
    expect(lines.slice(1)).toEqual([
      expect.objectContaining({ level: 'info', msg: 'nothing is turned away any more', times: 3_000 }),
    ]);
    logFault(log, busy, {});
    expect(lines.at(-1)?.level).toBe('warn');
    jest.advanceTimersByTime(20_000);
  },
);

test('names without end do not fill the memory', () => {
  const { lines, log } = collected('many');
  for (let n = 0; n < 1_000; n++) logFault(log, unavailable(`Number ${n}`), {});
  expect(lines.length).toBeLessThanOrEqual(101);
  jest.advanceTimersByTime(20_000);
});

test('what is away while a process starts is no alarm yet, and one as soon as the start is over', () => {
  const { lines, log } = collected('early');
  beginStart();
  for (let second = 0; second < 120; second += 5) {
    logFault(log, unavailable('The neighbour'), {});
    jest.advanceTimersByTime(5_000);
  }
  expect(lines.map(({ level, outage }) => [level, outage !== undefined])).toEqual([
    ['info', true],
    ['error', true],
  ]);
  logFault(log, unavailable('Another'), {});
  expect(lines.at(-1)?.level).toBe('error');
  jest.advanceTimersByTime(20_000);
});

test('a clock that is set back draws out neither the start nor an outage', () => {
  const { lines, log } = collected('set back');
  const setBack = (): void => void jest.setSystemTime(Date.now() - 3_600_000);
  beginStart();
  setBack();
  jest.advanceTimersByTime(61_000);
  logFault(log, unavailable('The clock'), {});
  setBack();
  jest.advanceTimersByTime(20_000);
  logFault(log, unavailable('The clock'), {});
  expect(lines.map(({ level, msg }) => (level === 'info' ? msg : level))).toEqual([
    'error',
    'an outage is over',
    'error',
  ]);
  jest.advanceTimersByTime(20_000);
});
