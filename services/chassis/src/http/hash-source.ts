/** A script or a style sheet by what it says, for the policy of a page (CSP): nothing else may run or look. */
import { createHash } from 'node:crypto';

export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
