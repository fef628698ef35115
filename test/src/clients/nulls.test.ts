/** JSON null of an argument that may be left out: the empty value, or none at all. */
import { type CalendarSite, startCalendar } from '@sevenfold/calendar/testing/service';
import { type Row, type Shown, bodyOf, refusal, table } from './table';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());

type Body = Record<string, unknown>;
const pick = (body: Body, names: readonly string[]): Body =>
  Object.fromEntries(names.map((name) => [name, body[name]]));
const content = async (path: string, body: Body): Promise<Shown> =>
  bodyOf(await site.content.by('administrator').post(path, body));
const calendar = async (path: string, body: Body): Promise<Shown> =>
  bodyOf(await site.by('administrator').post(path, body));

/** A thing made with the fields, then changed by null for each of them; what of it is left. */
const afterNulls =
  (write: typeof content, path: string, fields: Body, names = Object.keys(fields)) =>
  async (): Promise<Body> => {
    const { id } = await write(path, fields);
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    return pick(await write(`${path}/${id}`, nulls), names);
  };
const kept = (text: string): object => expect.objectContaining({ raw: text }) as object;

const writes: readonly Row<CalendarSite>[] = [
  [
    'title, content and excerpt of a post are as if absent',
    afterNulls(content, '/posts', { title: 'a', content: 'b', excerpt: 'c' }),
    { title: kept('a'), content: kept('b'), excerpt: kept('c') },
  ],
  [
    'of a post: "" for text, 0 for ids, false for booleans, [] for lists',
    async () => {
      const { id } = await content('/posts', {
        title: 'Name',
        slug: 'other',
        status: 'publish',
        sticky: true,
        tags: [],
      });
      const fields = {
        slug: null,
        sticky: null,
        featured_media: null,
        categories: null,
        tags: null,
        template: null,
      };
      return pick(await content(`/posts/${id}`, fields), Object.keys(fields));
    },
    { slug: 'name', sticky: false, featured_media: 0, categories: [], tags: [], template: '' },
  ],
  [
    'the password is "", so it is gone',
    afterNulls(content, '/posts', { title: 'a', password: 'x' }, ['password']),
    { password: '' },
  ],
  [
    'what has no empty value is as if absent',
    afterNulls(
      content,
      '/posts',
      { title: 'a', status: 'private', format: 'aside', comment_status: 'closed' },
      ['status', 'format', 'comment_status', 'author'],
    ),
    { status: 'private', format: 'aside', comment_status: 'closed', author: expect.any(Number) as number },
  ],
  [
    'parent and order of a page are 0',
    async () => {
      const { id: parent } = await content('/pages', { title: 'above' });
      return afterNulls(content, '/pages', { title: 'a', parent, menu_order: 3 }, ['parent', 'menu_order'])();
    },
    { parent: 0, menu_order: 0 },
  ],
  [
    'dates: null resets',
    async () => {
      const { id } = await content('/posts', { title: 'a', date: '2020-01-01T00:00:00' });
      return (await content(`/posts/${id}`, { date: null })).date > '2026';
    },
    true,
  ],
  [
    'slug, description and parent of a term are empty',
    async () => {
      const { id: parent } = await content('/categories', { name: 'Above' });
      const fields = { name: 'Below', slug: 'x', description: 'y', parent };
      return afterNulls(content, '/categories', fields, ['slug', 'description', 'parent'])();
    },
    { slug: 'below', description: '', parent: 0 },
  ],
  [
    'texts of a user are "", roles are []',
    afterNulls(
      content,
      '/users',
      {
        username: 'nell',
        email: 'nell@x.test',
        password: 'p',
        description: 'd',
        url: 'http://x.test',
        roles: ['author'],
      },
      ['description', 'url', 'roles', 'first_name'],
    ),
    { description: '', url: '', roles: [], first_name: '' },
  ],
  [
    'e-mail and password of a user, which may not be empty, are as if absent',
    afterNulls(content, '/users', { username: 'nick', email: 'nick@x.test', password: 'p' }, [
      'email',
      'username',
    ]),
    { email: 'nick@x.test', username: 'nick' },
  ],
  [
    'texts of a comment are "", its answer is 0',
    async () => {
      const { id: post } = await content('/posts', { title: 'x', status: 'publish' });
      const fields = {
        post,
        content: 'said',
        author_url: 'http://x.test',
        author_email: 'a@x.test',
        author_name: 'A',
      };
      return afterNulls(content, '/comments', fields, [
        'author_url',
        'author_email',
        'author_name',
        'parent',
      ])();
    },
    { author_url: '', author_email: '', author_name: '', parent: 0 },
  ],
  [
    'a setting goes back to its default',
    async () => {
      await content('/settings', { posts_per_page: 3, description: 'x' });
      return pick(await content('/settings', { posts_per_page: null, description: null }), [
        'posts_per_page',
        'description',
      ]);
    },
    { posts_per_page: 10, description: '' },
  ],
  [
    'title, description and excerpt of an event are as if absent',
    afterNulls(calendar, '/events', {
      title: 'Ev',
      description: 'd',
      excerpt: 'e',
      start_date: '2031-01-01 10:00',
      end_date: '2031-01-01 11:00',
    }),
    {
      title: 'Ev',
      description: expect.stringContaining('d') as string,
      excerpt: expect.stringContaining('e') as string,
      start_date: '2031-01-01 10:00:00',
      end_date: '2031-01-01 11:00:00',
    },
  ],
  [
    'of an event: false for flags, none of cost, website, venue, organizers, terms and picture',
    async () => {
      const { id } = await calendar('/events', {
        title: 'Ev',
        start_date: '2031-01-01 10:00',
        end_date: '2031-01-01 11:00',
        all_day: true,
        featured: true,
        cost: '5',
        website: 'https://x.test',
        categories: 'Nulled',
        tags: 'Nulled',
        venue: { venue: 'Hall' },
        organizer: { organizer: 'Who' },
      });
      const names = [
        'all_day',
        'featured',
        'cost',
        'website',
        'categories',
        'tags',
        'venue',
        'organizer',
        'image',
      ];
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      return pick(await calendar(`/events/${id}`, nulls), names);
    },
    {
      all_day: false,
      featured: false,
      cost: '',
      website: '',
      categories: [],
      tags: [],
      venue: [],
      organizer: [],
      image: false,
    },
  ],
  [
    'of a venue: "" for texts, while name and description are as if absent',
    async () => {
      const { id } = await calendar('/venues', {
        venue: 'House',
        city: 'Ghent',
        phone: '1',
        description: 'd',
      });
      const { venue, city, phone, description } = await calendar(`/venues/${id}`, {
        venue: null,
        city: null,
        phone: null,
        description: null,
      });
      return { venue, city, phone, description };
    },
    {
      venue: 'House',
      city: undefined,
      phone: undefined,
      description: expect.stringContaining('d') as string,
    },
  ],
  [
    'a required one that is null is missing',
    async () => [
      refusal(await site.content.by('administrator').post('/tags', { name: null })),
      refusal(
        await site.by('administrator').post('/events', { title: null, start_date: null, end_date: null }),
      ),
    ],
    ['400 rest_missing_callback_param', '400 rest_missing_callback_param'],
  ],
];

table(() => site, writes);
