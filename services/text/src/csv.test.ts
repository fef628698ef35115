import { csvRow } from './csv';

it.each([
  ['plain', 'plain'],
  ['', ''],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['one\ntwo', '"one\ntwo"'],
  ['=1+1', "'=1+1"],
  ['+32 2 555', "'+32 2 555"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', '"\'\r=1"'],
  ['\n=1', '"\'\n=1"'],
  [' =1+1', "' =1+1"],
  ['\ufeff=1+1', "'\ufeff=1+1"],
  ['＝1+1', "'＝1+1"],
  ['|calc', "'|calc"],
  ['=HYPERLINK("http://evil.test","x")', '"\'=HYPERLINK(""http://evil.test"",""x"")"'],
  ['a=b', 'a=b'],
  ["'=1", "'=1"],
])('a cell %j is %j', (cell, written) => expect(csvRow([cell])).toBe(`${written}\r\n`));

it('ends rows as RFC 4180 has it, and keeps empty cells', () => {
  expect(csvRow(['1', '', 'x'])).toBe('1,,x\r\n');
});
