/** Every kind of assault. A new one is a row of a file in `kinds/`. */
import type { Kind } from './kind';
import { addresses } from './kinds/addresses';
import { endings } from './kinds/endings';
import { malformed } from './kinds/malformed';
import { multipart } from './kinds/multipart';
import { passwords } from './kinds/passwords';
import { pipelines } from './kinds/pipelines';
import { separators } from './kinds/separators';
import { slowness } from './kinds/slowness';
import { uploads } from './kinds/uploads';

export const kinds: readonly Kind[] = [
  ...multipart,
  ...pipelines,
  ...endings,
  ...slowness,
  ...separators,
  ...uploads,
  ...passwords,
  ...malformed,
  ...addresses,
];
