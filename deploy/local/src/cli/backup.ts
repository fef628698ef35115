/** Commands that save a whole stack in one file and put it back. */
import type { Command } from 'commander';
import { backUp } from '../backup/backup';
import { restore } from '../backup/restore';
import { readSettings } from '../settings';
import { progressBar } from './output';
import { readSecretFile } from './secret-file';
import { exitOnSignals } from './signals';

interface Options {
  passphraseFile?: string;
  replace?: boolean;
}

const PASSPHRASE = 'file with the passphrase; BACKUP_PASSPHRASE holds it otherwise';

export function addBackup(command: Command): void {
  command.option('--passphrase-file <path>', PASSPHRASE).action(async (file: string, options: Options) => {
    exitOnSignals();
    const bar = progressBar('saved {value} MB', 1);
    const report = await backUp({
      settings: readSettings(process.env),
      env: process.env,
      file,
      passphrase: passphraseOf(options),
      say: console.error,
      onProgress: (bytes) => bar.update(megabytes(bytes)),
    }).finally(() => bar.stop());
    console.log(
      `saved ${report.tables} tables and ${report.files} files, ${megabytes(report.bytes)} MB, in ${file}`,
    );
    console.log(
      report.heldMs === 0 ? 'nobody had to wait' : `writes were held back for ${Math.ceil(report.heldMs)} ms`,
    );
    for (const bucket of report.buckets)
      console.log(`not in it: the files in the bucket ${bucket}, which its own store has to keep`);
  });
}

export function addRestore(command: Command): void {
  command
    .option('--replace', 'where there is a site already: replace it')
    .option('--passphrase-file <path>', PASSPHRASE)
    .action(async (file: string, options: Options) => {
      exitOnSignals();
      const bar = progressBar('restored {value} MB', 1);
      const { manifest, files } = await restore({
        settings: readSettings(process.env),
        env: process.env,
        file,
        passphrase: passphraseOf(options),
        replace: options.replace,
        say: console.error,
        onProgress: (bytes) => bar.update(megabytes(bytes)),
      }).finally(() => bar.stop());
      console.log(
        `restored ${Object.keys(manifest.databases).length} databases and ${files} files of ${manifest.siteUrl || 'the site'} as of ${manifest.madeAt}`,
      );
      console.log('start it with: npm start');
    });
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);

const passphraseOf = ({ passphraseFile }: Options): string | undefined =>
  passphraseFile === undefined ? process.env.BACKUP_PASSPHRASE || undefined : readSecretFile(passphraseFile);
