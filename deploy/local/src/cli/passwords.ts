/** Commands about application passwords: what programs log in with. */
import type { Command } from 'commander';
import {
  createApplicationPassword,
  listApplicationPasswords,
  revokeApplicationPassword,
} from '@sevenfold/content/users/commands';
import { printJson, printTable } from './output';
import { withContent } from './sites';

export function addPasswordCommands(program: Command): void {
  const passwords = program
    .command('app-passwords')
    .description('create, list and revoke application passwords');
  passwords
    .command('create <username>')
    .description('create one; it is shown only now')
    .requiredOption('--name <text>', 'what it is for')
    .option('--json', 'print JSON')
    .action((username: string, { name, json }: { name: string; json?: boolean }) =>
      withContent(async (deps) => {
        const { applicationPassword, secret } = await createApplicationPassword(deps, { username, name });
        if (json) return printJson({ id: applicationPassword.id, name, password: secret });
        console.log(
          `${secret}\nThis is shown only now. Revoke it with: app-passwords revoke ${username} ${applicationPassword.id}`,
        );
      }),
    );
  passwords
    .command('list <username>')
    .description('list those of a user')
    .option('--json', 'print JSON')
    .action((username: string, { json }: { json?: boolean }) =>
      withContent(async (deps) => {
        const rows = await listApplicationPasswords(deps, { username });
        if (json) printJson(rows);
        else printTable(rows.map((row) => ({ ...row })));
      }),
    );
  passwords
    .command('revoke <username> <id>')
    .description('make one invalid, at once')
    .action((username: string, id: string) =>
      withContent(async (deps) => {
        await revokeApplicationPassword(deps, { username, id });
        console.log('revoked');
      }),
    );
}
