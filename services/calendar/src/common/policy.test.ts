/**
 * Rights over events, venues and organizers, written down a second time: which rights each act takes, by status and
 * ownership. With exactly those it is allowed; without any one of them it is not.
 */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { Owned } from '@sevenfold/publishing/rights';
import { anyStatuses, filterableStatuses } from '@sevenfold/publishing/statuses';
import {
  askedStatuses,
  canDelete,
  canEdit,
  canRead,
  may,
  refuseCreate,
  refuseDelete,
  refuseEdit,
  refuseRead,
} from './policy';

const OWN = 5;
const RIGHTS = [
  'edit',
  'delete',
  'publish',
  'read_private',
  ...['edit', 'delete'].flatMap((verb) => [`${verb}_others`, `${verb}_published`, `${verb}_private`]),
];
const user = (rights: readonly string[], id = OWN): Actor => ({
  ...stranger,
  id,
  capabilities: new Set(rights.map((right) => `${right}_events`)),
});
const shown = ['publish', 'calendar-ea-success', 'calendar-ea-draft'];
const unfinished = ['draft', 'pending', 'auto-draft', 'inherit', 'calendar-ignored'];
const rows: Owned[] = [OWN, 6].flatMap((author) => [
  ...[...shown, ...unfinished, 'future', 'private'].map((status) => ({ status, author })),
  ...['publish', 'future', 'private', 'draft'].map((before) => ({
    status: 'trash',
    statusBeforeTrash: before,
    author,
  })),
  { status: 'trash', author },
]);

const isShown = (status: string): boolean => shown.includes(status);
function toChange(verb: string, { status, statusBeforeTrash = '', author }: Owned): string[] {
  const real = status === 'trash' ? statusBeforeTrash : status;
  const base = isShown(real) || real === 'future' ? `${verb}_published` : verb;
  if (author === OWN) return [base];
  return [base, `${verb}_others`, ...(real === 'private' ? [`${verb}_private`] : [])];
}
function toRead(row: Owned): string[] {
  if (isShown(row.status) || row.author === OWN) return [];
  return row.status === 'private' ? ['read_private'] : toChange('edit', row);
}

/** Allowed with these rights, with all rights, and not with all but one of them. */
function takes(needed: readonly string[], ask: (actor: Actor) => boolean): void {
  expect(ask(user(needed))).toBe(true);
  expect(ask(user(RIGHTS))).toBe(true);
  for (const missing of needed) expect(ask(user(RIGHTS.filter((right) => right !== missing)))).toBe(false);
}

const refusal = (code: string) => ({ code, message: expect.any(String) as string });

describe.each(rows)('$status $statusBeforeTrash of $author', (row) => {
  test('may be changed, deleted and read by whoever has the rights', () => {
    takes(toChange('edit', row), (actor) => canEdit(actor, row));
    takes(toChange('delete', row), (actor) => canDelete(actor, row));
    takes(toRead(row), (actor) => canRead(actor, row));
  });

  test('is refused by the routes with their codes', () => {
    const nobody = { actor: { ...stranger }, subject: row };
    const all = { actor: user(RIGHTS), subject: row };
    expect(refuseRead('event')(nobody)?.code).toBe(isShown(row.status) ? undefined : 'event-not-accessible');
    expect(refuseEdit('venue')(nobody)).toMatchObject(refusal('rest_forbidden'));
    expect(refuseDelete('venue')(nobody)).toMatchObject(refusal('rest_forbidden'));
    for (const rule of [refuseRead, refuseEdit, refuseDelete]) expect(rule('event')(all)).toBeUndefined();
  });
});

test('nobody owns what has no author', () => {
  const row = { status: 'draft', author: 0 };
  for (const ask of [canRead, canEdit, canDelete]) expect(ask(user(['edit', 'delete'], 0), row)).toBe(false);
});

test('of something unknown everybody may ask; to change it takes the right to change anything', () => {
  const unknown = (actor: Actor) => ({ actor, subject: undefined });
  expect(refuseRead('event')(unknown(stranger))).toBeUndefined();
  takes(['edit'], (actor) => refuseEdit('event')(unknown(actor)) === undefined);
  takes(['delete'], (actor) => refuseDelete('event')(unknown(actor)) === undefined);
  takes(['edit'], (actor) => refuseCreate('event')({ actor }) === undefined);
  expect(refuseCreate('event')({ actor: stranger })).toMatchObject({
    code: 'rest_forbidden',
    message: 'You are not allowed to create events.',
  });
});

test('a right is one of the calendar', () => {
  expect(may(user(['publish']), 'publish')).toBe(true);
  expect(may({ ...stranger, capabilities: new Set(['publish_posts', 'publish']) }, 'publish')).toBe(false);
});

describe('statuses of a list', () => {
  const editor = user(['edit']);

  test('without a word: what is published, and everything for those who may edit', () => {
    expect(askedStatuses(stranger, undefined)).toEqual(['publish']);
    expect(askedStatuses(editor, undefined)).toEqual(anyStatuses);
  });

  test.each<[unknown, readonly string[]]>([
    ['draft', ['draft']],
    ['draft, publish', ['draft', 'publish']],
    [
      ['draft', 'trash'],
      ['draft', 'trash'],
    ],
    [['draft,draft', 'draft'], ['draft']],
    ['any', anyStatuses],
    ['any,trash', [...anyStatuses, 'trash']],
  ])('%j', (asked, expected) => expect(askedStatuses(editor, asked)).toEqual(expected));

  test.each<unknown>(['', ' ', 'draft,', 'unknown', ['draft', 5], [[]], [], 5, ['draft', '']])(
    'refuses %j',
    (asked) => {
      expect(() => askedStatuses(editor, asked)).toThrow(
        expect.objectContaining({ status: 400, code: 'rest_invalid_param' }) as Error,
      );
    },
  );

  test('a stranger names what is published, and nothing else', () => {
    expect(askedStatuses(stranger, 'publish')).toEqual(['publish']);
    for (const status of filterableStatuses.filter((one) => one !== 'publish'))
      expect(() => askedStatuses(stranger, status)).toThrow('Invalid parameter(s): status');
  });
});
