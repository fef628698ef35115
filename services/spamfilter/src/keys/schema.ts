/** Arguments of the key routes. The index has no place for a length; requests are checked all the same. */
import type { ArgTable } from '@sevenfold/chassis/http/args';

export const saveArgs = {
  key: { type: 'string', required: true, lenient: true, description: 'Key of 12 letters and digits.' },
} as const satisfies ArgTable;
