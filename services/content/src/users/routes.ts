/** The routes of users. `/users/me` and `/users/{id}` are the same rows with another way to find the user. */
import { readsOf } from '@sevenfold/chassis/db/lanes';
import { relationHeader } from '@sevenfold/chassis/db/search';
import type { ApiError } from '@sevenfold/chassis/errors';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import {
  type AnyRoute,
  type Reply,
  type Resource,
  WRITE,
  anyone,
  reply,
  route,
} from '@sevenfold/chassis/http/route';
import type { Shows } from '@sevenfold/chassis/http/shows';
import { slugify } from '@sevenfold/text/slug';
import { LONGEST_SEARCH } from '@sevenfold/text/search';
import { cleanText, shorten } from '@sevenfold/text/text';
import { can, isLoggedIn } from '@sevenfold/chassis/actor';
import type { ContentCall, Deps } from '../deps';
import { apiError, errors } from '../errors';
import * as actions from './actions';
import { brief } from '../common/description';
import { AUTHORS } from './embed';
import * as policy from './policy';
import { presentUser } from './presenter';
import * as schema from './schema';
import * as store from './store';

type ListCall = ContentCall<ArgsOf<typeof schema.listArgs>>;
type Loaded = ContentCall<Record<string, unknown>, store.UserRow>;

/** Whoever edits it gets the description whole. */
const present = (row: store.OwnRow, { deps, context }: Pick<Loaded, 'deps' | 'context'>): object =>
  presentUser(context === 'edit' ? row : { ...row, description: brief(row.description) }, deps);

const isLocale = (code: string): boolean => (schema.LOCALES as readonly string[]).includes(code);

/**
 * Users without a language of their own have that of the site, which may be one that users cannot choose: then none is
 * shown. Only the edit context shows it.
 */
async function withLocale<U extends store.OwnRow>(
  call: Pick<Loaded, 'deps' | 'context'>,
  rows: readonly U[],
): Promise<U[]> {
  if (call.context !== 'edit') return [...rows];
  const { language } = await call.deps.settings.get();
  if (!isLocale(language)) return [...rows];
  return rows.map((row) => (row.locale === '' ? { ...row, locale: language } : row));
}

const item = async <U extends store.OwnRow>(call: Pick<Loaded, 'deps' | 'context'>, row: U): Promise<U> =>
  (await withLocale(call, [row]))[0] as U;

async function list(call: ListCall): Promise<Reply<store.UserRow>> {
  const { args, actor } = call;
  const seesAll = can(actor, 'list_users');
  // Even the first page takes a look at every author for strangers.
  const { costly } = readsOf(call.deps, actor);
  const { rows, total, more } = await store.list(args.search ? call.deps.searches : costly, {
    search: args.search === undefined ? undefined : cleanText(shorten(args.search, LONGEST_SEARCH)),
    searchEmail: seesAll,
    include: some(args.include),
    exclude: some(args.exclude),
    slugs: some(args.slug?.map(slugify)),
    roles: some(args.roles),
    writersOnly: args.who === 'authors',
    // Who may write posts may choose among all who can, published or not.
    publishedOnly: !seesAll && args.who !== 'authors',
    orderBy: args.orderby,
    order: args.order,
    limit: args.per_page,
    offset: args.offset ?? (args.page - 1) * args.per_page,
    skippedBy: args.offset === undefined ? 'page' : 'offset',
  });
  return reply.list(await withLocale(call, rows), total, relationHeader(more));
}

const some = <T>(values: readonly T[] | undefined): readonly T[] | undefined =>
  values && values.length > 0 ? values : undefined;

async function loadById(call: ContentCall<{ readonly id?: number }>): Promise<store.UserRow> {
  const row = await store.findById(call.deps.db, call.args.id ?? 0);
  if (!row) throw actions.userNotFound();
  return row;
}

/** Whoever was deleted after the log-in is nobody. */
const orGone = <U>(row: U | undefined, gone: () => ApiError): U => {
  if (!row) throw gone();
  return row;
};

/** Strangers are for the permission to refuse. */
const loadMe = ({ deps, actor }: ContentCall): Promise<store.UserRow | undefined> =>
  isLoggedIn(actor)
    ? store.findById(deps.db, actor.id).then((row) => orGone(row, actions.userNotFound))
    : Promise.resolve(undefined);

const show = <U extends store.OwnRow>(
  call: ContentCall<Record<string, unknown>, U>,
): Reply<U> | Promise<Reply<U>> =>
  call.context === 'edit'
    ? item(call, call.subject).then((row) => reply.item(row))
    : reply.item(call.subject);

async function update(call: ContentCall<actions.UpdateArgs, store.UserRow>): Promise<Reply<store.UserRow>> {
  const args = await withoutShownLocale(call);
  const row = await actions.updateUser(call.deps, call.actor, call.subject, args);
  return reply.item(await item(call, row));
}

