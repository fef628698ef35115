/** Commands about imports: register, push batches as an import service would, watch and mend. */
import type { Command } from 'commander';
import {
  listImports,
  progressOf,
  renewHash,
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
  webAddress,
  wholeNumber,
} from './output';
import { type RegisterOptions, dayOption, pushFiles, register, zoneOption } from './push-files';
import { withImports } from './sites';

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
        'push the events of calendars (.ics, files or addresses), of tables (.csv) or of batches (.jsonl, .jsonl.gz), one import for each file, as an import service would; doing it again updates them',
      ),
  )
    .option('--from <day>', 'only what takes place on this day or later: 2027-01-31', dayOption)
    .option('--to <day>', 'only what takes place on this day or before', dayOption)
    .option('--timezone <zone>', 'of times that name none; that of the site by default', zoneOption)
    .option('--url <url>', 'where the gateway answers; the site of DATA_DIR by default', webAddress)
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
  imports
    .command('renew-hash <import-id>')
    .description(
      'give an import that waits for a batch another hash, since the one before came into wrong hands and opens nothing from now on; prints the new one',
    )
    .action((importId: string) =>
      withImports(async (deps) => {
        const { importId: id, batchHash } = await renewHash(deps, importId);
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
