/** The number of the release that this code is of, as its package says it; documents of the interface show it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const { version } = JSON.parse(readFileSync(path.resolve(__dirname, '../package.json'), 'utf8')) as {
  readonly version: string;
};
