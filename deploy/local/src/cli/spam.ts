/** Commands about the spam filter. */
import { type Command, Option } from 'commander';
import {
  block,
  blockedFields,
  listBlocked,
  readStatistics,
  rebuildStatistics,
  reseal,
  unblock,
} from '@sevenfold/spamfilter/commands';
import { type ListOptions, listing, printJson, printList, printTable, wholeNumber } from './output';
import { withSpamfilter } from './sites';

export function addSpamCommands(spam: Command): void {
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
  listing(spam.command('blocked').description('list what the site blocks')).action((options: ListOptions) =>
    withSpamfilter(async (deps) => printList(await listBlocked(deps), options)),
  );
  spam
    .command('block <text>')
    .description(
      'call spam whatever holds these words (* at an end leaves it open), or comes from this address or network',
    )
    .addOption(new Option('--field <name>', 'where to look').choices(blockedFields).default('any'))
    .option('--note <text>', 'why, for those who read the list', '')
    .action((text: string, { field, note }: { field: (typeof blockedFields)[number]; note: string }) =>
      withSpamfilter(async (deps) => {
        const { id, pattern } = await block(deps, { field, text, note });
        console.log(`${id}: ${pattern} (${field})`);
      }),
    );
  spam
    .command('unblock <id>')
    .description('take an entry off the list of what the site blocks')
    .action((id: string) => withSpamfilter((deps) => unblock(deps, wholeNumber(id))));
}
