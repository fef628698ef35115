/** A room that is full turns away whoever comes next, in words that nobody takes for an outage. */
import { isFullLane } from '@sevenfold/chassis/errors';
import { openGate } from './gate';

test('what finds the room full is told to come again, and the others get their turns', async () => {
  const gate = openGate();
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  const inside = Array.from({ length: 80 }, (_, n) =>
    gate(`host ${n % 20}`, async () => {
      await held;
      return n;
    }),
  );
  const refused = await gate('host 0', () => Promise.resolve(0)).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 503, code: 'service_busy', headers: { 'Retry-After': '5' } });
  expect(isFullLane(refused as never)).toBe(true);
  open();
  expect(await Promise.all(inside)).toEqual(inside.map((_, n) => n));
  expect(await gate('host 0', () => Promise.resolve('again'))).toBe('again');
});

test('a host that does not answer fills its own line, and no other', async () => {
  const gate = openGate();
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  const inside = Array.from({ length: 32 }, () => gate('slow', () => held));
  const refused = await gate('slow', () => held).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 503, code: 'service_busy' });
  expect(await gate('other', () => Promise.resolve('served'))).toBe('served');
  open();
  await Promise.all(inside);
  expect(await gate('slow', () => Promise.resolve('again'))).toBe('again');
});
