import { toFileName } from './file-names';

test('dots, hyphens and underscores at the ends go', () => {
  expect(toFileName('-._Summer  fair_.-.png')).toEqual({
    stem: 'Summer-fair',
    ending: 'png',
    title: 'Summer-fair',
  });
  expect(toFileName('._.-.png')).toEqual({ stem: 'file', ending: 'png', title: 'file' });
});

// Where each of them were tried as the first of the end, this would take minutes.
test('a long run of them in the middle is looked at once', () => {
  expect(toFileName(`a${'._'.repeat(500_000)}b.png`)?.stem).toBe('a');
});
