/** What other services ask of the media library: attachments by id or address, and fetching a picture from elsewhere. */
import { nobody, toMessage } from '@sevenfold/chassis/access';
import type { Actor } from '@sevenfold/chassis/actor';
import { can } from '@sevenfold/chassis/actor';
import { type ApiError, isPostgresError } from '@sevenfold/chassis/errors';
import type { RpcSubject } from '@sevenfold/chassis/grpc/caller';
import { type RpcService, rpcService } from '@sevenfold/chassis/grpc/method';
import { type Denial, anyone } from '@sevenfold/chassis/http/route';
import {
  type Media,
  MediaServiceService,
  type MediaServiceServer,
  type SideloadRequest,
} from '@sevenfold/proto/gen/sevenfold/content/v1/media';
import { shorten } from '@sevenfold/text/text';
import { MOST_TITLE } from '@sevenfold/text/told';
import type { Deps } from '../deps';
import { readersOf } from '../posts/policy';
import * as users from '../users/actors';
import { addFile, checkFile } from './add';
import { LIMIT_BYTES, fetchPublic } from './fetch-public';
import { type FileName, toFileName } from './file-names';
import { endingOfMime, isRasterMime, rasterMimeOf, typeOfEnding } from '@sevenfold/chassis/files/file-types';
import * as policy from './policy';
import { fileUrl, sizesOf } from './presenter';
import { headOf, withSpool } from '@sevenfold/chassis/files/spool';
import * as store from './store';
import { createMedia } from './write';
import { apiError, deny } from '../errors';

const MOST_IDS = 1000;

export const mediaService = (deps: Deps): RpcService =>
  rpcService<MediaServiceServer>(MediaServiceService, {
    getMedia: {
      callers: ['calendar', 'cli', 'gateway', 'oembed', 'seo'],
      permission: anyone,
      handle: async ({ ids }, { show }) => {
        const rows = await store.findTold(deps.db, ids.slice(0, MOST_IDS));
        // Who may see a file hangs on what it belongs to, whose news name its files.
        show(ids.map((id) => `post:${id}`));
        return { media: rows.map((row) => toMedia(deps.siteUrl, row)) };
      },
    },
    findMediaByUrl: {
      callers: ['calendar'],
      permission: anyone,
      handle: async ({ url }) => {
        const row = await findOwn(deps, url);
        return { media: row && toMedia(deps.siteUrl, row) };
      },
    },
    sideload: {
      callers: ['calendar'],
      permission: refuseSideload,
      handle: async (asked, { actor, signal }) => {
        const { row, found } = await sideload(deps, actor, asked, signal);
        const isTheirs = found && (await store.isOfImport(deps.db, row.id, asked.importId));
        return { ...toMedia(deps.siteUrl, row), found: found && !isTheirs };
      },
    },
  });

function refuseSideload({ actor, request }: RpcSubject<SideloadRequest>): Denial | undefined {
  if (!policy.canSideload(actor))
    return deny(
      'rest_cannot_create',
      'Fetching pictures takes the right to upload files or to manage imports.',
    );
  const foreign = request.author !== 0 && request.author !== actor.id;
  return foreign && !can(actor, 'edit_others_posts') && !can(actor, 'manage_imports')
    ? deny('rest_cannot_edit_others', "Making somebody else the owner takes the right to edit others' posts.")
    : undefined;
}

function toMedia(siteUrl: string, row: store.ToldRow): Media {
  const isImage = isRasterMime(row.mimeType);
  return {
    id: row.id,
    title: shorten(row.titleRaw, store.LONGEST_TOLD),
    altText: shorten(row.altText, store.LONGEST_TOLD),
    mimeType: row.mimeType,
    url: fileUrl(siteUrl, row.file),
    width: row.details.width ?? 0,
    height: row.details.height ?? 0,
    filesize: row.filesize,
    sizes: Object.entries(sizesOf(siteUrl, row)).map(([name, size]) => ({
      name,
      url: size.source_url,
      width: size.width ?? 0,
      height: size.height ?? 0,
      mimeType: size.mime_type,
      // The file itself stands among its sizes without one; 0: not known.
      filesize: size.filesize ?? (name === 'full' ? row.filesize : 0),
    })),
    isImage,
    // What is in the trash is shown nowhere else, whoever may still see it here.
    access: toMessage(row.status === 'trash' ? nobody : readersOf(row)),
    found: false,
  };
}

