/** Pushes the events of files and addresses as an import service would, and tells what of them could not be read. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { type Registered, registerImport } from '@sevenfold/imports/commands';
import { isZone } from '@sevenfold/text/dates';
import { mustBeFile } from './local-files';
import { printNote, printTable, progressBar, workUnread } from './output';
import { type BatchBody, PATIENCE_MS, push, readBatches } from './push';
import { findSite, isAway, withImports } from './sites';
import type { Fault, Wanted } from './sources/found';
import { type SourceKind, batchesOf, isAddress, kindOf, readSource } from './sources/source';
import { waitForWork } from './wait-for-work';

export interface RegisterOptions {
  origin: string;
  status: string;
  owner: number;
  importId?: string;
  authority?: string;
}

interface PushOptions extends RegisterOptions, Pick<Wanted, 'from' | 'to' | 'timezone'> {
  url?: string;
  batchHash?: string;
  parallel: number;
  repeat: number;
  repeatOneIn: number;
  dropAnswerOneIn: number;
  interruptOneIn: number;
  wait?: boolean;
}

export const register = ({
  status,
  origin,
  owner,
  importId,
  authority,
}: RegisterOptions): Promise<Registered> =>
  withImports((deps) => {
    const { IMPORT_INTERVAL: interval } = deps.config;
    return registerImport(deps, { origin, owner, importId, authority, defaultStatus: status, interval });
  });

const PAUSE_MS = 1_000;

/** As `register`, while the site is stopped and started, too. */
async function registerLater(options: RegisterOptions): Promise<Registered> {
  const until = Date.now() + PATIENCE_MS;
  for (let isTold = false; ; isTold = true) {
    try {
      return await register(options);
    } catch (error) {
      if (!isAway(error) || Date.now() > until) throw error;
      if (!isTold) printNote(`waiting for the site: ${(error as Error).message}`);
      await sleep(PAUSE_MS);
    }
  }
}

export function dayOption(text: string): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text)
    throw new InvalidArgumentError('must be a day, such as 2027-01-31.');
  return text;
}

export function zoneOption(text: string): string {
  if (!isZone(text)) throw new InvalidArgumentError('must be a time zone, such as Europe/Berlin.');
  return text;
}

interface Job {
  readonly file: string;
  readonly kind?: SourceKind;
  readonly batches: readonly BatchBody[];
}

export async function pushFiles(files: string[], options: PushOptions, command: Command): Promise<void> {
  for (const file of files) if (!isAddress(file)) mustBeFile(file);
  if (
    options.batchHash !== undefined &&
    (options.importId === undefined || files.length !== 1 || options.repeat !== 1)
  )
    throw new Error('--batch-hash goes with --import-id and one file.');
  workUnread();
  const read: Job[] = [];
  for (const file of files) read.push(await jobOf(file, options));
  const jobs = Array.from({ length: options.repeat }, () =>
    read.filter(({ batches }) => batches.length > 0),
  ).flat();
  const isOriginGiven = command.getOptionValueSource('origin') !== 'default';
  const bar = progressBar(
    'pushing {bar} {value}/{total} batches {eta_formatted}',
    jobs.reduce((sum, job) => sum + job.batches.length, 0),
  );
  const url = options.url ?? findSite().url;
  let sent = 0;
  const results: Record<string, unknown>[] = [];
  /** Files of imports that are not at their end, by their names: whoever stops here goes on with these, or looks at them. */
  const begun = new Map<string, string>();
  const tellBegun = (): void => {
    for (const [importId, file] of begun) printNote(`${file}: import ${importId} is not at its end`);
  };
  process.once('exit', tellBegun);
  const pushOne = async (job: Job): Promise<void> => {
    // What a table holds is named by it: the same names elsewhere are others.
    const origin = !isOriginGiven && job.kind === 'csv' ? 'csv' : options.origin;
    // Where there never was a site, nobody waits for one.
    const registered = results.length + begun.size === 0 ? register : registerLater;
    const { importId, batchHash } =
      options.batchHash === undefined
        ? await registered({ ...options, origin })
        : { importId: options.importId as string, batchHash: options.batchHash };
    begun.set(importId, job.file);
    let before = 0;
    const done = await push({
      url,
      importId,
      batchHash,
      batches: job.batches,
      repeatOneIn: options.repeatOneIn,
      dropAnswerOneIn: options.dropAnswerOneIn,
      interruptOneIn: options.interruptOneIn,
      onProgress: (progress) => {
        sent += progress.sent - before;
        before = progress.sent;
        bar.update(sent);
      },
    });
    begun.delete(importId);
    results.push({
      file: job.file,
      import_id: importId,
      sent: done.sent,
      retries: done.retries,
      repeats: done.repeats,
      dropped: done.dropped,
    });
  };
  const unpushed: string[] = [];
  let fault: { readonly error: unknown } | undefined;
  /** Others that have begun go on to their end: where one fails, only none is begun any more. */
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      try {
        await pushOne(job);
      } catch (error) {
        fault ??= { error };
        unpushed.push(...[job, ...jobs.splice(0)].map(({ file }) => file));
      }
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: Math.max(1, options.parallel) }, work));
  bar.stop();
  if (results.length > 0 || !fault) {
    printTable(results);
    const took = `acknowledged in ${((performance.now() - started) / 1000).toFixed(1)} s`;
    console.log(options.wait ? took : `${took}; watch the work with: imports list`);
  }
  // Of a file alone its fault says that.
  if (read.length > 1) for (const file of unpushed) printNote(`${file}: not pushed, or not to its end`);
  process.off('exit', tellBegun);
  tellBegun();
  if (options.wait && results.length > 0) await tellOutcomes(results.map((row) => row.import_id as string));
  if (fault) throw fault.error;
}

async function tellOutcomes(importIds: readonly string[]): Promise<void> {
  const outcomes = await waitForWork(importIds);
  printTable(outcomes);
  if (outcomes.some(({ state }) => state === 'failed')) process.exitCode = 1;
}

/** Tells what of it is wrong, and goes on with the rest. */
async function jobOf(file: string, { from, to, timezone }: PushOptions): Promise<Job> {
  const kind = kindOf(file);
  if (kind === undefined) {
    if (from !== undefined || to !== undefined || timezone !== undefined)
      throw new Error('--from, --to and --timezone are for calendars and tables.');
    return { file, batches: await readBatches(file) };
  }
  const { events, faults, leftOut } = await readSource(file, kind, { from, to, timezone, now: new Date() });
  tell(`${file}: ${leftOut.length} left out`, leftOut);
  tell(`${file}: ${faults.length} could not be read`, faults);
  if (faults.length > 0) process.exitCode = 1;
  if (events.length === 0) printNote(`${file}: there is nothing to push`);
  return { file, kind, batches: batchesOf(events) };
}

function tell(heading: string, faults: readonly Fault[]): void {
  if (faults.length === 0) return;
  console.log(heading);
  printTable(
    [...faults]
      .sort((a, b) => a.line - b.line)
      .map(({ line, title, reason }) => ({ line, title: title.slice(0, 60), reason })),
  );
}
