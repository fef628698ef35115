/** A running seo service for one test file. */
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import { type TestService, startTestService } from '@sevenfold/chassis/testing/service';
import type { Config } from '../config';
import type { Deps } from '../deps';
import { seoService } from '../service';

const user = (id: number, role: string, ...capabilities: string[]): Actor => ({
  ...stranger,
  id,
  username: role,
  roles: [role],
  capabilities: new Set(['read', ...capabilities]),
});
const writes = ['edit_posts', 'edit_published_posts', 'publish_posts'];

export const administrator = user(1, 'administrator', ...writes, 'edit_others_posts', 'manage_seo');
export const editor = user(2, 'editor', ...writes, 'edit_others_posts');
export const author = user(3, 'author', ...writes);
export const contributor = user(4, 'contributor', 'edit_posts');
export const subscriber = user(5, 'subscriber');

/** Nobody listens on port 1. */
export const startSeo = (config: Partial<Config> = {}): Promise<TestService<Deps>> =>
  startTestService(seoService, {
    CONTENT_GRPC: '127.0.0.1:1',
    CALENDAR_GRPC: '127.0.0.1:1',
    EXTERNAL_CHECK: true,
    OUTBOUND_ALLOW_PRIVATE: true,
    ...config,
  });
