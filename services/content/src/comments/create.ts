/**
 * A new comment. The rules are asked twice: before the spam filter, so that it is not bothered with what they refuse, and
 * inside the transaction, under locks, so that two requests at once cannot both pass. Between them, with nothing locked
 * and no transaction open, the filter is asked.
 */
import { type Actor, isLoggedIn } from '@sevenfold/chassis/actor';
import { emit, enqueue } from '@sevenfold/chassis/db/outbox';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { logFault } from '@sevenfold/chassis/outages';
import { cleanText } from '@sevenfold/text/text';
import type { ContentCall } from '../deps';
import { apiError, argumentError } from '../errors';
import { announced } from './actions';
import { type Opinion, decideStatus, place, wordsOf } from './approval';
import {
  type Author,
  authorById,
  checkLengths,
  contentOf,
  dateOf,
  noContent,
  now,
  ownWords,
  userAgent,
} from './fields';
import { keyOf, messageOf, opinionOf } from './filter';
import * as filterStore from './filter-store';
import { type Person, historyOf, lockPersons } from './history';
import { type Posts, isModerator, refuseCommenting } from './policy';
import { CHECK_JOB, QUEUE } from './queue';
import type { createArgs } from './schema';
import { applyStatusWord } from './status';
import * as store from './store';

type CreateCall = ContentCall<ArgsOf<typeof createArgs>, Posts>;

export async function create(call: CreateCall): Promise<store.CommentSubject> {
  const { args, deps } = call;
  refuseOtherKinds(args);
  const said = await readBody(call);
  const screened = await screen(call, said);
  return deps.db.transaction(async (tx) => {
    await lockPersons(tx, namesOf(said.values));
    const [post] = await store.lockPosts(tx, [args.post]);
    const placed = place(await judge(tx, call, said, post), screened.opinion);
    const { status, statusBefore } =
      (args.status !== undefined && applyStatusWord(placed, args.status)) || placed;
    const id = await store.insert(tx, {
      ...said.values,
      status,
      statusBefore,
      unchecked: placed.unchecked,
      ...(screened.id !== undefined && { id: screened.id }),
    });
    if (placed.unchecked !== '') await enqueue(tx, QUEUE, CHECK_JOB, { comment: id });
    if (screened.keepDays !== undefined) await filterStore.noteKeepDays(tx, screened.keepDays);
    const comment = (await store.findById(tx, id)) as store.CommentSubject;
    await emit(tx, 'content.comment.changed', announced(comment, ''));
    return comment;
  });
}

function refuseOtherKinds(args: CreateCall['args']): void {
  if (args.id)
    throw argumentError(
      'id',
      'rest_comment_exists',
      400,
      'A new comment must not have an id. Update the existing one instead.',
    );
  if (args.type !== undefined && args.type !== 'comment')
    throw argumentError(
      'type',
      'rest_invalid_comment_type',
      400,
      'A comment of this kind cannot be created. Send type comment or none.',
    );
}

/** What is to be stored, but for what is decided about it. */
interface Said {
  /** Whether it speaks for somebody who moderates. */
  readonly trusted: boolean;
  readonly values: Omit<store.CommentValues, 'status' | 'statusBefore'> & { readonly referrer: string };
}

const LONGEST_REFERRER = 1_000;

async function readBody(call: CreateCall): Promise<Said> {
  const { args, actor, deps, request } = call;
  const { isModerator: trusted, ...author } = await authorOfNew(call);
  const settings = await deps.settings.get();
  const content = contentOf(args.content, actor, settings) ?? noContent();
  const missing = [
    ...(author.authorName === '' ? ['author_name'] : []),
    ...(author.authorEmail === '' ? ['author_email'] : []),
  ];
  if (missing.length > 0)
    throw argumentError(
      missing,
      'rest_comment_author_data_required',
      400,
      'A comment needs author_name and author_email.',
    );
  checkLengths(args);
  const { timezone } = settings;
  const date = dateOf(args, timezone) ?? now(timezone);
  const values = {
    post: args.post,
    parent: args.parent,
    ...author,
    authorIp: args.author_ip ?? request.address,
    authorUserAgent: userAgent(args.author_user_agent ?? request.userAgent),
    referrer: cleanText(request.headers.referer ?? '').slice(0, LONGEST_REFERRER),
    dateLocal: date.local,
    dateGmt: date.utc.toISOString(),
    ...content,
  };
  return { trusted, values };
}

