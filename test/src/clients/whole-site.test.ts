/**
 * What is promised of the whole site, across its services: numbers, passwords, pages of other sites, what is linked. Calls between
 * services (39) are knocked at in e2e/doors, the bounds of searches (43) in rules/searches, with as many rows as that takes.
 */
import type { Answer } from '@sevenfold/chassis/testing/service';
import { type Site, startSite } from '../support/site';
import { type Row, type Shown, bodyOf, refusal, table } from './table';

let site: Site;
let admin: Record<string, string>;
let author: Record<string, string>;
beforeAll(async () => {
  site = await startSite();
  admin = await site.signIn(site.content.users.administrator);
  author = await site.signIn(site.content.users.author);
});
afterAll(() => site.stop());

type Body = Record<string, unknown>;
const CORE = '/rest/core/v2';
const CALENDAR = '/rest/calendar/events/v1';
const make = async (path: string, body: Body, headers = admin): Promise<Shown> =>
  bodyOf(await site.client.post(path, body, headers));
const event = (more: Body = {}): Body => ({
  title: 'e',
  start_date: '2030-01-01',
  end_date: '2030-01-01',
  ...more,
});
const hidden = async (): Promise<number> => {
  const draft = await make(`${CORE}/posts`, { title: 'hidden' });
  const headers = { ...admin, 'Content-Disposition': 'attachment; filename="hidden.png"' };
  return bodyOf(await site.client.post(`${CORE}/media?post=${draft.id}`, PIXEL, headers)).id as number;
};
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const numbers: readonly Row<Site>[] = [
  [
    'ids never collide across content and calendar (23)',
    async () => {
      const made: number[] = [];
      for (let n = 0; n < 3; n++) {
        for (const path of ['posts', 'pages']) made.push((await make(`${CORE}/${path}`, { title: 'x' })).id);
        made.push((await make(`${CALENDAR}/events`, event())).id);
        made.push((await make(`${CALENDAR}/venues`, { venue: `v${n}` })).id);
        made.push((await make(`${CALENDAR}/organizers`, { organizer: `o${n}` })).id, await hidden());
      }
      return made.filter((id, index) => made.indexOf(id) !== index);
    },
    [],
  ],
];

const basic = (name: string, secret: string): Record<string, string> => ({
  Authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`,
});

const passwords: readonly Row<Site>[] = [
  [
    'a log-in password does not open /rest, and the 401 says which kind was meant (40)',
    async () => {
      const { username } = site.content.users.editor;
      const { id } = site.content.users.editor;
      const password = 'a long log-in password 1';
      bodyOf(await site.client.post(`${CORE}/users/${id}`, { password }, admin));
      const answer = await site.client.get(`${CORE}/users/me`, basic(username, password));
      return [refusal(answer), /application password/.test(String(answer.body.message))];
    },
    ['401 rest_invalid_credentials', true],
  ],
];

const crossing = (headers: Record<string, string>): Promise<Answer> =>
  site.client.request('POST', `${CORE}/posts`, {
    body: 'title=x',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'cross-site',
      ...headers,
    },
  });

const crossSite: readonly Row<Site>[] = [
  [
    'a write from a page of another site with remembered credentials is refused (36)',
    async () => refusal(await crossing(admin)),
    '403 rest_cross_site',
  ],
  [
    'any origin may read, without credentials (36)',
    async () => {
      const { headers } = await site.client.get(`${CORE}/posts`, { Origin: 'https://other.test' });
      return ['origin', 'credentials'].map((name) => headers.get(`access-control-allow-${name}`));
    },
    ['https://other.test', null],
  ],
];

const links: readonly Row<Site>[] = [
  [
    'a picture may be linked only by who may read it; it is as if unknown (37)',
    async () => {
      const id = await hidden();
      const tried = (one: number): Promise<Answer[]> =>
        Promise.all([
          site.client.post(`${CORE}/posts`, { title: 'x', featured_media: one }, author),
          site.client.post(`${CALENDAR}/events`, event({ image: one }), author),
        ]);
      const [known, unknown] = [(await tried(id)).map(refusal), (await tried(99_999_999)).map(refusal)];
      return [known.map((text) => text.slice(0, 3)), known.join() === unknown.join()];
    },
    [['400', '400'], true],
  ],
  [
    'an event shows the venues and organizers that its reader may read (38)',
    async () => {
      const [venue, organizer] = [
        await make(`${CALENDAR}/venues`, { venue: 'secret hall', status: 'draft' }),
        await make(`${CALENDAR}/organizers`, { organizer: 'secret people', status: 'draft' }),
      ];
      const { id } = await make(
        `${CALENDAR}/events`,
        event({ status: 'publish', venue: venue.id, organizer: [organizer.id] }),
      );
      const [stranger, editor] = [
        bodyOf(await site.client.get(`${CALENDAR}/events/${id}`)),
        bodyOf(await site.client.get(`${CALENDAR}/events/${id}`, admin)),
      ];
      return [/secret/.test(JSON.stringify(stranger)), editor.venue.venue, editor.organizer.length];
    },
    [false, 'secret hall', 1],
  ],
];

const root: readonly Row<Site>[] = [
  [
    '?_fields= on the root keeps _links',
    async () => {
      const { _links, ...kept } = bodyOf(await site.client.get('/rest/?_fields=name'));
      return [Object.keys(kept), Object.keys(_links)];
    },
    [['name'], ['help']],
  ],
];

describe('the root', () => table(() => site, root));
describe('numbers', () => table(() => site, numbers));
describe('passwords', () => table(() => site, passwords));
describe('cross-site', () => table(() => site, crossSite));
describe('what is linked', () => table(() => site, links));
