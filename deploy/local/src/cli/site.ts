/** Commands that fill a site: moving one in from its export, and making one up. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { seedEvents } from '@sevenfold/calendar/seed/seed';
import { importSite } from '@sevenfold/content/site-import/import-site';
import type { Report } from '@sevenfold/content/site-import/report';
import { seed } from '@sevenfold/content/seed/seed';
import { type Bar, printJson, progressBar, wholeNumber } from './output';
import { withCalendar, withContent } from './sites';

export function addImportSite(command: Command): void {
  command
    .option('--json', 'print the summary as JSON')
    .action((file: string, { json }: { json?: boolean }) => {
      if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
      return withContent(async (deps) => {
        const bar = progressBar('importing {bar} {value} records', 1);
        const report = await importSite(deps, file, (records) => bar.update(records)).finally(() =>
          bar.stop(),
        );
        if (json)
          printJson({
            created: Object.fromEntries(report.created),
            known: Object.fromEntries(report.known),
            skipped: report.skipped,
          });
        else printReport(report);
      });
    });
}

export function addSeed(command: Command): void {
  command
    .option('--posts <n>', 'posts', wholeNumber, 0)
    .option('--users <n>', 'users', wholeNumber, 0)
    .option('--comments <n>', 'comments', wholeNumber, 0)
    .option('--events <n>', 'events, with venues and organizers', wholeNumber, 0)
    .action(async (options: { posts: number; users: number; comments: number; events: number }) => {
      const asked = Object.entries(options).filter(([, n]) => n > 0);
      if (asked.length === 0)
        throw new Error('Say what to make: --posts, --users, --comments, --events with a number.');
      const bars = new Map<string, Bar>();
      const show = (kind: string, done: number, total: number): void => {
        const bar =
          bars.get(kind) ?? progressBar(`${kind.padEnd(8)} {bar} {value}/{total} {eta_formatted}`, total);
        bars.set(kind, bar);
        bar.update(done);
        if (done >= total) bar.stop();
      };
      try {
        if (options.posts + options.users + options.comments > 0)
          await withContent((deps) => seed(deps, options, show));
        if (options.events > 0)
          await withCalendar((deps) =>
            seedEvents(deps, options.events, (done, total) => show('events', done, total)),
          );
      } finally {
        for (const bar of bars.values()) bar.stop();
      }
      console.log(`added: ${asked.map(([kind, n]) => `${n} ${kind}`).join(', ')}`);
    });
}

/** Kinds of the export, one and several. */
const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  user: ['user', 'users'],
  category: ['category', 'categories'],
  post_tag: ['tag', 'tags'],
  calendar_events_cat: ['event category', 'event categories'],
  post: ['post', 'posts'],
  page: ['page', 'pages'],
  attachment: ['attachment', 'attachments'],
  comment: ['comment', 'comments'],
};

function printReport(report: Report): void {
  const noun = (kind: string, n: number): string => NOUNS[kind]?.[n === 1 ? 0 : 1] ?? kind;
  const numbers = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([kind, n]) => `${n} ${noun(kind, n)}`).join(', ') || 'nothing';
  console.log(`created: ${numbers(report.created)}`);
  console.log(`here already: ${numbers(report.known)}`);
  console.log(`skipped: ${report.skipped.length}`);
  for (const [reason, n] of report.reasons()) {
    console.log(`  ${n} × ${reason}`);
    for (const { what } of report.skipped.filter((entry) => entry.reason === reason).slice(0, 5))
      console.log(`      ${what}`);
  }
}
