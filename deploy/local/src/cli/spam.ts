/** Commands about the spam filter. */
import { type Command, Option } from 'commander';
import { readStatistics, rebuildStatistics, reseal } from '@sevenfold/spamfilter/commands';
import { printJson, printTable } from './output';
import { withSpamfilter } from './sites';

export function addSpamCommands(program: Command): void {
  const spam = program.command('spam').description('statistics and key of the spam filter');
  spam
    .command('stats')
    .description('show how much spam was met, and how well it was told apart')
    .addOption(
      new Option('--interval <name>', 'period').choices(['60-days', '6-months', 'all']).default('all'),
    )
    .option('--json', 'print JSON, as the interface answers it')
    .action(({ interval, json }: { interval: string; json?: boolean }) =>
      withSpamfilter(async (deps) => {
        const answer = await readStatistics(deps, interval);
        if (json) return printJson(answer);
        for (const { breakdown, accuracy, time_saved: seconds, ...totals } of Object.values(answer)) {
          printTable([
            ...Object.entries(breakdown).map(([when, { da: _start, ...counters }]) => ({
              when,
              ...counters,
            })),
            { when: interval, ...totals },
          ]);
          console.log(`accuracy ${accuracy} %, ${Math.round(seconds / 60)} minutes saved`);
        }
      }),
    );
  spam
    .command('rebuild')
    .description('count the statistics again from the verdicts that are kept, and show what differed')
    .action(() =>
      withSpamfilter(async (deps) => {
        const { since, mended } = await rebuildStatistics(deps);
        printTable(mended.map((row) => ({ ...row })));
        const days = since === '-infinity' ? 'all days' : `days from ${since} on`;
        console.log(
          `counted ${days} again: ${mended.length === 0 ? 'all agreed' : `${mended.length} mended`}`,
        );
      }),
    );
  spam
    .command('reseal')
    .description('store the key under the newest of SPAM_KEY_SECRETS')
    .action(() => withSpamfilter(async (deps) => console.log(`key: ${await reseal(deps)}`)));
}
