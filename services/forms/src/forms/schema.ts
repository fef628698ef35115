/** Arguments of the contact form routes. The interface lists none, so these stay out of the index. */
import { idArg, unlisted } from '@sevenfold/chassis/http/common-args';

export const itemArgs = unlisted({ id: idArg('form') });
