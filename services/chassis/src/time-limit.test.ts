/** A time that is over ends the work, whatever else the process does meanwhile. */
import { getEventListeners } from 'node:events';
import { collectGarbage } from './testing/garbage';
import { limited } from './time-limit';

/** Goes on until it is told to end. */
const endless = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });

test('its time ends it, also where garbage was collected meanwhile', async () => {
  for (const given of [undefined, new AbortController().signal]) {
    const work = limited(100, given, endless);
    await new Promise((resolve) => setImmediate(resolve));
    collectGarbage();
    await expect(work).rejects.toMatchObject({ name: 'TimeoutError' });
  }
});

test('whoever gives up ends it, before and meanwhile; of what is over nothing stays with him', async () => {
  const giving = new AbortController();
  const reason = new Error('enough');
  expect(await limited(100_000, giving.signal, () => Promise.resolve(7))).toBe(7);
  expect(getEventListeners(giving.signal, 'abort')).toEqual([]);
  const meanwhile = limited(100_000, giving.signal, endless);
  giving.abort(reason);
  await expect(meanwhile).rejects.toBe(reason);
  await expect(limited(100_000, giving.signal, endless)).rejects.toBe(reason);
});
