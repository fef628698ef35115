/** The field of meta fields, which every kind of item has. None are registered: it is always an empty list. */
import type { Property } from '@sevenfold/chassis/http/present';
import { emptyList } from '@sevenfold/chassis/http/shapes';

export const metaProperty: Property = {
  type: 'object',
  description: 'Meta fields.',
  context: ['view', 'edit'],
  answered: emptyList,
};
