/** Arguments of the indexables route. The interface lists none, so these stay out of the index. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const itemArgs = {
  object_type: {
    type: 'string',
    required: true,
    unlisted: true,
    description: 'Kind of the object: post or term.',
  },
  object_id: { type: 'integer', required: true, unlisted: true, description: 'Number of the object.' },
} as const satisfies ArgTable;
