import { besides, fromHeaders, openSeen, toHeaders } from './seen';

const told = (heard: string, tags: string, until = Infinity) => ({ heard, tags, until });
const tagsOf = (text = ''): string[] => text.split('|').sort();

test('what several services told is told on with what each of them had heard', () => {
  const seen = openSeen();
  seen.note('content', told('c1', 'post:1,2|user:5'));
  seen.note('calendar', told('k1 content=c2', 'event:3|content/term:4', 1_000));
  const all = seen.told();
  expect(all?.heard.split(' ').sort()).toEqual(['-', 'calendar=k1', 'content=c1', 'content=c2']);
  expect(all?.until).toBe(1_000);
  expect(tagsOf(all?.tags)).toEqual([
    'calendar/event:3',
    'calendar/settings',
    'content/post:1,2',
    'content/settings',
    'content/term:4',
    'content/user:5',
  ]);
  // It comes to the same through somebody who has no news of his own.
  const again = openSeen();
  again.note(
    'oembed',
    fromHeaders((name) => toHeaders(all as NonNullable<typeof all>)[name]),
  );
  expect([tagsOf(again.told()?.tags), again.told()?.until]).toEqual([tagsOf(all?.tags), 1_000]);
});

test('what did not come, did not say, or had heard nothing makes the whole unknown', () => {
  for (const one of [undefined, told('', 'post:1')]) {
    const seen = openSeen();
    seen.note('content', told('c1', 'post:1'));
    seen.note('calendar', one);
    expect(seen.told()).toBeUndefined();
    const around = openSeen();
    around.note('content', told('c1', 'post:1'));
    around.add(seen);
    expect(around.told()).toBeUndefined();
  }
  // Nothing is no answer that is good for ever.
  expect(openSeen().told()).toBeUndefined();
});

test('who was only asked leaves his settings, and a service shows its own beside what it was told', () => {
  const asked = openSeen();
  asked.note('content', told('c1', 'post|page'));
  const seen = openSeen();
  seen.addSettings(asked);
  expect(seen.told()).toEqual(told('- content=c1', 'content/settings'));
  expect(besides('s1', { tags: new Set(['path:x']), ends: 5 }, seen)).toEqual(
    told('s1 content=c1', 'path:x|content/settings', 5),
  );
  expect(besides('', { tags: new Set(['path:x']), ends: 5 }, openSeen())).toBeUndefined();
  expect(besides('s1', { tags: new Set(), ends: Infinity }, openSeen())).toEqual(told('s1', ''));
});

test('more tags than a head takes are any news of the services that they are of', () => {
  const ids = Array.from({ length: 3_000 }, (_, n) => n).join(',');
  const long = `event|venue:${ids}|content/post:${ids}|content/settings`;
  const sent = (tags: string) => fromHeaders((name) => toHeaders(told('k1 content=c1', tags, 7))[name]);
  expect(sent(long)).toEqual(told('k1 content=c1', '*|content/*', 7));
  expect(sent('event|content/post:1')).toEqual(told('k1 content=c1', 'event|content/post:1', 7));
});
