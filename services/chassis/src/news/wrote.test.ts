import { idOf, messageIn, messagesOf, openWrote } from './wrote';

const [FIRST, SECOND] = ['701 post:1|post', '702 term:5'];

test('a request tells what it wrote itself and what others wrote for it, each by its message', () => {
  const wrote = openWrote();
  expect(messagesOf(wrote.told() as string)).toEqual([]);
  wrote.tell([FIRST]);
  const theirs = openWrote();
  theirs.tell([SECOND]);
  const deeper = openWrote();
  deeper.tell([FIRST]);
  theirs.asks('seo')(deeper.told());
  wrote.asks('content')(theirs.told());
  expect(messagesOf(wrote.told() as string)).toEqual([
    { id: idOf(FIRST), tags: 'post:1|post' },
    { service: 'content', id: idOf(SECOND), tags: 'term:5' },
    { service: 'seo', id: idOf(FIRST), tags: 'post:1|post' },
  ]);
});

test('what another service did not say, or has not said yet, is not known, and too much is as good as that', () => {
  const failed = openWrote();
  failed.asks('content')(undefined);
  expect(failed.told()).toBeUndefined();
  const waiting = openWrote();
  const answered = waiting.asks('content');
  expect(waiting.told()).toBeUndefined();
  answered(openWrote().told());
  expect(messagesOf(waiting.told() as string)).toEqual([]);
  const long = openWrote();
  long.tell(Array.from({ length: 3 }, (_, at) => `${at} ${'post:1,'.repeat(400)}`));
  expect(long.told()).toBeUndefined();
});

test('what one release has heard another has not: of what is kept nothing goes on from one to the next', () => {
  expect(idOf(FIRST)).toBe(idOf(FIRST));
  expect(idOf(FIRST, 'else')).not.toBe(idOf(FIRST));
  expect(messageIn(idOf(FIRST, 'else'))).toBe(messageIn(idOf(FIRST)));
  expect(messageIn(idOf(FIRST))).not.toBe(messageIn(idOf(SECOND)));
});
