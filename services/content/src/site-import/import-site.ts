/**
 * Moves a whole site in from its export, or from its interface (source.ts): authors, terms, posts, pages, files (as records, or with the files themselves),
 * comments, and through the calendar events, venues and organizers; with statuses, passwords, sticky marks, parents and
 * dates. Every object is noted with its identity on the other site in the transaction that creates it, and so is what it
 * still lacks: an interrupted import goes on where it stopped, and a repeated one adds only what is new. Nothing that
 * exists here is overwritten but what moved in, changed there since and not here, and whatever cannot be moved is told with its place and its reason.
 */
import { isKeepable, raiseSequence } from '@sevenfold/publishing/kept-ids';
import { isPublic } from '@sevenfold/publishing/statuses';
import type { Deps } from '../deps';
import type { PostTypeName } from '../posts/types';
import { findFirstAdministrator } from '../users/store';
import { alone } from './alone';
import { importAuthor, mappedAuthors } from './authors';
import { calendarKindOf, importCalendarItem, raiseItems } from './calendar';
import type { Calendar, ImportCall } from './call';
import { importComments, importRemark } from './comments';
import { dateOf } from './dates';
import type { ExportedItem, ExportedRecord } from './exported';
import { type FileSource, bringFiles } from './files';
import { notedAs } from './identities';
import { identityOf, importItem } from './items';
import { finishGalleries } from './galleries';
import { finishLinks } from './links';
import { ExportEnds } from './read-export';
import type { Report, Skipped } from './report';
import { bringReplaced } from './replaced-files';
import { rewriteLinks } from './rewrite';
import type { Source } from './source';
import { statusOf } from './statuses';
import { type Survey, numberOf } from './survey';
import { importTerm } from './terms';

export interface ImportProgress {
  /** While the export is looked through, nobody knows yet how much there is: the total is 0. */
  (phase: 'looking' | 'records' | 'files' | 'links', done: number, total: number): void;
}

export interface ImportOptions {
  readonly source: Source;
  /** What is done is told here while it is done: it is true whenever and however the import ends. */
  readonly report: Report;
  readonly calendar?: Calendar;
  /** Logins of the other site, and whose here they are. */
  readonly mapAuthors?: ReadonlyMap<string, string>;
  /** Where the files of the media library come from; without it they stay where they are. */
  readonly files?: FileSource;
  readonly rewriteLinks?: boolean;
  readonly progress?: ImportProgress;
  /** Ends the import after what it is at. */
  readonly signal?: AbortSignal;
}

const TYPES: ReadonlySet<string> = new Set<PostTypeName>(['post', 'page', 'attachment']);

export async function importSite(deps: Deps, options: ImportOptions): Promise<void> {
  const { source, report, progress = () => undefined, signal } = options;
  const seen = await source.survey((records) => {
    signal?.throwIfAborted();
    progress('looking', records, 0);
  });
  const call = await openCall(deps, options, seen);
  await raiseAll(call, seen);
  let done = 0;
  let ended: ExportEnds | undefined;
  try {
    for await (const record of source.records()) {
      signal?.throwIfAborted();
      await importRecord(call, record);
      progress('records', ++done, seen.records);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ExportEnds)) throw error;
    // Where the file ends early, what it brought is brought to its end all the same.
    ended = error;
  }
  await finishLinks(call);
  if (options.files)
    await bringFiles(call, options.files, (n, total) => {
      signal?.throwIfAborted();
      progress('files', n, total);
    });
  if (options.files?.kind === 'ask') await bringReplaced(call, options.files, signal);
  await finishGalleries(call);
  if (options.rewriteLinks)
    await rewriteLinks(call, source, (n) => {
      signal?.throwIfAborted();
      progress('links', n, seen.records);
    });
  report.countDone('control characters left out', seen.mended.controls);
  report.countDone('bytes read as Windows-1252', seen.mended.foreignBytes);
  if (ended !== undefined) throw ended;
}

async function openCall(
  deps: Deps,
  options: ImportOptions,
  { site, addresses }: Survey,
): Promise<ImportCall> {
  const { timezone } = await deps.settings.get();
  const mapAuthors = options.mapAuthors ?? new Map<string, string>();
  return {
    deps,
    report: options.report,
    isLive: options.source.isLive,
    timezone,
    open: new Set(),
    anew: new Set(),
    raised: 0,
    site: await notedAs(deps.db, site),
    addresses,
    calendar: options.calendar,
    mapAuthors,
    authors: await mappedAuthors({ deps, mapAuthors }),
    authorNumbers: new Map(),
    fallbackAuthor: await findFirstAdministrator(deps.db),
    terms: new Map(),
    signal: options.signal,
  };
}

/** What is new from now on has numbers above all that may be kept: whatever is made meanwhile takes none away. */
async function raiseAll(call: ImportCall, { greatest }: Survey): Promise<void> {
  await raiseItems(call, greatest.item);
  await raiseSequence(call.deps.db, 'comments_id_seq', greatest.comment);
  await raiseSequence(call.deps.db, 'terms_id_seq', greatest.term);
}

async function importRecord(call: ImportCall, record: ExportedRecord): Promise<void> {
  switch (record.kind) {
    case 'site':
      return;
    case 'oversized':
      return call.report.skip({
        kind: 'item',
        title: record.title,
        line: record.line,
        reason: 'it is larger than anything that can be taken',
      });
    case 'author':
      return void (await alone(call.report, { kind: 'user', title: record.login, line: record.line }, () =>
        importAuthor(call, record),
      ));
    case 'term':
      return void (await alone(call.report, { kind: 'term', title: record.name, line: record.line }, () =>
        importTerm(call, record),
      ));
    case 'remark':
      return void (await alone(
        call.report,
        { kind: 'comment', title: `comment ${record.foreignId}`, line: record.line },
        () => importRemark(call, record),
      ));
    case 'item':
      return void (await alone(call.report, placeOfItem(record), () => importAny(call, record)));
  }
}

const placeOfItem = (item: ExportedItem): Omit<Skipped, 'reason'> => ({
  kind: calendarKindOf(item.type) ?? item.type,
  title: item.title || item.slug || item.foreignId,
  line: item.line,
});

async function importAny(call: ImportCall, item: ExportedItem): Promise<void> {
  const ofCalendar = calendarKindOf(item.type);
  // The first look at a site that lives on knows no greatest number of a calendar, nor what is made there meanwhile.
  const number = numberOf(item.foreignId);
  if (isKeepable(number) && number > call.raised) await raiseItems(call, number);
  const isPost = !ofCalendar && TYPES.has(item.type);
  if (!isPost && isPublic(statusOf(item, dateOf(item, call.timezone).gmt) ?? ''))
    call.open.add(identityOf(item));
  if (ofCalendar) return importCalendarItem(call, item, ofCalendar);
  if (!isPost)
    return call.report.skip({
      ...placeOfItem(item),
      reason: `this interface has no objects of the type ${item.type}`,
    });
  const id = await importItem(call, item, item.type as PostTypeName);
  if (id !== undefined) await importComments(call, id, item);
}
