/** Posts, pages, revisions and comments on them: dates, slugs, the trash, links. */
import { type ContentSite, startContent } from '@sevenfold/content/testing/service';
import { type Row, type Shown, bodyOf, table } from './table';

let site: ContentSite;
beforeAll(async () => {
  site = await startContent();
});
afterAll(() => site.stop());

type Body = Record<string, unknown>;
const create = async (body: Body, path = '/posts'): Promise<Shown> =>
  bodyOf(await site.by('editor').post(path, body));
const change = async (id: number, body: Body, path = '/posts'): Promise<Shown> =>
  bodyOf(await site.by('editor').post(`${path}/${id}`, body));
const trash = async (id: number, path = '/posts'): Promise<Shown> =>
  bodyOf(await site.by('editor').delete(`${path}/${id}`));
const edit = async (id: number, path = '/posts'): Promise<Shown> =>
  bodyOf(await site.by('editor').get(`${path}/${id}?context=edit`));
const published = (body: Body = {}): Promise<Shown> => create({ title: 'x', status: 'publish', ...body });

const dates: readonly Row<ContentSite>[] = [
  [
    'modified of a new post with an explicit date is that date',
    async () => {
      const { modified, modified_gmt } = await create({ title: 'a', date: '2021-02-03T04:05:06' });
      return { modified, modified_gmt };
    },
    { modified: '2021-02-03T04:05:06', modified_gmt: '2021-02-03T09:05:06' },
  ],
  [
    'modified of a new page with an explicit date_gmt is that date',
    async () => (await create({ title: 'a', date_gmt: '2021-02-03T04:05:06' }, '/pages')).modified_gmt,
    '2021-02-03T04:05:06',
  ],
  [
    'modified of a new post that is scheduled is its date',
    async () => (await create({ title: 'a', status: 'publish', date: '2099-02-03T04:05:06' })).modified,
    '2099-02-03T04:05:06',
  ],
  [
    'an update moves it to the present',
    async () => {
      const { id } = await create({ title: 'a', date: '2021-02-03T04:05:06' });
      return (await change(id, { title: 'b' })).modified > '2026';
    },
    true,
  ],
];

const slugs: readonly Row<ContentSite>[] = [
  [
    'generated_slug is unique: same-2 where same is taken',
    async () => {
      await published({ title: 'Same' });
      const { id } = await create({ title: 'Same' });
      return (await edit(id)).generated_slug;
    },
    'same-2',
  ],
  [
    'generated_slug of what has the slug itself is its slug',
    async () => (await published({ title: 'Only one' })).generated_slug,
    'only-one',
  ],
  [
    'permalink_template of a trashed post is /?p=N',
    async () => {
      const { id } = await published();
      const { permalink_template } = await trash(id);
      return permalink_template === `http://site.test/?p=${id}`;
    },
    true,
  ],
  [
    'a draft without slug gets __trashed in the trash',
    async () => {
      const { id } = await create({ title: 'No slug yet' });
      return (await trash(id)).slug;
    },
    '__trashed',
  ],
  [
    'and has none again when it comes back',
    async () => {
      const { id } = await create({ title: 'No slug still' });
      await trash(id);
      return (await change(id, { status: 'draft' })).slug;
    },
    '',
  ],
  [
    'the slug of a title with a script counts the text of the script',
    async () => (await published({ title: 'A <script>b c</script>d' })).slug,
    'a-b-cd',
  ],
];

const trashed: readonly Row<ContentSite>[] = [
  [
    'trashing a never-updated draft stores its first revision',
    async () => {
      const { id } = await create({ title: 'x', content: 'y' });
      const { _links } = await trash(id);
      const { body } = await site.by('editor').get(`/posts/${id}/revisions`);
      return [_links['version-history'][0].count, body.length, body[0]?.content.rendered];
    },
    [1, 1, '<p>y</p>\n'],
  ],
  [
    'trashing what has its revision adds none',
    async () => {
      const { id } = await create({ title: 'x', content: 'y' });
      await change(id, { content: 'z' });
      await trash(id);
      return (await site.by('editor').get(`/posts/${id}/revisions`)).body.length;
    },
    1,
  ],
  [
    'trashing a post ends its stickiness',
    async () => {
      const { id } = await published({ sticky: true });
      const before = (await edit(id)).sticky;
      const gone = (await trash(id)).sticky;
      return [before, gone, (await change(id, { status: 'publish' })).sticky];
    },
    [true, false, false],
  ],
];

