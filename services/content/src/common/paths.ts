/** How deep addresses go that hold the slugs of all above them. */
import { invalidParam } from '@sevenfold/chassis/errors';

/**
 * In characters. The links of a chain of thousands would be megabytes, in each list of them, and no browser opens such an
 * address. Those that are there may be written back, and become shorter.
 */
const LONGEST_PATH = 2_000;

/** Throws 400 where the path of what stands above is longer. */
export function refuseDeep(what: 'term' | 'page', param: 'parent' | 'slug', above: string): void {
  if (above.length > LONGEST_PATH)
    throw invalidParam(
      param,
      `The slugs above a ${what} have at most ${LONGEST_PATH} characters together. Put it further up.`,
    );
}
