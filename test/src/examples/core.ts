/** The exchanges of `core/v2` and of the namespaces that show what is in it. */
import { type Step, get, madeAndDeleted, post, remove } from './step';

const CORE = '/core/v2';
const FORMS = '/contact-form/v1/contact-forms';
const SEO = '/seo/v1';
const SPAM = '/spamfilter/v1';

const settings: readonly Step[] = [
  post(`${CORE}/settings`, {
    title: 'Harbour House',
    description: 'Concerts and markets by the water',
    timezone: 'Europe/Berlin',
    posts_per_page: 10,
  }),
  get(`${CORE}/settings`),
];

const users: readonly Step[] = [
  post(
    `${CORE}/users`,
    {
      username: 'ann',
      name: 'Ann Meyer',
      email: 'ann@example.org',
      password: 'a long password of her own',
      roles: ['author'],
    },
    { keep: { ann: 'id' } },
  ),
  get(`${CORE}/users?per_page=1&context=edit&orderby=id&order=desc`),
  get(`${CORE}/users/{ann}`),
  post(`${CORE}/users/{ann}`, { description: 'Writes about music.', nickname: 'Annie' }),
  get(`${CORE}/users/me`),
  post(`${CORE}/users/me`, { first_name: 'Kim', last_name: 'Vos' }),
  ...madeAndDeleted(
    `${CORE}/users`,
    { username: 'guest', email: 'guest@example.org', password: 'a password for a day' },
    (made) => `/${made}?force=true&reassign={ann}`,
  ),
  { ...remove(`${CORE}/users/me?force=true&reassign={ann}`), as: 'helper' },
];

const terms = (path: string, kept: string, name: string, description: string): readonly Step[] => [
  post(`${CORE}/${path}`, { name, description }, { keep: { [kept]: 'id' } }),
  get(`${CORE}/${path}?per_page=1&search=${name}`),
  get(`${CORE}/${path}/{${kept}}`),
  post(`${CORE}/${path}/{${kept}}`, { description: `${description} All of them.` }),
  ...madeAndDeleted(`${CORE}/${path}`, { name: 'Misspelt' }),
];

const upload = (alt_text: string, kept: string): Step =>
  post(`${CORE}/media`, { title: 'Harbour', alt_text }, { file: 'file', keep: { [kept]: 'id' } });

const media: readonly Step[] = [
  upload('Boats in the evening sun', 'picture'),
  get(`${CORE}/media?per_page=1`),
  get(`${CORE}/media/{picture}`),
  post(`${CORE}/media/{picture}`, { caption: 'The harbour, seen from the pier.' }),
  upload('The same once more', 'spare'),
  remove(`${CORE}/media/{spare}?force=true`),
];

const article = {
  title: 'The harbour festival is back',
  content: '<p>Three days of music by the water: the programme is out.</p>',
  excerpt: 'Three days of music by the water.',
  status: 'publish',
  date: '2026-03-02T10:00:00',
};

/** Of posts and of pages; the revision that is read is the one that the change left behind. */
const texts = (path: string, kept: string, made: Step['body'], changed: Step['body']): readonly Step[] => [
  post(`${CORE}/${path}`, made, { keep: { [kept]: 'id', [`${kept}Link`]: 'link' } }),
  get(`${CORE}/${path}?per_page=1&search=harbour`),
  get(`${CORE}/${path}/{${kept}}?_embed=author`),
  post(`${CORE}/${path}/{${kept}}`, changed),
  get(`${CORE}/${path}/{${kept}}/revisions?per_page=1`, { keep: { revision: '0.id' } }),
  get(`${CORE}/${path}/{${kept}}/revisions/{revision}`),
  remove(`${CORE}/${path}/{${kept}}/revisions/{revision}?force=true`),
  ...madeAndDeleted(`${CORE}/${path}`, { title: 'Written by mistake' }),
];

const comments: readonly Step[] = [
  post(
    `${CORE}/comments`,
    {
      post: '{post}',
      author_name: 'Ben',
      author_email: 'ben@example.org',
      content: 'Will the stage by the pier be there again this year?',
    },
    { as: 'visitor', keep: { comment: 'id' } },
  ),
  post(`${CORE}/comments/{comment}`, { status: 'approved' }),
  get(`${CORE}/comments?per_page=1`),
  get(`${CORE}/comments/{comment}`),
  remove(`${CORE}/comments/{comment}?force=true`),
];

const registries: readonly Step[] = [
  ['types', 'post'],
  ['statuses', 'publish'],
  ['taxonomies', 'category'],
].flatMap(([path, name]) => [get(`${CORE}/${path}`), get(`${CORE}/${path}/${name}`)]);

const forms: readonly Step[] = [
  post(
    FORMS,
    {
      title: 'Ask the crew',
      locale: 'en_US',
      form: '<label>Your name [text* your-name]</label> [quiz sum "1+1=?|2"] [submit "Send"]',
    },
    { keep: { form: 'id' } },
  ),
  get(`${FORMS}?per_page=1`),
  get(`${FORMS}/{form}`),
  post(`${FORMS}/{form}`, { title: 'Ask the crew anything' }),
  get(`${FORMS}/{form}/refill`, { as: 'visitor' }),
  post(
    `${FORMS}/1/feedback`,
    {
      _contact_form_unit_tag: 'contact-form-f1-p5-o1',
      'your-name': 'Ben',
      'your-email': 'ben@example.org',
      'your-subject': 'The festival',
      'your-message': 'When do you open on Sundays?',
    },
    { as: 'visitor', form: true },
  ),
  remove(`${FORMS}/{form}`),
];

const spamfilter: readonly Step[] = [
  post(`${SPAM}/key`, { key: 'abc123def456' }),
  get(`${SPAM}/key`),
  remove(`${SPAM}/key`),
  post(`${SPAM}/settings`, { spamfilter_strictness: true }),
  get(`${SPAM}/settings`),
  // The comment was judged before it was kept.
  get(`${SPAM}/stats`, { awaits: '"da"' }),
  get(`${SPAM}/stats/d`, { awaits: '"da"' }),
];

const seo: readonly Step[] = [
  get(`${SEO}/indexables/post/{post}`, { awaits: 'object_id' }),
  get(`${SEO}/statistics`, { awaits: 'seo_rank' }),
  post(`${SEO}/configurator`, { siteType: 'blog' }),
  get(`${SEO}/configurator?_fields=fields.siteType,steps.siteType,translations`),
  get(`${SEO}/reindex_posts`),
  get(`${SEO}/external_check`),
];

const oembed: readonly Step[] = [
  get('/oembed/1.0/embed?url={postLink}', { as: 'visitor' }),
  get('/oembed/1.0/proxy?url={postLink}'),
];

export const core: readonly Step[] = [
  ...settings,
  ...users,
  ...terms('categories', 'news', 'News', 'What is new here.'),
  ...terms('tags', 'music', 'Music', 'What can be heard.'),
  ...terms('calendar_events_cat', 'concerts', 'Concerts', 'Evenings with music.'),
  ...media,
  ...texts(
    'posts',
    'post',
    { ...article, categories: ['{news}'], tags: ['{music}'], featured_media: '{picture}' },
    { content: '<p>Three days of music by the water: the programme is out, and so are the tickets.</p>' },
  ),
  ...texts(
    'pages',
    'page',
    { title: 'How to get to the harbour', content: '<p>Take the ferry, line 62.</p>', status: 'publish' },
    { content: '<p>Take the ferry, line 62, or walk along the quay.</p>' },
  ),
  ...comments,
  ...registries,
  ...forms,
  ...spamfilter,
  ...seo,
  ...oembed,
];
