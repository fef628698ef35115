/** What is chosen for single objects (OverrideService). Who may change an object, its owner says. */
import { type Access, admits } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import { deny } from '@sevenfold/chassis/errors';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { denied } from '@sevenfold/chassis/http/allow';
import { refuseStrangers } from '@sevenfold/chassis/http/refuse';
import {
  type OverrideServiceServer,
  OverrideServiceService,
} from '@sevenfold/proto/gen/sevenfold/seo/v1/overrides';
import { type ObjectType, isObjectType } from '../analysis/shape';
import type { Deps } from '../deps';
import { errors } from '../errors';
import type { Key } from '../indexables/build';
import { PATIENT } from '../sources/clients';
import { chosenFor, choose } from './actions';

type Owners = Deps['owners'];

const EDITORS: Readonly<Record<ObjectType, (owners: Owners, id: number) => Promise<Access | undefined>>> = {
  home: (_, id) =>
    Promise.resolve(
      id === 0 ? { public: false, readers: [{ user: 0, capabilities: ['manage_seo'] }] } : undefined,
    ),
  // Numbers that both gave away, as old sites may have them, mean what content has.
  post: async ({ posts, events }, id) => {
    const [post] = (await posts.getPosts({ ids: [id] }, PATIENT)).posts;
    return post ? post.editors : (await events.getEvents({ ids: [id] }, PATIENT)).objects[0]?.editors;
  },
  term: async ({ terms }, id) => (await terms.getTerms({ ids: [id] }, PATIENT)).terms[0]?.editors,
  user: async ({ identity }, id) => (await identity.getUsers({ ids: [id] }, PATIENT)).users[0]?.editors,
};

/** The key of an object that is there and that the actor may change. */
async function admitted(
  { owners }: Deps,
  { objectType, objectId }: { readonly objectType: string; readonly objectId: number },
  actor: Actor,
): Promise<Key> {
  if (!isObjectType(objectType)) throw errors.objectNotFound();
  const editors = await EDITORS[objectType](owners, objectId);
  if (!editors) throw errors.objectNotFound();
  if (!admits(editors, actor))
    throw denied(deny('rest_forbidden', 'This is for those who may change the object.'), actor);
  return { objectType, objectId };
}

const permission = refuseStrangers('Log in to choose what search engines are told.');

export const overrideService = (deps: Deps): RpcService =>
  rpcService<OverrideServiceServer>(OverrideServiceService, {
    getOverrides: {
      callers: ['gateway'],
      permission,
      handle: async (request, { actor }) => chosenFor(deps, await admitted(deps, request, actor)),
    },
    setOverrides: {
      callers: ['gateway'],
      permission,
      handle: async (request, { actor }) => {
        const key = await admitted(deps, request, actor);
        return choose(deps, key, request.changes ?? {}, request.cleared);
      },
    },
  });
