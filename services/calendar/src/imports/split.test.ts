/** A list in JSON, taken apart without being read. */
import fc from 'fast-check';
import { elementsOf } from './split';

test('each element is what reading the whole list gives', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 3 })), fc.constantFrom(undefined, 1), (list, space) => {
      const read = [...elementsOf(JSON.stringify(list, undefined, space))];
      expect(read.map(({ json }) => JSON.parse(json) as unknown)).toEqual(JSON.parse(JSON.stringify(list)));
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['5', 0],
  ['[]', 1],
  ['{"a":1}', 1],
  ['{"a":1,"b":[2,3]}', 4],
  ['"[,]\\\\\\",{"', 0],
])('%s holds %d values with a separator or a bracket of their own', (json, values) => {
  expect([...elementsOf(`[1, ${json} ,1]`)].map((one) => one.values)).toEqual([0, values, 0]);
});
