/** Forms: contact forms, what visitors submit through them, and the mail that follows. */
import path from 'node:path';
import { openStorage } from '@sevenfold/chassis/files/open-storage';
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { codes } from './errors';
import { feedbackSweeps } from './feedback/jobs';
import { forms } from './forms/routes';
import { ensureFirstForm } from './forms/setup';
import { mailSweeps, openTransport } from './mail/open';
import { sendMail } from './mail/send';
import { openSite } from './mail/site';
import { submissionJobs, submissionSweeps } from './submissions/jobs';
import { submissionsRpc } from './submissions/rpc';
import { uploadSweeps } from './uploads/keep';

export const formsService: ServiceDefinition<Deps, Config> = {
  name: 'forms',
  namespace: 'contact-form/v1',
  title: 'Contact forms',
  description: 'Contact forms, their submissions and the mail they send.',
  migrations: path.resolve(__dirname, '../migrations'),
  codes,
  resources: [forms],
  jobs: [sendMail, ...submissionJobs],
  sweeps: [...feedbackSweeps, ...mailSweeps, ...submissionSweeps, ...uploadSweeps],
  rpc: (deps) => [submissionsRpc(deps)],
  open: ({ config, db, log, root, dial }) => ({
    config,
    db,
    log,
    root,
    siteUrl: config.SITE_URL,
    files: openStorage({
      folder: path.join(config.FILES_DIR, 'uploads'),
      bucket: config.FILES_S3_BUCKET,
      config,
    }),
    transport: openTransport(config),
    site: openSite(dial, config.CONTENT_GRPC),
  }),
  close: async ({ files, transport, site }) => {
    transport.close();
    site.close();
    await files.close();
  },
  prepare: ensureFirstForm,
};
