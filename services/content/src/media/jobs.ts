/** Background work of media: files of deleted attachments go after the commit, and leftovers of crashes are found. */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { removeLooseFiles } from './add';
import * as store from './store';

export const mediaJobs = [
  job<Deps, { upload: number }>({
    queue: 'content.media',
    name: 'remove-files',
    prepare: async ({ deps, payload }) => {
      await removeLooseFiles(deps, payload.upload);
    },
    handle: async ({ tx, payload }) => {
      await store.noteRemoved(tx, payload.upload);
    },
  }),
];

export const mediaSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'media-leftovers',
    everySeconds: 900,
    run: async ({ db }) => {
      const uploads = await store.looseUploads(db);
      await db.transaction(async (tx) => {
        for (const upload of uploads) await enqueue(tx, 'content.media', 'remove-files', { upload });
      });
    },
  },
  {
    name: 'names-of-removed-files',
    everySeconds: 3_600,
    run: async ({ db }) => {
      await store.forgetRemoved(db);
    },
  },
];
