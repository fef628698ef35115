/**
 * Writing comments. Everything that depends on others (the post, the person's earlier comments, the comment as it is
 * now) is decided inside the transaction, under locks, so that two requests at once cannot both pass.
 */
import { type Actor, can, isLoggedIn } from '@sevenfold/chassis/actor';
import { emit } from '@sevenfold/chassis/db/outbox';
import { type ApiError, invalidParam } from '@sevenfold/chassis/errors';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { denied } from '@sevenfold/chassis/http/allow';
import { type DateTime, parseDateTime, toLocal } from '@sevenfold/text/dates';
import { addNofollow, sanitizeInline } from '@sevenfold/text/html';
import { renderCommentBody } from '@sevenfold/text/render';
import { cleanText, stripControl } from '@sevenfold/text/text';
import { cleanUrl } from '../common/clean-url';
import type { ContentCall } from '../deps';
import { apiError, type Code, errors } from '../errors';
import { capabilitiesOf } from '../users/roles';
import * as users from '../users/store';
import { decideStatus, wordsOf } from './approval';
import { commentNotFound } from './embed';
import { type Posts, refuseCommenting, refuseMoving, isModerator } from './policy';
import type { createArgs, updateArgs } from './schema';
import { applyStatusWord } from './status';
import * as store from './store';

type CreateCall = ContentCall<ArgsOf<typeof createArgs>, Posts>;
type UpdateCall = ContentCall<ArgsOf<typeof updateArgs>, store.CommentSubject>;
type Fields = CreateCall['args'] | UpdateCall['args'];

const refused = (code: Code, message: string, status = 400): ApiError => apiError(code, status, message);

/** Who a new comment, or a changed one, is by. */
interface Author {
  readonly author: number;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly authorUrl: string;
  readonly isModerator: boolean;
}

export async function create(call: CreateCall): Promise<store.CommentSubject> {
  const { args, actor, deps, request } = call;
  if (args.id)
    throw refused(
      'rest_comment_exists',
      'A new comment must not have an id. Update the existing one instead.',
    );
  if (args.type !== undefined && args.type !== 'comment')
    throw refused(
      'rest_invalid_comment_type',
      'A comment of this kind cannot be created. Send type comment or none.',
    );
  const { isModerator: trusted, ...author } = await authorOfNew(call);
  const { contentRaw, contentHtml } = contentOf(args.content, actor) ?? noContent();
  if (author.authorName === '' || author.authorEmail === '')
    throw refused('rest_comment_author_data_required', 'A comment needs author_name and author_email.');
  checkLengths(args);
  const { timezone } = await deps.settings.get();
  const date = dateOf(args, timezone) ?? now(timezone);
  const said = {
    post: args.post,
    parent: args.parent,
    ...author,
    authorIp: args.author_ip ?? request.address,
    authorUserAgent: userAgent(args.author_user_agent ?? request.userAgent),
    dateLocal: date.local,
    dateGmt: date.utc.toISOString(),
    contentRaw,
    contentHtml,
  };
  return deps.db.transaction(async (tx) => {
    await store.lockPersons(tx, namesOf(said));
    const [post] = await store.lockPosts(tx, [args.post]);
    const denial = refuseCommenting(actor, post, args.password);
    if (denial) throw denied(denial, actor);
    const history = await store.historyOf(tx, said, said, deps.config.COMMENT_FLOOD_SECONDS);
    if (history.duplicate)
      throw refused('comment_duplicate', 'The same was said here before, by the same person.', 409);
    if (history.tooSoon && !isModerator(actor))
      throw refused(
        'comment_flood',
        `One comment in ${deps.config.COMMENT_FLOOD_SECONDS} seconds. Wait a little.`,
      );
    const isPostAuthor = author.author > 0 && author.author === post?.author;
    const decided = {
      status: decideStatus(
        { ...said, isTrusted: trusted || isPostAuthor, approvedBefore: history.approvedBefore },
        {
          disallowedWords: wordsOf(deps.config.COMMENT_DISALLOWED_WORDS),
          hasTrash: deps.config.TRASH_ENABLED,
        },
      ),
      statusBefore: '',
    };
    const { status, statusBefore } =
      (args.status !== undefined && applyStatusWord(decided, args.status)) || decided;
    const id = await store.insert(tx, { ...said, status, statusBefore });
    await emit(tx, 'content.comment.changed', { id, post: args.post, status, before: '' });
    return (await store.findById(tx, id)) as store.CommentSubject;
  });
}

