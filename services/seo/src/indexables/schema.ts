/** Arguments of the indexables route. The interface lists none, so these stay out of the index. */
import { unlisted } from '@sevenfold/chassis/http/common-args';

export const itemArgs = unlisted({
  object_type: { type: 'string', required: true, description: 'Kind of the object: post or term.' },
  object_id: { type: 'integer', required: true, description: 'Number of the object.' },
});