/** Clients send whole users back: the language of the site, as it was shown, is no choice of the user's. */
async function withoutShownLocale({
  deps,
  args,
  subject,
}: ContentCall<actions.UpdateArgs, store.UserRow>): Promise<actions.UpdateArgs> {
  if (!args.locale || subject.locale !== '') return args;
  const { language } = await deps.settings.get();
  return args.locale === language ? { ...args, locale: undefined } : args;
}

async function remove(
  call: ContentCall<ArgsOf<typeof schema.meDeleteArgs>, store.UserRow>,
): Promise<Reply<store.UserRow>> {
  const { force, reassign } = call.args;
  if (!force) throw errors.trashNotSupported('user');
  const user = call.subject;
  const previous = await item(call, user);
  await actions.deleteUser(
    call.deps,
    call.actor,
    user,
    schema.NOBODY.includes(reassign) ? undefined : (reassign as number),
  );
  return reply.deleted(previous);
}

const shows: Shows<ContentCall> = {
  rows: 'user',
  lists: () => ['user', AUTHORS],
  also: () => [AUTHORS],
};

const collection: AnyRoute<Deps>[] = [
  route({
    methods: ['GET'],
    path: '/users',
    summary: 'List users',
    description:
      'A page of users, by name. Strangers and those without the right `list_users` see who has published something.',
    args: schema.listArgs,
    schema: schema.userSchema,
    permission: policy.refuseListUsers,
    shows,
    handle: list,
    present,
  }),
  route({
    methods: ['POST'],
    path: '/users',
    summary: 'Create a user',
    description:
      'Creates a user, a subscriber unless `roles` says otherwise, which takes the right `promote_users`. A name or an e-mail address that is taken is 409.',
    args: schema.createArgs,
    schema: schema.userSchema,
    permission: policy.refuseCreateUser,
    handle: async (call: ContentCall<actions.CreateArgs>) => {
      const row = await actions.createUser(call.deps, call.args, call.actor.username);
      return reply.created(await item(call, row), `${call.root}/core/v2/users/${row.id}`);
    },
    present,
  }),
];

const PATH = '/users/(?P<id>[\\d]+)';
const byId: AnyRoute<Deps>[] = [
  route({
    methods: ['GET'],
    path: PATH,
    summary: 'Read a user',
    description:
      'Answers a user. One who has published nothing is seen by those with the right `list_users`, and by the user.',
    args: schema.itemArgs,
    schema: schema.userSchema,
    load: loadById,
    permission: policy.refuseViewUser,
    shows,
    handle: show,
    present,
  }),
  route({
    methods: WRITE,
    path: PATH,
    summary: 'Update a user',
    description:
      'Changes a user: everybody may change the own one; `roles` takes the right `promote_users`. A user name never changes.',
    args: schema.updateArgs,
    schema: schema.userSchema,
    load: loadById,
    permission: policy.refuseUpdateUser,
    handle: update,
    present,
  }),
  route({
    methods: ['DELETE'],
    path: PATH,
    summary: 'Delete a user',
    description:
      'Deletes a user for good, and gives what he wrote to `reassign`, or moves it to the trash where that is false; where that is much, it goes on after the answer. There is no trash for users, so it takes `force`.',
    args: schema.deleteArgs,
    schema: schema.userSchema,
    load: loadById,
    permission: policy.refuseDeleteUser,
    handle: remove,
    present,
  }),
];

const notLoggedIn = (): ApiError => apiError('rest_not_logged_in', 401, 'Nobody is logged in.');
const me: AnyRoute<Deps>[] = [
  route({
    methods: ['GET'],
    path: '/users/me',
    summary: 'Read the user who is logged in',
    description: 'Answers whoever the credentials belong to: a way to try them. Strangers are 401.',
    args: schema.meArgs,
    schema: schema.userSchema,
    // Everybody may ask, as `Allow` says; that there is nobody is told by what is loaded.
    load: ({ deps, actor }: ContentCall) =>
      isLoggedIn(actor)
        ? store.findOwn(deps.db, actor.id).then((row) => orGone(row, notLoggedIn))
        : Promise.reject(notLoggedIn()),
    permission: anyone,
    handle: show,
    present,
  }),
  route({
    methods: WRITE,
    path: '/users/me',
    summary: 'Update the user who is logged in',
    description: 'Changes the own user; `roles` takes the right `promote_users`.',
    args: schema.meUpdateArgs,
    schema: schema.userSchema,
    load: loadMe,
    permission: policy.refuseUpdateMe,
    handle: update,
    present,
  }),
  route({
    methods: ['DELETE'],
    path: '/users/me',
    summary: 'Delete the user who is logged in',
    description: 'Deletes the own user for good, as any other is deleted.',
    args: schema.meDeleteArgs,
    schema: schema.userSchema,
    load: loadMe,
    permission: policy.refuseDeleteMe,
    handle: remove,
    present,
  }),
];

export const users: Resource<Deps> = {
  name: 'users',
  description: 'Who writes here, and who looks after the site.',
  routes: [...collection, ...byId, ...me],
};
