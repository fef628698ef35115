/** The routes of comments (INTERFACE.md 4.8). */
import { relationHeader } from '@sevenfold/chassis/db/search';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { filterContext } from '@sevenfold/chassis/http/present';
import { type Resource, WRITE, reply, route } from '@sevenfold/chassis/http/route';
import type { Shows } from '@sevenfold/chassis/http/shows';
import { readMoment } from '@sevenfold/text/dates';
import { stripControl } from '@sevenfold/text/text';
import type { ContentCall, Deps } from '../deps';
import { ZONE } from '../posts/shows';
import * as actions from './actions';
import { create } from './create';
import { commentNotFound } from './embed';
import { type CommentFilter, list } from './list';
import * as policy from './policy';
import { commentUrl, presentComment } from './presenter';
import { commentSchema, createArgs, deleteArgs, listArgs, readArgs, updateArgs } from './schema';
import { statusesOf } from './status';
import * as store from './store';

const COLLECTION = '/comments';
const ITEM = '/comments/(?P<id>[\\d]+)';

const present = (
  row: store.CommentRow,
  { deps, root }: Pick<ContentCall, 'deps' | 'root'>,
): Record<string, unknown> => presentComment(row, { siteUrl: deps.siteUrl, root });

/** What tells of a person where reading it takes the right to moderate: a write tells it to nobody else, either. */
const PERSONAL: readonly string[] = ['author_email', 'author_ip', 'author_user_agent'];
const presentWritten = (
  row: store.CommentRow,
  call: Pick<ContentCall, 'deps' | 'root' | 'actor'>,
): Record<string, unknown> => {
  const item = present(row, call);
  if (policy.isModerator(call.actor)) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !PERSONAL.includes(name)));
};

type PostsCall = ContentCall<{ readonly post: number | readonly number[]; readonly password?: unknown }>;

async function loadPosts(call: PostsCall): Promise<policy.Posts> {
  const { args, deps } = call;
  const ids = [args.post].flat().filter((id) => id > 0);
  const posts = ids.length === 0 ? [] : await store.findPosts(deps.db, ids);
  // It is tried where one post is asked for.
  if (ids.length === 1) for (const post of posts) deps.guesses.admit(call, post);
  return { posts };
}

type CommentCall = ContentCall<{ readonly id?: number; readonly password?: unknown }>;

async function loadComment(call: CommentCall): Promise<store.CommentSubject> {
  const { args, deps } = call;
  const comment = await store.findById(deps.db, args.id as number);
  if (!comment) throw commentNotFound();
  if (comment.commentedPost) deps.guesses.admit(call, comment.commentedPost);
  return comment;
}

type ListCall = ContentCall<ArgsOf<typeof listArgs>, policy.Posts>;

async function filterOf({ args, deps, subject }: ListCall): Promise<CommentFilter> {
  const { timezone } = args.after || args.before ? await deps.settings.get() : { timezone: 'UTC' };
  const moment = (text: string | undefined): string | undefined =>
    text ? readMoment(text, timezone)?.toISOString() : undefined;
  return {
    statuses: statusesOf(args.status),
    type: stripControl(args.type),
    search: stripControl(args.search ?? '').trim(),
    after: moment(args.after),
    before: moment(args.before),
    author: args.author ?? [],
    authorExclude: args.author_exclude ?? [],
    authorEmail: args.author_email ?? '',
    include: args.include,
    exclude: args.exclude,
    parent: args.parent,
    parentExclude: args.parent_exclude,
    post: args.post,
    readablePosts: subject.posts,
    orderBy: args.orderby,
    order: args.order,
    limit: args.per_page,
    offset: args.offset ?? (args.page - 1) * args.per_page,
    skippedBy: args.offset === undefined ? 'page' : 'offset',
  };
}

const shows: Shows<ContentCall> = {
  rows: 'comment',
  // Of some posts alone no comment of others is news.
  lists: ({ args }) => {
    const posts = [args.post ?? []].flat() as number[];
    return [
      ...(posts.length === 0 ? ['comment'] : posts.flatMap((id) => [`post:${id}`, `replies:${id}`])),
      ...(args.after || args.before ? [ZONE] : []),
    ];
  },
  // Its address is that of the post.
  also: ({ post }: store.CommentRow) => [`post:${post}`],
  never: ({ sent }) => sent.has('password'),
};

export const comments: Resource<Deps> = {
  name: 'comments',
  description: 'What readers say about posts.',
  routes: [
    route({
      methods: ['GET'],
      path: COLLECTION,
      summary: 'List comments',
      description:
        'A page of approved comments on posts that the caller may read, newest first; other statuses, kinds and authors are for those who write.',
      args: listArgs,
      schema: commentSchema,
      load: loadPosts,
      permission: policy.refuseListComments,
      shows,
      handle: async (call: ListCall) => {
        const filter = await filterOf(call);
        const { rows, total, more } = await list(call.deps, call.actor, filter);
        return reply.list(rows, total, relationHeader(more));
      },
      present,
    }),
    route({
      methods: ['POST'],
      path: COLLECTION,
      summary: 'Write a comment',
      description:
        'Writes a comment on the post that `post` names, as the user who is logged in or as the visitor that `author_name` and `author_email` tell, where the site lets visitors comment. It may wait for approval (`status` is `hold`), and what is spam goes where spam goes. The same text by the same author twice is 409.',
      args: createArgs,
      schema: commentSchema,
      load: loadPosts,
      permission: policy.refuseCreateComment,
      handle: async (call: ContentCall<ArgsOf<typeof createArgs>, policy.Posts>) => {
        const comment = await create(call);
        return reply.created(comment, commentUrl(call.root, comment.id));
      },
      // The address it came from and the like are for moderators, also when the writer asks.
      present: (row: store.CommentRow, call) => {
        const item = present(row, call);
        return policy.isModerator(call.actor) ? item : filterContext(item, commentSchema, 'view');
      },
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Read a comment',
      description:
        'Answers a comment; one that is not approved only to its author and to those who moderate.',
      args: readArgs,
      schema: commentSchema,
      load: loadComment,
      permission: policy.refuseReadComment,
      shows,
      handle: ({ subject }: ContentCall<object, store.CommentSubject>) => reply.item(subject),
      present,
    }),
    route({
      methods: WRITE,
      path: ITEM,
      summary: 'Change a comment',
      description:
        'Changes the text, the status, or whom it is by or about. `approved`, `hold`, `spam`, `unspam`, `trash` and `untrash` move it.',
      args: updateArgs,
      schema: commentSchema,
      load: loadComment,
      permission: policy.refuseUpdateComment,
      handle: async (call: ContentCall<ArgsOf<typeof updateArgs>, store.CommentSubject>) =>
        reply.item(await actions.update(call)),
      present: presentWritten,
    }),
    route({
      methods: ['DELETE'],
      path: ITEM,
      summary: 'Move a comment to the trash, or delete it for good',
      description:
        'Moves a comment to the trash; with `force` it is deleted for good, and the answer says what it was.',
      args: deleteArgs,
      schema: commentSchema,
      load: loadComment,
      permission: policy.refuseDeleteComment,
      handle: async (call: ContentCall<ArgsOf<typeof deleteArgs>, store.CommentSubject>) => {
        if (!call.args.force) return reply.item(await actions.trash(call));
        return reply.deleted(await actions.remove(call));
      },
      present: presentWritten,
    }),
  ],
};
