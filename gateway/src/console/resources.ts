/** All that `/console/api` has, in the order in which documents show it. */
import type { Resource } from '@sevenfold/chassis/http/route';
import type { ConsoleDeps } from './deps';
import { applicationPasswords } from './application-passwords';
import { heads } from './head';
import { imports } from './imports';
import { overrides } from './overrides';
import { sessions } from './sessions';
import { spamfilter } from './spamfilter';
import { submissions } from './submissions';
import { webhooks } from './webhooks';

export const CONSOLE_API = '/console/api';

export const resources: readonly Resource<ConsoleDeps>[] = [
  sessions,
  applicationPasswords,
  webhooks,
  imports,
  submissions,
  spamfilter,
  overrides,
  heads,
];
