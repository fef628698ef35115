/** All that repeats several times a second happens in one turn, at moments that processes share. */
import { BEAT_MS, nextBeat, onBeat, untilNext } from './beat';
import { until } from './testing/until';

test('the moments are the same for everybody, and none comes twice', () => {
  for (const late of [0, 1, 50, 149])
    expect((7 * BEAT_MS + late + untilNext(7 * BEAT_MS + late)) % BEAT_MS).toBe(0);
  // A timer may fire a little before its time.
  expect(untilNext(7 * BEAT_MS - 1)).toBe(BEAT_MS + 1);
  for (let now = 0; now < BEAT_MS; now++) {
    expect(untilNext(now)).toBeGreaterThanOrEqual(BEAT_MS / 2);
    expect(untilNext(now)).toBeLessThan(1.5 * BEAT_MS);
  }
});

test('whoever began when: all are called in the same turn, each until it stops', async () => {
  const called: string[] = [];
  const stopFirst = onBeat(() => {
    called.push('first');
    setImmediate(() => called.push('|'));
  });
  await until(() => called.length > 0);
  const stopSecond = onBeat(() => called.push('second'));
  await until(() => called.includes('second'));
  await until(() => called.at(-1) === '|');
  expect(called.join(' ')).toMatch(/first second \|$/);
  stopFirst();
  called.length = 0;
  await until(() => called.length >= 2);
  expect(new Set(called)).toEqual(new Set(['second']));
  stopSecond();
});

test('who waits for a beat waits no longer than he wants', async () => {
  const over = new AbortController();
  const waiting = nextBeat(over.signal);
  over.abort();
  await waiting;
  await nextBeat(over.signal);
  await nextBeat(new AbortController().signal);
});
