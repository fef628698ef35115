/** The content service of a test file, with a temporary uploads folder and the users a test needs. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Actor } from '@sevenfold/chassis/actor';
import { type Speaker, type TestService, startTestService } from '@sevenfold/chassis/testing/service';
import { type Config, variables } from '../config';
import type { Deps } from '../deps';
import { contentService } from '../service';
import { type Role } from '../users/roles';
import { makeUser } from './factories';

export interface ContentSite extends TestService<Deps> {
  /** One user for each role. */
  readonly users: Readonly<Record<Role, Actor>>;
  /** Speaks as the role's user; `anonymous` as nobody. */
  by(role: Role | 'anonymous'): Speaker;
}

export async function startContent(overrides: Partial<Config> = {}): Promise<ContentSite> {
  const uploads = await mkdtemp(path.join(tmpdir(), 'uploads-'));
  const test = await startTestService(
    contentService,
    {
      UPLOADS_DIR: uploads,
      SITE_TIMEZONE: 'America/New_York',
      // No test waits for a neighbour that it did not start.
      COMMENT_SPAM_CHECK: false,
      ...overrides,
    },
    variables,
  );
  const { db } = test.deps;
  const users = {
    administrator: await makeUser(db, 'administrator'),
    editor: await makeUser(db, 'editor'),
    author: await makeUser(db, 'author'),
    contributor: await makeUser(db, 'contributor'),
    subscriber: await makeUser(db, 'subscriber'),
  };
  return {
    ...test,
    users,
    by: (role) => test.as(role === 'anonymous' ? undefined : users[role]),
    stop: async () => {
      await test.stop();
      await rm(uploads, { recursive: true, force: true });
    },
  };
}
