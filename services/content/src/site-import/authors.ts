/**
 * Authors of an export. Who is named by the operator is that user; else users with the same login, or with the same e-mail
 * address, are the same person; others are made. The first version of the format describes no authors: they are known by
 * what they wrote.
 */
import { randomBytes } from 'node:crypto';
import { ApiError } from '@sevenfold/chassis/errors';
import { createUser } from '../users/commands';
import * as users from '../users/store';
import type { ImportCall } from './call';
import type { ExportedAuthor } from './exported';

const small = (login: string): string => login.trim().toLowerCase();

/** Throws for a name that nobody has here: before anything is written. */
export async function mappedAuthors(
  call: Pick<ImportCall, 'deps' | 'mapAuthors'>,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const [old, name] of call.mapAuthors) {
    const user = await users.findByLogin(call.deps.db, name);
    if (!user) throw new Error(`There is no user ${name}, whom --map-author names for ${old}.`);
    found.set(small(old), user.id);
  }
  return found;
}

export async function importAuthor(call: ImportCall, author: ExportedAuthor): Promise<void> {
  const id = call.authors.get(small(author.login)) ?? (await findOrCreate(call, author));
  if (id === undefined) return;
  call.authors.set(small(author.login), id);
  if (author.foreignId !== '') call.authorNumbers.set(author.foreignId, id);
}

/** Whose an item is. An author that the export does not describe is known by the name alone. */
export async function authorOf(call: ImportCall, login: string, line: number): Promise<number> {
  if (login.trim() === '') return call.fallbackAuthor;
  const known = call.authors.get(small(login));
  if (known !== undefined) return known;
  const nobody = { email: '', displayName: '', firstName: '', lastName: '', foreignId: '' };
  const id = (await findOrCreate(call, { kind: 'author', line, login, ...nobody })) ?? call.fallbackAuthor;
  call.authors.set(small(login), id);
  return id;
}

async function findOrCreate(call: ImportCall, author: ExportedAuthor): Promise<number | undefined> {
  const { db } = call.deps;
  const known = await db.first<{ id: number }>(
    `select id from users where lower(username) = lower($1) or (email <> '' and lower(email) = lower($2))
     order by lower(username) = lower($1) desc, id limit 1`,
    [author.login, author.email],
  );
  if (known) {
    call.report.countKnown('user');
    return known.id;
  }
  try {
    const user = await createUser(call.deps, {
      username: author.login,
      email: author.email || placeholderOf(author.login),
      // Nobody knows it: an administrator sets one for who is to log in here.
      password: randomBytes(24).toString('base64url'),
      roles: ['author'],
      name:
        author.displayName || [author.firstName, author.lastName].filter(Boolean).join(' ') || author.login,
    });
    call.report.countCreated('user');
    return user.id;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    call.report.skip({
      kind: 'user',
      title: author.login,
      line: author.line,
      reason: `the user cannot be made, what is theirs goes to an administrator: ${error.message}`,
    });
    return undefined;
  }
}

/** An address that no mail can be sent to. */
const placeholderOf = (login: string): string =>
  `${
    small(login)
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'author'
  }@author.invalid`;