export async function update(call: UpdateCall): Promise<store.CommentSubject> {
  const { args, actor, deps, sent, subject } = call;
  if (args.type !== undefined && args.type !== subject.type)
    throw refused('rest_comment_invalid_type', 'The type of a comment cannot be changed.', 404);
  if (args.parent === subject.id) throw invalidParam('parent', 'A comment cannot answer itself.');
  const content = sent.has('content') ? (contentOf(args.content, actor) ?? noContent()) : {};
  checkLengths(args);
  const { timezone } = await deps.settings.get();
  const date = dateOf(args, timezone);
  const author =
    args.author !== undefined && args.author !== subject.author
      ? await authorById(call, args.author)
      : undefined;
  const changes: Partial<store.CommentValues> = {
    ...(author && {
      author: author.author,
      authorName: author.authorName,
      authorEmail: author.authorEmail,
      authorUrl: author.authorUrl,
    }),
    ...ownWords(args),
    ...(args.author_ip !== undefined && { authorIp: args.author_ip }),
    ...(args.author_user_agent !== undefined && { authorUserAgent: userAgent(args.author_user_agent) }),
    ...(date && { dateLocal: date.local, dateGmt: date.utc.toISOString() }),
    ...(args.parent !== undefined && { parent: args.parent }),
    ...content,
  };
  return deps.db.transaction(async (tx) => {
    const target = args.post ?? subject.post;
    const comment = await store.lockById(tx, subject.id, [subject.post, target]);
    if (!comment) throw commentNotFound();
    const moved = target === comment.post ? {} : await moveTo(call, tx, target);
    const state = (args.status !== undefined && applyStatusWord(comment, args.status)) || {};
    const all = { ...changes, ...moved, ...state };
    if (Object.keys(all).length === 0) return comment;
    await store.update(tx, comment.id, all);
    const changed = (await store.findById(tx, comment.id)) as store.CommentSubject;
    await emit(tx, 'content.comment.changed', announced(changed, comment.status));
    return changed;
  });
}

async function moveTo(
  call: UpdateCall,
  tx: Parameters<typeof store.findPosts>[0],
  target: number,
): Promise<{ post: number }> {
  const [post] = await store.findPosts(tx, [target]);
  if (!post)
    throw refused('rest_comment_invalid_post_id', 'There is no such post to move the comment to.', 403);
  const denial = refuseMoving(call.actor, post);
  if (denial) throw denied(denial, call.actor);
  return { post: target };
}

type DeleteCall = ContentCall<{ readonly force: boolean }, store.CommentSubject>;

export async function trash(call: DeleteCall): Promise<store.CommentSubject> {
  const { deps, subject } = call;
  if (!deps.config.TRASH_ENABLED) throw errors.trashNotSupported('comment');
  return deps.db.transaction(async (tx) => {
    const comment = await store.lockById(tx, subject.id, [subject.post]);
    if (!comment) throw commentNotFound();
    const state = applyStatusWord(comment, 'trash');
    if (!state) throw refused('rest_already_trashed', 'The comment is in the trash already.', 410);
    await store.update(tx, comment.id, state);
    await emit(tx, 'content.comment.changed', announced({ ...comment, ...state }, comment.status));
    return { ...comment, ...state };
  });
}

/** Answers the comment as it was. */
export async function remove(call: DeleteCall): Promise<store.CommentSubject> {
  const { deps, subject } = call;
  return deps.db.transaction(async (tx) => {
    const comment = await store.lockById(tx, subject.id, [subject.post]);
    if (!comment) throw commentNotFound();
    await store.remove(tx, comment);
    await emit(tx, 'content.comment.deleted', announced(comment, comment.status));
    return comment;
  });
}

const announced = ({ id, post, status }: store.CommentSubject, before: string): object => ({
  id,
  post,
  status,
  before,
});

// ---- the author --------------------------------------------------------------------------------------------------

