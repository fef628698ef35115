/** What lists of this namespace answer: the items, in an envelope that tells where the other pages are. */
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import * as shape from '@sevenfold/chassis/http/shapes';

const address = { type: 'string', format: 'uri' };

export const listAnswer = (name: string, schema: ItemSchema): shape.Answers => ({
  body: shape.object(
    {
      [name]: shape.described('Those of this page.', shape.listOf(shape.itemOf(schema))),
      rest_url: shape.described('Address of this page, as people would write it.', shape.text),
      next_rest_url: shape.described('Address of the next page, if there is one.', address),
      previous_rest_url: shape.described('Address of the previous page, if there is one.', address),
      total: shape.described('How many there are in all.', shape.integer),
      total_pages: shape.described('How many pages there are.', shape.integer),
    },
    'next_rest_url',
    'previous_rest_url',
  ),
  // A page beyond the last one.
  refuses: [404],
});
