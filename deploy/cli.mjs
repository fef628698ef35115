/**
 * `npm run cli -- …`: the command line as it was built last. It compiles nothing: a site may be running on the same files, and
 * whoever types a command does not want to wait for a compiler.
 */
import { existsSync } from 'node:fs';
import { URL, fileURLToPath } from 'node:url';

const program = new URL('local/dist/cli/main.js', import.meta.url);
if (!existsSync(fileURLToPath(program))) {
  console.error('Nothing is built yet. Run: npm run build (npm start does it by itself)');
  process.exit(1);
}
process.setSourceMapsEnabled(true);
await import(program.href);
