/** Arguments of the contact form routes. The interface lists none, so these stay out of the index. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const itemArgs = {
  id: { type: 'integer', required: true, unlisted: true, description: 'Number of the form.' },
} as const satisfies ArgTable;
