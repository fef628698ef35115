import { type Actor, stranger } from '@sevenfold/chassis/actor';
import type { Deps } from '../deps';
import { type Role, capabilitiesOf } from '../users/roles';
import * as policy from './policy';
import type { CommentSubject, CommentedPost } from './store';

const actor = (role: Role, id = 7): Actor => ({
  ...stranger,
  id,
  roles: [role],
  capabilities: capabilitiesOf([role]),
});
const [administrator, editor, author, contributor, subscriber] = (
  ['administrator', 'editor', 'author', 'contributor', 'subscriber'] as const
).map((role) => actor(role)) as [Actor, Actor, Actor, Actor, Actor];

const post: CommentedPost = {
  id: 5,
  type: 'post',
  status: 'publish',
  slug: 'five',
  path: '2024/01/01/five',
  author: 99,
  password: '',
  commentStatus: 'open',
};
const makeComment = (fields: Partial<CommentSubject> = {}): CommentSubject => ({
  id: 3,
  post: 5,
  parent: 0,
  author: 0,
  authorName: 'Ann',
  authorEmail: 'ann@visitor.test',
  authorUrl: '',
  authorIp: '192.0.2.1',
  authorUserAgent: '',
  dateLocal: '2024-01-01 00:00:00',
  dateGmt: '2024-01-01 00:00:00',
  contentRaw: 'x',
  contentHtml: '<p>x</p>\n',
  status: 'approved',
  statusBefore: '',
  type: 'comment',
  hasChildren: false,
  commentedPost: post,
  ...fields,
});
const code = (denial: { code: string } | undefined): string => denial?.code ?? 'may';
const read = (who: Actor, comment: CommentSubject, password?: string): string =>
  code(policy.refuseReading(who, comment, password));

describe('reading a comment', () => {
  test('approved ones on public posts are for all', () => {
    for (const who of [stranger, subscriber, administrator]) expect(read(who, makeComment())).toBe('may');
  });

  test.each(['hold', 'spam', 'trash', 'post-trashed'] as const)(
    '%s: moderators, editors of the post, its writer',
    (status) => {
      const comment = makeComment({ status });
      expect(read(stranger, comment)).toBe('rest_cannot_read');
      expect(read(subscriber, comment)).toBe('rest_cannot_read');
      expect(read(author, comment)).toBe('rest_cannot_read');
      expect(read(editor, comment)).toBe('may');
      expect(read(author, { ...comment, commentedPost: { ...post, author: author.id } })).toBe('may');
      expect(read(contributor, { ...comment, commentedPost: { ...post, author: contributor.id } })).toBe(
        'rest_cannot_read',
      );
      expect(read(subscriber, { ...comment, author: subscriber.id })).toBe('may');
    },
  );

  test('follows the post', () => {
    const hidden = makeComment({ commentedPost: { ...post, status: 'private' } });
    expect(read(stranger, hidden)).toBe('rest_cannot_read');
    expect(read(subscriber, { ...hidden, author: subscriber.id })).toBe('rest_cannot_read_post');
    expect(read(editor, hidden)).toBe('may');
    const attached = {
      ...post,
      type: 'attachment',
      status: 'inherit',
      parentPost: { ...post, status: 'draft' },
    } as const;
    expect(read(stranger, makeComment({ commentedPost: attached }))).toBe('rest_cannot_read');
    expect(read(stranger, makeComment({ commentedPost: { ...attached, parentPost: post } }))).toBe('may');
  });

  test('a password opens the post; whoever edits it needs none', () => {
    const locked = makeComment({ commentedPost: { ...post, password: 'secret' } });
    expect(read(stranger, locked)).toBe('rest_cannot_read');
    expect(read(stranger, locked, 'wrong')).toBe('rest_cannot_read');
    expect(read(stranger, locked, 'secret')).toBe('may');
    expect(
      read(author, makeComment({ commentedPost: { ...post, password: 'secret', author: author.id } })),
    ).toBe('may');
  });

  test('without a post: moderators', () => {
    const orphan = makeComment({ commentedPost: undefined });
    expect(read(subscriber, { ...orphan, author: subscriber.id })).toBe('rest_cannot_read');
    expect(read(editor, orphan)).toBe('may');
  });

  test('the edit context is for moderators', () => {
    const ask = (who: Actor) =>
      code(
        policy.refuseReadComment({
          actor: who,
          args: { context: 'edit' },
          sent: new Set(),
          subject: makeComment(),
        }),
      );
    expect(ask(author)).toBe('rest_forbidden_context');
    expect(ask(editor)).toBe('may');
  });
});