/** Whoever is logged in and names nobody speaks for himself; with a name or an address of their own people are visitors. */
async function authorOfNew(call: CreateCall): Promise<Author> {
  const { args, actor } = call;
  const words = ownWords(args);
  if (args.author !== undefined) return { ...(await authorById(call, args.author)), ...words };
  if (isLoggedIn(actor) && !words.authorName && !words.authorEmail && !words.authorUrl) return self(actor);
  return { author: 0, authorName: '', authorEmail: '', authorUrl: '', ...words, isModerator: false };
}

const self = (actor: Actor): Author => ({
  author: actor.id,
  authorName: actor.name,
  authorEmail: actor.email,
  authorUrl: actor.url,
  isModerator: isModerator(actor),
});

async function authorById(call: CreateCall | UpdateCall, id: number): Promise<Author> {
  const user = id > 0 ? await users.findById(call.deps.db, id) : undefined;
  if (!user) throw refused('rest_comment_author_invalid', 'The author is no user of this site.');
  return {
    author: user.id,
    authorName: user.name,
    authorEmail: user.email,
    authorUrl: user.url,
    isModerator: capabilitiesOf(user.roles).has('moderate_comments'),
  };
}

function ownWords(args: Fields): Partial<Pick<Author, 'authorName' | 'authorEmail' | 'authorUrl'>> {
  return {
    ...(args.author_name !== undefined && { authorName: cleanText(args.author_name) }),
    ...(args.author_email !== undefined && { authorEmail: args.author_email }),
    ...(args.author_url !== undefined && { authorUrl: cleanUrl(args.author_url) }),
  };
}

const namesOf = (person: store.Person): string[] => [
  person.author > 0 ? `comment user ${person.author}` : `comment address ${person.authorIp}`,
  `comment mail ${person.authorEmail.toLowerCase()}`,
];

// ---- the fields --------------------------------------------------------------------------------------------------

const LONGEST_AGENT = 254;
const userAgent = (text: string): string => cleanText(text).slice(0, LONGEST_AGENT);

/** Undefined when nothing is said. Takes text or `{raw}`. */
function contentOf(value: unknown, actor: Actor): { contentRaw: string; contentHtml: string } | undefined {
  const given = typeof value === 'string' ? value : (value as { raw?: unknown } | undefined)?.raw;
  if (typeof given !== 'string') return undefined;
  const text = stripControl(given);
  if ([...text].length > LONGEST.content)
    throw refused('comment_content_column_length', `A comment has at most ${LONGEST.content} characters.`);
  const contentRaw = can(actor, 'unfiltered_html') ? text : addNofollow(sanitizeInline(text));
  if (contentRaw.trim() === '') return undefined;
  return { contentRaw, contentHtml: renderCommentBody(contentRaw) };
}

function noContent(): never {
  throw refused('rest_comment_content_invalid', 'A comment needs content: text that is not blank.');
}

const LONGEST = { content: 65525, author_name: 245, author_email: 100, author_url: 200 } as const;

function checkLengths(args: Fields): void {
  const tooLong = (name: 'author_name' | 'author_email' | 'author_url'): boolean =>
    [...(args[name] ?? '')].length > LONGEST[name];
  if (tooLong('author_name'))
    throw refused(
      'comment_author_column_length',
      `author_name has at most ${LONGEST.author_name} characters.`,
    );
  if (tooLong('author_email'))
    throw refused(
      'comment_author_email_column_length',
      `author_email has at most ${LONGEST.author_email} characters.`,
    );
  if (tooLong('author_url'))
    throw refused(
      'comment_author_url_column_length',
      `author_url has at most ${LONGEST.author_url} characters.`,
    );
}

/** `date` wins over `date_gmt`; undefined when neither is given. */
function dateOf(args: Fields, timezone: string): DateTime | undefined {
  if (args.date) return parseDateTime(args.date, timezone);
  const utc = args.date_gmt ? parseDateTime(args.date_gmt, 'UTC')?.utc : undefined;
  return utc && { local: toLocal(utc, timezone), utc };
}

function now(timezone: string): DateTime {
  const utc = new Date(Math.floor(Date.now() / 1000) * 1000);
  return { local: toLocal(utc, timezone), utc };
}
