/**
 * Rights over posts and pages, written down a second time: which capabilities each act takes, by type, status and
 * ownership. With exactly those it is allowed; without any one of them it is not.
 */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import {
  type PostSubject,
  canDeletePost,
  canEditPost,
  canReadPost,
  may,
  refuseCreate,
  refuseDelete,
  refuseUpdate,
} from './policy';
import { postTypes } from './types';

const OWN = 5;
const VERBS = ['edit', 'delete'].flatMap((verb) => [
  verb,
  `${verb}_others`,
  `${verb}_published`,
  `${verb}_private`,
]);
const PUBLISHED = ['publish', 'future', 'calendar-ea-success'];
const RIGHTS = [...VERBS, 'publish', 'read_private'];
const user = (rights: readonly string[], plural = 'posts', id = OWN): Actor => ({
  ...stranger,
  id,
  capabilities: new Set(rights.map((right) => `${right}_${plural}`)),
});
const row = (more: Partial<PostSubject>): PostSubject => ({
  type: 'post',
  status: 'draft',
  author: OWN,
  password: '',
  ...more,
});
const rows: PostSubject[] = [OWN, 6].flatMap((author) => [
  ...['publish', 'calendar-ea-success', 'draft', 'pending', 'future', 'private', 'auto-draft'].map((status) =>
    row({ status, author }),
  ),
  ...['publish', 'future', 'calendar-ea-success', 'private', 'draft', undefined].map((statusBeforeTrash) =>
    row({ status: 'trash', statusBeforeTrash, author }),
  ),
]);

function toChange(verb: string, { status, statusBeforeTrash = '', author }: PostSubject): string[] {
  const real = status === 'trash' ? statusBeforeTrash : status;
  const base = PUBLISHED.includes(real) ? `${verb}_published` : verb;
  if (author === OWN) return [base];
  return [base, `${verb}_others`, ...(real === 'private' ? [`${verb}_private`] : [])];
}
function toRead(post: PostSubject): string[] {
  if (['publish', 'calendar-ea-success'].includes(post.status) || post.author === OWN) return [];
  return post.status === 'private' ? ['read_private'] : toChange('edit', post);
}

/** Allowed with these rights and with all, not with all but one of them, and not with those of another type. */
function takes(needed: readonly string[], ask: (actor: Actor) => boolean): void {
  expect(ask(user(needed))).toBe(true);
  expect(ask(user(RIGHTS))).toBe(true);
  for (const missing of needed) expect(ask(user(RIGHTS.filter((right) => right !== missing)))).toBe(false);
  if (needed.length > 0) expect(ask(user(RIGHTS, 'pages'))).toBe(false);
}

test.each(rows)('$status $statusBeforeTrash of $author', (post) => {
  takes(toChange('edit', post), (actor) => canEditPost(actor, post));
  takes(toChange('delete', post), (actor) => canDeletePost(actor, post));
  takes(toRead(post), (actor) => canReadPost(actor, post));
  takes(toChange('delete', post), (actor) => refuseDelete(actor, post) === undefined);
  expect(refuseDelete(stranger, post)?.code).toBe('rest_cannot_delete');
});

test('the rights of pages are their own', () => {
  const page = row({ type: 'page', author: 6 });
  expect(canEditPost(user(['edit', 'edit_others'], 'pages'), page)).toBe(true);
  expect(canEditPost(user(['edit', 'edit_others']), page)).toBe(false);
  expect(may(user(['publish'], 'pages'), 'page', 'publish')).toBe(true);
});

test('nobody owns what has no author', () => {
  const post = row({ author: 0 });
  for (const ask of [canReadPost, canEditPost, canDeletePost])
    expect(ask(user(['edit', 'delete'], 'posts', 0), post)).toBe(false);
});

test('an author of the first id reads what is his own', () => {
  expect(canReadPost(user([], 'posts', 1), row({ author: 1 }))).toBe(true);
});

test('what is attached is as visible as what it hangs on', () => {
  const attached = (parentPost?: PostSubject): PostSubject =>
    row({ type: 'attachment', status: 'inherit', author: 6, parentPost });
  expect(canReadPost(stranger, attached())).toBe(true);
  expect(canReadPost(stranger, attached(row({ status: 'publish' })))).toBe(true);
  expect(canReadPost(stranger, attached(row({ author: 6 })))).toBe(false);
  expect(canReadPost(user([]), attached(row({})))).toBe(true);
});

describe('what a write asks for', () => {
  const { post, page } = postTypes;
  const code = (rights: readonly string[], input: Parameters<typeof refuseCreate>[2], type = post) =>
    refuseCreate(user(rights, type.plural), type, input)?.code;

  test('making one takes the right to edit', () => {
    expect(code([], {})).toBe('rest_cannot_create');
    expect(code(['edit'], {})).toBeUndefined();
  });

  test('speaking for another takes the right to edit what others write', () => {
    expect(code(['edit'], { author: OWN })).toBeUndefined();
    expect(code(['edit'], { author: 6 })).toBe('rest_cannot_edit_others');
    expect(code(['edit', 'edit_others'], { author: 6 })).toBeUndefined();
  });

  test('pinning takes the right to publish, or to edit what others write; pages cannot be pinned', () => {
    expect(code(['edit'], { sticky: true })).toBe('rest_cannot_assign_sticky');
    expect(code(['edit'], { sticky: false })).toBeUndefined();
    expect(code(['edit', 'publish'], { sticky: true })).toBeUndefined();
    expect(code(['edit', 'edit_others'], { sticky: true })).toBeUndefined();
    expect(code(['edit'], { sticky: true }, page)).toBeUndefined();
  });

  test.each(['publish', 'future', 'private', 'calendar-ignored'])(
    'the status %s takes the right to publish',
    (status) => {
      expect(code(['edit'], { status })).toBe('rest_cannot_publish');
      expect(code(['edit', 'publish'], { status })).toBeUndefined();
    },
  );

  test('a draft is anybody’s who may edit, and a status that stays is no matter of rights', () => {
    for (const status of ['draft', 'pending', 'auto-draft'])
      expect(code(['edit'], { status })).toBeUndefined();
    const current = row({ status: 'private' });
    expect(refuseUpdate(user(['edit']), post, current, { status: 'private' })).toBeUndefined();
    expect(refuseUpdate(user(['edit']), post, current, { status: 'publish' })?.code).toBe(
      'rest_cannot_publish',
    );
  });

  test('changing one takes the right to edit it; its author may stay', () => {
    const other = row({ author: 6 });
    expect(refuseUpdate(user(['edit']), post, other, {})?.code).toBe('rest_cannot_edit');
    expect(refuseUpdate(user(['edit', 'edit_others']), post, other, {})).toBeUndefined();
    expect(refuseUpdate(user(['edit']), post, row({}), { author: OWN })).toBeUndefined();
    expect(refuseUpdate(user(['edit']), post, row({}), { author: 6 })?.code).toBe('rest_cannot_edit_others');
  });
});
