import { readSettings } from './settings';

test('lines are read with any space around their parts', () => {
  const settings = readSettings(
    ' Demo_Mode :  on \r\nabort: not  today\t\nskip_mail:\nnone\n: off\nskip_mail : OFF',
  );
  expect(settings.isOn('demo_mode')).toBe(true);
  expect(settings.text('abort')).toBe('not  today');
  expect(settings.isOff('skip_mail')).toBe(true);
});

// It took the cube of the length.
test('a long run of spaces costs no more than its length', () => {
  const value = `a${' '.repeat(1_000_000)}b`;
  expect(readSettings(`abort: ${value}`).text('abort')).toBe(value);
  expect(readSettings(`abort: ${' '.repeat(1_000_000)}a\rb`).text('abort')).toBe('');
});
