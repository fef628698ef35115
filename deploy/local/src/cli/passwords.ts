/** Commands about application passwords: what programs log in with. */
import type { Command } from 'commander';
import {
  createApplicationPassword,
  listApplicationPasswords,
  revokeApplicationPassword,
} from '@sevenfold/content/users/commands';
import { type ListOptions, listing, printJson, printList } from './output';
import { withContent } from './sites';

export function addPasswordCommands(passwords: Command): void {
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
  listing(passwords.command('list <username>').description('list those of a user')).action(
    (username: string, options: ListOptions) =>
      withContent(async (deps) => printList(await listApplicationPasswords(deps, { username }), options)),
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
