/** Commands that fill a site: moving one in from its export, and making one up. */
import { existsSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { openContent } from '@sevenfold/content/open';
import { importSite } from '@sevenfold/content/site-import/import-site';
import type { Report } from '@sevenfold/content/site-import/report';
import { seed } from '@sevenfold/content/seed/seed';
import { printJson, progressBar } from './output';
import { findSite } from './sites';

export function addSiteCommands(program: Command): void {
  program
    .command('import-site <file>')
    .description('move a whole site in from its export (WXR); doing it again adds only what is new')
    .option('--json', 'print the summary as JSON')
    .action(async (file: string, options: { json?: boolean }) => {
      if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
      const content = await openContent(findSite().env('content'));
      const bar = progressBar('importing {bar} {value} records', 1);
      try {
        const report = await importSite(content.deps, file, (records) => bar.update(records));
        bar.stop();
        if (options.json)
          printJson({
            created: Object.fromEntries(report.created),
            known: Object.fromEntries(report.known),
            skipped: report.skipped,
          });
        else printReport(report);
      } finally {
        bar.stop();
        await content.close();
      }
    });

  program
    .command('seed')
    .description('fill the site with made-up content, the same on every machine; doing it again adds more')
    .option('--posts <n>', 'posts', count, 0)
    .option('--users <n>', 'users', count, 0)
    .option('--comments <n>', 'comments', count, 0)
    .action(async (options: { posts: number; users: number; comments: number }) => {
      const content = await openContent(findSite().env('content'));
      try {
        let bar: ReturnType<typeof progressBar> | undefined;
        let shown = '';
        await seed(content.deps, options, (kind, done, total) => {
          if (kind !== shown) {
            bar?.stop();
            bar = progressBar(`${kind.padEnd(8)} {bar} {value}/{total} {eta_formatted}`, total);
            shown = kind;
          }
          bar?.update(done);
        });
        bar?.stop();
      } finally {
        await content.close();
      }
    });
}

function count(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('must be a whole number.');
  return Number(text);
}

function printReport(report: Report): void {
  const numbers = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([kind, n]) => `${n} ${kind}`).join(', ') || 'nothing';
  console.log(`created: ${numbers(report.created)}`);
  console.log(`here already: ${numbers(report.known)}`);
  console.log(`skipped: ${report.skipped.length}`);
  for (const [reason, n] of report.reasons()) {
    console.log(`  ${n} × ${reason}`);
    for (const { what } of report.skipped.filter((entry) => entry.reason === reason).slice(0, 5))
      console.log(`      ${what}`);
  }
}
