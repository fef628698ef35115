/** Imports for the people who run them: register, watch, mend. Rights are judged here and again by the imports service. */
import type { Actor } from '@sevenfold/chassis/actor';
import { invalidParam } from '@sevenfold/chassis/errors';
import { type Call, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import { listOf } from '@sevenfold/chassis/http/shapes';
import type { Import } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { shownImport } from '@sevenfold/proto/shown/import';
import type { ConsoleDeps } from './deps';
import { presentBatch, presentFault } from './import-items';
import { importDetails, importShape, registered } from './import-shapes';
import { DEADLINE_MS, ITEM, id, progress, refuseManaging } from './import-progress';
import { perPage } from './paging';

type ConsoleCall<A> = Call<ConsoleDeps, A, undefined>;

export const imports: Resource<ConsoleDeps> = {
  name: 'imports',
  description: 'Imports of events, as the people see them who run them.',
  routes: [
    route({
      methods: ['GET'],
      path: '/imports',
      summary: 'List imports, the newest first',
      description: 'Each with how far it is, and what became of its events.',
      answers: { body: listOf(importShape) },
      args: {
        page: { type: 'integer', default: 1, minimum: 1, maximum: 1_000_000, description: 'Page to return.' },
        per_page: perPage('Imports'),
        state: {
          type: 'string',
          enum: ['pending', 'success', 'failed', 'stalled'],
          description: 'Only imports in this state.',
        },
      },
      permission: refuseManaging,
      handle: async ({
        deps,
        args,
        actor,
      }: ConsoleCall<{ page: number; per_page: number; state?: string }>) => {
        const { imports: rows, total } = await deps.imports.listImports(
          { page: args.page, perPage: args.per_page, state: args.state ?? '' },
          { actor, deadlineMs: DEADLINE_MS },
        );
        return reply.list(rows, total);
      },
      present: shownImport,
    }),
    route({
      methods: ['POST'],
      path: '/imports',
      summary: 'Register an import; its first batch carries the hash of the answer',
      description:
        'It waits for its first batch, which is sent to the callback of the import with the hash that is answered here.',
      answers: { body: registered, status: 201 },
      args: {
        origin: {
          type: 'string',
          default: 'ics',
          pattern: /^[\w-]{1,40}$/,
          description: 'Where the events come from: ics, gcal, url, csv, …',
        },
        status: {
          type: 'string',
          default: 'publish',
          // The service says it of `default_status`, as senders of batches call it.
          enum: ['publish', 'draft', 'pending', 'private', 'calendar-ea-pending', 'calendar-ea-draft'],
          also: [''],
          description: 'Status of the events that are created.',
        },
        owner: {
          type: 'integer',
          default: 0,
          minimum: 0,
          description: 'Author of what is created; the caller when 0.',
        },
        import_id: {
          type: 'string',
          pattern: /^\w{1,100}$/,
          description: 'Name of the import; one is made when it is left out.',
        },
        authority: {
          type: 'string',
          default: 'overwrite',
          enum: ['overwrite', 'leave', 'fill'],
          description:
            'What becomes of fields that people changed: overwritten, left with the whole event, or filled only where they are empty.',
        },
      },
      permission: refuseManaging,
      handle: async ({
        deps,
        args,
        actor,
        root,
      }: ConsoleCall<{
        origin: string;
        status: string;
        owner: number;
        import_id?: string;
        authority: string;
      }>) => {
        await checkOwner(deps, args.owner, actor);
        const made = await deps.imports.registerImport(
          {
            origin: args.origin,
            defaultStatus: args.status,
            owner: args.owner,
            importId: args.import_id ?? '',
            authority: args.authority,
          },
          { actor, deadlineMs: DEADLINE_MS },
        );
        const body = { import_id: made.importId, batch_hash: made.batchHash };
        return reply.plain(body, 201, { Location: `${root}/api/imports/${made.importId}` });
      },
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Read an import with its newest batches and faults',
      description: 'Beside what lists show, the newest of what came with it, and of what could not be taken.',
      answers: { body: importDetails },
      args: id,
      permission: refuseManaging,
      handle: async ({ deps, args, actor }: ConsoleCall<{ import_id: string }>) => {
        const {
          import: row,
          batches,
          faults,
        } = await deps.imports.getImport({ importId: args.import_id }, { actor, deadlineMs: DEADLINE_MS });
        return reply.plain({
          ...shownImport(row as Import),
          batches: batches.map(presentBatch),
          faults: faults.map(presentFault),
        });
      },
    }),
    progress,
    route({
      methods: ['POST'],
      path: `${ITEM}/retry`,
      summary: 'Put a failed batch back to work',
      description: 'The batches behind it, which it held up, follow by themselves.',
      answers: { body: importShape },
      args: {
        ...id,
        number: {
          type: 'integer',
          required: true,
          minimum: 1,
          maximum: 2_147_483_647,
          description: 'Number of the batch.',
        },
      },
      permission: refuseManaging,
      handle: async ({ deps, args, actor }: ConsoleCall<{ import_id: string; number: number }>) =>
        reply.plain(
          shownImport(
            await deps.imports.retryBatch(
              { importId: args.import_id, number: args.number },
              { actor, deadlineMs: DEADLINE_MS },
            ),
          ),
        ),
    }),
    route({
      methods: ['POST'],
      path: `${ITEM}/resume`,
      summary:
        'Take up a stalled or failed import again; a failed one goes on under a new hash, a stalled one under its own',
      description:
        'What came before stays; the sender goes on with the hash that is answered here. Of a failed import it is a new one; a stalled import keeps the one that its sender has, which goes on to open it.',
      answers: { body: registered },
      args: id,
      permission: refuseManaging,
      handle: async ({ deps, args, actor }: ConsoleCall<{ import_id: string }>) => {
        const made = await deps.imports.resumeImport(
          { importId: args.import_id },
          { actor, deadlineMs: DEADLINE_MS },
        );
        return reply.plain({ import_id: made.importId, batch_hash: made.batchHash });
      },
    }),
  ],
};

/** What it creates has an author, as what is created by hand: the imports service knows no users. */
async function checkOwner({ identity }: ConsoleDeps, owner: number, actor: Actor): Promise<void> {
  if (owner === 0 || owner === actor.id) return;
  const { users } = await identity.getUsers({ ids: [owner] }, { actor, deadlineMs: DEADLINE_MS });
  if (users.length === 0)
    throw invalidParam('owner', `There is no user with the number ${owner}.`, 'rest_invalid_author');
}
