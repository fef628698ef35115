/** Application passwords: what programs log in with that keep no session. Whose they may be is judged by the content service. */
import type { Actor } from '@sevenfold/chassis/actor';
import type { CallOptions } from '@sevenfold/chassis/grpc/dial';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { refuseStrangers } from '@sevenfold/chassis/http/refuse';
import { type Call, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import { constant, described, listOf, object, text } from '@sevenfold/chassis/http/shapes';
import type { ApplicationPassword } from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import type { ConsoleDeps } from './deps';

type ConsoleCall<A> = Call<ConsoleDeps, A & { user: number }, undefined>;

// A new one is hashed, which waits for its turn.
const DEADLINE_MS = 10_000;

const fields = {
  id: described('Name of the application password, with which it is revoked.', text),
  name: described('What it is for.', text),
  created: described('When it was made, ISO 8601 in UTC.', text),
  last_used: described(
    'When it was used last, to the minute, ISO 8601 in UTC; empty where it never was.',
    text,
  ),
  last_address: described('Address from which that was.', text),
};
const withSecret = object({
  ...fields,
  password: described('The secret, in groups of four characters. It is told this once.', text),
});

const whose = {
  user: {
    type: 'integer',
    default: 0,
    minimum: 0,
    description: 'Number of the user whose they are; the caller when 0. Others take the right `edit_users`.',
  },
} as const satisfies ArgTable;

const COLLECTION = '/application-passwords';

const permission = refuseStrangers('Log in to see your application passwords.');

const asked = (actor: Actor): CallOptions => ({ actor, deadlineMs: DEADLINE_MS });

export const applicationPasswords: Resource<ConsoleDeps> = {
  name: 'application-passwords',
  description: 'What programs log in with in place of their users.',
  routes: [
    route({
      methods: ['GET'],
      path: COLLECTION,
      summary: 'List application passwords that work, the newest first',
      description:
        'What each is for, and when and from where it was used last. The secrets themselves are not kept.',
      answers: { body: listOf(object(fields)), refuses: [403, 404] },
      args: whose,
      permission,
      handle: async ({ deps, args, actor }: ConsoleCall<object>) => {
        const rows = await deps.identity.listApplicationPasswords({ userId: args.user }, asked(actor));
        return reply.plain(rows.applicationPasswords.map(shown));
      },
    }),
    route({
      methods: ['POST'],
      path: COLLECTION,
      summary: 'Make an application password; its secret is told this once',
      description:
        'It opens the whole interface with the rights of its user, as `Authorization: Basic …` with the user name, until it is revoked.',
      answers: { body: withSecret, status: 201, refuses: [404] },
      args: {
        ...whose,
        name: {
          type: 'string',
          required: true,
          minLength: 1,
          maxLength: 100,
          description: 'What it is for: the program that uses it.',
        },
      },
      permission,
      handle: async ({ deps, args, actor, root }: ConsoleCall<{ name: string }>) => {
        const { applicationPassword, secret } = await deps.identity.createApplicationPassword(
          { userId: args.user, name: args.name },
          asked(actor),
        );
        const made = applicationPassword as ApplicationPassword;
        const Location = `${root}/api${COLLECTION}/${made.id}`;
        return reply.plain({ ...shown(made), password: secret }, 201, {
          Location,
          'Cache-Control': 'no-store',
        });
      },
    }),
    route({
      methods: ['DELETE'],
      path: `${COLLECTION}/(?P<id>[0-9a-f-]{36})`,
      summary: 'Revoke an application password: within a second it opens nothing any more',
      description:
        'What it answers is the application password as it was. Sessions that were begun with it end with it.',
      answers: {
        body: object({
          deleted: described('It opens nothing any more.', constant(true)),
          previous: described('What it was.', object(fields)),
        }),
      },
      args: {
        ...whose,
        id: { type: 'string', required: true, description: 'Name of the application password.' },
      },
      permission,
      handle: async ({ deps, args, actor }: ConsoleCall<{ id: string }>) => {
        const of = { userId: args.user };
        const rows = await deps.identity.listApplicationPasswords(of, asked(actor));
        const was = rows.applicationPasswords.find(({ id }) => id === args.id);
        // Throws where there is none.
        await deps.identity.revokeApplicationPassword({ ...of, id: args.id }, asked(actor));
        return reply.plain({ deleted: true, previous: was && shown(was) });
      },
    }),
  ],
};

const shown = ({
  id,
  name,
  createdAt,
  lastUsedAt,
  lastAddress,
}: ApplicationPassword): { readonly id: string } & Record<string, unknown> => ({
  id,
  name,
  created: createdAt,
  last_used: lastUsedAt,
  last_address: lastAddress,
});
