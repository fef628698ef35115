/**
 * `npm run cli -- …`: what an operator does from a shell. It works on a stack that runs on this machine (DATA_DIR) or
 * on the databases that the environment names. Lists are printed as --format says, all else as plain lines or JSON.
 */
import { ConfigError } from '@sevenfold/chassis/config';
import { ApiError } from '@sevenfold/chassis/errors';
import { worksUnread } from './output';
import { programFor } from './program';

async function main(): Promise<void> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads no further (`… | head`) has what he wanted, unless there is more to do than to print.
    if (error.code === 'EPIPE') {
      if (!worksUnread()) process.exit();
      return;
    }
    console.error(explain(error));
    process.exit(1);
  });
  try {
    const program = await programFor(process.argv.slice(2));
    await program.parseAsync();
  } catch (error) {
    console.error(explain(error));
    process.exitCode = error instanceof ConfigError ? 2 : 1;
  }
}

function explain(error: unknown): string {
  if (error instanceof ApiError) {
    const params = Object.values((error.data.params as Record<string, string> | undefined) ?? {});
    return `error: ${[...new Set([error.message, ...params])].join('\n  ')} (${error.code})`;
  }
  return `error: ${(error as Error).message}`;
}

void main();
