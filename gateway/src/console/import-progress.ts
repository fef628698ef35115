/**
 * How an import goes: for its sender, who shows the hash that it was given last, and for those who manage imports, who may also
 * follow it. Rights are judged here and again by the imports service, which knows the hash.
 */
import { isLoggedIn } from '@sevenfold/chassis/actor';
import type { ArgTable } from '@sevenfold/chassis/http/args';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import { refuseWithout } from '@sevenfold/chassis/http/refuse';
import { type Call, type Reply, anyone, reply, route } from '@sevenfold/chassis/http/route';
import { joined, untilAny } from '@sevenfold/chassis/joined-signals';
import type { Counts, Import, Progress } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { shownImport } from '@sevenfold/proto/shown/import';
import { begun } from './begun';
import type { ConsoleDeps } from './deps';
import { presentBatch, presentFault } from './import-items';
import { progressShape } from './import-shapes';

export const refuseManaging = refuseWithout(
  'manage_imports',
  'You may not manage imports.',
  'Log in to manage imports.',
);

export const id = {
  import_id: { type: 'string', required: true, description: 'Name of the import.' },
} as const satisfies ArgTable;

export const ITEM = '/imports/(?P<import_id>\\w+)';
// Asking another service takes its time, and a batch that is put back to work is a write there.
export const DEADLINE_MS = 5_000;
/** Proxies cut connections that say nothing. */
const HEARTBEAT_MS = 15_000;
/** Browsers then follow anew by themselves, and whether they may is judged anew. */
const LONGEST_MS = 300_000;
const LONGEST_HASH = 255;

const args = {
  ...id,
  page: {
    type: 'integer',
    default: 1,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Page of the batches and of the faults, in the order in which they came.',
  },
  per_page: { type: 'integer', default: 20, minimum: 1, maximum: 100, description: 'Of each on a page.' },
  batch: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'Only faults of the batch of this number; 0 for all.',
  },
} as const satisfies ArgTable;

type ProgressCall = Call<
  ConsoleDeps,
  { import_id: string; page: number; per_page: number; batch: number },
  undefined
>;

export const progress = route({
  methods: ['GET'],
  path: `${ITEM}/progress`,
  summary:
    'How an import goes, for its sender (X-Batch-Hash) or who manages imports; those may also follow it as server-sent events',
  description:
    'Counts by kind, and pages of batches and faults. As server-sent events (`Accept: text/event-stream`) the import is told as it is now and after each change, until it is finished, for five minutes at most: whoever goes on asks again.',
  answers: { body: progressShape, types: ['text/event-stream'], paged: false, refuses: [403] },
  args,
  permission: anyone,
  handle: (call: ProgressCall) => {
    const { 'x-batch-hash': hash = '', accept = '' } = call.request.headers;
    const batchHash = String(hash);
    if (batchHash === '' || isStream(accept)) throwDenial(refuseManaging(call), call.actor);
    return isStream(accept) ? follow(call) : tell(call, batchHash.slice(0, LONGEST_HASH + 1));
  },
});

const isStream = (accept: string): boolean => accept.toLowerCase().includes('text/event-stream');

async function tell({ deps, args, actor, request }: ProgressCall, batchHash: string): Promise<Reply<never>> {
  const asked = { page: args.page, perPage: args.per_page, batch: args.batch };
  const options = { actor, deadlineMs: DEADLINE_MS };
  const read = (): Promise<Progress> =>
    deps.imports.getProgress({ importId: args.import_id, batchHash, ...asked }, options);
  // A hash is a credential: whoever has no other may be wrong as often as anybody.
  const told = await (isLoggedIn(actor) ? read() : deps.attempts.run(request.address, read));
  // Who shares a cache with the sender has not its hash.
  return reply.plain(presentProgress(told, args), 200, { 'Cache-Control': 'private, no-store' });
}

async function follow(call: ProgressCall): Promise<Reply<never>> {
  const { deps, args, actor, request } = call;
  const options = { actor, requestId: request.id, signal: request.signal(), deadlineMs: DEADLINE_MS };
  // Unknown imports are refused before the stream begins.
  await deps.imports.getImport({ importId: args.import_id }, options);
  const events = untilAny([request.signal(), deps.stopping], (over) => serverSentEvents(call, over));
  return reply.stream(await begun(events), 'text/event-stream');
}

const NOTHING: Counts = { created: 0, updated: 0, skipped: 0, failed: 0 };

function presentProgress(
  told: Progress,
  { page, per_page }: { readonly page: number; readonly per_page: number },
): Record<string, unknown> {
  const { import: row, batches, faults, totalBatches, totalFaults } = told;
  const counts = (one: Counts = NOTHING): Counts => one;
  const { events: _events, images: _images, ...shown } = shownImport(row as Import);
  return {
    ...shown,
    counts: {
      events: counts(told.events),
      venues: counts(told.venues),
      organizers: counts(told.organizers),
      categories: counts(told.categories),
      tags: counts(told.tags),
      attachments: counts(told.attachments),
    },
    page,
    per_page,
    total_pages: Math.max(1, Math.ceil(Math.max(totalBatches, totalFaults) / per_page)),
    batches: { total: totalBatches, items: batches.map(presentBatch) },
    faults: { total: totalFaults, items: faults.map(presentFault) },
  };
}

/** Takes its place only now: whoever may not follow, or does not, needs none. */
async function* serverSentEvents(
  { deps, args, actor, request }: ProgressCall,
  over: AbortSignal,
): AsyncGenerator<string> {
  const leave = deps.follow();
  const end = joined([over]);
  const changes = deps.imports.streamProgress(
    { importId: args.import_id },
    {
      actor,
      requestId: request.id,
      signal: end.signal,
      deadlineMs: 2 * LONGEST_MS,
    },
  );
  const source = changes[Symbol.asyncIterator]();
  const until = Date.now() + LONGEST_MS;
  let next = source.next();
  try {
    while (!over.aborted && Date.now() < until) {
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
      yield `event: progress\ndata: ${JSON.stringify(shownImport(result.value))}\n\n`;
      next = source.next();
    }
  } catch (error) {
    // The end of the wait is then no fault, and the answer ends as it would by itself.
    if (!over.aborted) throw error;
  } finally {
    next.catch(() => undefined);
    // While it waits for a change it hears of nothing else.
    end.abort();
    end.leave();
    await source.return?.().catch(() => undefined);
    leave();
  }
}
