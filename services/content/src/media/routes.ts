/** `/media`: list, upload, read, update and delete. */
import { relationHeader } from '@sevenfold/chassis/db/search';
import type { Db } from '@sevenfold/chassis/db/sql';
import type { ArgsOf } from '@sevenfold/chassis/http/args';
import { readArgs as readArgTable } from '@sevenfold/chassis/http/read-args';
import { type Resource, WRITE, reply, route } from '@sevenfold/chassis/http/route';
import { throwDenial } from '@sevenfold/chassis/http/allow';
import type { ContentCall, Deps } from '../deps';
import { errors } from '../errors';
import { errors as postErrors } from '../posts/errors';
import { postLink } from '../posts/links';
import { type WithGeneratedSlug, withGeneratedSlug, withKnownSlugs } from '../posts/generated-slugs';
import { checkOrder, faultOfStatuses } from '../posts/list';
import { showsPosts } from '../posts/shows';
import { retrying } from '../posts/transactions';
import { type StoredMedia, addFile, checkFile, removeFilesOrLeave } from './add';
import { toFileName } from './file-names';
import { listMedia } from './list';
import * as policy from './policy';
import { presentMedia } from './presenter';
import { readyMedia } from './ready';
import { readUpload } from './read-upload';
import * as schema from './schema';
import { withSpool } from '@sevenfold/chassis/files/spool';
import * as store from './store';
import { createMedia, removeMedia, trashMedia, updateMedia } from './write';

const ITEM = '/media/(?P<id>[\\d]+)';

async function load(call: ContentCall<{ id?: number }>): Promise<store.MediaRow> {
  const { id } = call.args;
  const row = id !== undefined && id > 0 ? await store.findById(call.deps.db, id) : undefined;
  if (!row) throw errors.postNotFound();
  return row;
}

const present = (row: store.MediaRow, call: ContentCall): object =>
  presentMedia(row, call.deps, call.context === 'edit' ? call.actor : undefined);

/** As writes answer it. */
async function reload(deps: Deps, id: number): Promise<WithGeneratedSlug<store.MediaRow>> {
  const row = await store.findById(deps.db, id);
  if (!row) throw errors.postNotFound();
  return withGeneratedSlug(deps.db, row);
}

/**
 * Part of what the gateway waits for an answer that a picture may stand in line, from when all of it is here: drawing and storing it
 * take theirs, too, and what takes longer would be 504 and count as a service that is silent.
 */
const PART_IN_LINE = 1 / 3;

/** Reads the file and the fields of a form, which are judged like any other arguments: all faults at once. */
async function upload(call: ContentCall): Promise<number> {
  const { deps, actor, request } = call;
  const signal = request.signal();
  return withSpool(async (folder) => {
    const received = await readUpload(request.raw, folder, deps.config.UPLOAD_LIMIT_BYTES);
    const until = performance.now() + deps.config.REQUEST_TIMEOUT_SECONDS * 1000 * PART_IN_LINE;
    const { args, sent } = readArgTable(schema.createArgs, { ...queryOf(call), ...received.fields });
    if (sent.has('id')) throw postErrors.exists();
    throwDenial(policy.refuseGiveToOther(actor, args, sent, actor.id), actor);
    const name = toFileName(received.fileName);
    const incoming = await checkFile(actor, received.spooled, name);
    const write = (tx: Db, stored: StoredMedia): Promise<number> =>
      createMedia(tx, deps, stored, { actor, author: args.author ?? actor.id, fields: args });
    return addFile(deps, incoming, folder, write, { signal, until });
  });
}

/** What the query sent, without defaults. */
const queryOf = (call: ContentCall): Record<string, unknown> =>
  Object.fromEntries([...call.sent].map((name) => [name, call.args[name]]));

const shows = showsPosts('attachment');

