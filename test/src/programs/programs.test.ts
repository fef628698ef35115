/**
 * Client programs of others, written for the original of the profile and unchanged, against a whole stack: they find the
 * interface, list, filter, embed, page, create, change, upload and delete, sign in and are refused.
 */
import { execFile, execFileSync } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { type TestStack, startTestStack } from '../support/stack';
import { installed } from './installed';

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const INSTALL_MS = 20 * 60_000;
const RUN_MS = 5 * 60_000;

let stack: TestStack;
beforeAll(async () => {
  stack = await startTestStack({ CLIENT_PROFILES: 'wordpress' });
}, RUN_MS);
afterAll(() => stack.stop());

/** What the program prints, as data. */
async function run(command: string, program: string): Promise<unknown> {
  const [USERNAME, PASSWORD] = Buffer.from(stack.administrator.slice('Basic '.length), 'base64')
    .toString()
    .split(':');
  const { stdout } = await promisify(execFile)(command, [program], {
    cwd: path.dirname(program),
    env: { ...process.env, SITE: stack.url, USERNAME, PASSWORD, PICTURE },
    timeout: RUN_MS,
  });
  return JSON.parse(stdout);
}
const onNode = async (kind: 'node' | 'editor', program: string): Promise<unknown> =>
  run(process.execPath, path.join(await installed(kind), program));

const namespaces = [
  'akismet/v1',
  'contact-form-7/v1',
  'oembed/1.0',
  'tribe/event-aggregator/v1',
  'tribe/events/v1',
  'wp/v2',
  'yoast/v1',
];
const wrong = ['rest_invalid_credentials', 401];
const closed = ['rest_cannot_create', 401];
const gone = ['rest_post_invalid_id', 404];

test(
  'wpapi',
  async () => {
    expect(await onNode('node', 'wpapi.mjs')).toEqual({
      namespaces,
      made: ['publish', 'tribe_events at /wp-json/wp/v2 and /rest/core/v2'],
      embedded: ['author', 'wp:term'],
      about: ['wp:attachment', 'wp:term'],
      page: [1, 2, 2],
      next: [true],
      found: ['Another'],
      statuses: 0,
      term: ['tribe_events_cat', '/wp-json/wp/v2/taxonomies/tribe_events_cat'],
      taxonomy: 'tribe_events_cat',
      event: ['tribe_events_cat', '/wp-json/tribe/events/v1/events/N'],
      events: ['A walk'],
      changed: 'Changed',
      picture: ['image/png', 'A dot'],
      deleted: true,
      refused: [closed, gone, ['rest_invalid_param', 400], wrong],
    });
  },
  INSTALL_MS,
);

test(
  '@wordpress/api-fetch',
  async () => {
    expect(await onNode('node', 'api-fetch.mjs')).toEqual({
      made: 'publish',
      all: [true, true],
      headers: [true, true, true],
      embedded: [['wp:term'], ['wp:term']],
      taxonomies: ['category', 'post_tag', 'tribe_events_cat'],
      settings: { akismet_strictness: false, akismet_show_user_comments_approved: true },
      schema: 6,
      picture: ['image/png', 'tribe_events'],
      changed: 'Changed',
      deleted: true,
      refused: [
        ['rest_invalid_param', 400],
        ['wpcf7_not_found', 404],
        ['event-not-found', 404],
        closed,
        ['rest_no_route', 404],
      ],
    });
  },
  INSTALL_MS,
);

test(
  'fluent-wp-client and its schemas',
  async () => {
    expect(await onNode('node', 'fluent.mjs')).toEqual({
      faults: {},
      made: 'publish',
      page: 'page',
      term: 'tribe_events_cat',
      picture: 'image/png',
      paging: [1, true, true],
      all: true,
      found: [true],
      blocks: ['core/paragraph'],
      related: ['author', 'categories'],
      changed: 'Changed',
      me: 'admin',
      events: true,
      deleted: true,
      refused: [closed, gone, wrong],
    });
  },
  INSTALL_MS,
);

test(
  '@wordpress/core-data',
  async () => {
    expect(await onNode('editor', 'core-data.cjs')).toEqual({
      types: [
        ['post', 'posts', 'wp/v2'],
        ['page', 'pages', 'wp/v2'],
        ['attachment', 'media', 'wp/v2'],
      ],
      made: 'publish',
      saved: 'Edited',
      page: [1, true],
      embedded: ['wp:term'],
      terms: true,
      may: [true, true],
      me: 'admin',
      site: true,
      deleted: true,
      refused: gone,
    });
  },
  INSTALL_MS,
);

/** Whether there is a Python that can have packages of its own. */
function hasPython(): boolean {
  try {
    execFileSync('python3', ['-c', 'import ensurepip, venv']);
    return true;
  } catch {
    console.warn('python3 with venv is not here: a client in Python is not run');
    return false;
  }
}

(hasPython() ? test : test.skip)(
  'wp-api-client, in Python',
  async () => {
    const folder = await installed('python');
    const program = path.join(folder, 'client.py');
    expect(await run(path.join(folder, 'environment/bin/python'), program)).toEqual({
      routes: [
        '/tribe/events/v1/venues',
        '/tribe/events/v1/venues/(?P<id>\\d+)',
        '/tribe/events/v1/venues/by-slug/(?P<slug>[^/]+)',
      ],
      made: ['publish', 'tribe_events, käse & /rest/core/v2'],
      term: 'tribe_events_cat',
      list: 1,
      pages: expect.any(Array),
      found: ['Snake'],
      embedded: ['author', 'wp:term'],
      taxonomy: ['tribe_events'],
      changed: 'Changed',
      named: 'image/png',
      picture: ['image/png', 'A dot'],
      settings: true,
      deleted: true,
      refused: [closed, gone, wrong],
    });
  },
  INSTALL_MS,
);
