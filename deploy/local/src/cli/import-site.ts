/** The command that moves a site in from its export. Whatever it ends with, it tells what was done. */
import { existsSync, statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { dialer } from '@sevenfold/chassis/grpc/dial';
import { readGrpcTls } from '@sevenfold/chassis/tls';
import { ApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import type { Calendar } from '@sevenfold/content/site-import/call';
import type { Deps } from '@sevenfold/content/deps';
import type { FileSource } from '@sevenfold/content/site-import/files';
import { type ImportProgress, importSite } from '@sevenfold/content/site-import/import-site';
import { type Omission, Report } from '@sevenfold/content/site-import/report';
import {
  type SiteImportServiceServer,
  SiteImportServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import { type Bar, printJson, progressBar } from './output';
import { grpcAddress, withContent } from './sites';

interface Options {
  readonly json?: boolean;
  readonly fetchFiles?: boolean;
  readonly files?: string;
  readonly mapAuthor?: ReadonlyMap<string, string>;
  readonly rewriteLinks?: boolean;
  readonly site?: string;
}

export function addImportSite(command: Command): void {
  command
    .option('--map-author <old=new>', 'an author of the export is this user here; may be repeated', oneMore)
    .option('--fetch-files', 'bring the files of the media library from where they are')
    .option('--files <folder>', 'bring them from a copy of the folder of uploads')
    .option('--rewrite-links', 'links in texts to what moved in lead here')
    .option('--site <address>', 'the address of the other site, where the export does not name it')
    .option('--json', 'print the summary as JSON')
    .action((file: string, options: Options) => run(file, options));
}

function oneMore(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [, old, name] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!old || !name) throw new InvalidArgumentError('must be the login there, =, and the login here.');
  return new Map([...before, [old.trim().toLowerCase(), name.trim()]]);
}

async function run(file: string, options: Options): Promise<void> {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`);
  const files = filesOf(options);
  const report = new Report();
  const bars = openBars();
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new Error('Stopped. Doing it again goes on from here.'));
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    await withContent(async (deps) => {
      const calendar = dialCalendar(deps);
      try {
        await importSite(deps, {
          file,
          report,
          calendar,
          site: options.site,
          mapAuthors: options.mapAuthor,
          files,
          rewriteLinks: options.rewriteLinks,
          progress: bars.show,
          signal: stop.signal,
        });
      } finally {
        calendar.close();
      }
    });
  } catch (error) {
    throw goesOn(error);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    bars.stop();
    if (options.json) printJson(summaryOf(report));
    else printReport(report);
  }
}

/** What came so far stays, whatever the import stands on went away. */
const goesOn = (error: unknown): unknown =>
  error instanceof ApiError && isOutage(error)
    ? new Error(`${error.message} Doing it again goes on from here.`, { cause: error })
    : error;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function filesOf({ files, fetchFiles }: Options): FileSource | undefined {
  if (files !== undefined && fetchFiles)
    throw new Error('Files come from their addresses or from a folder, not from both.');
  if (files === undefined) return fetchFiles ? { kind: 'fetch' } : undefined;
  if (!existsSync(files) || !statSync(files).isDirectory()) throw new Error(`There is no folder ${files}.`);
  return { kind: 'folder', folder: files };
}

const dialCalendar = ({ config }: Deps): Calendar =>
  dialer({
    caller: 'cli',
    actorSecret: config.ACTOR_SECRET,
    tls: readGrpcTls(config),
  })<SiteImportServiceServer>(SiteImportServiceService, {
    service: 'calendar',
    address: grpcAddress('calendar'),
  });

const WORDS = {
  looking: 'looking through {value} records',
  records: 'records {bar} {value}/{total} {eta_formatted}',
  files: 'files   {bar} {value}/{total} {eta_formatted}',
  links: 'links   {bar} {value}/{total} {eta_formatted}',
} as const;

/** One for each phase. */
function openBars(): { show: ImportProgress; stop: () => void } {
  const bars = new Map<string, Bar>();
  return {
    show: (phase, done, total) => {
      const bar = bars.get(phase) ?? progressBar(WORDS[phase], total);
      // One at a time: what comes next says that the one before has ended.
      if (!bars.has(phase)) for (const before of bars.values()) before.stop();
      bars.set(phase, bar);
      bar.update(done);
      if (phase !== 'looking' && done >= total) bar.stop();
    },
    stop: () => {
      for (const bar of bars.values()) bar.stop();
    },
  };
}

/** Kinds of the export, one and several. */
const NOUNS: Readonly<Record<string, readonly [string, string]>> = {
  user: ['user', 'users'],
  category: ['category', 'categories'],
  post_tag: ['tag', 'tags'],
  calendar_events_cat: ['event category', 'event categories'],
  term: ['term', 'terms'],
  post: ['post', 'posts'],
  page: ['page', 'pages'],
  attachment: ['attachment', 'attachments'],
  comment: ['comment', 'comments'],
  event: ['event', 'events'],
  venue: ['venue', 'venues'],
  organizer: ['organizer', 'organizers'],
  nav_menu_item: ['menu item', 'menu items'],
  revision: ['revision', 'revisions'],
  link: ['link', 'links'],
  file: ['file', 'files'],
};

const noun = (kind: string, n: number): string => NOUNS[kind]?.[n === 1 ? 0 : 1] ?? kind;

const summaryOf = (report: Report): object => ({
  created: Object.fromEntries(report.created),
  known: Object.fromEntries(report.known),
  done: Object.fromEntries(report.done),
  skipped: report.omissions().map(({ kind, reason, count, examples }) => ({
    kind,
    reason,
    count,
    examples: examples.map(({ title, line }) => ({ title, line })),
  })),
});

const SHOWN = 5;

function printReport(report: Report): void {
  const numbers = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([kind, n]) => `${n} ${noun(kind, n)}`).join(', ') || 'nothing';
  console.log(`created: ${numbers(report.created)}`);
  console.log(`here already: ${numbers(report.known)}`);
  for (const [what, n] of report.done) console.log(`${what}: ${n}`);
  console.log(`skipped: ${report.skippedCount()}`);
  for (const omission of report.omissions()) printOmission(omission);
}

function printOmission({ kind, reason, count, examples }: Omission): void {
  console.log(`  ${count} ${noun(kind, count)}: ${oneLine(reason)}`);
  for (const { title, line } of examples.slice(0, SHOWN))
    console.log(
      `      ${[oneLine(title), ...(line > 0 ? [`line ${line}`] : [])].filter(Boolean).join(', ')}`,
    );
}

/** Whatever an export calls its things, it says nothing to the terminal. */
const oneLine = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 200);
