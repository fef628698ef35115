/** Commands about users. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createUser, listUsers } from '@sevenfold/content/users/commands';
import { printJson, printTable } from './output';
import { withContent } from './sites';

interface CreateOptions {
  email: string;
  password?: string;
  role: string[];
  name?: string;
  json?: boolean;
}

export function addUserCommands(program: Command): void {
  const users = program.command('users').description('create and list users');
  users
    .command('create <username>')
    .description('create a user')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <text>', 'password; one is made and printed when it is left out')
    .option('--role <name...>', 'administrator, editor, author, contributor or subscriber', ['subscriber'])
    .option('--name <text>', 'display name')
    .option('--json', 'print JSON')
    .action((username: string, options: CreateOptions) =>
      withContent(async (deps) => {
        const password = options.password ?? randomBytes(15).toString('base64url');
        const { email, role: roles, name } = options;
        const user = await createUser(deps, { username, email, password, roles, name });
        const made = options.password === undefined;
        if (options.json)
          printJson({
            id: user.id,
            username: user.username,
            roles: user.roles,
            ...(made ? { password } : {}),
          });
        else
          console.log(
            `created user ${user.username} with the number ${user.id}${made ? `, password ${password}` : ''}`,
          );
      }),
    );
  users
    .command('list')
    .description('list users')
    .option('--search <text>', 'in name, user name, e-mail address')
    .option('--role <name...>', 'only these roles')
    .option('--json', 'print JSON')
    .action((options: { search?: string; role?: string[]; json?: boolean }) =>
      withContent(async (deps) => {
        const { rows, total } = await listUsers(deps, { search: options.search, roles: options.role });
        const shown = rows.map(({ id, username, email, name, roles }) => ({
          id,
          username,
          email,
          name,
          roles,
        }));
        if (options.json) return printJson(shown);
        printTable(shown);
        if (total > rows.length) console.log(`${total - rows.length} more: narrow the list with --search`);
      }),
    );
}
