/** Posts and pages: the same five routes for both, from the table at the end. */
import type { Actor } from '@sevenfold/chassis/actor';
import { relationHeader } from '@sevenfold/chassis/db/search';
import { contextArg, forceArg, idArg, refusedIdArg } from '@sevenfold/chassis/http/common-args';
import type { ItemSchema } from '@sevenfold/chassis/http/present';
import {
  type AnyRoute,
  type Denial,
  type Resource,
  WRITE,
  reply,
  route,
} from '@sevenfold/chassis/http/route';
import type { ContentCall, Deps } from '../deps';
import { deny, errors as common } from '../errors';
import { pageListArgs, pageWriteArgs, passwordArg, postListArgs, postWriteArgs, updateArgsOf } from './args';
import { errors } from './errors';
import { withGeneratedSlug } from './generated-slugs';
import { postLink } from './links';
import { checkOrder, faultOfStatuses, prepareList } from './list';
import { canEditPost, canReadPost, may, opens, refuseCreate, refuseDelete, refuseUpdate } from './policy';
import { presentPost } from './presenter';
import { forEditors, readyPosts } from './ready';
import { removePost, trashPost } from './remove';
import { listPosts } from './run-list';
import { pageSchema, postSchema } from './schema';
import { showsPosts } from './shows';
import * as store from './store';
import type { FullPostRow, PostRow } from './store';
import { type PostType, postTypes } from './types';
import { createPost, updatePost } from './write';

interface TypeRoutes {
  readonly type: PostType;
  readonly schema: ItemSchema;
  readonly listArgs: typeof postListArgs | typeof pageListArgs;
  readonly writeArgs: typeof postWriteArgs | typeof pageWriteArgs;
}

type ItemCall = ContentCall<{ id?: number }, undefined>;

/** The row that the path names, of this type and nothing else; with all columns where an editor needs them. */
const loadPost =
  (type: PostType, full: (call: ItemCall) => boolean) =>
  async (call: ItemCall): Promise<PostRow> => {
    const id = call.args.id ?? 0;
    const row = await (full(call) ? store.findFullById : store.findById)(call.deps.db, id);
    if (!row || row.type !== type.name) throw errors.notFound();
    return row;
  };

