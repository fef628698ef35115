/** The command that fills a site with what is made up. */
import type { Command } from 'commander';
import { seedEvents } from '@sevenfold/calendar/seed/seed';
import { seed } from '@sevenfold/content/seed/seed';
import { type Bar, progressBar, wholeNumber } from './output';
import { withCalendar, withContent } from './sites';

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