// ---- the rules -----------------------------------------------------------------------------------------------------

/** The status that the rules of the site give it. Throws where they refuse it. */
async function judge(
  db: Db,
  { args, actor, deps: { config } }: CreateCall,
  { trusted, values: said }: Said,
  post: store.CommentedPost | undefined,
): Promise<store.CommentStatus> {
  throwDenial(refuseCommenting(actor, post, args.password), actor);
  const history = await historyOf(db, said, said, config.COMMENT_FLOOD_SECONDS);
  if (history.duplicate)
    throw argumentError(
      'content',
      'comment_duplicate',
      409,
      'The same was said here before, by the same person.',
    );
  if (history.tooSoon && !isModerator(actor))
    throw apiError(
      'comment_flood',
      400,
      `One comment in ${config.COMMENT_FLOOD_SECONDS} seconds. Wait a little.`,
    );
  const isPostAuthor = said.author > 0 && said.author === post?.author;
  return decideStatus(
    { ...said, isTrusted: trusted || isPostAuthor, approvedBefore: history.approvedBefore },
    { disallowedWords: wordsOf(config.COMMENT_DISALLOWED_WORDS), hasTrash: config.TRASH_ENABLED },
  );
}

// ---- the spam filter -----------------------------------------------------------------------------------------------

interface Screened {
  readonly opinion: Opinion;
  /** Under which the filter knows it. */
  readonly id?: number;
  readonly keepDays?: number;
}

/** Moderators are not asked about; nor is what has a word in it that the site itself does not allow. */
async function screen(call: CreateCall, said: Said): Promise<Screened> {
  const { deps, actor, subject } = call;
  if (!deps.spamFilter || isModerator(actor)) return { opinion: 'unasked' };
  const [post] = subject.posts;
  const wanted = await judge(deps.db, call, said, post);
  if (wanted === 'trash' || wanted === 'spam') return { opinion: 'unasked' };
  const { language } = await deps.settings.get();
  const id = await filterStore.takeId(deps.db);
  const request = {
    key: keyOf(id),
    message: messageOf(said.values, { siteUrl: deps.siteUrl, language, post }),
  };
  const answer = await deps.spamFilter
    .check(request, { deadlineMs: deps.config.SPAMFILTER_DEADLINE_MS, repeatable: true })
    .then((told) => ({ ...told, opinion: opinionOf(told) }))
    .catch((error: unknown) => {
      logFault(call.log, error, { comment: id }, 'the spam filter could not judge a comment');
      return { opinion: 'unknown' as const, refuse: false, keepDays: undefined };
    });
  if (answer.refuse)
    throw apiError(
      'comment_spam',
      403,
      'The spam filter of the site takes this for spam. It was not stored.',
    );
  return { opinion: answer.opinion, id, keepDays: answer.keepDays };
}

// ---- the author ----------------------------------------------------------------------------------------------------

/** Whoever is logged in speaks for himself, also by another name or address; with both of them people are visitors. */
async function authorOfNew(call: CreateCall): Promise<Author> {
  const { args, actor } = call;
  const words = ownWords(args);
  if (args.author !== undefined) return { ...(await authorById(call.deps, args.author)), ...words };
  if (isLoggedIn(actor) && !(words.authorName && words.authorEmail))
    return { ...self(actor), ...given(words) };
  return { author: 0, authorName: '', authorEmail: '', authorUrl: '', ...words, isModerator: false };
}

/** What is sent empty is not said. */
const given = (words: Partial<Author>): Partial<Author> =>
  Object.fromEntries(Object.entries(words).filter(([, word]) => word !== ''));

const self = (actor: Actor): Author => ({
  author: actor.id,
  authorName: actor.name,
  authorEmail: actor.email,
  authorUrl: actor.url,
  isModerator: isModerator(actor),
});

const namesOf = (person: Person): string[] => [
  person.author > 0 ? `comment user ${person.author}` : `comment address ${person.authorIp}`,
  `comment mail ${person.authorEmail.toLowerCase()}`,
];
