/** Commands about imports: register, push batches as an import service would, watch and mend. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import {
  type Registered,
  listImports,
  progressOf,
  registerImport,
  resumeImport,
  retryBatch,
  showImport,
} from '@sevenfold/imports/commands';
import {
  type ListOptions,
  listing,
  printJson,
  printList,
  printNote,
  printTable,
  progressBar,
  wholeNumber,
} from './output';
import { type BatchBody, push, readBatches } from './push';
import { waitForWork } from './wait-for-work';
import { findSite, withImports } from './sites';

interface RegisterOptions {
  origin: string;
  status: string;
  owner: number;
  importId?: string;
  authority?: string;
}

interface PushOptions extends RegisterOptions {
  url?: string;
  batchHash?: string;
  parallel: number;
  repeat: number;
  repeatOneIn: number;
  dropAnswerOneIn: number;
  interruptOneIn: number;
  wait?: boolean;
}

export function addImportCommands(imports: Command): void {
  registration(
    imports.command('register').description('make an import that waits for its first batch; prints JSON'),
  ).action(async (options: RegisterOptions) => {
    const { importId, batchHash } = await register(options);
    printJson({ import_id: importId, batch_hash: batchHash });
  });

  registration(
    imports
      .command('push <file...>')
      .description(
        'push the batches of .jsonl or .jsonl.gz files, one import for each file, as an import service would',
      ),
  )
    .option('--url <url>', 'where the gateway answers; the site of DATA_DIR by default')
    .option(
      '--batch-hash <hash>',
      'go on with a registered import (with --import-id) instead of registering one',
    )
    .option(
      '--wait',
      'stay until the work on them is done, and tell what came of it; exit code 1 where one failed',
    )
    .option('--parallel <n>', 'imports at the same time', wholeNumber, 1)
    .option('--repeat <n>', 'push every file so many times', wholeNumber, 1)
    .option('--repeat-one-in <n>', 'for testing: send every n-th answered batch once more', wholeNumber, 0)
    .option(
      '--drop-answer-one-in <n>',
      'for testing: hang up before the answer of one in n requests',
      wholeNumber,
      0,
    )
    .option(
      '--interrupt-one-in <n>',
      'for testing: break off one in n requests in the middle',
      wholeNumber,
      0,
    )
    .action(pushFiles);

  listing(imports.command('list').description('list imports, the newest first'))
    .option('--state <state>', 'pending, success, failed or stalled')
    .action((options: ListOptions & { state?: string }) =>
      withImports(async (deps) => {
        const { imports: rows, total } = await listImports(deps, { state: options.state, perPage: 100 });
        printList(rows, options, (row) => ({
          import_id: row.importId,
          origin: row.origin,
          state: row.state,
          batches: `${row.batchesApplied}/${row.batchesAccepted}`,
          created: row.eventsCreated,
          updated: row.eventsUpdated,
          skipped: row.eventsSkipped,
          heard_at: row.heardAt,
        }));
        if (total > rows.length) printNote(`${total - rows.length} more, older ones`);
      }),
    );
  imports
    .command('show <import-id>')
    .description('show an import with its newest batches and faults, as JSON')
    .action((importId: string) => withImports(async (deps) => printJson(await showImport(deps, importId))));
  imports
    .command('progress <import-id>')
    .description(
      'how an import went, as its sender is told: counts by kind, batches and faults in pages, as JSON',
    )
    .option('--page <n>', 'page of the batches and faults', wholeNumber, 1)
    .option('--per-page <n>', 'of each on a page, 100 at most', wholeNumber, 20)
    .option('--batch <n>', 'only faults of this batch', wholeNumber, 0)
    .action((importId: string, asked: { page: number; perPage: number; batch: number }) =>
      withImports(async (deps) => printJson(await progressOf(deps, importId, asked))),
    );
  imports
    .command('retry <import-id> <batch>')
    .description('put a failed batch back to work')
    .action((importId: string, batch: string) =>
      withImports(async (deps) => printJson(await retryBatch(deps, importId, wholeNumber(batch)))),
    );
  imports
    .command('resume <import-id>')
    .description('take up a stalled or failed import again; prints the new hash')
    .action((importId: string) =>
      withImports(async (deps) => {
        const { importId: id, batchHash } = await resumeImport(deps, importId);
        printJson({ import_id: id, batch_hash: batchHash });
      }),
    );
}

const registration = (command: Command): Command =>
  command
    .option('--origin <name>', 'where the events come from: ics, gcal, url, csv, …', 'ics')
    .option('--status <status>', 'status of the events that are created', 'publish')
    .option('--owner <user>', 'number of the user who owns what is created', wholeNumber, 1)
    .option('--import-id <name>', 'name of the import; one is made when it is left out')
    .option(
      '--authority <word>',
      'what becomes of fields that people changed: overwrite them, leave such events, or fill only what is empty (default: overwrite)',
    );

const register = ({ status, ...wanted }: RegisterOptions): Promise<Registered> =>
  withImports((deps) => registerImport(deps, { ...wanted, defaultStatus: status }));

async function pushFiles(files: string[], options: PushOptions): Promise<void> {
  for (const file of files) if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  if (
    options.batchHash !== undefined &&
    (options.importId === undefined || files.length !== 1 || options.repeat !== 1)
  )
    throw new Error('--batch-hash goes with --import-id and one file.');
  const url = options.url ?? findSite().url;
  const jobs: { file: string; batches: BatchBody[] }[] = [];
  for (let round = 0; round < options.repeat; round++)
    for (const file of files) jobs.push({ file, batches: await readBatches(file) });
  const bar = progressBar(
    'pushing {bar} {value}/{total} batches {eta_formatted}',
    jobs.reduce((sum, job) => sum + job.batches.length, 0),
  );
  let sent = 0;
  const results: Record<string, unknown>[] = [];
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job; job = jobs.shift()) {
      const { importId, batchHash } =
        options.batchHash === undefined
          ? await register(options)
          : { importId: options.importId as string, batchHash: options.batchHash };
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
      results.push({
        file: job.file,
        import_id: importId,
        sent: done.sent,
        retries: done.retries,
        repeats: done.repeats,
        dropped: done.dropped,
      });
    }
  };
  const started = performance.now();
  try {
    await Promise.all(Array.from({ length: Math.max(1, options.parallel) }, work));
  } finally {
    bar.stop();
  }
  printTable(results);
  const took = `acknowledged in ${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (!options.wait) {
    console.log(`${took}; watch the work with: imports list`);
    return;
  }
  console.log(took);
  const outcomes = await waitForWork(results.map((row) => row.import_id as string));
  printTable(outcomes);
  if (outcomes.some(({ state }) => state === 'failed')) process.exitCode = 1;
}
