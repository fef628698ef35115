/** Authors of an export: users with the same login or e-mail address are the same person; others are made. */
import { randomBytes } from 'node:crypto';
import { ApiError } from '@sevenfold/chassis/errors';
import { createUser } from '../users/commands';
import type { ImportCall } from './call';
import type { ExportedAuthor } from './read-export';

export async function importAuthor(call: ImportCall, author: ExportedAuthor): Promise<void> {
  const { db } = call.deps;
  const known = await db.first<{ id: number }>(
    `select id from users where lower(username) = lower($1) or (email <> '' and lower(email) = lower($2)) order by id limit 1`,
    [author.login, author.email],
  );
  if (known) {
    call.report.countKnown('user');
    call.authors.set(author.login, known.id);
    return;
  }
  try {
    const user = await createUser(call.deps, {
      username: author.login,
      email: author.email,
      // Nobody knows it: an administrator sets one for who is to log in here.
      password: randomBytes(24).toString('base64url'),
      roles: ['author'],
      name:
        author.displayName || [author.firstName, author.lastName].filter(Boolean).join(' ') || author.login,
    });
    call.report.countCreated('user');
    call.authors.set(author.login, user.id);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    call.report.skip(`author ${author.login}`, `the user cannot be made: ${error.message}`);
  }
}
