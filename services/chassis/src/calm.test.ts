import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { watchCalm } from './calm';

/** What is answered to a look each second, as the number of the look. */
const collections = (looks: readonly number[], growsAt: readonly number[] = []): number[] => {
  const look = watchCalm();
  let hasGrown = false;
  return looks.flatMap((utilization, index) => {
    hasGrown ||= growsAt.includes(index);
    if (!look(utilization, index * 1_000, hasGrown)) return [];
    hasGrown = false;
    return [index];
  });
};
const looks = (times: number, utilization: number): number[] => Array<number>(times).fill(utilization);

describe('what was taken is given back', () => {
  test('once after each time of work, the start included', () => {
    expect(collections(looks(200, 0.01))).toEqual([9]);
    expect(collections([...looks(100, 0.01), ...looks(20, 0.9), ...looks(100, 0.01)])).toEqual([9, 129]);
  });

  test('also where it never was busy and has grown', () => {
    expect(collections(looks(200, 0.01), [60, 70, 150])).toEqual([9, 60, 90, 150]);
  });

  test('not while there is load, however little', () => {
    expect(collections(looks(200, 0.9), [50])).toEqual([]);
    expect(collections(Array.from({ length: 200 }, (_, index) => (index % 3 === 0 ? 0.1 : 0.01)))).toEqual(
      [],
    );
  });

  test('not for a few requests now and then, and not again within half a minute', () => {
    const each = (utilization: number): number[] =>
      collections(Array.from({ length: 200 }, (_, index) => (index % 19 === 0 ? utilization : 0.01)));
    expect(each(0.1)).toEqual([10]);
    const often = each(0.9);
    expect(often.length).toBeGreaterThan(4);
    expect(often.slice(1).every((look, index) => look - often[index]! >= 30)).toBe(true);
  });
});

test('a process that filled its heap is small again by itself, while it waits', async () => {
  // Many objects of which few stay, spread over all pages.
  const program = `
    const { giveBackWhenCalm, whenCalm } = require(${JSON.stringify(path.join(__dirname, 'calm.ts'))});
    let called = 0;
    whenCalm(() => (called += 1));
    whenCalm(() => (called += 100))();
    giveBackWhenCalm();
    let all = Array.from({ length: 300_000 }, (_, id) => ({ id, text: 'text ' + id, list: [id, id] }));
    all = all.filter(({ id }) => id % 50 === 0);
    const tell = () => console.log(process.memoryUsage().heapTotal / 1024 / 1024, all.length, called);
    tell();
    setInterval(tell, 1_000);`;
  const child = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    let first: number | undefined;
    for await (const line of createInterface(child.stdout)) {
      const [total = 0, kept, called] = line.split(' ').map(Number);
      expect(kept).toBe(6_000);
      first ??= total;
      expect(first).toBeGreaterThan(40);
      if (total >= 20) continue;
      // So is whoever asked for it, once, unless he no longer does.
      expect(called).toBe(1);
      break;
    }
  } finally {
    child.kill();
    if (child.exitCode === null) await once(child, 'exit');
  }
});
