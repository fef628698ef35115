/** Commands about application passwords: what programs log in with. */
import type { Command } from 'commander';
import { openContent } from '@sevenfold/content/open';
import {
  createApplicationPassword,
  listApplicationPasswords,
  revokeApplicationPassword,
} from '@sevenfold/content/users/commands';
import { printJson, printTable } from './output';
import { findSite } from './sites';

export function addPasswordCommands(program: Command): void {
  const passwords = program
    .command('app-passwords')
    .description('create, list and revoke application passwords');
  passwords
    .command('create <username>')
    .description('create one; it is shown only now')
    .requiredOption('--name <text>', 'what it is for')
    .option('--json', 'print JSON')
    .action(async (username: string, options: { name: string; json?: boolean }) => {
      const content = await openContent(findSite().env('content'));
      try {
        const { applicationPassword, secret } = await createApplicationPassword(content.deps, {
          username,
          name: options.name,
        });
        if (options.json) printJson({ id: applicationPassword.id, name: options.name, password: secret });
        else
          console.log(
            `${secret}\nThis is shown only now. Revoke it with: app-passwords revoke ${username} ${applicationPassword.id}`,
          );
      } finally {
        await content.close();
      }
    });
  passwords
    .command('list <username>')
    .description('list those of a user')
    .option('--json', 'print JSON')
    .action(async (username: string, options: { json?: boolean }) => {
      const content = await openContent(findSite().env('content'));
      try {
        const rows = await listApplicationPasswords(content.deps, { username });
        if (options.json) printJson(rows);
        else printTable(rows.map((row) => ({ ...row })));
      } finally {
        await content.close();
      }
    });
  passwords
    .command('revoke <username> <id>')
    .description('make one invalid, at once')
    .action(async (username: string, id: string) => {
      const content = await openContent(findSite().env('content'));
      try {
        await revokeApplicationPassword(content.deps, { username, id });
        console.log('revoked');
      } finally {
        await content.close();
      }
    });
}
