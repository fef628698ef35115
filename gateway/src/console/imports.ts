/** Imports for the people who run them: register, watch, mend. Rights are judged here and again by the imports service. */
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Call, type Resource, reply, route } from '@sevenfold/chassis/http/route';
import type { Import } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import type { ConsoleDeps } from './deps';

const refuseManaging = refuseWithout(
  'manage_imports',
  'You may not manage imports.',
  'Log in to manage imports.',
);

const id = {
  import_id: { type: 'string', required: true, description: 'Name of the import.' },
} as const satisfies ArgTable;

type ConsoleCall<A> = Call<ConsoleDeps, A, undefined>;

const ITEM = '/imports/(?P<import_id>\\w+)';
// Asking another service takes its time, and a batch that is put back to work is a write there.
const DEADLINE_MS = 5_000;
/** Proxies cut connections that say nothing. */
const HEARTBEAT_MS = 15_000;

export const imports: Resource<ConsoleDeps> = {
  name: 'imports',
  routes: [
    route({
      methods: ['GET'],
      path: '/imports',
      summary: 'List imports, the newest first',
      args: {
        page: { type: 'integer', default: 1, minimum: 1, description: 'Page to return.' },
        per_page: {
          type: 'integer',
          default: 20,
          minimum: 1,
          maximum: 100,
          description: 'Imports on a page.',
        },
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
        request,
      }: ConsoleCall<{ page: number; per_page: number; state?: string }>) => {
        const { imports: rows, total } = await deps.imports.listImports(
          { page: args.page, perPage: args.per_page, state: args.state ?? '' },
          { actor, requestId: request.id, deadlineMs: DEADLINE_MS },
        );
        return reply.list(rows, total);
      },
      present: presentImport,
    }),
    route({
      methods: ['POST'],
      path: '/imports',
      summary: 'Register an import; its first batch carries the hash of the answer',
      args: {
        origin: {
          type: 'string',
          default: 'ics',
          pattern: /^[\w-]{1,40}$/,
          description: 'Where the events come from: ics, gcal, url, csv, …',
        },
        status: { type: 'string', default: 'publish', description: 'Status of the events that are created.' },
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
      },
      permission: refuseManaging,
      handle: async ({
        deps,
        args,
        actor,
        request,
        root,
      }: ConsoleCall<{ origin: string; status: string; owner: number; import_id?: string }>) => {
        const made = await deps.imports.registerImport(
          {
            origin: args.origin,
            defaultStatus: args.status,
            owner: args.owner,
            importId: args.import_id ?? '',
          },
          { actor, requestId: request.id, deadlineMs: DEADLINE_MS },
        );
        const body = { import_id: made.importId, batch_hash: made.batchHash };
        return reply.plain(body, 201, { Location: `${root}/api/imports/${made.importId}` });
      },
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Read an import with its newest batches and faults',
      args: id,
      permission: refuseManaging,
      handle: async ({ deps, args, actor, request }: ConsoleCall<{ import_id: string }>) => {
        const {
          import: row,
          batches,
          faults,
        } = await deps.imports.getImport(
          { importId: args.import_id },
          { actor, requestId: request.id, deadlineMs: DEADLINE_MS },
        );
        return reply.plain({
          ...presentImport(row as Import),
          batches: batches.map(({ acceptedAt, appliedAt, ...batch }) => ({
            ...batch,
            accepted_at: acceptedAt,
            applied_at: orNull(appliedAt),
          })),
          faults,
        });
      },
    }),
    route({
      methods: ['GET'],
      path: `${ITEM}/progress`,
      summary: 'Follow an import: server-sent events, one for each change',
      args: id,
      permission: refuseManaging,
      handle: async ({ deps, args, actor, request }: ConsoleCall<{ import_id: string }>) => {
        const over = AbortSignal.any([request.signal, deps.stopping]);
        const options = { actor, requestId: request.id, signal: over };
        // Unknown imports are refused before the stream begins.
        await deps.imports.getImport({ importId: args.import_id }, { ...options, deadlineMs: DEADLINE_MS });
        const changes = deps.imports.streamProgress(
          { importId: args.import_id },
          { ...options, deadlineMs: 24 * 3_600_000 },
        );
        return reply.stream(serverSentEvents(changes, over), 'text/event-stream');
      },
    }),
    route({
      methods: ['POST'],
      path: `${ITEM}/retry`,
      summary: 'Put a failed batch back to work',
      args: {
        ...id,
        number: { type: 'integer', required: true, minimum: 1, description: 'Number of the batch.' },
      },
      permission: refuseManaging,
      handle: async ({ deps, args, actor, request }: ConsoleCall<{ import_id: string; number: number }>) =>
        reply.plain(
          presentImport(
            await deps.imports.retryBatch(
              { importId: args.import_id, number: args.number },
              { actor, requestId: request.id, deadlineMs: DEADLINE_MS },
            ),
          ),
        ),
    }),
    route({
      methods: ['POST'],
      path: `${ITEM}/resume`,
      summary: 'Take up a stalled or failed import again, under a new hash',
      args: id,
      permission: refuseManaging,
      handle: async ({ deps, args, actor, request }: ConsoleCall<{ import_id: string }>) => {
        const made = await deps.imports.resumeImport(
          { importId: args.import_id },
          { actor, requestId: request.id, deadlineMs: DEADLINE_MS },
        );
        return reply.plain({ import_id: made.importId, batch_hash: made.batchHash });
      },
    }),
  ],
};

async function* serverSentEvents(changes: AsyncIterable<Import>, over: AbortSignal): AsyncGenerator<string> {
  const source = changes[Symbol.asyncIterator]();
  let next = source.next();
  try {
    while (!over.aborted) {
      let timer: NodeJS.Timeout | undefined;
      const silence = new Promise<'silence'>((resolve) => {
        timer = setTimeout(() => resolve('silence'), HEARTBEAT_MS);
      });
      const result = await Promise.race([next, silence]).finally(() => clearTimeout(timer));
      if (result === 'silence') {
        yield ': still here\n\n';
        continue;
      }
      if (result.done) return;
      yield `event: progress\ndata: ${JSON.stringify(presentImport(result.value))}\n\n`;
      next = source.next();
    }
  } catch (error) {
    // The end of the wait is then no fault, and the answer ends as it would by itself.
    if (!over.aborted) throw error;
  } finally {
    next.catch(() => undefined);
    await source.return?.().catch(() => undefined);
  }
}

const orNull = (text: string): string | null => (text === '' ? null : text);

function presentImport(row: Import): Record<string, unknown> {
  return {
    import_id: row.importId,
    origin: row.origin,
    default_status: row.defaultStatus,
    owner: row.owner,
    state: row.state,
    percentage_complete: row.percentageComplete,
    data: { total: row.dataTotal, done: row.dataDone },
    batches_accepted: row.batchesAccepted,
    batches_applied: row.batchesApplied,
    batches_total: row.batchesTotal,
    failed_batch: row.failedBatch === 0 ? null : { number: row.failedBatch, reason: row.failedReason },
    events: {
      accepted: row.eventsAccepted,
      created: row.eventsCreated,
      updated: row.eventsUpdated,
      skipped: row.eventsSkipped,
    },
    images: { fetched: row.imagesFetched, failed: row.imagesFailed },
    message: row.message,
    message_slug: row.messageSlug,
    interval: row.interval,
    created_at: row.createdAt,
    heard_at: orNull(row.heardAt),
    applied_at: orNull(row.appliedAt),
    finished_at: orNull(row.finishedAt),
  };
}
