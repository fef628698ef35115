/**
 * Authors of an export. Who is named by the operator is that user; else users with the same login, or with the same e-mail
 * address, are the same person, also where the one is here what the other is there: people log in with both; others are
 * made. The first version of the format describes no authors: they are known by what they wrote.
 */
import { randomBytes } from 'node:crypto';
import { systemActor } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { ApiError } from '@sevenfold/chassis/errors';
import { trim } from '@sevenfold/text/trim';
import { within } from '../common/within';
import { updateUser } from '../users/actions';
import { createUser } from '../users/commands';
import { describe } from '../common/description';
import { LOCALES } from '../users/schema';
import * as users from '../users/store';
import type { ImportCall } from './call';
import type { ExportedAuthor, ExportedItem } from './exported';
import { findKnown, noteHere, noteImported } from './identities';
import { CHANGED_HERE, HIDDEN, compareSeen, leftAs, seenOfText } from './marks';

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
  const id =
    call.authors.get(small(author.login)) ??
    (await knownAuthor(call, author)) ??
    (await findOrCreate(call, author));
  if (id === undefined) return;
  call.authors.set(small(author.login), id);
  if (author.foreignId !== '') call.authorNumbers.set(author.foreignId, id);
}

/** From an earlier look at a site that lives on, with what changed there since. */
async function knownAuthor(call: ImportCall, author: ExportedAuthor): Promise<number | undefined> {
  const { deps, report, site, isLive } = call;
  if (!isLive) return undefined;
  const known = await findKnown(deps.db, site, 'user', author.foreignId);
  const user = known && (await users.findById(deps.db, known.id));
  if (!known || !user) return undefined;
  const compared = known.leftAs === '' ? 'same' : compareSeen(known.seen, seenOfAuthor(author));
  const skip = (reason: string): void =>
    report.skip({ kind: 'user', title: author.login, line: author.line, reason });
  if (compared === 'hidden') skip(HIDDEN);
  if (compared === 'changed' && markOf(user) === known.leftAs) {
    await deps.db.transaction((tx) => update(tx, call, user, author));
    report.countUpdated('user');
    return user.id;
  }
  if (compared === 'changed') skip(CHANGED_HERE);
  report.countKnown('user');
  return user.id;
}

/** The log-in name stays, and so do the rights that somebody has here. */
async function update(tx: Db, call: ImportCall, user: users.UserRow, author: ExportedAuthor): Promise<void> {
  const { username: _username, email, roles: _roles, slug, ...rest } = fieldsOf(author);
  const changes = { ...rest, ...(author.email !== '' && { email }), ...(slug !== '' && { slug }) };
  const { identity } = call.deps;
  const updated = await updateUser({ identity, db: within(tx) }, nobody, user, changes);
  await note(tx, call, author, updated);
}

const nobody = systemActor([]);

const note = (tx: Db, { site }: ImportCall, author: ExportedAuthor, user: users.UserRow): Promise<void> =>
  noteImported(tx, site, {
    ...notedUser(author),
    id: user.id,
    seen: seenOfAuthor(author),
    leftAs: markOf(user),
  });

const notedUser = ({ foreignId }: ExportedAuthor) => ({ kind: 'user', type: 'user', foreignId }) as const;

/** Of whom strangers are told the name, they are not told the address. */
const seenOfAuthor = ({ line: _line, ...said }: ExportedAuthor): string =>
  seenOfText(said.email === '', said);

const markOf = ({
  email,
  slug,
  name,
  firstName,
  lastName,
  nickname,
  url,
  description,
}: users.UserRow): string => leftAs(email, slug, name, firstName, lastName, nickname, url, description);

/** Whose an item is. An author that the export does not describe is known by the name alone. */
export async function authorOf(
  call: ImportCall,
  { creator: login, creatorId = '', line }: Pick<ExportedItem, 'creator' | 'creatorId' | 'line'>,
): Promise<number> {
  const byNumber = call.authorNumbers.get(creatorId);
  if (byNumber !== undefined) return byNumber;
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
  const there = await findHere(call, author);
  if (there !== undefined) return there;
  try {
    const user = await db.transaction(async (tx) => {
      const made = await createUser(
        { db: within(tx) },
        // Nobody knows the password: an administrator sets one for who is to log in here.
        { ...fieldsOf(author), password: randomBytes(24).toString('base64url') },
      );
      if (call.isLive) await note(tx, call, author, made);
      return made;
    });
    call.report.countCreated('user');
    return user.id;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // Another run may have made them since: what is theirs would become an administrator's for good.
    const made = await findHere(call, author);
    if (made !== undefined) return made;
    call.report.skip({
      kind: 'user',
      title: author.login,
      line: author.line,
      reason: `the user cannot be made, what is theirs goes to an administrator: ${error.message}`,
    });
    return undefined;
  }
}

async function findHere(call: ImportCall, author: ExportedAuthor): Promise<number | undefined> {
  const { deps, report, site, isLive } = call;
  const user = await deps.db.first<{ id: number }>(
    `select id from users
      where lower(username) in (lower($1), lower($2)) or (email <> '' and lower(email) in (lower($1), lower($2)))
      order by lower(username) = lower($1) desc, lower(email) = lower($2) desc, id limit 1`,
    [author.login, author.email],
  );
  if (!user) return undefined;
  if (isLive) await noteHere(deps.db, site, { ...notedUser(author), id: user.id });
  report.countKnown('user');
  return user.id;
}

/** As the route for new users takes them. */
interface Fields {
  readonly username: string;
  readonly email: string;
  readonly roles: readonly string[];
  readonly name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly nickname: string;
  readonly url: string;
  readonly description: string;
  readonly locale: (typeof LOCALES)[number] | '';
  readonly slug: string;
}

const fieldsOf = ({ login, email, displayName, firstName, lastName, more }: ExportedAuthor): Fields => ({
  username: login,
  email: email || placeholderOf(login),
  roles: more?.roles ?? ['author'],
  name: displayName || [firstName, lastName].filter(Boolean).join(' ') || login,
  first_name: firstName,
  last_name: lastName,
  nickname: more?.nickname ?? '',
  url: more?.url ?? '',
  description: describe(more?.description ?? ''),
  locale: LOCALES.find((locale) => locale === more?.locale) ?? '',
  slug: more?.slug ?? '',
});

/** An address that no mail can be sent to. */
const placeholderOf = (login: string): string =>
  `${trim(small(login).replace(/[^a-z0-9]+/g, '-'), '-') || 'author'}@author.invalid`;