const comments: readonly Row<ContentSite>[] = [
  [
    'comments of a trashed post have the status post-trashed; restoring the post brings back what they were',
    async () => {
      const { id: post } = await published();
      const say = async (content: string, status: string): Promise<number> =>
        bodyOf(await site.by('editor').post('/comments', { post, content, status })).id;
      const ids = [await say('seen', 'approved'), await say('waits', 'hold'), await say('bad', 'spam')];
      const statuses = async (): Promise<string[]> => {
        const all: string[] = [];
        for (const id of ids)
          all.push(bodyOf(await site.by('editor').get(`/comments/${id}?context=edit`)).status);
        return all;
      };
      await trash(post);
      const there = await statuses();
      await change(post, { status: 'publish' });
      return [there, await statuses()];
    },
    [
      ['post-trashed', 'post-trashed', 'post-trashed'],
      ['approved', 'hold', 'spam'],
    ],
  ],
  [
    'no list shows them unless asked for by that status',
    async () => {
      const { id: post } = await published();
      await site.by('editor').post('/comments', { post, content: 'seen' });
      await trash(post);
      const counts: Record<string, number> = {};
      for (const status of ['approve', 'hold', 'spam', 'trash', 'all', 'any', 'post-trashed'])
        counts[status] = (await site.by('editor').get(`/comments?post=${post}&status=${status}`)).body.length;
      return counts;
    },
    { approve: 0, hold: 0, spam: 0, trash: 0, all: 0, any: 0, 'post-trashed': 1 },
  ],
  [
    'a link children is embeddable',
    async () => {
      const { id: post } = await published();
      const say = async (body: Body): Promise<number> =>
        bodyOf(await site.by('editor').post('/comments', { post, ...body })).id;
      const parent = await say({ content: 'a' });
      const child = await say({ content: 'b', parent });
      const { body } = await site.by('anonymous').get(`/comments/${parent}?_embed=children`);
      return [body._links.children[0].embeddable, body._embedded.children[0][0].id === child];
    },
    [true, true],
  ],
];

const links: readonly Row<ContentSite>[] = [
  [
    'a page whose parent is a post has up …/posts/N',
    async () => {
      const { id: parent } = await published();
      const { _links } = await create({ title: 'x', parent, status: 'publish' }, '/pages');
      return _links.up[0].href === `http://site.test/rest/core/v2/posts/${parent}`;
    },
    true,
  ],
  [
    'previous of a deleted revision has the view form',
    async () => {
      const { id } = await create({ title: 'x', content: 'y' });
      await change(id, { content: 'z' });
      const [{ id: revision }] = (await site.by('editor').get(`/posts/${id}/revisions`)).body;
      const { previous } = bodyOf(
        await site.by('editor').delete(`/posts/${id}/revisions/${revision}?force=true`),
      );
      return [previous.title, previous.content];
    },
    [{ rendered: 'x' }, { rendered: '<p>z</p>\n' }],
  ],
  [
    'term_exists has additional_data beside data.term_id',
    async () => {
      const { id } = await create({ name: 'Twin' }, '/tags');
      const { body } = await site.by('editor').post('/tags', { name: 'Twin' });
      return [
        body.code,
        body.data.term_id === id,
        body.additional_data?.[0] === id,
        body.additional_data?.length,
      ];
    },
    ['term_exists', true, true, 1],
  ],
];

describe('dates', () => table(() => site, dates));
describe('slugs', () => table(() => site, slugs));
describe('the trash', () => table(() => site, trashed));
describe('comments', () => table(() => site, comments));
describe('links', () => table(() => site, links));
