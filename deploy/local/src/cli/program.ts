/**
 * The commands, as a table: what each group is for is told without loading it, since its service takes half a second to load
 * and whoever asks for help waits for it. A new group is a row.
 */
import { Command } from 'commander';

interface Group {
  /** As commander reads it, with the arguments of a command that stands alone. */
  readonly name: string;
  readonly description: string;
  readonly load: () => Promise<(command: Command) => void>;
}

export const groups: readonly Group[] = [
  {
    name: 'users',
    description: 'create and list users, list and revoke their sessions',
    load: async () => (await import('@sevenfold/local/cli/users')).addUserCommands,
  },
  {
    name: 'app-passwords',
    description: 'create, list and revoke application passwords',
    load: async () => (await import('@sevenfold/local/cli/passwords')).addPasswordCommands,
  },
  {
    name: 'import-site <source>',
    description:
      'move a whole site in from its export (WXR) or from the site itself, by its address; doing it again adds what is new',
    load: async () => (await import('@sevenfold/local/cli/import-site')).addImportSite,
  },
  {
    name: 'status',
    description: 'list how the site is: processes, stores, versions, queues, lag',
    load: async () => (await import('@sevenfold/local/cli/status')).addStatus,
  },
  {
    name: 'jobs',
    description: 'background jobs that were given up after their last try: list, retry and discard them',
    load: async () => (await import('@sevenfold/local/cli/jobs')).addJobCommands,
  },
  {
    name: 'backup <file>',
    description: 'save the whole stack in one file, as it is at one moment; it may run and be written to',
    load: async () => (await import('@sevenfold/local/cli/backup')).addBackup,
  },
  {
    name: 'restore <file>',
    description: 'put a whole stack back from the file of a backup; it must not run',
    load: async () => (await import('@sevenfold/local/cli/backup')).addRestore,
  },
  {
    name: 'seed',
    description: 'fill the site with made-up content, the same on every machine; doing it again adds more',
    load: async () => (await import('@sevenfold/local/cli/site')).addSeed,
  },
  {
    name: 'imports',
    description: 'register, push, watch and mend imports of events',
    load: async () => (await import('@sevenfold/local/cli/imports')).addImportCommands,
  },
  {
    name: 'calendar',
    description: 'what the calendar keeps beside its events',
    load: async () => (await import('@sevenfold/local/cli/calendar')).addCalendarCommands,
  },
  {
    name: 'seo',
    description: 'the index that search engines are told of',
    load: async () => (await import('@sevenfold/local/cli/seo')).addSeoCommands,
  },
  {
    name: 'spam',
    description: 'statistics, key and lists of the spam filter',
    load: async () => (await import('@sevenfold/local/cli/spam')).addSpamCommands,
  },
  {
    name: 'submissions',
    description: 'what visitors sent through forms',
    load: async () => (await import('@sevenfold/local/cli/forms')).addSubmissionCommands,
  },
  {
    name: 'webhooks',
    description: 'who is told of what happens on the site, and what became of it',
    load: async () => (await import('@sevenfold/local/cli/webhooks')).addWebhookCommands,
  },
  {
    name: 'mailbox',
    description: 'mail that landed here, since no mail server is configured',
    load: async () => (await import('@sevenfold/local/cli/forms')).addMailboxCommands,
  },
];

/** With the commands of the groups that are named among the arguments; of the others only what they are for. */
export async function programFor(args: readonly string[]): Promise<Command> {
  const program = new Command('cli')
    .description('Operates a Sevenfold site.')
    .addHelpText(
      'after',
      '\nThe site is the one that runs from DATA_DIR (default .data). For a site elsewhere, set CONTENT_DATABASE_URL, CALENDAR_DATABASE_URL,\nIMPORTS_DATABASE_URL, FORMS_DATABASE_URL (with FILES_DIR), SEO_DATABASE_URL (with\nACTOR_SECRET, CONTENT_GRPC, CALENDAR_GRPC), SPAMFILTER_DATABASE_URL and SITE_URL.',
    )
    .showHelpAfterError()
    .configureHelp({ sortSubcommands: true });
  for (const { name, description, load } of groups) {
    const command = program.command(name).description(description);
    if (args.includes(command.name())) (await load())(command);
  }
  return program;
}
