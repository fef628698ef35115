/** Background work of media: files of deleted attachments go after the commit, and leftovers of crashes are found. */
import { enqueue } from '@sevenfold/chassis/db/outbox';
import { job } from '@sevenfold/chassis/queue/jobs';
import type { Sweep } from '@sevenfold/chassis/queue/sweeps';
import type { Deps } from '../deps';
import { removeLooseFiles } from './add';
import * as register from './file-register';

export const mediaJobs = [
  job<Deps, { upload: number }>({
    queue: 'content.media',
    name: 'remove-files',
    prepare: async ({ deps, payload }) => {
      await removeLooseFiles(deps, payload.upload);
    },
    handle: async ({ tx, payload }) => {
      await register.noteRemoved(tx, payload.upload);
    },
  }),
];

export const mediaSweeps: readonly Sweep<Deps>[] = [
  {
    name: 'media-leftovers',
    everySeconds: 900,
    run: async ({ db }) => {
      const uploads = await register.looseUploads(db);
      await db.transaction(async (tx) => {
        for (const upload of uploads) await enqueue(tx, 'content.media', 'remove-files', { upload });
      });
    },
  },
  { name: 'unfinished-media', everySeconds: 900, run: ({ storage }) => storage.removeUnfinished() },
  {
    name: 'names-of-removed-files',
    everySeconds: 3_600,
    run: async ({ db }) => {
      await register.forgetRemoved(db);
    },
  },
];
