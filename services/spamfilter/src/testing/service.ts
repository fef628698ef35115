/** A running spamfilter service for one test file. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { type TestService, startTestService } from '@sevenfold/chassis/testing/service';
import type { Config } from '../config';
import type { Deps } from '../deps';
import { spamfilterService } from '../service';

export const administrator: Actor = {
  ...stranger,
  id: 1,
  username: 'admin',
  roles: ['administrator'],
  capabilities: new Set(['manage_options', 'manage_spamfilter', 'moderate_comments']),
};
export const editor: Actor = {
  ...stranger,
  id: 2,
  username: 'edith',
  roles: ['editor'],
  capabilities: new Set(['moderate_comments', 'manage_forms']),
};

export const startSpamfilter = (config: Partial<Config> = {}): Promise<TestService<Deps>> =>
  startTestService(spamfilterService, {
    SPAM_KEY: '',
    SPAM_KEY_SECRETS: 'the secret of the tests',
    SPAM_VERIFY_URL: '',
    SPAM_CHECK_URL: '',
    OUTBOUND_ALLOW_PRIVATE: true,
    SPAM_KEEP_DAYS: 15,
    SPAM_EVENTS_DAYS: 400,
    ...config,
  });
