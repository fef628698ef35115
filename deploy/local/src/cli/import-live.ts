/** Moving in from a site that lives on: its options, and the credential. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Deps } from '@sevenfold/content/deps';
import type { FileSource } from '@sevenfold/content/site-import/files';
import type { Report } from '@sevenfold/content/site-import/report';
import type { Source } from '@sevenfold/content/site-import/source';
import { openAsker, readAddress } from '../live-site/ask';
import { type KindName, kinds } from '../live-site/collections';
import { openLiveSite } from '../live-site/live-site';
import { type Verified, verify } from '../live-site/verify';
import { askHidden } from './hidden';
import { wholeNumber } from './output';
import { openReader } from './reader';
import { readSecretFile } from './secret-file';

export interface LiveFlags {
  readonly username?: string;
  readonly passwordFile?: string;
  readonly only?: ReadonlySet<KindName>;
  readonly since?: Date;
  readonly leaveFiles?: boolean;
  readonly keepRoles?: boolean;
  readonly verify?: boolean;
  readonly mapAuthor?: ReadonlyMap<string, string>;
  readonly sample: number;
  readonly parallel: number;
  readonly rate: number;
}

interface Live extends LiveFlags {
  readonly site: URL;
  readonly authorization?: string;
}

const PASSWORD = 'IMPORT_SITE_PASSWORD';

export const addLiveOptions = (command: Command): Command =>
  command
    .option('--username <name>', 'of the other site: who asks there')
    .option(
      '--password-file <path>',
      `file with their application password; ${PASSWORD} holds it otherwise, or it is asked for`,
    )
    .option('--only <kinds>', `of a site: only these, of ${kinds.join(', ')}`, someKinds)
    .option('--since <date>', 'of a site: only what changed there since', dateOf)
    .option('--leave-files', 'of a site: the files of its media library stay there')
    .option('--keep-roles', 'of a site: users who are made here get the roles that they have there')
    .option(
      '--verify',
      'of a site: afterwards compare how much there is, and some things field by field; 1 where they differ',
    )
    .option('--sample <n>', 'of each kind compare so many, taken at random', positive, 20)
    .option('--parallel <n>', 'of a site: requests at the same time', positive, 2)
    .option('--rate <n>', 'of a site: requests a second', positive, 10);

export const isAddress = (source: string): boolean => /^https?:\/\//i.test(source);

function someKinds(text: string): ReadonlySet<KindName> {
  const names = text.split(',').map((name) => name.trim());
  const known: readonly string[] = kinds;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`there is no kind ${unknown.join(', ')}; kinds are ${kinds.join(', ')}.`);
  return new Set(names as KindName[]);
}

function dateOf(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text);
  if (Number.isNaN(date.getTime())) throw new InvalidArgumentError('must be a date, such as 2026-01-31.');
  return date;
}

function positive(text: string): number {
  const number = wholeNumber(text);
  if (number < 1) throw new InvalidArgumentError('must be at least 1.');
  return Math.min(number, 1_000);
}

/** Throws with words for the operator. Asks for what is missing where somebody sits there. */
export async function readLive(source: string, flags: LiveFlags): Promise<Live> {
  const site = readAddress(source);
  if (!site)
    throw new Error(
      `${source} is no address of a site; a name goes into --username, and a password into no argument.`,
    );
  site.hash = '';
  site.search = '';
  if (flags.username === undefined) return { ...flags, site };
  const { username, passwordFile } = flags;
  const password =
    passwordFile === undefined
      ? (process.env[PASSWORD] ?? (await askHidden(`Application password of ${username} at ${site.host}: `)))
      : readSecretFile(passwordFile);
  if (!password)
    throw new Error(`--username wants a password: in ${PASSWORD} or --password-file, or typed when asked.`);
  const pair = Buffer.from(`${username}:${password}`).toString('base64');
  return { ...flags, site, authorization: `Basic ${pair}` };
}

interface LiveCourse {
  readonly report: Report;
  readonly signal: AbortSignal;
  /** While what moved in is compared. */
  readonly progress: (done: number, total: number) => void;
}

/** The site is asked for as long as the work takes. Answers what was found where it was to be verified. */
export async function withLive(
  deps: Deps,
  { site, authorization, parallel, rate, leaveFiles, keepRoles = false, only, since, ...flags }: Live,
  { report, signal, progress }: LiveCourse,
  work: (source: Source, files?: FileSource) => Promise<void>,
): Promise<Verified | undefined> {
  const { config, db, siteUrl } = deps;
  const ask = openAsker({
    site,
    authorization,
    allowPrivate: config.OUTBOUND_ALLOW_PRIVATE,
    parallel,
    perSecond: rate,
    fileLimitBytes: config.UPLOAD_LIMIT_BYTES,
    signal,
  });
  try {
    const live = await openLiveSite({ ask, site, only, since, keepRoles, report });
    await work(live, leaveFiles ? undefined : { kind: 'ask', fetch: ask.file });
    if (!flags.verify) return undefined;
    const { read, close } = await openReader(deps);
    try {
      const { sample, mapAuthor } = flags;
      return await verify({
        ...{ ask, site, live, db, read, siteUrl, sample, progress, signal },
        isPart: since !== undefined,
        mapped: mapAuthor?.size ?? 0,
      });
    } finally {
      close();
    }
  } finally {
    await ask.close();
  }
}
