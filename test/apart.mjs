/** Runs the tests of a folder that has a command of its own (test/jest.config.cjs). */
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const jest = path.join(here, '../node_modules/jest/bin/jest.js');

/** Program, arguments and options for `spawn`; `env` is what the tests of this folder are told. */
export const apart = (folder, args, env) => [
  process.execPath,
  [jest, '-c', path.join(here, 'jest.config.cjs'), ...args],
  { stdio: 'inherit', env: { ...process.env, ...env, TEST_APART: folder } },
];
