/** A small real service that answers for `core/v2`, with sign-in and settings over gRPC. */
import { EventEmitter, on } from 'node:events';
import { isLoggedIn } from '@sevenfold/chassis/actor';
import { deny } from '@sevenfold/chassis/errors';
import { WRITE, anyone, reply, route } from '@sevenfold/chassis/http/route';
import type { ServiceConfig, ServiceDefinition } from '@sevenfold/chassis/service-definition';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import {
  type IdentityServiceServer,
  IdentityServiceService,
  type User,
} from '@sevenfold/proto/gen/sevenfold/content/v1/identity';
import {
  type Grant,
  type OpenSessionRequest,
  type RefreshSessionRequest,
  type SessionServiceServer,
  SessionServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/sessions';
import {
  type Settings,
  type SettingsServiceServer,
  SettingsServiceService,
} from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import { stripControl } from '@sevenfold/text/text';
import { only } from './only';

/** Of all users the small content service knows. */
export const PASSWORD = 'abcd EFGH 1234 ijkl MNOP 6789';
export const basic = (username: string, password: string): { Authorization: string } => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});
export const signedIn = basic('editor', PASSWORD);
/** The same user where he may do more. */
export const signedInAsAdministrator = basic('administrator', PASSWORD);
/** Other users with the same rights, a credential each. */
export const signedInAsOther = (n: number): { Authorization: string } => basic(`editor-${n}`, PASSWORD);
/** The one session of `editor`, and its refresh token. */
export const SESSION = '00000000-0000-4000-8000-000000000001';
export const REFRESH_TOKEN = `sfr_${'r'.repeat(64)}`;

export interface Deps {
  /** How often the service was asked to check a credential. */
  signIns: number;
  /** A check of a credential does not end before this, and answers as of when it began. */
  held: Promise<void> | undefined;
  /** What asked to open a session, or for the next tokens. */
  readonly logIns: (OpenSessionRequest | RefreshSessionRequest)[];
  /** The session has ended. */
  sessionEnded: boolean;
  /** Users may do less than they could. */
  demoted: boolean;
  /** No application password is right any more. */
  revoked: boolean;
  /** How often a route ran. */
  runs: number;
  /** How often somebody wanted to know the settings. */
  settingsAsked: number;
  title: string;
  timezone: string;
  gmtOffset: number;
  /** Requests to `/wait` answer when this is called. */
  release: () => void;
  readonly released: Promise<void>;
  /** Emits `user` with an id for those who follow the news of users. */
  readonly news: EventEmitter;
  /** How many requests to `/wait` have come, and how many of their callers have gone. */
  waiting: number;
  gone: number;
}

function makeDeps(): Deps {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  return {
    signIns: 0,
    held: undefined,
    logIns: [],
    sessionEnded: false,
    demoted: false,
    revoked: false,
    runs: 0,
    settingsAsked: 0,
    title: 'A site',
    timezone: 'America/New_York',
    gmtOffset: -5,
    release,
    released,
    news: new EventEmitter(),
    waiting: 0,
    gone: 0,
  };
}

const text = { type: 'string', description: 'A text.' } as const;

const editor: User = {
  id: 7,
  username: 'editor',
  name: 'Édith',
  email: 'e@example.org',
  url: '',
  slug: 'editor',
  roles: ['editor'],
  capabilities: ['edit_posts', 'publish_pages', 'manage_imports'],
  description: '',
  link: '',
  published: true,
  version: '',
};

const administrator: User = { ...editor, capabilities: [...editor.capabilities, 'manage_options'] };

const OTHER_EDITOR = /^editor-(\d+)$/;
const FIRST_OTHER_ID = 1_000;
/** Who has this name. */
function userOf(username: string): User | undefined {
  const number = OTHER_EDITOR.exec(username)?.[1];
  if (number) return { ...editor, id: FIRST_OTHER_ID + Number(number), username, slug: username };
  return { editor, administrator }[username];
}

export const EDITOR_MAIL = editor.email;
const isEditor = (name: string): boolean =>
  [editor.username, editor.email].includes(stripControl(name).trim().toLowerCase());

const settingsOf = ({ title, timezone, gmtOffset }: Deps): Settings => ({
  title,
  description: 'All of it',
  url: TEST_SITE_URL,
  email: '',
  timezone,
  dateFormat: '',
  timeFormat: '',
  startOfWeek: 1,
  language: '',
  defaultCategory: 1,
  postsPerPage: 10,
  defaultCommentStatus: '',
  defaultPingStatus: '',
  gmtOffset,
  useSmilies: true,
});

const grantTo = (ok: boolean): Grant => ({
  ok,
  user: ok ? editor : undefined,
  sessionId: ok ? SESSION : '',
  refreshToken: ok ? REFRESH_TOKEN : '',
  refreshSeconds: ok ? 60 : 0,
});

