import { listIn, unserialize } from './php';

const plain = (text: string): unknown => {
  const value = unserialize(text);
  const list = listIn(value);
  return list ? Object.fromEntries([...list].map(([key, one]) => [key, listIn(one)?.size ?? one])) : value;
};

test.each([
  ['N;', null],
  ['b:1;', true],
  ['i:-12;', -12],
  ['d:0.5;', 0.5],
  ['s:5:"Köln";', 'Köln'],
  ['a:2:{s:5:"width";i:600;i:0;s:1:"x";}', { width: 600, 0: 'x' }],
  ['a:1:{s:5:"sizes";a:2:{i:0;N;i:1;b:0;}}', { sizes: 2 }],
  // A text that was changed, and its length was not.
  ['a:2:{s:4:"file";s:3:"longer.jpg";s:5:"width";i:1;}', { file: 'longer.jpg', width: 1 }],
])('reads %s', (text, value) => {
  expect(plain(text)).toEqual(value);
});

test.each([
  '',
  'x',
  's:5:"ab',
  'a:9:{}',
  'a:1:{a:0:{}i:1;}',
  'O:3:"Foo":0:{}',
  'i:1e999;',
  `${'a:1:{i:0;'.repeat(30)}N;${'}'.repeat(30)}`,
])('makes nothing of %s', (text) => {
  expect(unserialize(text)).toBeUndefined();
});

test('a name of the language itself is a name like any other', () => {
  expect(listIn(unserialize('a:1:{s:9:"__proto__";i:1;}'))?.get('__proto__')).toBe(1);
});
