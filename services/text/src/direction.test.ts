import { directionOf } from './direction';

test.each([
  ['he', 'rtl'],
  ['he_IL', 'rtl'],
  ['AR-eg', 'rtl'],
  ['de_DE_formal', 'ltr'],
  ['arn', 'ltr'],
  ['', 'ltr'],
] as const)('%s runs %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});
