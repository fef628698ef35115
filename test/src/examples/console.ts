/** The exchanges of the console's interface, which look at what the others have made. */
import { CONSOLE_API as CONSOLE } from '@sevenfold/gateway/console/resources';
import { type Step, get, post, remove } from './step';

const FEEDBACK = '/contact-form/v1/contact-forms/1/feedback';

const logIn = (keep: Step['keep']): Step =>
  post(
    `${CONSOLE}/sessions`,
    { username: 'ann', password: 'a long password of her own', name: 'Desk calendar' },
    { as: 'visitor', keep },
  );

const sessions: readonly Step[] = [
  logIn({ refresh: 'refresh_token' }),
  post(
    `${CONSOLE}/sessions/refresh`,
    { refresh_token: '{refresh}' },
    { as: 'visitor', keep: { token: 'access_token' } },
  ),
  { ...get(`${CONSOLE}/sessions`), as: 'session' },
  logIn({ other: 'session' }),
  { ...remove(`${CONSOLE}/sessions/{other}`), as: 'session' },
  { ...remove(`${CONSOLE}/sessions`), as: 'session' },
];

const PASSWORDS = `${CONSOLE}/application-passwords`;

const passwords: readonly Step[] = [
  post(PASSWORDS, { name: 'Newsletter' }, { keep: { password: 'id' } }),
  get(PASSWORDS),
  remove(`${PASSWORDS}/{password}`),
];

const HOOK = `${CONSOLE}/webhooks/{hook}`;

const webhooks: readonly Step[] = [
  get(`${CONSOLE}/webhooks/topics`),
  post(
    `${CONSOLE}/webhooks`,
    {
      url: 'https://hooks.example.org/harbour',
      topics: ['content.post.published', 'calendar.event.*'],
      description: 'Tells the newsletter',
    },
    { keep: { hook: 'id' } },
  ),
  get(`${CONSOLE}/webhooks`),
  get(HOOK),
  { ...post(HOOK, { description: 'Tells the newsletter and the shop' }), method: 'PUT' },
  post(`${HOOK}/secret`, undefined),
  post(`${HOOK}/ping`, undefined, { keep: { delivery: 'id' } }),
  get(`${HOOK}/deliveries?per_page=1`, { awaits: '"error":"It' }),
  post(`${HOOK}/deliveries/{delivery}/redeliver`, undefined),
  remove(HOOK),
];

/** A batch fails for good where the calendar cannot keep what is in it, and is put back to work when it can. */
const retried: readonly Step[] = [
  post(`${CONSOLE}/imports`, { origin: 'csv', import_id: 'quay' }, { keep: { batch: 'batch_hash' } }),
  {
    ...post('/calendar/event-aggregator/v1/import/quay/batch', {
      batch_hash: '{batch}',
      status: { data: { total: 1, done: 0 }, batch: { total: 1, done: 0 } },
      percentage_complete: 100,
      interval: 60,
      events: [
        {
          title: 'Flea market',
          start_date: '2027-07-03 09:00:00',
          end_date: '2027-07-03 15:00:00',
          timezone: 'Europe/Berlin',
          uid: 'market-2027@quay.example.org',
        },
      ],
    }),
    after: {
      service: 'calendar',
      sql: 'alter table applied_batches add constraint full_up check (false) not valid',
    },
  },
  get(`${CONSOLE}/imports/quay`, { awaits: '"state":"failed"' }),
  post(
    `${CONSOLE}/imports/quay/retry`,
    { number: 1 },
    { after: { service: 'calendar', sql: 'alter table applied_batches drop constraint full_up' } },
  ),
];

const imports: readonly Step[] = [
  get(`${CONSOLE}/imports?per_page=1`, { awaits: '"batches_applied":1' }),
  get(`${CONSOLE}/imports/harbour`),
  get(`${CONSOLE}/imports/harbour/progress`),
  post(
    `${CONSOLE}/imports`,
    { origin: 'csv', import_id: 'pier', authority: 'fill' },
    { keep: { hash: 'batch_hash' } },
  ),
  {
    ...post('/calendar/event-aggregator/v1/import/pier/state', {
      batch_hash: '{hash}',
      status: 'failed',
      message: 'The table cannot be read.',
      message_slug: 'table-unreadable',
      percentage_complete: 0,
    }),
    as: 'visitor',
  },
  post(`${CONSOLE}/imports/pier/resume`, undefined),
  ...retried,
];

const SUBMISSION = `${CONSOLE}/submissions/{submission}`;

const submissions: readonly Step[] = [
  get(`${CONSOLE}/submissions?per_page=1`, { keep: { submission: 'submissions.0.id' } }),
  get(SUBMISSION, { awaits: '"sent"' }),
  get(`${CONSOLE}/submissions/export?format=csv`),
  post(`${SUBMISSION}/resend`, undefined),
  post(`${CONSOLE}/submissions/mark`, { ids: ['{submission}'], status: 'trash' }),
  get(`${CONSOLE}/personal-data?email=ben@example.org`),
  remove(SUBMISSION),
  post(
    FEEDBACK,
    {
      _contact_form_unit_tag: 'contact-form-f1-p5-o1',
      'your-name': 'Cleo',
      'your-email': 'cleo@example.org',
      'your-subject': 'Lost',
      'your-message': 'I have lost an umbrella on the pier.',
    },
    { as: 'visitor', form: true },
  ),
  post(`${CONSOLE}/personal-data/erase`, { email: 'cleo@example.org' }),
];

const OVERRIDES = `${CONSOLE}/seo/overrides/post/{post}`;

const others: readonly Step[] = [
  get(`${CONSOLE}/spamfilter/notices`),
  {
    ...post(OVERRIDES, { title: 'Harbour festival: three days of music', is_cornerstone: true }),
    method: 'PUT',
  },
  get(OVERRIDES),
  get(`${CONSOLE}/head?url={postLink}`, { as: 'visitor' }),
];

export const beside: readonly Step[] = [
  ...sessions,
  ...passwords,
  ...webhooks,
  ...imports,
  ...submissions,
  ...others,
];
