import { openTurn } from './turn';

test('a turn lets in so many at once, in the order of asking, and the next one after a failure', async () => {
  const turn = openTurn(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((n) =>
    turn(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => (ends[n] = resolve));
      if (n === 0) throw new Error('failed');
      return n;
    }),
  );
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await expect(all[0]).rejects.toThrow('failed');
  expect(begun).toEqual([0, 1, 2]);
  ends[2]!();
  expect(await all[2]).toBe(2);
  ends[1]!();
  ends[3]!();
  expect(await Promise.all([all[1], all[3]])).toEqual([1, 3]);
});

test('who needs several places gets them in his turn, however many need fewer', async () => {
  const turn = openTurn(2);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (name: string, places: number) =>
    turn(
      async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      },
      { places },
    );
  const all = [ask('a', 1), ask('both', 2), ask('b', 1), ask('c', 1)];
  const end = async (name: string, index: number): Promise<void> => {
    ends.get(name)!();
    await all[index];
  };
  expect(begun).toEqual(['a']);
  await end('a', 0);
  expect(begun).toEqual(['a', 'both']);
  await end('both', 1);
  expect(begun).toEqual(['a', 'both', 'b', 'c']);
  await end('b', 2);
  await end('c', 3);
});

test('whoever asks for much lets others have every second turn', async () => {
  const turn = openTurn(1);
  const begun: string[] = [];
  const ask = (name: string, of: string) => turn(() => Promise.resolve(begun.push(name)), { of });
  await Promise.all([
    ask('a1', 'a'),
    ...['a2', 'a3', 'a4'].map((name) => ask(name, 'a')),
    ...['b1', 'b2'].map((name) => ask(name, 'b')),
  ]);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
});

test('whoever waits may leave, for whatever reason he gives, and those behind move up', async () => {
  const turn = openTurn(2);
  const gone = new AbortController();
  let end = (): void => undefined;
  const running = turn(() => new Promise<void>((resolve) => (end = resolve)));
  const both = turn(() => Promise.resolve('both'), { places: 2, of: 'a', signal: gone.signal });
  const behind = turn(() => Promise.resolve('behind'), { of: 'b' });
  gone.abort(new Error('left'));
  await expect(both).rejects.toThrow('left');
  expect(await behind).toBe('behind');
  end();
  await running;
  expect(await turn(() => Promise.resolve('all'), { places: 2 })).toBe('all');
});
