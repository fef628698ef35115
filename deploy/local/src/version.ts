/** Of the software that lies here, which need not be what runs. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './settings';

export const ownVersion = (): string =>
  (JSON.parse(readFileSync(path.join(repositoryRoot, 'package.json'), 'utf8')) as { version: string })
    .version;