const listArgs = {
  ...schema.mediaListArgs,
  status: {
    ...schema.mediaListArgs.status,
    check: faultOfStatuses('attachment', schema.mediaStatuses, 'inherit'),
  },
} as const;

export const media: Resource<Deps> = {
  name: 'media',
  description: 'Uploaded files.',
  routes: [
    route({
      methods: ['GET'],
      path: '/media',
      summary: 'Lists media that the caller may see',
      description:
        'A page of uploaded files, newest first unless `orderby` says otherwise. A file is as visible as the post that it is attached to.',
      args: listArgs,
      schema: schema.mediaSchema,
      shows,
      ready: readyMedia,
      permission: policy.refuseListMedia,
      handle: async (call: ContentCall<ArgsOf<typeof listArgs>>, columns) => {
        const { args: query } = call;
        checkOrder(query);
        const { rows, total, more } = await listMedia(call.deps, call.actor, query, call.context, columns);
        const shown = call.context === 'edit' ? await withKnownSlugs(call.deps, rows) : rows;
        return reply.list(shown, total, relationHeader(more));
      },
      present,
    }),
    route({
      methods: ['POST'],
      path: '/media',
      summary: 'Uploads a file, as the body or as the part `file` of a form',
      description:
        'Takes the bytes of a file, with its name in `Content-Disposition`, or a form whose part `file` is the file and whose other parts are the arguments. The type is told by the content, which must not contradict the name; of pictures smaller copies are made.',
      args: schema.createArgs,
      schema: schema.mediaSchema,
      body: 'stream',
      sends: { file: 'file' },
      permission: policy.refuseUploadMedia,
      handle: async (call: ContentCall) => {
        const id = await upload(call);
        return reply.created(await reload(call.deps, id), `${call.root}/core/v2/media/${id}`);
      },
      present,
    }),
    route({
      methods: ['GET'],
      path: ITEM,
      summary: 'Reads an attachment',
      description:
        'Answers what is known of a file: its address, its type, and of a picture its measures and copies.',
      args: schema.readArgs,
      schema: schema.mediaSchema,
      shows,
      load,
      permission: policy.refuseReadMedia,
      handle: async ({ subject, deps, context }) =>
        reply.item(context === 'edit' ? await withGeneratedSlug(deps.db, subject) : subject, {
          Link: `<${postLink(deps.siteUrl, subject)}>; rel="alternate"; type=text/html`,
        }),
      present,
    }),
    route({
      methods: WRITE,
      path: ITEM,
      summary: 'Changes an attachment; its file stays',
      description:
        'Changes title, caption, description, alternative text, owner, or what the file is attached to.',
      args: schema.updateArgs,
      schema: schema.mediaSchema,
      load,
      permission: policy.refuseUpdateMedia,
      handle: async ({ deps, actor, args, subject }) => {
        await retrying(deps, (tx) => updateMedia(tx, deps, actor, subject.id, args));
        return reply.item(await reload(deps, subject.id));
      },
      present,
    }),
    route({
      methods: ['DELETE'],
      path: ITEM,
      summary: 'Deletes an attachment with its files',
      description:
        'Deletes what is known of a file, the file and its copies, for good with `force`. Without `force` it is 501 unless the site has a trash for media.',
      args: schema.deleteArgs,
      schema: schema.mediaSchema,
      load,
      permission: policy.refuseDeleteMedia,
      handle: async (call) => {
        const { deps, actor, args, subject } = call;
        if (!args.force) {
          if (!deps.config.MEDIA_TRASH_ENABLED) throw errors.trashNotSupported('media item');
          await retrying(deps, (tx) => trashMedia(tx, deps, actor, subject.id));
          return reply.item(await reload(deps, subject.id));
        }
        const upload = await retrying(deps, (tx) => removeMedia(tx, actor, subject.id));
        if (upload !== undefined) await removeFilesOrLeave(deps, upload);
        return reply.deleted(await withGeneratedSlug(deps.db, subject));
      },
      present,
    }),
  ],
};
