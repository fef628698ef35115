/** The command that moves a site in, from its export or by its address. Whatever it ends with, it tells what was done. */
import { type Command, InvalidArgumentError } from 'commander';
import { dialer } from '@sevenfold/chassis/grpc/dial';
import { readGrpcTls } from '@sevenfold/chassis/tls';
import { ApiError } from '@sevenfold/chassis/errors';
import { isOutage } from '@sevenfold/chassis/grpc/errors';
import type { Calendar } from '@sevenfold/content/site-import/call';
import type { Deps } from '@sevenfold/content/deps';
import type { FileSource } from '@sevenfold/content/site-import/files';
import { type ImportProgress, importSite } from '@sevenfold/content/site-import/import-site';
import { Report } from '@sevenfold/content/site-import/report';
import { type Source, exportFile } from '@sevenfold/content/site-import/source';
import {
  type SiteImportServiceServer,
  SiteImportServiceService,
} from '@sevenfold/proto/gen/sevenfold/calendar/v1/site_import';
import { type LiveFlags, addLiveOptions, isAddress, readLive, withLive } from './import-live';
import { printReport, printVerified, summaryOf } from './import-report';
import { mustBeFile, mustBeFolder } from './local-files';
import { Unreachable } from '../live-site/ask';
import { type Verified, isSame } from '../live-site/verify';
import { type Bar, printJson, progressBar } from './output';
import { grpcAddress, withContent } from './sites';

interface Options extends LiveFlags {
  readonly json?: boolean;
  readonly fetchFiles?: boolean;
  readonly files?: string;
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
    .option('--json', 'print the summary as JSON');
  addLiveOptions(command).action((source: string, options: Options) => run(source, options));
}

function oneMore(text: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const [, old, name] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (!old || !name) throw new InvalidArgumentError('must be the login there, =, and the login here.');
  return new Map([...before, [old.trim().toLowerCase(), name.trim()]]);
}

async function run(source: string, options: Options): Promise<void> {
  const live = isAddress(source) ? await readLive(source, options) : undefined;
  if (!live) mustBeFile(source);
  const files = filesOf(options);
  const report = new Report();
  const bars = openBars();
  const stop = new AbortController();
  let verified: Verified | undefined;
  const onSignal = (): void => stop.abort(new Error('Stopped. Doing it again goes on from here.'));
  for (const signal of SIGNALS) process.once(signal, onSignal);
  try {
    await withContent(async (deps) => {
      const calendar = dialCalendar(deps);
      const move = (from: Source, theirs?: FileSource): Promise<void> =>
        importSite(deps, {
          source: from,
          report,
          calendar,
          mapAuthors: options.mapAuthor,
          files: files ?? theirs,
          rewriteLinks: options.rewriteLinks,
          progress: bars.show,
          signal: stop.signal,
        });
      try {
        if (live)
          verified = await withLive(
            deps,
            live,
            {
              report,
              signal: stop.signal,
              progress: (done, total) => bars.show('compared', done, total),
            },
            move,
          );
        else await move(exportFile(source, options.site));
      } finally {
        calendar.close();
      }
    });
  } catch (error) {
    throw goesOn(error);
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    bars.stop();
    if (options.json) printJson({ ...summaryOf(report), ...(verified && { verified }) });
    else {
      printReport(report);
      if (verified) printVerified(verified);
    }
    if (verified && !isSame(verified)) process.exitCode = 1;
  }
}

/** What came so far stays, whatever the import stands on went away. */
const goesOn = (error: unknown): unknown =>
  (error instanceof ApiError && isOutage(error)) || error instanceof Unreachable
    ? new Error(`${error.message} Doing it again goes on from here.`, { cause: error })
    : error;

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

function filesOf({ files, fetchFiles }: Options): FileSource | undefined {
  if (files !== undefined && fetchFiles)
    throw new Error('Files come from their addresses or from a folder, not from both.');
  if (files === undefined) return fetchFiles ? { kind: 'fetch' } : undefined;
  mustBeFolder(files);
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
  compared: 'compared {bar} {value}/{total} kinds',
} as const;

type ShowProgress = (phase: Parameters<ImportProgress>[0] | 'compared', done: number, total: number) => void;

/** One for each phase. */
function openBars(): { show: ShowProgress; stop: () => void } {
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
