/**
 * Rights over published things, written down a second time: which rights each act takes, by status and ownership. With
 * exactly those it is allowed; without any one of them it is not.
 */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { admits } from '@sevenfold/chassis/access';
import { Conditions } from '@sevenfold/chassis/db/sql';
import {
  type Owned,
  canDelete,
  canEdit,
  canRead,
  editorsOf,
  may,
  reachOf,
  readersOf,
  visibility,
} from './rights';
import { hasPermalink, isPublic, isUnfinished, needsPublishRight, registeredStatuses } from './statuses';

const OWN = 5;
const KIND = 'things';
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
  capabilities: new Set(rights.map((right) => `${right}_${KIND}`)),
});
const shown = [
  'publish',
  'calendar-ea-success',
  'calendar-ea-failed',
  'calendar-ea-schedule',
  'calendar-ea-pending',
  'calendar-ea-draft',
];
const rows: Owned[] = [OWN, 6].flatMap((author) => [
  ...registeredStatuses.filter((status) => status !== 'trash').map((status) => ({ status, author })),
  ...registeredStatuses.map((before) => ({ status: 'trash', statusBeforeTrash: before, author })),
  { status: 'trash', author },
]);

function toChange(verb: string, { status, statusBeforeTrash = '', author }: Owned): string[] {
  const real = status === 'trash' ? statusBeforeTrash : status;
  const base = shown.includes(real) || real === 'future' ? `${verb}_published` : verb;
  if (author === OWN) return [base];
  return [base, `${verb}_others`, ...(real === 'private' ? [`${verb}_private`] : [])];
}
function toRead(row: Owned): string[] {
  if (shown.includes(row.status) || row.author === OWN) return [];
  return row.status === 'private' ? ['read_private'] : toChange('edit', row);
}

/** Allowed with these rights and with all, not with all but one of them, and not with those over another kind. */
function takes(needed: readonly string[], ask: (actor: Actor, kind: string) => boolean): void {
  expect(ask(user(needed), KIND)).toBe(true);
  expect(ask(user(RIGHTS), KIND)).toBe(true);
  for (const missing of needed)
    expect(ask(user(RIGHTS.filter((right) => right !== missing)), KIND)).toBe(false);
  if (needed.length > 0) expect(ask(user(RIGHTS), 'others')).toBe(false);
}

test.each(rows)('$status $statusBeforeTrash of $author', (row) => {
  takes(toChange('edit', row), (actor, kind) => canEdit(actor, kind, row));
  takes(toChange('edit', row), (actor, kind) => admits(editorsOf(kind, row), actor));
  takes(toChange('delete', row), (actor, kind) => canDelete(actor, kind, row));
  takes(toRead(row), (actor, kind) => canRead(actor, kind, row));
  takes(toRead(row), (actor, kind) => admits(readersOf(kind, row), actor));
});

test('nobody owns what has no author', () => {
  const row = { status: 'draft', author: 0 };
  for (const ask of [canRead, canEdit, canDelete])
    expect(ask(user(['edit', 'delete'], 0), KIND, row)).toBe(false);
});

test('a right is one over the kind', () => {
  expect(may(user(['publish']), KIND, 'publish')).toBe(true);
  expect(may({ ...stranger, capabilities: new Set(['publish_posts', 'publish']) }, KIND, 'publish')).toBe(
    false,
  );
});

test('what follows from a status', () => {
  const those = (rule: (status: string) => boolean): string[] => registeredStatuses.filter(rule);
  expect(those(isPublic)).toEqual(shown);
  expect(those(hasPermalink).sort()).toEqual([...shown, 'private'].sort());
  expect(those(isUnfinished).sort()).toEqual(['auto-draft', 'draft', 'pending']);
  expect(those((status) => !needsPublishRight(status)).sort()).toEqual([
    'auto-draft',
    'draft',
    'pending',
    'trash',
  ]);
});

test('lists reach all, the own, or none', () => {
  const reach = (actor: Actor, status: string, before?: string, rule = canRead) =>
    reachOf(actor, (row) => rule(actor, KIND, row), status, before);
  expect(reach(stranger, 'publish')).toBe('all');
  expect(reach(stranger, 'draft')).toBe('none');
  expect(reach(user([]), 'draft')).toBe('own');
  expect(reach(user(['read_private']), 'private')).toBe('all');
  expect(reach(user(['edit', 'edit_others']), 'trash', 'draft')).toBe('all');
  expect(reach(user(['edit', 'edit_others']), 'trash', 'publish')).toBe('own');
  expect(reach(user(['edit', 'edit_others']), 'trash', 'calendar-ea-draft')).toBe('own');
  expect(reach(user(['delete']), 'draft', '', canDelete)).toBe('own');
  expect(reach(user([]), 'draft', '', canDelete)).toBe('none');
});

describe('the condition of a list', () => {
  const before = (words: string): string => `(e.status = 'trash' and e.status_before_trash ${words})`;
  const published = shown.map((status) => `'${status}'`).join(', ');

  test.each<[string, Actor, readonly string[], string, unknown[], boolean]>([
    ['what everybody sees', stranger, ['publish'], `(e.status = 'publish')`, [], true],
    ['nothing', stranger, ['draft', 'private', 'trash'], 'false', [], false],
    [
      'own drafts beside what is published',
      user(['edit']),
      ['publish', 'draft'],
      `(e.status = 'publish') or (e.author = $1 and (e.status = 'draft'))`,
      [OWN],
      false,
    ],
    [
      'private of others by the right to read them',
      user(['read_private']),
      ['private', 'publish'],
      `(e.status in ('private', 'publish'))`,
      [],
      true,
    ],
    [
      'all of the trash but what was private',
      user(['edit', 'edit_others', 'edit_published'], 0),
      ['trash'],
      `(${before(`in (${published}, 'future')`)} or ${before(`not in (${published}, 'future', 'private')`)})`,
      [],
      false,
    ],
    [
      'the trash of drafts, and the own',
      user(['edit', 'edit_others']),
      ['trash'],
      `(${before(`not in (${published}, 'future', 'private')`)}) or (e.author = $1 and (${before(`in (${published}, 'future')`)} or ${before(`= 'private'`)}))`,
      [OWN],
      false,
    ],
    ['the whole trash', user(RIGHTS), ['trash', 'draft'], `(e.status in ('trash', 'draft'))`, [], true],
  ])('%s', (_name, actor, statuses, sql, values, isWhole) => {
    const conditions = new Conditions();
    const visible = visibility(conditions, actor, statuses, 'e', (row) => canRead(actor, KIND, row));
    expect([visible, conditions.values]).toEqual([{ sql, isWhole }, values]);
  });
});

test("what has no author is nobody's own: a reader without number and rights would be everybody", () => {
  for (const status of registeredStatuses) {
    const row = { status, author: 0 };
    for (const { readers } of [readersOf(KIND, row), editorsOf(KIND, row)])
      for (const { user: id, capabilities } of readers)
        expect([id, capabilities.length > 0]).toEqual([0, true]);
    expect(admits(editorsOf(KIND, row), stranger)).toBe(false);
  }
});
