/** Settings of the site, users, and addresses that people write. */
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { type Row, type Shown, bodyOf, table } from './table';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

type Body = Record<string, unknown>;
const write = async (path: string, body: Body): Promise<Shown> =>
  bodyOf(await site.by('administrator').post(path, body));
const setting = async (name: string, value: unknown): Promise<unknown> =>
  (await write('/settings', { [name]: value }))[name];

const escaped = (name: string): Row<ContentSite>[] =>
  [
    [`It's`, 'It&#039;s'],
    ['<b>', '&lt;b&gt;'],
    ['a & b', 'a &amp; b'],
    ['It&#039;s &lt;b&gt; &amp; "so"', 'It&#039;s &lt;b&gt; &amp; &quot;so&quot;'],
  ].map(([given, shown]) => [`${name} is kept escaped: ${given}`, () => setting(name, given), shown]);

const zones = (given: string, shown: string): Row<ContentSite> => [
  `time zone «${given}», where UTC+5.75 was set`,
  async () => {
    await setting('timezone', 'UTC+5.75');
    return setting('timezone', given);
  },
  shown,
];

const settings: readonly Row<ContentSite>[] = [
  ...escaped('title'),
  ...escaped('description'),
  zones('Europe/Paris', 'Europe/Paris'),
  zones('UTC-3.5', 'UTC-3.5'),
  zones('UTC+5.37', 'UTC+5.75'),
  zones('+05:00', 'UTC+5.75'),
  zones('Nowhere', 'UTC+5.75'),
  zones('', 'UTC+5.75'),
];

const description = (role: 'administrator' | 'author') => async () => {
  const text = '<b>bold</b> <script>x()</script><a href="http://x.test" onclick="y()">a</a> <h1>z</h1>';
  return bodyOf(await site.by(role).post('/users/me', { description: text })).description;
};
const CLEAN = '<b>bold</b> x()<a href="http://x.test">a</a> z';

const users: readonly Row<ContentSite>[] = [
  ['the description of a user is cleaned', description('author'), CLEAN],
  ['for everybody', description('administrator'), CLEAN],
];

const link = (href: string) => async () => {
  const content = `<a href="${href}">a</a>`;
  return bodyOf(await site.by('author').post('/posts', { title: 'x', content })).content.raw;
};
const url = (href: string) => async () =>
  bodyOf(await site.by('author').post('/users/me', { url: href })).url;

const addresses: readonly Row<ContentSite>[] = [
  ['feed: is a link', link('feed:https://x.test/a'), '<a href="feed:https://x.test/a">a</a>'],
  ['feed: before a script address is refused', link('feed:javascript:alert(1)'), '<a>a</a>'],
  ['and its like', link('mailto:javascript:alert(1)'), '<a>a</a>'],
  ['however often', link('feed:feed://java&#9;script:alert(1)'), '<a>a</a>'],
  ['or with capitals', link('FEED:Data:text/html,x'), '<a>a</a>'],
  [
    'a colon in a path is none',
    link('https://x.test/javascript:1'),
    '<a href="https://x.test/javascript:1">a</a>',
  ],
  ['as the address of a user, too', url('news:javascript:alert(1)'), ''],
  ['and other addresses stay', url('news:comp.lang'), 'news:comp.lang'],
];

describe('settings', () => table(() => site, settings));
describe('users', () => table(() => site, users));
describe('addresses', () => table(() => site, addresses));