describe('editing and deleting', () => {
  const ask = (who: Actor, comment: CommentSubject | undefined, args: Record<string, unknown> = {}): string =>
    code(
      policy.refuseUpdateComment({ actor: who, args, sent: new Set(Object.keys(args)), subject: comment }),
    );

  test('moderators and whoever edits the post', () => {
    expect(ask(stranger, makeComment())).toBe('rest_cannot_edit');
    expect(ask(subscriber, makeComment({ author: subscriber.id }))).toBe('rest_cannot_edit');
    expect(ask(author, makeComment())).toBe('rest_cannot_edit');
    expect(ask(author, makeComment({ commentedPost: { ...post, author: author.id } }))).toBe('may');
    expect(ask(editor, makeComment())).toBe('may');
    expect(ask(editor, undefined)).toBe('may');
    expect(ask(author, undefined)).toBe('rest_cannot_edit');
    const drop = (who: Actor, subject: CommentSubject | undefined) =>
      code(policy.refuseDeleteComment({ actor: who, args: {}, sent: new Set(), subject }));
    expect(drop(author, makeComment())).toBe('rest_cannot_delete');
    expect(drop(editor, makeComment())).toBe('may');
    expect(drop(stranger, undefined)).toBe('rest_cannot_delete');
  });

  test('only moderators put words into the mouth of others', () => {
    const own = makeComment({ commentedPost: { ...post, author: author.id } });
    expect(ask(author, own, { author: 4 })).toBe('rest_comment_invalid_author');
    expect(ask(author, own, { author: own.author })).toBe('may');
    for (const author_ip of ['192.0.2.99', own.authorIp])
      expect(ask(author, own, { author_ip })).toBe('rest_comment_invalid_author_ip');
    expect(ask(editor, own, { author: 4, author_ip: '192.0.2.99' })).toBe('may');
    expect(code(policy.refuseMoving(author, post))).toBe('rest_cannot_edit');
    expect(code(policy.refuseMoving(author, { ...post, author: author.id }))).toBe('may');
    expect(code(policy.refuseMoving(editor, post))).toBe('may');
  });
});

describe('writing a comment', () => {
  const deps = (registration = false) =>
    ({ config: { COMMENT_REGISTRATION: registration } }) as unknown as Deps;
  const ask = (
    who: Actor,
    on: CommentedPost | undefined,
    args: Record<string, unknown> = {},
    registration = false,
  ): string =>
    code(
      policy.refuseCreateComment({
        actor: who,
        args,
        sent: new Set(Object.keys(args)),
        subject: { posts: on ? [on] : [] },
        deps: deps(registration),
      }),
    );

  test('visitors may, unless registration is asked for', () => {
    expect(ask(stranger, post)).toBe('may');
    expect(ask(stranger, post, {}, true)).toBe('rest_comment_login_required');
    expect(ask(subscriber, post, {}, true)).toBe('may');
  });

  test.each([
    [undefined, 'rest_comment_invalid_post_id'],
    [{ ...post, status: 'draft' }, 'rest_comment_draft_post'],
    [{ ...post, status: 'trash' }, 'rest_comment_trash_post'],
    [{ ...post, commentStatus: 'closed' }, 'rest_comment_closed'],
  ])('posts that take none, not even from administrators (%#)', (on, wanted) => {
    expect(ask(administrator, on)).toBe(wanted);
    expect(ask(stranger, on)).toBe(wanted);
  });

  test('posts that the caller may not read', () => {
    expect(ask(subscriber, { ...post, status: 'private' })).toBe('rest_cannot_read_post');
    expect(ask(stranger, { ...post, password: 'secret' })).toBe('rest_cannot_read_post');
    expect(ask(stranger, { ...post, password: 'secret' }, { password: 'secret' })).toBe('may');
  });

  test('fields of moderators', () => {
    expect(ask(subscriber, post, { status: 'approved' })).toBe('rest_comment_invalid_status');
    expect(ask(subscriber, post, { author: 1 })).toBe('rest_comment_invalid_author');
    expect(ask(subscriber, post, { author: subscriber.id })).toBe('may');
    expect(ask(subscriber, post, { author_ip: '192.0.2.1' })).toBe('rest_comment_invalid_author_ip');
    expect(ask(editor, post, { status: 'hold', author: 1, author_ip: '192.0.2.1' })).toBe('may');
  });
});

describe('listing', () => {
  const ask = (who: Actor, args: Record<string, unknown>, posts: CommentedPost[] = []): string =>
    code(policy.refuseListComments({ actor: who, args, sent: new Set(), subject: { posts } }));

  test('filters that take the right to edit posts', () => {
    const args = {
      status: 'hold',
      type: 'pings',
      author: [1],
      author_exclude: [2],
      author_email: 'a@b.test',
    };
    const denial = policy.refuseListComments({
      actor: subscriber,
      args,
      sent: new Set(),
      subject: { posts: [] },
    });
    expect(denial).toMatchObject({
      code: 'rest_forbidden_param',
      data: { params: ['author', 'author_exclude', 'author_email', 'type', 'status'] },
    });
    expect(ask(contributor, args)).toBe('may');
    expect(ask(stranger, { status: 'approve', type: 'comment', author: [] })).toBe('may');
  });

  test('posts and the edit context', () => {
    expect(ask(stranger, { post: [5] }, [{ ...post, status: 'draft' }])).toBe('rest_cannot_read_post');
    expect(ask(stranger, { post: [0] })).toBe('rest_cannot_read');
    expect(ask(editor, { post: [0] })).toBe('may');
    const locked = { ...post, password: 'secret' };
    expect(ask(stranger, { post: [5], password: 'secret' }, [locked])).toBe('may');
    expect(ask(stranger, { post: [5, 6], password: 'secret' }, [locked])).toBe('rest_cannot_read_post');
    expect(ask(author, { context: 'edit' })).toBe('rest_forbidden_context');
    expect(ask(editor, { context: 'edit' })).toBe('may');
  });
});
