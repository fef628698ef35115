/** Forms: contact forms, what visitors submit through them, and the mail that follows. */
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { openStorage } from '@sevenfold/chassis/files/open-storage';
import { secretsOf } from '@sevenfold/chassis/secrets';
import type { ServiceDefinition } from '@sevenfold/chassis/service-definition';
import type { Config } from './config';
import type { Deps } from './deps';
import { codes } from './errors';
import { feedbackJobs, feedbackSweeps } from './feedback/jobs';
import { openSpamFilter } from './feedback/filter';
import { openMailWatch } from './feedback/mail-watch';
import { feedbackResource } from './feedback/routes';
import { openParsed } from './forms/parsed';
import { forms } from './forms/routes';
import { formsRpc } from './forms/rpc';
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
  examples: path.resolve(__dirname, '../examples.json'),
  codes,
  resources: [forms, feedbackResource],
  jobs: [sendMail, ...feedbackJobs, ...submissionJobs],
  sweeps: [...feedbackSweeps, ...mailSweeps, ...submissionSweeps, ...uploadSweeps],
  rpc: (deps) => [formsRpc(deps), submissionsRpc(deps)],
  open: ({ config, db, log, listener, root, dial }) => ({
    config,
    db,
    log,
    root,
    siteUrl: config.SITE_URL,
    signingKeys: secretsOf(config.ACTOR_SECRET).map((secret) =>
      createHmac('sha256', secret).update('contact forms').digest(),
    ),
    parsed: openParsed(),
    spam: openSpamFilter(dial, config.SPAMFILTER_GRPC, log),
    mailWatch: openMailWatch(listener, db),
    files: openStorage({
      folder: path.join(config.FILES_DIR, 'uploads'),
      bucket: config.FILES_S3_BUCKET,
      config,
      log,
    }),
    transport: openTransport(config),
    site: openSite(dial, config.CONTENT_GRPC, log),
  }),
  close: async ({ files, transport, site, spam, mailWatch }) => {
    mailWatch.stop();
    await spam.close();
    transport.close();
    await site.close();
    await files.close();
  },
  prepare: ensureFirstForm,
};
