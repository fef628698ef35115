import { createHook } from 'node:async_hooks';
import { openLru } from './lru';

test('forgets what was not asked for the longest time', () => {
  const evicted: string[] = [];
  const memory = openLru<string, number>({
    most: 2,
    disposeAfter: (_, key, reason) => void (reason === 'evict' && evicted.push(key)),
  });
  memory.set('one', 1).set('two', 2);
  memory.get('one');
  memory.set('three', 3).set('three', 33);
  expect([...memory.keys()].sort()).toEqual(['one', 'three']);
  expect(evicted).toEqual(['two']);
});

test('takes no room for what it does not hold', () => {
  const taken = (): number => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const before = taken();
  const many = Array.from({ length: 200 }, () => openLru<string, number>({ most: 50_000, ttl: 60_000 }));
  // Places of their own would be 370 MB.
  expect(taken() - before).toBeLessThan(100 * 1024 * 1024);
  expect(many.every((one) => one.size === 0)).toBe(true);
});

test('looks at the clock without a timer', () => {
  const memory = openLru<string, number>({ most: 2, ttl: 60_000 });
  let timers = 0;
  const hook = createHook({ init: (_id, type) => void (timers += type === 'Timeout' ? 1 : 0) }).enable();
  memory.set('one', 1);
  expect(memory.get('one')).toBe(1);
  hook.disable();
  expect(timers).toBe(0);
});