export const smallContent: ServiceDefinition<Deps, ServiceConfig> = {
  name: 'content',
  namespace: 'core/v2',
  title: 'Small content',
  description: 'Stands in for the content service.',
  open: makeDeps,
  resources: [
    {
      name: 'echo',
      routes: [
        route({
          methods: ['GET'],
          path: '/echo',
          summary: 'Tell what came in',
          args: { text },
          permission: anyone,
          handle: ({ args, actor, request }) =>
            reply.plain({
              method: request.raw.method,
              path: request.raw.url,
              args,
              user: actor.username,
              headers: request.headers,
            }),
        }),
        route({
          methods: [...WRITE, 'DELETE'],
          path: '/echo',
          summary: 'Tell what came in',
          args: { text },
          permission: anyone,
          handle: ({ deps, args, actor, request }) => {
            deps.runs += 1;
            const { method, url } = request.raw;
            return reply.plain(
              {
                method,
                path: url,
                args,
                body: request.body,
                kind: request.bodyKind,
                user: actor.username,
                headers: request.headers,
              },
              method === 'POST' ? 201 : 200,
              {
                Location: `${TEST_SITE_URL}/rest/core/v2/echo/1`,
                'X-Sevenfold-Inside': 'secret',
              },
            );
          },
        }),
        route({
          methods: ['GET'],
          path: '/things',
          summary: 'A page of a list',
          args: { page: { type: 'integer', default: 1, description: 'Page.' } },
          permission: anyone,
          handle: () => reply.list([{ id: 1 }, { id: 2 }], 25, { 'X-Total-Relation': 'gte' }),
        }),
        route({
          methods: ['GET'],
          path: '/closed',
          summary: 'Only for users',
          args: {},
          permission: ({ actor }) => (isLoggedIn(actor) ? undefined : deny('rest_forbidden', 'Sign in.')),
          handle: ({ actor }) => reply.plain({ user: actor.username, capabilities: [...actor.capabilities] }),
        }),
        route({
          methods: ['GET'],
          path: '/big',
          summary: 'Eight megabytes',
          args: {},
          permission: anyone,
          handle: () => reply.text(Buffer.alloc(8 * 1024 * 1024, 'x'), 'text/plain'),
        }),
        route({
          methods: ['GET', 'POST'],
          path: '/wait',
          summary: 'Answers when the test says so',
          args: {},
          permission: anyone,
          handle: async ({ deps, request }) => {
            deps.waiting += 1;
            request.signal().addEventListener('abort', () => (deps.gone += 1));
            await deps.released;
            return reply.plain({ done: true });
          },
        }),
        route({
          methods: ['POST'],
          path: '/hang-up',
          summary: 'Ends without an answer',
          args: {},
          permission: anyone,
          handle: async ({ request }) => {
            request.raw.socket.destroy();
            return reply.plain({});
          },
        }),
        route({
          methods: [...WRITE],
          path: '/settings',
          summary: 'Names the site',
          args: { title: { type: 'string', default: '', description: 'Name.' } },
          permission: anyone,
          handle: ({ deps, args }: { deps: Deps; args: { title: string } }) => {
            deps.title = args.title;
            return reply.plain(args);
          },
        }),
        route({
          methods: ['POST'],
          path: '/media',
          summary: 'Counts what is uploaded',
          args: {},
          permission: anyone,
          body: 'stream',
          handle: async ({ request }) => {
            let size = 0;
            for await (const chunk of request.raw as AsyncIterable<Buffer>) size += chunk.length;
            return reply.plain({ size }, 201);
          },
        }),
      ],
    },
  ],
  rpc: (deps) => [
    only<IdentityServiceServer>(IdentityServiceService, {
      authenticate: async ({ username, applicationPassword }) => {
        deps.signIns += 1;
        const { held, demoted } = deps;
        await held;
        const user = userOf(username);
        if (!user || deps.revoked || applicationPassword !== PASSWORD)
          return { ok: false, user: undefined, credentialId: '' };
        const capabilities = demoted ? user.capabilities.slice(1) : user.capabilities;
        return { ok: true, user: { ...user, capabilities }, credentialId: '1' };
      },
      streamIdentityNews: async function* (_, { signal, stopping }) {
        const news = on(deps.news, 'user', { signal: AbortSignal.any([signal, stopping]) });
        yield { userId: 0, number: 0 };
        try {
          for await (const [userId] of news as AsyncIterable<[number]>) yield { userId, number: 0 };
        } catch (error) {
          if ((error as Error).name !== 'AbortError') throw error;
        }
      },
    }),
    only<SessionServiceServer>(SessionServiceService, {
      findAccount: ({ username }) => Promise.resolve({ userId: isEditor(username) ? editor.id : 0 }),
      openSession: (request) => {
        deps.logIns.push(request);
        return Promise.resolve(grantTo(isEditor(request.username) && request.password === PASSWORD));
      },
      refreshSession: (request) => {
        deps.logIns.push(request);
        return Promise.resolve(grantTo(request.refreshToken === REFRESH_TOKEN));
      },
      authenticateSession: async ({ sessionId, userId }) => {
        deps.signIns += 1;
        await deps.held;
        const ok = !deps.sessionEnded && sessionId === SESSION && userId === editor.id;
        return { ok, user: ok ? editor : undefined, credentialId: sessionId };
      },
    }),
    only<SettingsServiceServer>(SettingsServiceService, {
      getSettings: () => {
        deps.settingsAsked += 1;
        return Promise.resolve(settingsOf(deps));
      },
    }),
  ],
  mount: (app) => {
    app.get('/uploads/cat.txt', (request, response) => {
      response.set({ 'Content-Type': 'text/plain', 'Accept-Ranges': 'bytes' });
      if (request.headers.range === 'bytes=0-2')
        response.status(206).set('Content-Range', 'bytes 0-2/6').end('cat');
      else response.end('catcat');
    });
  },
};
