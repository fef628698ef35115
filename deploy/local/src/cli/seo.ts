/** Commands about what search engines are told. */
import type { Command } from 'commander';
import { listOrphans, overrideNames, reindexAll, setOverrides, showAddress } from '@sevenfold/seo/commands';
import {
  type Bar,
  type ListOptions,
  listing,
  printJson,
  printList,
  progressBar,
  webAddress,
  wholeNumber,
} from './output';
import { withSeo } from './sites';

export function addSeoCommands(seo: Command): void {
  seo
    .command('reindex')
    .description('make the whole index anew, while the site runs')
    .action(() =>
      withSeo(async (deps) => {
        let bar: Bar | undefined;
        const began = performance.now();
        try {
          const { done } = await reindexAll(deps, ({ done: count, total }) => {
            bar ??= progressBar('indexing {bar} {value} of {total}, {eta_formatted} left', total);
            bar.update(count);
          });
          bar?.stop();
          const seconds = (performance.now() - began) / 1000;
          console.log(`${done} indexed in ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} a second`);
        } finally {
          bar?.stop();
        }
      }),
    );
  seo
    .command('show')
    .argument('<url>', 'whole, or its path', (text: string) =>
      text.startsWith('/') ? text : webAddress(text),
    )
    .description('show what an address names and what search engines are told of it')
    .action((url: string) => withSeo(async (deps) => printJson(await showAddress(deps, url))));
  seo
    .command('set')
    .argument('<type>', 'post, term, user or home')
    .argument('<id>', 'its number; 0 of home', wholeNumber)
    .argument('<field=value...>')
    .description('choose what search engines are told of something; without a value templates say it')
    .addHelpText('after', `\nFields: ${overrideNames.join(', ')}`)
    .action((type: string, id: number, words: string[]) =>
      withSeo(async (deps) => printJson(await setOverrides(deps, type, id, words))),
    );
  listing(seo.command('orphans').description('list what no text of the site links to'))
    .option('--after <id>', 'only with larger ids', wholeNumber, 0)
    .option('--most <n>', 'how many', wholeNumber, 100)
    .action((options: ListOptions & { after: number; most: number }) =>
      withSeo(async (deps) => printList(await listOrphans(deps, options.after, options.most), options)),
    );
}
