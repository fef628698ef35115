/** The forms service of a test file, with a temporary folder for its files and an actor for each role. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Actor, stranger } from '@sevenfold/chassis/actor';
import {
  type Answer,
  type Speaker,
  type TestService,
  startTestService,
} from '@sevenfold/chassis/testing/service';
import { startService } from '@sevenfold/chassis/service';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Config, variables } from '../config';
import type { Deps } from '../deps';
import { formsService } from '../service';

/** What policies of this service ask for, of what the roles have. */
const capabilities = {
  administrator: ['edit_posts', 'publish_pages'],
  editor: ['edit_posts', 'publish_pages'],
  author: ['edit_posts'],
  contributor: ['edit_posts'],
  subscriber: [],
} as const;
type Role = keyof typeof capabilities;
export const ROLES = Object.keys(capabilities) as Role[];

const actorOf = (role: Role): Actor => ({
  ...stranger,
  id: ROLES.indexOf(role) + 1,
  username: role,
  email: `${role}@site.test`,
  roles: [role],
  capabilities: new Set(capabilities[role]),
});

export interface FormsSite extends TestService<Deps> {
  /** Speaks as somebody of the role; `anonymous` as nobody. */
  by(role: Role | 'anonymous'): Speaker;
  /** Makes a form; answers its id. */
  makeForm(fields?: object): Promise<number>;
  /** Another process of the service, on the same database; it stops with the site. */
  another(role: 'api' | 'worker', more?: Partial<Config>): Promise<RunningService<Deps>>;
}

export async function startForms(overrides: Partial<Config> = {}): Promise<FormsSite> {
  const files = await mkdtemp(path.join(tmpdir(), 'forms-'));
  const test = await startTestService(
    formsService,
    {
      FILES_DIR: files,
      ...overrides,
    },
    variables,
  );
  const by: FormsSite['by'] = (role) => test.as(role === 'anonymous' ? undefined : actorOf(role));
  const others: RunningService<Deps>[] = [];
  return {
    ...test,
    by,
    another: async (role, more = {}) => {
      const config = { ...test.deps.config, ROLE: role, HTTP_PORT: 0, GRPC_PORT: 0, ...more };
      const other = await startService(formsService, config);
      others.push(other);
      await other.ready;
      return other;
    },
    makeForm: async (fields = {}) => {
      const { status, body, text }: Answer = await by('editor').post('/contact-forms', fields);
      if (status !== 201) throw new Error(`the form was answered with ${status}: ${text}`);
      return (body as { id: number }).id;
    },
    stop: async () => {
      await Promise.all(others.map((other) => other.stop()));
      await test.stop();
      await rm(files, { recursive: true, force: true });
    },
  };
}
