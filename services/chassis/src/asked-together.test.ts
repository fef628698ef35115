import { askedTogether } from './asked-together';

test('who comes before it is asked shares a question, who comes later waits for the next one', async () => {
  const asked: ((yes: boolean) => void)[] = [];
  const ask = askedTogether((answered) => void asked.push(answered));
  const first = [ask(), ask(), ask()];
  await new Promise(setImmediate);
  expect(asked).toHaveLength(1);
  const second = [ask(), ask()];
  await new Promise(setImmediate);
  expect(asked).toHaveLength(1);
  asked[0]?.(true);
  expect(await Promise.all(first)).toEqual([true, true, true]);
  await new Promise(setImmediate);
  expect(asked).toHaveLength(2);
  asked[1]?.(false);
  expect(await Promise.all(second)).toEqual([false, false]);
});

test('a question without an answer is given up, and a late answer is nobody’s', async () => {
  const asked: ((yes: boolean) => void)[] = [];
  const ask = askedTogether((answered) => void asked.push(answered));
  expect(await ask()).toBe(false);
  const next = ask();
  await new Promise(setImmediate);
  asked[0]?.(true);
  expect(asked).toHaveLength(2);
  asked[1]?.(true);
  expect(await next).toBe(true);
});