const routesOf = ({ type, schema: itemSchema, listArgs, writeArgs }: TypeRoutes): AnyRoute<Deps>[] => {
  const { name, plural, restBase } = type;
  const itemPath = `/${restBase}/(?P<id>[\\d]+)`;
  const shown = { schema: itemSchema, present: presentPost, shows: showsPosts(name) };
  return [
    route({
      methods: ['GET'],
      path: `/${restBase}`,
      summary: `List ${plural}`,
      description: `A page of the ${plural} that the caller may read, chosen and ordered by the arguments; by the newest date first unless \`orderby\` says otherwise. \`status\` chooses others than published ones, for those who may see them.`,
      // Which statuses may be asked for depends on the caller, and a bad argument is told before a missing right.
      args: { ...listArgs, status: { ...listArgs.status, check: faultOfStatuses(name) } },
      ...shown,
      ready: readyPosts(name),
      permission: ({ actor, args }) =>
        args.context === 'edit' && !may(actor, name, 'edit')
          ? deny('rest_forbidden_context', `You are not allowed to edit ${plural}.`)
          : undefined,
      handle: async (call, columns) => {
        const { args: query } = call;
        checkOrder(query);
        const { timezone } = await call.deps.settings.get();
        const list = prepareList(call.actor, name, query, { timezone, context: call.context });
        const { rows, total, more } = await listPosts<PostRow>(
          call.deps,
          call.actor,
          { columns },
          list,
          query,
        );
        const shown = call.context === 'edit' ? await forEditors(call.deps, rows as FullPostRow[]) : rows;
        return reply.list(shown, total, relationHeader(more));
      },
    }),
    route({
      methods: ['POST'],
      path: `/${restBase}`,
      summary: `Create a ${name}`,
      description: `Creates a ${name}, a draft unless \`status\` says otherwise. Texts are taken as a string or as \`{raw}\`; their HTML is cleaned for users without the right \`unfiltered_html\`. A slug that is taken gets a number.`,
      args: { ...writeArgs, id: refusedIdArg },
      ...shown,
      check: ({ sent }) => {
        if (sent.has('id')) throw errors.exists();
      },
      permission: ({ actor, args }) => refuseCreate(actor, type, args),
      handle: async ({ deps, actor, args }) => {
        const row = await createPost(deps, actor, type, args);
        return reply.created(
          await withGeneratedSlug(deps.db, row),
          `${deps.root}/core/v2/${restBase}/${row.id}`,
        );
      },
    }),
    route({
      methods: ['GET'],
      path: itemPath,
      summary: `Read a ${name}`,
      description: `Answers a ${name}. What a password protects has empty texts without it.`,
      args: { id: idArg(name), context: contextArg, password: passwordArg },
      ...shown,
      load: async (call) => {
        const post = await loadPost(type, ({ context }) => context === 'edit')(call);
        call.deps.guesses.admit(call, post);
        return post;
      },
      permission: ({ actor, subject, args }) => refuseRead(actor, subject, args),
      handle: async ({ subject, deps, context }) =>
        reply.item(context === 'edit' ? await withGeneratedSlug(deps.db, subject as FullPostRow) : subject, {
          Link: `<${postLink(deps.siteUrl, subject)}>; rel="alternate"; type=text/html`,
        }),
    }),
    route({
      methods: WRITE,
      path: itemPath,
      summary: `Update a ${name}`,
      description: `Changes fields of a ${name} and keeps what its texts were as a revision. A trashed one comes back by \`status\`.`,
      args: { id: idArg(name), ...writeArgs, ...updateArgsOf('trash') },
      ...shown,
      load: loadPost(type, () => false),
      permission: ({ actor, subject, args }) =>
        subject ? refuseUpdate(actor, type, subject, args) : refuseCreate(actor, type, {}),
      handle: async ({ deps, actor, args, subject }) =>
        reply.item(await withGeneratedSlug(deps.db, await updatePost(deps, actor, type, subject.id, args))),
    }),
    route({
      methods: ['DELETE'],
      path: itemPath,
      summary: `Move a ${name} to the trash, or delete it for good`,
      description: `Moves a ${name} to the trash; with \`force\` it is deleted for good, with its revisions, and the answer says what it was. Once in the trash, it is 410 without \`force\`.`,
      args: { id: idArg(name), force: forceArg },
      ...shown,
      load: loadPost(type, () => false),
      permission: ({ actor, subject }) =>
        subject ? refuseDelete(actor, subject) : refuseAnyDelete(actor, type),
      handle: async (call) => {
        const { deps, actor, subject } = call;
        const shown = (row: FullPostRow): Promise<PostRow> => withGeneratedSlug(deps.db, row);
        if (call.args.force)
          return reply.deleted(await shown(await removePost(deps, actor, type, subject.id)));
        if (!deps.config.TRASH_ENABLED) throw common.trashNotSupported(name);
        return reply.item(await shown(await trashPost(deps, actor, type, subject.id)));
      },
    }),
  ];
};

const refuseAnyDelete = (actor: Actor, type: PostType): Denial | undefined =>
  may(actor, type.name, 'delete')
    ? undefined
    : deny('rest_cannot_delete', `You are not allowed to delete ${type.plural}.`);

function refuseRead(
  actor: Actor,
  post: PostRow | undefined,
  args: Readonly<Record<string, unknown>>,
): Denial | undefined {
  if (!post) return undefined;
  if (args.context === 'edit' && !canEditPost(actor, post))
    return deny('rest_forbidden_context', `You are not allowed to edit this ${post.type}.`);
  if (!canReadPost(actor, post))
    return deny('rest_forbidden', `You are not allowed to read this ${post.type}.`);
  if (typeof args.password === 'string' && args.password !== '' && !opens(post, args.password))
    return deny('rest_post_incorrect_password', 'The password is wrong.', 403);
  return undefined;
}

export const posts: Resource<Deps> = {
  name: 'posts',
  description: 'Articles, in the order of their dates.',
  routes: routesOf({
    type: postTypes.post,
    schema: postSchema,
    listArgs: postListArgs,
    writeArgs: postWriteArgs,
  }),
};

export const pages: Resource<Deps> = {
  name: 'pages',
  description: 'Pages, which stand in a tree.',
  routes: routesOf({
    type: postTypes.page,
    schema: pageSchema,
    listArgs: pageListArgs,
    writeArgs: pageWriteArgs,
  }),
};
