/** What the command line does with imports, on the database itself; printing is the caller's business. */
import type { Database, Db } from '@sevenfold/chassis/db/sql';
import type { Import, Progress } from '@sevenfold/proto/gen/sevenfold/imports/v1/imports';
import { openActivities } from './batches/activity';
import * as faultStore from './batches/faults';
import * as batches from './batches/store';
import { errors } from './errors';
import * as actions from './imports/actions';
import { present } from './imports/presenter';
import { type Asked, progressOf as tell } from './imports/progress';
import * as store from './imports/store';

export type { Registered } from './imports/actions';

interface CommandDeps {
  readonly db: Database;
}

/** Throws the ApiError that the remote call would answer with, as all commands do. */
export const registerImport = (
  { db }: { readonly db: Db },
  wanted: actions.Registration,
): Promise<actions.Registered> => actions.register(db, wanted);

export async function listImports(
  deps: CommandDeps,
  { state = '', page = 1, perPage = 20 }: { state?: string; page?: number; perPage?: number } = {},
): Promise<{ imports: Import[]; total: number }> {
  const rows = await store.list(deps.db, { state, page, perPage });
  return { imports: await present(deps, rows), total: await store.count(deps.db, state) };
}

/** As far as it has come. */
export const readImport = async (deps: CommandDeps, importId: string): Promise<Import> =>
  told(deps, await found(deps, importId));

export async function showImport(
  deps: CommandDeps,
  importId: string,
): Promise<{ import: Import; batches: batches.BatchSummary[]; faults: faultStore.FaultRow[] }> {
  const row = await found(deps, importId);
  return {
    import: await told(deps, row),
    batches: await batches.newest(deps.db, row.id, 100),
    faults: await faultStore.newest(deps.db, row.id, 100),
  };
}

/** As its sender is told, a page at a time. */
export async function progressOf({ db }: CommandDeps, importId: string, asked: Asked): Promise<Progress> {
  return tell({ db, activities: openActivities() }, await found({ db }, importId), asked);
}

export async function retryBatch(deps: CommandDeps, importId: string, number: number): Promise<Import> {
  return told(deps, await actions.retryBatch(deps.db, importId, number));
}

export const resumeImport = (deps: CommandDeps, importId: string): Promise<actions.Registered> =>
  actions.resume(deps.db, importId);

export const renewHash = (deps: CommandDeps, importId: string): Promise<actions.Registered> =>
  actions.renewHash(deps.db, importId);

async function found({ db }: CommandDeps, importId: string): Promise<store.ImportRow> {
  const row = await store.find(db, importId);
  if (!row) throw errors.importNotFound();
  return row;
}

const told = async (deps: CommandDeps, row: store.ImportRow): Promise<Import> =>
  (await present(deps, [row]))[0] as Import;
