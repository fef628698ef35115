/** Picks the way out that configuration names: a server when there is one, else the local mailbox. */
import path from 'node:path';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Config } from '../config';
import type { Deps } from '../deps';
import { type MailboxLimits, openMailbox, prune } from './mailbox';
import { isSmtpConfigured, openSmtp } from './smtp';
import type { Transport } from './transport';

export const mailboxFolder = ({ FILES_DIR }: Pick<Config, 'FILES_DIR'>): string =>
  path.join(FILES_DIR, 'mailbox');

const limitsOf = (config: Config): MailboxLimits => ({
  files: config.MAILBOX_FILES,
  bytes: config.MAILBOX_MEGABYTES * 1024 * 1024,
});

export const openTransport = (config: Config): Transport =>
  isSmtpConfigured(config) ? openSmtp(config) : openMailbox(mailboxFolder(config), limitsOf(config));

export const mailSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'forms:mailbox',
    everySeconds: 60,
    run: ({ config }) => prune(mailboxFolder(config), limitsOf(config)),
  },
];
