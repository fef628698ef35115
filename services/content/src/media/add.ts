/**
 * From a spooled file to an attachment: check, plan, reserve all names, store all files, then write the rows. Nothing
 * is shown before everything is there; what a failure leaves behind is removed at once, and after a crash by the sweep.
 */
import type { Actor } from '@sevenfold/chassis/actor';
import { can } from '@sevenfold/chassis/actor';
import type { Db } from '@sevenfold/chassis/db/sql';
import { toLocal } from '@sevenfold/text/dates';
import type { Deps } from '../deps';
import { retrying } from '../posts/transactions';
import { type FileName, folderOf, numbered } from './file-names';
import * as register from './file-register';
import { type FileType, contentMatches, typeOfEnding } from '@sevenfold/chassis/files/file-types';
import { type Picture, type Plan, drawCopies, inspect, planCopies } from './images';
import { type SpooledFile, headOf } from '@sevenfold/chassis/files/spool';
import { type Source, type Storage, storeFile } from '@sevenfold/chassis/files/storage';
import type * as store from './store';
import { apiError } from '../errors';

export interface Incoming {
  readonly spooled: SpooledFile;
  readonly name: FileName;
  readonly type: FileType;
  /** Who brings it. */
  readonly owner: number;
}

/** What was stored, for the rows that are written next. */
export interface StoredMedia {
  readonly upload: number;
  /** The name of the file as a title: with the number that it got. */
  readonly title: string;
  readonly file: string;
  readonly mimeType: string;
  readonly filesize: number;
  readonly details: store.Details;
}

export interface Place {
  /** Clock of the site: whose month's folder takes the file; the present without it. */
  readonly local?: string;
  /** The attachment that is there already. */
  readonly media?: number;
  /** Nobody waits for it any more: it stops at the next step, and nothing of it stays. */
  readonly signal?: AbortSignal;
  /** Until when it waits to be drawn, by the clock of `performance`; without it as long as it takes. */
  readonly until?: number;
}

const MOST_NUMBERS = 10_000;

/** Throws 415 for a type that this user may not upload, and for a content that its name does not promise. */
export async function checkFile(
  actor: Actor,
  spooled: SpooledFile,
  name: FileName | undefined,
): Promise<Incoming> {
  const type = name && typeOfEnding(name.ending);
  if (!name || !type || (type.active && !can(actor, 'unfiltered_html')))
    throw apiError('rest_upload_sideload_error', 415, 'Files of this type cannot be uploaded.');
  if (!contentMatches(name.ending, await headOf(spooled.file)))
    throw apiError(
      'rest_upload_sideload_error',
      415,
      `The content of the file is not what the ending .${name.ending} says.`,
    );
  return { spooled, name, type, owner: actor.id };
}

/** Whoever wrote to the record meanwhile was first: a person, or another run that brings the same file. */
export class Superseded extends Error {
  constructor() {
    super('it was brought or changed by somebody else meanwhile');
    this.name = 'Superseded';
  }
}

/** Stores the file and its copies, and runs `write` with them in one transaction. `folder` takes temporary files. */
export async function addFile<T>(
  deps: Deps,
  incoming: Incoming,
  folder: string,
  write: (tx: Db, stored: StoredMedia) => Promise<T>,
  { local, media, signal, until }: Place = {},
): Promise<T> {
  const { spooled, name, type, owner } = incoming;
  const picture = type.raster ? await inspect(spooled.file, type.mime) : undefined;
  const { timezone } = await deps.settings.get();
  signal?.throwIfAborted();
  const place = folderOf(local ?? toLocal(new Date(), timezone));
  const { upload, plan, number } = await reserve(deps.db, place, name, picture, media);
  let mayBeStored = false;
  try {
    const drawn = picture
      ? await drawCopies(spooled.file, picture, plan, folder, { owner, signal, until })
      : new Map<string, { file: string; size: number }>();
    const files = new Map<string, Source>([[plan.original ?? plan.file, spooled], ...drawn]);
    signal?.throwIfAborted();
    mayBeStored = true;
    for (const [file, source] of files) {
      await toStore(deps, `${place}/${file}`, source, type.mime);
      signal?.throwIfAborted();
    }
    const stored: StoredMedia = {
      upload,
      title: numbered(name.title, number),
      file: `${place}/${plan.file}`,
      mimeType: type.mime,
      filesize: drawn.get(plan.file)?.size ?? spooled.size,
      details: picture ? detailsOf(picture, plan, drawn) : {},
    };
    return await retrying(deps, async (tx) => {
      if (media !== undefined && !(await register.holdUpload(tx, upload, media))) throw new Superseded();
      return write(tx, stored);
    });
  } catch (error) {
    if (mayBeStored) {
      await register.abandonUpload(deps.db, upload);
      await removeFilesOrLeave(deps, upload);
    } else await register.releaseFiles(deps.db, upload);
    throw error;
  }
}

/** Where it cannot, the next try has another name. */
const toStore = ({ storage }: Deps, ...file: Parameters<Storage['write']>): Promise<void> =>
  storeFile(storage, 'The store of media files', ...file);

/** Finds the first number whose names are all free, and reserves them. */
async function reserve(
  db: Db,
  place: string,
  name: FileName,
  picture: Picture | undefined,
  media: number | undefined,
): Promise<{ upload: number; plan: Plan; number: number }> {
  for (let tries = 0; tries < MOST_NUMBERS; tries++) {
    // After a hundred of the same name they are looked for in larger steps: nobody counts them any more.
    const number = tries < 100 ? tries : 100 + (tries - 100) * 97 + Math.floor(Math.random() * 97);
    const stem = numbered(name.stem, number);
    const plan = picture
      ? planCopies(picture, stem, name.ending)
      : { width: 0, height: 0, file: `${stem}.${name.ending}`, sizes: [] };
    const files = [
      plan.file,
      ...(plan.original ? [plan.original] : []),
      ...plan.sizes.map((size) => size.file),
    ];
    const upload = await register.reserveFiles(
      db,
      files.map((file) => `${place}/${file}`),
      media,
    );
    if (upload !== undefined) return { upload, plan, number };
  }
  throw apiError(
    'rest_upload_sideload_error',
    409,
    'There are too many files of this name. Give it another one.',
  );
}

function detailsOf(
  picture: Picture,
  plan: Plan,
  drawn: ReadonlyMap<string, { size: number }>,
): store.Details {
  const sizes = plan.sizes.map(
    ({ name, file, width, height }) =>
      [name, { file, width, height, filesize: drawn.get(file)?.size ?? 0, mime_type: picture.mime }] as const,
  );
  return {
    width: plan.width,
    height: plan.height,
    sizes: Object.fromEntries(sizes),
    // What is shown has been turned already.
    image_meta: plan.shown && picture.turned ? { ...picture.meta, orientation: '1' } : picture.meta,
    ...(plan.original === undefined ? {} : { original_image: plan.original }),
  };
}

/** Removes the files of an upload that no attachment has. May run again at any point: their names stay taken. */
export async function removeLooseFiles({ db, storage }: Deps, upload: number): Promise<void> {
  for (const path of await register.looseFiles(db, upload)) await storage.remove(path);
}

/** As removeLooseFiles, and notes it. A failure is no failure of the request: the job and the sweep do the same. */
export async function removeFilesOrLeave(deps: Deps, upload: number): Promise<void> {
  try {
    await removeLooseFiles(deps, upload);
    await register.noteRemoved(deps.db, upload);
  } catch (error) {
    deps.log.warn({ err: error, upload }, 'files of an upload stay for later');
  }
}
