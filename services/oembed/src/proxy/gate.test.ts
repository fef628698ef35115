/** A room that is full turns away whoever comes next, in words that nobody takes for an outage. */
import { isFullLane } from '@sevenfold/chassis/errors';
import { type Errands, openGate } from './gate';

const by = (host: string, asker = 0): Errands => ({ host, asker });

test('what finds the room full is told to come again, and the others get their turns', async () => {
  const gate = openGate();
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  const inside = Array.from({ length: 80 }, (_, n) =>
    gate(by(`host ${n % 20}`), async () => {
      await held;
      return n;
    }),
  );
  const refused = await gate(by('host 0'), () => Promise.resolve(0)).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 503, code: 'service_busy', headers: { 'Retry-After': '5' } });
  expect(isFullLane(refused as never)).toBe(true);
  open();
  expect(await Promise.all(inside)).toEqual(inside.map((_, n) => n));
  expect(await gate(by('host 0'), () => Promise.resolve('again'))).toBe('again');
});

test('a host that does not answer fills its own line, and no other', async () => {
  const gate = openGate();
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  const inside = Array.from({ length: 32 }, () => gate(by('slow'), () => held));
  const refused = await gate(by('slow'), () => held).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 503, code: 'service_busy' });
  expect(await gate(by('other'), () => Promise.resolve('served'))).toBe('served');
  open();
  await Promise.all(inside);
  expect(await gate(by('slow'), () => Promise.resolve('again'))).toBe('again');
});

test('who waits in vain is told so in time, and his errand never runs', async () => {
  const gate = openGate(50);
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  const running = Array.from({ length: 4 }, () => gate(by('slow'), () => held));
  const ran: number[] = [];
  const behind = await Promise.allSettled(
    [1, 2, 3, 4, 5].map((n) => gate(by('slow'), () => Promise.resolve(void ran.push(n)))),
  );
  expect(behind).toEqual(
    behind.map(() => ({ status: 'rejected', reason: expect.objectContaining({ status: 503 }) })),
  );
  open();
  // However long they take, those that began are heard to the end.
  await Promise.all(running);
  expect(await gate(by('slow'), () => Promise.resolve('again'))).toBe('again');
  expect(ran).toEqual([]);
});

test('one who asks many hosts that do not answer leaves room for the others', async () => {
  const gate = openGate();
  let open = (): void => undefined;
  const held = new Promise<void>((resolve) => (open = resolve));
  const his = Array.from({ length: 80 }, (_, n) =>
    gate(by(`host ${n}`, 7), () => held).catch(() => 'refused'),
  );
  const answers = Promise.all(his);
  expect(await gate(by('host 1', 7), () => held).catch(({ code }: { code: string }) => code)).toBe(
    'service_busy',
  );
  const others = [
    gate(by('other', 8), () => Promise.resolve('served')),
    gate(by('text'), () => Promise.resolve('filled')),
  ];
  open();
  expect(await Promise.all(others)).toEqual(['served', 'filled']);
  expect((await answers).filter((one) => one === 'refused')).toHaveLength(64);
  expect(await gate(by('host 1', 7), () => Promise.resolve('again'))).toBe('again');
});
