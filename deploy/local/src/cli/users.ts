/** Commands about users. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import { createUser, endSessions, listSessions, listUsers } from '@sevenfold/content/users/commands';
import { shorten } from '@sevenfold/text/text';
import { type ListOptions, listing, printJson, printList, printNote } from './output';
import { readSecretFile } from './secret-file';
import { withContent } from './sites';

interface CreateOptions {
  email: string;
  passwordFile?: string;
  role: string[];
  name?: string;
  json?: boolean;
}

export function addUserCommands(users: Command): void {
  users
    .command('create <username>')
    .description('create a user')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password-file <path>', 'file with the password; one is made and printed when it is left out')
    .option('--role <name...>', 'administrator, editor, author, contributor or subscriber', ['subscriber'])
    .option('--name <text>', 'display name')
    .option('--json', 'print JSON')
    .action((username: string, options: CreateOptions) =>
      withContent(async (deps) => {
        const { email, role: roles, name, passwordFile } = options;
        const made = passwordFile === undefined;
        const password = made ? randomBytes(15).toString('base64url') : readSecretFile(passwordFile);
        const user = await createUser(deps, { username, email, password, roles, name });
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
  listing(users.command('list').description('list users'))
    .option('--search <text>', 'in name, user name, e-mail address')
    .option('--role <name...>', 'only these roles')
    .action((options: ListOptions & { search?: string; role?: string[] }) =>
      withContent(async (deps) => {
        const { rows, total } = await listUsers(deps, { search: options.search, roles: options.role });
        printList(
          rows.map(({ id, username, email, name, roles }) => ({ id, username, email, name, roles })),
          options,
        );
        if (total > rows.length) printNote(`${total - rows.length} more: narrow the list with --search`);
      }),
    );
  addSessionCommands(users.command('sessions').description('sessions, which log-ins have begun'));
}

function addSessionCommands(sessions: Command): void {
  listing(sessions.command('list <username>').description('list those of a user that last')).action(
    (username: string, options: ListOptions) =>
      withContent(async (deps) =>
        printList(
          await listSessions(deps, { username }),
          options,
          ({ id, name, network, lastUsedAt, userAgent }) => ({
            id,
            name,
            network,
            lastUsedAt,
            userAgent: shorten(userAgent, 60),
          }),
        ),
      ),
  );
  sessions
    .command('revoke <username> [id]')
    .description('end one of a user, or with --all all of them, at once')
    .option('--all', 'all of them')
    .action((username: string, id: string | undefined, { all }: { all?: boolean }) => {
      if ((id === undefined) !== (all === true)) throw new Error('Name a session, or say --all.');
      return withContent(async (deps) => {
        const ended = await endSessions(deps, { username, id });
        console.log(ended === 1 ? 'revoked' : `revoked ${ended} sessions`);
      });
    });
}
