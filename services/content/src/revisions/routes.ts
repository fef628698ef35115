/** Revisions of posts and of pages: read and deleted, never written. */
import { inPieces } from '@sevenfold/chassis/db/pieces';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { type AnyRoute, type Resource, goingOn, paged, reply, route } from '@sevenfold/chassis/http/route';
import type { ContentCall, Deps } from '../deps';
import { apiError, errors as common } from '../errors';
import * as postStore from '../posts/store';
import { type PostType, postTypes } from '../posts/types';
import * as policy from './policy';
import { presentRevision } from './presenter';
import { deleteArgs, listArgs, readArgs, schema } from './schema';
import * as store from './store';
import type { Parent, RevisionRow } from './store';

const errors = {
  invalidParent: () => apiError('rest_post_invalid_parent', 404, 'There is no post or page with this id.'),
  invalidId: () => apiError('rest_post_invalid_id', 404, 'There is no such revision.'),
};

// A list without per_page answers everything, within reason: what there is beyond is on further pages of so many.
const MOST = 1000;

type ParentCall = ContentCall<{ parent?: number }, undefined>;

const loadParent =
  (type: PostType) =>
  ({ deps, args }: ParentCall): Promise<Parent> =>
    store.findParent(deps.db, args.parent ?? 0).then((row) => {
      if (!row || row.type !== type.name) throw errors.invalidParent();
      return row;
    });

/** Of this parent and no other, or it is not there. */
async function findRevision({
  deps,
  args,
  subject,
  context,
}: ContentCall<{ id?: number }, Parent>): Promise<RevisionRow> {
  const row = await store.findById(deps.db, context, args.id ?? 0);
  if (row?.parent !== subject.id) throw errors.invalidId();
  return row;
}

const routesOf = (type: PostType): AnyRoute<Deps>[] => {
  const listPath = `/${type.restBase}/(?P<parent>[\\d]+)/revisions`;
  const itemPath = `${listPath}/(?P<id>[\\d]+)`;
  const shown = { schema, present: presentRevision };
  return [
    route<Deps, typeof listArgs, Parent, RevisionRow>({
      methods: ['GET'],
      path: listPath,
      summary: `List the revisions of a ${type.name}, newest first`,
      description: `What the texts of a ${type.name} were, newest first; all of them unless \`per_page\` says how many. Of more than 1,000 so many are on a page.`,
      args: listArgs,
      ...shown,
      load: loadParent(type),
      permission: ({ actor, subject }) => policy.refuseRead(actor, subject),
      handle: ({ deps, args, subject, context, root, request }) => {
        const { page, per_page: perPage = MOST } = args;
        const address = `${root}/core/v2${request.path}`;
        const paging = { address, total: subject.revisionCount, page, perPage };
        return store.list(deps.db, context, subject, perPage, (page - 1) * perPage).then(({ rows, late }) => {
          const made = paged(reply.list(rows), paging);
          if (late.length === 0) return made;
          return goingOn(
            made,
            inPieces(late, (ids) => store.findMany(deps.db, context, ids)),
          );
        });
      },
    }),
    route<Deps, typeof readArgs, Parent, RevisionRow>({
      methods: ['GET'],
      path: itemPath,
      summary: `Read a revision of a ${type.name}`,
      description: `The texts of a ${type.name} as they were at one time.`,
      args: readArgs,
      ...shown,
      load: loadParent(type),
      permission: ({ actor, subject }) => policy.refuseRead(actor, subject),
      handle: async (call) => reply.item(await findRevision(call)),
    }),
    route<Deps, typeof deleteArgs, Parent, RevisionRow>({
      methods: ['DELETE'],
      path: itemPath,
      summary: `Delete a revision of a ${type.name} for good`,
      description: `Deletes one revision; the ${type.name} stays as it is. There is no trash, so it takes \`force\`.`,
      args: deleteArgs,
      ...shown,
      // What is gone is told as readers saw it.
      context: 'view',
      load: loadParent(type),
      permission: ({ actor, subject }) => policy.refuseDelete(actor, subject),
      handle: async (call) => {
        const row = await findRevision(call);
        if (!call.args.force) throw common.trashNotSupported('revision');
        await call.deps.db.transaction(async (tx) => {
          // What was loaded may be somebody else's by now.
          const parent = await postStore.lockById(tx, row.parent);
          if (!parent) throw errors.invalidParent();
          throwDenial(policy.refuseDelete(call.actor, parent), call.actor);
          if ((await store.remove(tx, row.id)) === 0) throw errors.invalidId();
        });
        return reply.deleted(row);
      },
    }),
  ];
};

export const revisions: Resource<Deps> = {
  name: 'revisions',
  description: 'Posts and pages as they were.',
  routes: [...routesOf(postTypes.post), ...routesOf(postTypes.page)],
};
