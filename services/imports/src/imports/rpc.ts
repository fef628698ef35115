/** Imports for the console and other services (ImportsService). */
import { setTimeout as sleep } from 'node:timers/promises';
import { anyone } from '@sevenfold/chassis/http/route';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { untilAny } from '@sevenfold/chassis/joined-signals';
import {
  type Import,
  ImportsServiceService,
  type ImportsServiceServer,
} from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import * as faultStore from '../batches/faults';
import * as batches from '../batches/store';
import type { Deps } from '../deps';
import { errors } from '../errors';
import * as actions from './actions';
import { refuseManaging } from './policy';
import { present, toBatch } from './presenter';
import { readProgress } from './progress';
import * as store from './store';

const MOST_PER_PAGE = 100;
const MOST_BATCHES = 100;
const MOST_FAULTS = 100;
// People see no difference between ten and a hundred pictures of progress a second; the database does.
const CALM_MS = 200;
// Longest time without a look, should a notification be lost.
const LOOK_AGAIN_MS = 5_000;

export const importsRpc = (deps: Deps): RpcService =>
  rpcService<ImportsServiceServer>(ImportsServiceService, {
    registerImport: {
      callers: ['gateway'],
      permission: refuseManaging,
      handle: async ({ origin, defaultStatus, owner, importId, authority }, { actor }) => {
        return actions.register(deps.db, {
          importId,
          authority,
          origin,
          defaultStatus,
          owner: owner === 0 ? actor.id : owner,
          interval: deps.config.IMPORT_INTERVAL,
        });
      },
    },
    getImport: {
      callers: ['content', 'gateway'],
      permission: refuseManaging,
      handle: async ({ importId }) => {
        const row = await store.find(deps.db, importId);
        if (!row) throw errors.importNotFound();
        const [[shown], newest, faults] = await Promise.all([
          present(deps, [row]),
          batches.newest(deps.db, row.id, MOST_BATCHES),
          faultStore.newest(deps.db, row.id, MOST_FAULTS),
        ]);
        return { import: shown, batches: newest.map(toBatch), faults };
      },
    },
    listImports: {
      callers: ['gateway'],
      permission: refuseManaging,
      handle: async ({ page, perPage, state }) => {
        const query = {
          state,
          page: Math.max(1, page),
          perPage: perPage > 0 ? Math.min(perPage, MOST_PER_PAGE) : 20,
        };
        const [rows, total] = await Promise.all([store.list(deps.db, query), store.count(deps.db, state)]);
        return { imports: await present(deps, rows), total };
      },
    },
    retryBatch: {
      callers: ['gateway'],
      permission: refuseManaging,
      handle: async ({ importId, number }) => {
        const row = await actions.retryBatch(deps.db, importId, number);
        return (await present(deps, [row]))[0] as Import;
      },
    },
    resumeImport: {
      callers: ['gateway'],
      permission: refuseManaging,
      handle: async ({ importId }) => {
        return actions.resume(deps.db, importId);
      },
    },
    getProgress: {
      callers: ['gateway'],
      // The hash that a sender was given speaks for it, as it does for its batches.
      permission: anyone,
      handle: (request, { actor }) => readProgress(deps, request, actor),
    },
    streamProgress: {
      callers: ['gateway'],
      permission: refuseManaging,
      handle: async function* ({ importId }, { signal, stopping }) {
        const first = await store.find(deps.db, importId);
        if (!first) throw errors.importNotFound();
        yield* untilAny([signal, stopping], (over) => progressOf(deps, first.id, over));
      },
    },
  });

async function* progressOf(deps: Deps, id: number, over: AbortSignal): AsyncGenerator<Import> {
  let before = '';
  while (!over.aborted) {
    // Asked for before reading, so that no change slips through between the two.
    const changed = deps.watch.changed(id, LOOK_AGAIN_MS, over);
    const row = await store.findById(deps.db, id);
    if (!row) return;
    const [shown] = await present(deps, [row]);
    const text = JSON.stringify(shown);
    if (text !== before) yield shown as Import;
    before = text;
    if (isOver(row)) return;
    await Promise.all([changed, sleep(CALM_MS, undefined, { signal: over }).catch(() => undefined)]);
  }
}

const isOver = (row: store.ImportRow): boolean =>
  (row.state === 'success' || row.state === 'failed') && row.applied === row.accepted;
