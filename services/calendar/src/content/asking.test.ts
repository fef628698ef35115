import { ApiError, unavailable } from '@sevenfold/chassis/errors';
import { openAsking } from './asking';

const REST_MS = 500;
const never = new Promise<never>(() => undefined);
const nobody = () => Promise.reject(unavailable('The content service'));

function start() {
  let time = 1_000;
  const heard: string[] = [];
  const asking = openAsking({
    now: () => time,
    onAnswer: (what) => heard.push(`${what} answered`),
    onFailure: (what) => heard.push(`${what} failed`),
  });
  return { ...asking, heard, pass: (ms: number) => (time += ms) };
}

test('who finds nobody is told so, and who comes after him asks nobody for a while', async () => {
  const { ask, heard, pass } = start();
  expect(await ask('terms', nobody)).toBeUndefined();
  pass(REST_MS - 1);
  const call = jest.fn(() => Promise.resolve('there'));
  expect(await ask('terms', call)).toBeUndefined();
  expect(call).not.toHaveBeenCalled();
  expect(heard).toEqual(['terms failed']);
});

test('nobody waits for the next try, of which there is one at a time, nor for what is asked beside it', async () => {
  const { ask, heard, pass } = start();
  await ask('terms', nobody);
  pass(REST_MS);
  let answer = (_: string): void => undefined;
  const tried = jest.fn(() => new Promise<string>((resolve) => (answer = resolve)));
  expect(await ask('terms', tried)).toBeUndefined();
  expect(tried).toHaveBeenCalledTimes(1);
  const beside = jest.fn(() => never);
  expect(await ask('media', beside)).toBeUndefined();
  expect(beside).not.toHaveBeenCalled();
  answer('there');
  await new Promise(setImmediate);
  expect(heard).toEqual(['terms failed', 'terms answered']);
  expect(await ask('media', () => Promise.resolve('there, too'))).toBe('there, too');
});

test('once it has left, nobody waits for the first try', async () => {
  const { ask, left, heard } = start();
  expect(await ask('terms', () => Promise.resolve('there'))).toBe('there');
  left();
  let answer = (_: string): void => undefined;
  expect(await ask('terms', () => new Promise<string>((resolve) => (answer = resolve)))).toBeUndefined();
  expect(await ask('terms', () => never)).toBeUndefined();
  // Another one was there all the time.
  answer('there');
  await new Promise(setImmediate);
  expect(await ask('terms', () => Promise.resolve('there, too'))).toBe('there, too');
  expect(heard).toEqual(['terms answered', 'terms answered', 'terms answered']);
});

test('a try that fails is followed by a longer rest', async () => {
  const { ask, heard, pass } = start();
  await ask('terms', nobody);
  pass(REST_MS);
  await ask('terms', nobody);
  await new Promise(setImmediate);
  pass(REST_MS);
  const call = jest.fn(nobody);
  await ask('terms', call);
  expect(call).not.toHaveBeenCalled();
  pass(REST_MS);
  await ask('terms', call);
  expect(call).toHaveBeenCalledTimes(1);
  expect(heard.filter((line) => line === 'terms failed').length).toBeGreaterThan(1);
});

test('many who find nobody at one moment make the rest no longer', async () => {
  const { ask, pass } = start();
  await Promise.all(Array.from({ length: 4 }, () => ask('terms', nobody)));
  pass(REST_MS);
  const call = jest.fn(nobody);
  await ask('terms', call);
  expect(call).toHaveBeenCalledTimes(1);
});

test('who insists is waited for, and so is who asks when nobody has for long', async () => {
  const { ask, pass } = start();
  await ask('terms', nobody);
  expect(await ask('terms', () => Promise.resolve(1), true)).toBe(1);
  expect(await ask('terms', () => Promise.resolve(2))).toBe(2);
  await ask('terms', nobody);
  pass(REST_MS + 60_000);
  expect(await ask('terms', () => Promise.resolve(3))).toBe(3);
});

test('who is slow is waited for again after the rest', async () => {
  const { ask, pass } = start();
  // DEADLINE_EXCEEDED of gRPC.
  const cause = Object.assign(new Error('Deadline exceeded'), { code: 4 });
  expect(
    await ask('terms', () => Promise.reject(unavailable('The content service', undefined, cause))),
  ).toBeUndefined();
  expect(await ask('terms', () => Promise.resolve('too soon'))).toBeUndefined();
  pass(REST_MS);
  expect(await ask('terms', () => Promise.resolve('there'))).toBe('there');
});

test('a refusal is an answer', async () => {
  const { ask, pass } = start();
  const refusal = new ApiError('rest_no', 404, 'No.');
  const refused = () => Promise.reject(refusal);
  await expect(ask('terms', refused)).rejects.toBe(refusal);
  await ask('terms', nobody);
  pass(REST_MS);
  expect(await ask('terms', refused)).toBeUndefined();
  await new Promise(setImmediate);
  expect(await ask('terms', () => Promise.resolve('there'))).toBe('there');
});
