/** Forms: Contact forms, their submissions and the mail they send. */
import type { ServiceDefinition } from '@sevenfold/chassis/service';
import type { Config } from './config';
import type { Deps } from './deps';
import { forms } from './forms/routes';

export const formsService: ServiceDefinition<Deps, Config> = {
  name: 'forms',
  namespace: 'contact-form/v1',
  title: 'Contact forms',
  description: 'Contact forms, their submissions and the mail they send.',
  resources: [forms],
  open: ({ config, log, root }) => ({ config, log, root }),
};