/** Any scheme and any host of ours will do: sites move behind proxies, and old links keep `http:`. Foreign hosts do not. */
function pathOfUrl(siteUrl: string, url: string): string | undefined {
  const site = new URL(siteUrl);
  let given: URL;
  try {
    given = new URL(url, `${siteUrl}/`);
  } catch {
    return undefined;
  }
  const prefix = `${site.pathname.replace(/\/$/, '')}/uploads/`;
  if (given.host !== site.host || !given.pathname.startsWith(prefix)) return undefined;
  try {
    return decodeURIComponent(given.pathname.slice(prefix.length));
  } catch {
    return undefined;
  }
}

/** What the site itself has at the address. */
async function findOwn({ db, siteUrl }: Deps, url: string): Promise<store.ToldRow | undefined> {
  const path = pathOfUrl(siteUrl, url);
  return path === undefined ? undefined : store.findToldByPath(db, path);
}

/**
 * The same address gives the same attachment, also to two who ask at the same moment: the second one finds the first's. One that somebody
 * else keeps to himself loses its address to whoever fetches the picture anew: nobody could have it any more.
 */
async function sideload(
  deps: Deps,
  actor: Actor,
  asked: SideloadRequest,
  signal: AbortSignal,
): Promise<{ readonly row: store.MediaRow; readonly found: boolean }> {
  const author = asked.author === 0 ? actor.id : asked.author;
  const known = await store.findBySourceUrl(deps.db, asked.url);
  if (known && (await isFor(deps, actor, author, known))) return { row: known, found: true };
  // A site need not reach itself, and what it has already is not stored once more.
  const own = await findOwn(deps, asked.url);
  const row = own && (await store.findById(deps.db, own.id));
  if (row) {
    if (await isFor(deps, actor, author, row)) return { row, found: true };
    throw notThere();
  }
  try {
    const id = await fetchAndAdd(deps, actor, author, asked, signal, known?.id);
    return { row: (await store.findById(deps.db, id)) as store.MediaRow, found: false };
  } catch (error) {
    if (!isPostgresError(error) || error.constraint !== 'media_source_key') throw error;
    const other = (await store.findBySourceUrl(deps.db, asked.url)) as store.MediaRow;
    if (await isFor(deps, actor, author, other)) return { row: other, found: true };
    throw notThere();
  }
}

const notThere = (): ApiError =>
  apiError('rest_upload_sideload_error', 400, 'There is no picture at this address.');

/**
 * Nobody comes by a picture that its future owner may not read, only because he knows where it came from. What he has thrown away
 * himself does not come back.
 */
async function isFor(deps: Deps, actor: Actor, author: number, row: store.MediaRow): Promise<boolean> {
  if (row.status === 'trash' && row.author === author) throw notThere();
  const reader = author === actor.id ? actor : await users.findActor(deps.db, author);
  return row.status !== 'trash' && policy.canRead(reader, row);
}

function fetchAndAdd(
  deps: Deps,
  actor: Actor,
  author: number,
  asked: SideloadRequest,
  signal: AbortSignal,
  inTheWay: number | undefined,
): Promise<number> {
  return withSpool(async (folder) => {
    const limitBytes = Math.min(deps.config.UPLOAD_LIMIT_BYTES, LIMIT_BYTES);
    const spooled = await fetchPublic(asked.url, folder, {
      allowPrivate: deps.config.OUTBOUND_ALLOW_PRIVATE,
      limitBytes,
      signal,
    });
    const mime = rasterMimeOf(await headOf(spooled.file));
    if (mime === undefined)
      throw apiError('rest_upload_sideload_error', 415, 'What the address gives is no picture.');
    const name = nameOfUrl(asked.url, mime);
    const incoming = await checkFile(actor, spooled, name);
    // What was fetched is drawn to its end, whoever waits: the next who asks for the address finds it.
    return addFile(deps, incoming, folder, async (tx, stored) => {
      if (inTheWay !== undefined) await store.giveUpSourceUrl(tx, inTheWay, asked.url);
      return createMedia(tx, deps, stored, {
        actor,
        author,
        fields: { title: shorten(asked.title, MOST_TITLE) },
        sourceUrl: asked.url,
        importId: asked.importId,
      });
    });
  });
}

/** The last part of the path; its ending counts only when it is one of the type that came. */
function nameOfUrl(url: string, mime: string): FileName {
  const last = new URL(url).pathname.split('/').at(-1) ?? '';
  let text = last;
  try {
    text = decodeURIComponent(last);
  } catch {
    // An odd name is still a name.
  }
  const given = toFileName(text);
  if (given && typeOfEnding(given.ending)?.mime === mime) return given;
  const ending = endingOfMime(mime) as string;
  return (
    toFileName(`${given?.title || text || 'picture'}.${ending}`) ?? {
      stem: 'picture',
      ending,
      title: 'picture',
    }
  );
}
