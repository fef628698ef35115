/** How the site is: processes, stores, versions, queues, lag. */
import type { Command } from 'commander';
import { findRunning } from '../run-file';
import { readSettings } from '../settings';
import type { StatusRow } from '../status/rows';
import { type ListOptions, listing, printList, webAddress } from './output';

export function addStatus(command: Command): void {
  listing(command)
    .option('--url <url>', 'of a site elsewhere, as far as it can be asked from outside', webAddress)
    .addHelpText(
      'after',
      '\nExits with 1 where somebody has to look: a row whose state ends in an exclamation mark.',
    )
    .action(async (options: ListOptions & { url?: string }) => {
      const rows = await statusRows(options.url);
      printList(rows, options, ({ part, name, state, ok, waiting, failed, oldest_seconds, detail }) => ({
        part,
        name,
        state: ok ? state : `${state} !`,
        waiting,
        failed,
        oldest: oldest_seconds === null ? null : `${oldest_seconds} s`,
        detail,
      }));
      if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
    });
}

async function statusRows(url: string | undefined): Promise<StatusRow[]> {
  if (url !== undefined) return (await import('@sevenfold/local/status/remote')).remoteStatus(url);
  const { dataDir } = readSettings(process.env);
  const run = findRunning(dataDir);
  if (!run)
    throw new Error(`No site runs from ${dataDir}. Start one with "npm start", or name one with --url.`);
  return (await import('@sevenfold/local/status/local')).localStatus(run, process.env);
}
