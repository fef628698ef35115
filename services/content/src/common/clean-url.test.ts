import { cleanUrl } from './clean-url';

test.each([
  ['', ''],
  ['  https://site.test/a  ', 'https://site.test/a'],
  ['site.test', 'http://site.test'],
  ['site.test:8080/x', 'http://site.test:8080/x'],
  ['https://site.test/a b', 'https://site.test/a%20b'],
  ['https://site.test/"><script>', 'https://site.test/script'],
  ['mailto:me@site.test', 'mailto:me@site.test'],
  ['/about', '/about'],
  ['https://site.test/ü', 'https://site.test/ü'],
  ['javascript:alert(1)', ''],
  ['JAVA\u0000script:alert(1)', ''],
  ['java\nscript:alert(1)', ''],
  [' data:text/html,x', ''],
  ['vbscript:1', ''],
  ['//site.test', '//site.test'],
  ['127.0.0.1:80', 'http://127.0.0.1:80'],
])('cleans %j', (given, wanted) => {
  expect(cleanUrl(given)).toBe(wanted);
  expect(cleanUrl(cleanUrl(given))).toBe(wanted);
});

test('drops an address of unreasonable length', () => {
  expect(cleanUrl(`https://site.test/${'a'.repeat(3000)}`)).toBe('');
});
