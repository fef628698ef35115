/** What was asked before a change and what was asked behind it, with a content service that answers when it is told to. */
import { createLog } from '@sevenfold/chassis/log';
import { forRequest, waitedFor } from '@sevenfold/chassis/request-id';
import { type Kind, openKind } from './known-kind';

interface Thing {
  readonly id: number;
  readonly name: string;
}

/** Without a name: nobody answers. */
let answers: ((name?: string) => void)[];
let saved: string[];
let stored: Thing[];
let kind: Kind<Thing>;

beforeEach(() => {
  answers = [];
  saved = [];
  stored = [];
  kind = openKind<Thing>({
    most: 10,
    fetch: (ids) =>
      new Promise((resolve) =>
        answers.push((name) => resolve(name === undefined ? undefined : ids.map((id) => ({ id, name })))),
      ),
    standIn: () => undefined,
    load: () => Promise.resolve(stored),
    save: (found) => {
      // As the line for a connection (chassis/src/db/connect.ts): nothing is done for whoever has left.
      if (waitedFor()?.asker.isGone()) return Promise.reject(new Error('nobody waits for it'));
      saved.push(...found.map(({ name }) => name));
      return Promise.resolve();
    },
    log: createLog('known', 'test', 'silent'),
  });
});

const get = async (): Promise<string | undefined> => (await kind.get([7])).get(7)?.name;

test('one call serves all who ask at the same time', async () => {
  const both = [get(), get()];
  expect(answers).toHaveLength(1);
  answers[0]?.('a');
  expect(await Promise.all(both)).toEqual(['a', 'a']);
});

test('who gives up takes nobody with him who waits for the same', async () => {
  const leaving = new AbortController();
  const { signal } = leaving;
  const first = forRequest('', get, { asker: { signal: () => signal, isGone: () => signal.aborted } });
  const second = get();
  leaving.abort();
  answers[0]?.('a');
  expect(await Promise.all([first, second])).toEqual(['a', 'a']);
  expect(saved).toEqual(['a']);
});

test('who asks behind a change does not get what was asked for before it', async () => {
  const before = get();
  expect(kind.doubt([7])).toBe(1);
  const behind = get();
  expect(answers).toHaveLength(2);
  answers[1]?.('new');
  expect(await behind).toBe('new');
  // The older call ends last, and changes nothing.
  answers[0]?.('old');
  await before;
  expect(await get()).toBe('new');
  expect(saved).toEqual(['new']);
});

test('who asked before the change is shown what there was, and nobody else', async () => {
  const before = get();
  expect(kind.doubt()).toBe(1);
  answers[0]?.('old');
  expect(await before).toBe('old');
  expect(saved).toEqual([]);
  const behind = get();
  answers[1]?.('new');
  expect(await behind).toBe('new');
});

test('who asked behind a change is shown it, though there is a second doubt before the answer', async () => {
  const first = get();
  answers[0]?.('old');
  await first;
  // The news of a change come first, and a moment later what its domain event says.
  kind.doubt([7]);
  const behind = get();
  kind.doubt([7]);
  answers[1]?.('new');
  expect(await behind).toBe('new');
  // That may be older than the second doubt.
  const later = get();
  answers[2]?.('newer');
  expect(await later).toBe('newer');
  expect(saved).toEqual(['old', 'newer']);
});

test('of several that were overtaken by doubts, each is shown what was asked for with him or after', async () => {
  const first = get();
  kind.doubt([7]);
  const second = get();
  kind.doubt([7]);
  answers[0]?.('first');
  expect(await first).toBe('first');
  answers[1]?.('second');
  expect(await second).toBe('second');
});

test('an answer that comes late takes the place of nothing that was asked for after it', async () => {
  const first = get();
  kind.doubt([7]);
  const second = get();
  answers[1]?.('second');
  await second;
  kind.doubt([7]);
  const third = get();
  answers[0]?.('first');
  await first;
  kind.doubt([7]);
  answers[2]?.();
  expect(await third).toBe('second');
});

test('a doubt of another thing is none of this one', async () => {
  const before = get();
  expect(kind.doubt([8])).toBe(0);
  answers[0]?.('a');
  expect(await before).toBe('a');
  expect(await get()).toBe('a');
  expect(answers).toHaveLength(1);
});

test('what came with the answer of a write may be from before a change, and does not count as new', async () => {
  const before = get();
  answers[0]?.('old');
  await before;
  kind.doubt([7]);
  kind.put([{ id: 7, name: 'old' }]);
  const behind = get();
  answers[1]?.('new');
  expect(await behind).toBe('new');
});

test('where nobody answers, what another process was told of a change is shown', async () => {
  const before = get();
  answers[0]?.('old');
  await before;
  kind.doubt([7]);
  stored = [{ id: 7, name: 'new' }];
  const behind = get();
  answers[1]?.();
  expect(await behind).toBe('new');
  // It may be old, too.
  const later = get();
  answers[2]?.('newer');
  expect(await later).toBe('newer');
});

test('a doubt of what has just made room for others is one: something made of it may be remembered', async () => {
  const ask = async (...ids: number[]): Promise<void> => {
    const asked = kind.get(ids);
    answers.at(-1)?.('a');
    await asked;
  };
  await ask(7);
  expect(kind.doubt([8])).toBe(0);
  await ask(...Array.from({ length: 10 }, (_, at) => at + 10));
  expect(kind.doubt([7])).toBe(1);
  expect(kind.doubt([])).toBe(0);
});
