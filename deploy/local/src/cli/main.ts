/**
 * `npm run cli -- …`: what an operator does from a shell. It works on a stack that runs on this machine (DATA_DIR) or
 * on the databases that the environment names. Every command prints plain lines, or JSON with --json.
 */
import { Command } from 'commander';
import { ApiError } from '@sevenfold/chassis/errors';
import { ConfigError } from '@sevenfold/chassis/config';
import { addFormCommands } from './forms';
import { addImportCommands } from './imports';
import { addSeoCommands } from './seo';
import { addSpamCommands } from './spam';
import { addSiteCommands } from './site';
import { addUserCommands } from './users';
import { addPasswordCommands } from './passwords';

async function main(): Promise<void> {
  const program = new Command('cli')
    .description('Operates a Sevenfold site.')
    .addHelpText(
      'after',
      '\nThe site is the one that runs from DATA_DIR (default .data). For a site elsewhere, set CONTENT_DATABASE_URL, CALENDAR_DATABASE_URL,\nIMPORTS_DATABASE_URL, FORMS_DATABASE_URL (with FILES_DIR), SEO_DATABASE_URL (with\nACTOR_SECRET, CONTENT_GRPC, CALENDAR_GRPC), SPAMFILTER_DATABASE_URL and SITE_URL.',
    )
    .showHelpAfterError()
    .configureHelp({ sortSubcommands: true });
  addUserCommands(program);
  addPasswordCommands(program);
  addSiteCommands(program);
  addImportCommands(program);
  addSeoCommands(program);
  addSpamCommands(program);
  addFormCommands(program);
  try {
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
