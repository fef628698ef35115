/** Forms: contact forms, what visitors submit through them, and the mail that follows. */
import path from 'node:path';
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { codes } from './errors';
import { feedbackSweeps } from './feedback/jobs';
import { forms } from './forms/routes';
import { ensureFirstForm } from './forms/setup';

export const formsService: ServiceDefinition<Deps, Config> = {
  name: 'forms',
  namespace: 'contact-form/v1',
  title: 'Contact forms',
  description: 'Contact forms, their submissions and the mail they send.',
  migrations: path.resolve(__dirname, '../migrations'),
  codes,
  resources: [forms],
  sweeps: feedbackSweeps,
  open: ({ config, db, log, root }) => ({ config, db, log, root, siteUrl: config.SITE_URL }),
  prepare: ensureFirstForm,
};
