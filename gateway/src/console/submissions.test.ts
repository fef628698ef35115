/** Submissions in the console: what is asked of the forms service, and exports that outlive a connection. */
import { ApiError } from '@sevenfold/chassis/errors';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { type Speaker, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import {
  type ListSubmissionsRequest,
  type MarkSubmissionsRequest,
  type StreamExportRequest,
  Submission,
  type SubmissionServiceServer,
  SubmissionServiceService,
} from '@sevenfold/proto/gen/sevenfold/forms/v1/submission';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import { only } from '../testing/only';
import { type Deps, signedIn, smallContent } from '../testing/small';
import { seo } from '../testing/small-seo';

const PAGES = 40;
const heard = {
  lists: [] as ListSubmissionsRequest[],
  marks: [] as MarkSubmissionsRequest[],
  exports: [] as StreamExportRequest[],
};
/** What an export does before it sends its page. */
let trouble: (page: number) => void = () => undefined;
/** A list does not come before this. */
let held: Promise<void> | undefined;
/** How many of its pages there are. */
let pages = PAGES;
/** What ends each of them. */
let rest = 'whole\n';
/** Exports that are over, whether they were read or not. */
let ended = 0;

const one: Submission = {
  ...Submission.decode(new Uint8Array()),
  id: 5,
  formId: 2,
  formTitle: 'Contact',
  status: 'inbox',
  fields: [
    { name: 'name', values: ['Ann'] },
    { name: 'topics', values: ['a', 'b'] },
  ],
  mail: 'sent',
  mail2: 'none',
  spamVerdict: 'ham',
  spamScore: 0.25,
  spamEvidence: '[]',
};

let content: RunningService<Deps>;
let forms: RunningService<object>;
let gateway: RunningGateway;
let api: Speaker;
/** Submission 7, which can be deleted. */
let isThere = false;
beforeAll(async () => {
  content = await startSmall(smallContent);
  forms = await startSmall({
    ...seo,
    name: 'forms',
    namespace: 'contact-form/v1',
    rpc: () => [
      only<SubmissionServiceServer>(SubmissionServiceService, {
        listSubmissions: async (request) => {
          heard.lists.push(request);
          await held;
          return { submissions: [one], next: 5 };
        },
        getSubmission: ({ id }) =>
          id === 5 || (id === 7 && isThere)
            ? Promise.resolve(one)
            : Promise.reject(new ApiError('submission_not_found', 404, 'None.')),
        deleteSubmissions: ({ ids }) => {
          const found = ids.includes(7) && isThere ? [7] : [];
          isThere = false;
          return Promise.resolve({ ids: found });
        },
        markSubmissions: (request) => {
          heard.marks.push(request);
          return Promise.resolve({ ids: request.ids });
        },
        streamExport: async function* (request) {
          heard.exports.push(request);
          await Promise.resolve();
          try {
            for (let page = Number(request.cursor || 0) + 1; page <= pages; page++) {
              yield { text: `page ${page} `, cursor: '' };
              trouble(page);
              yield { text: rest, cursor: String(page) };
            }
          } finally {
            ended += 1;
          }
        },
      }),
    ],
  });
  gateway = await startTestGateway({ ...addresses('CONTENT', content), ...addresses('FORMS', forms) });
  api = speaker(`${gateway.url}/console/api`, signedIn);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([content.stop(), forms.stop()]);
});
beforeEach(() => {
  trouble = () => undefined;
  pages = PAGES;
  rest = 'whole\n';
  ended = 0;
  for (const list of Object.values(heard)) list.length = 0;
});

const whole = Array.from({ length: PAGES }, (_, page) => `page ${page + 1} whole\n`).join('');

it('lists with a filter and a key for the next page', async () => {
  const { status, body } = await api.get(
    '/submissions?search=cake&form=2&status=spam&older_than=9&per_page=3',
  );
  expect(status).toBe(200);
  expect(body).toMatchObject({
    submissions: [
      {
        id: 5,
        form: { id: 2, title: 'Contact' },
        fields: { name: 'Ann', topics: ['a', 'b'] },
        mail: { state: 'sent', error: '' },
        spam: { verdict: 'ham', score: 0.25, evidence: [] },
      },
    ],
    next: 5,
  });
  expect(heard.lists).toMatchObject([
    { filter: { search: 'cake', formId: 2, status: 'spam', email: '' }, before: 9, perPage: 3 },
  ]);
});

it('lets pages of the site delete, and post what has no body; others must show that they were allowed to', async () => {
  const by = (more: Record<string, string>) => ({ headers: { Origin: 'https://page.example', ...more } });
  isThere = true;
  expect((await api.request('DELETE', '/submissions/7', by({}))).status).toBe(200);
  const posted = async (more: Record<string, string>): Promise<number> =>
    (await api.request('POST', '/submissions/mark', by(more))).status;
  expect(await posted({})).toBe(415);
  expect(await posted({ 'Sec-Fetch-Site': 'same-site' })).toBe(415);
  // It wants arguments, by then.
  expect(await posted({ 'Sec-Fetch-Site': 'same-origin' })).toBe(400);
});

it('of two who delete one at once one is told that there is none', async () => {
  isThere = true;
  const answers = await Promise.all([api.delete('/submissions/7'), api.delete('/submissions/7')]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

it('reads, moves, and tells what is not there', async () => {
  expect((await api.get('/submissions/5')).body).toMatchObject({ id: 5 });
  expect(await api.get('/submissions/6')).toMatchObject({
    status: 404,
    body: { code: 'submission_not_found' },
  });
  expect((await api.post('/submissions/mark', { ids: [5], status: 'spam' })).body).toEqual({ changed: [5] });
  expect(heard.marks).toEqual([{ ids: [5], status: 'spam' }]);
  expect((await api.post('/submissions/mark', { ids: [5], status: 'pending' })).status).toBe(400);
});

it('refuses strangers, forms of other sites, and who may not erase', async () => {
  const nobody = speaker(`${gateway.url}/console/api`);
  for (const path of ['/submissions', '/submissions/5', '/submissions/export', '/personal-data?email=a@b.cd'])
    expect((await nobody.get(path)).status).toBe(401);
  expect((await api.post('/personal-data/erase', { email: 'a@b.cd' })).status).toBe(403);
  const sent = await api.request('POST', '/submissions/mark', {
    body: new URLSearchParams({ ids: '5', status: 'spam' }),
  });
  // What it says may be sent is what may be sent here.
  expect([sent.status, sent.body.message]).toEqual([415, 'The body must be application/json.']);
  expect(heard.marks).toEqual([]);
});

it.each([
  ['Application/JSON', 400],
  ['application/json;charset=utf-8', 400],
  ['application/vnd.api+json', 400],
  ['application/jsonx', 415],
  ['text/plain', 415],
])('reads JSON whatever its type is written like, and nothing else: %s', async (type, status) => {
  const body = JSON.stringify({ ids: [5], status: 'elsewhere' });
  const sent = await api.request('POST', '/submissions/mark', { body, headers: { 'Content-Type': type } });
  expect(sent.status).toBe(status);
  // It was read.
  if (status === 400) expect(Object.keys(sent.body.data.params)).toEqual(['status']);
});

it('an export is a file, and every piece is there once although connections end in the middle of them', async () => {
  const cutAt = [1, 2, 17, 17, PAGES];
  trouble = (page) => {
    if (cutAt[0] !== page) return;
    cutAt.shift();
    throw new ApiError('service_unavailable', 503, 'The connection has ended.');
  };
  const { status, headers, text } = await api.get('/submissions/export');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('text/csv; charset=UTF-8');
  expect(headers.get('content-disposition')).toBe('attachment; filename="submissions.csv"');
  expect(text).toBe(whole);
  expect(heard.exports.map(({ cursor }) => cursor)).toEqual(['', '', '1', '16', '16', String(PAGES - 1)]);
});

it('an export that is refused is an answer of its own, and one that breaks for good is cut, not ended', async () => {
  trouble = () => {
    throw new ApiError('rest_invalid_param', 400, 'No.');
  };
  expect(await api.get('/submissions/export')).toMatchObject({
    status: 400,
    body: { code: 'rest_invalid_param' },
  });
  trouble = (page) => {
    if (page > 1) throw new ApiError('rest_forbidden', 403, 'Not any more.');
  };
  await expect(api.get('/submissions/export')).rejects.toThrow();
});

it('an export of which only the head is wanted is asked for no longer', async () => {
  pages = Infinity;
  const { status, text } = await api.request('HEAD', '/submissions/export');
  expect([status, text]).toEqual([200, '']);
  await until(() => ended === 1);
});

it('an export that has begun ends whole though the gateway stops meanwhile', async () => {
  const leaving = await startTestGateway({
    ...addresses('CONTENT', content),
    ...addresses('FORMS', forms),
    SHUTDOWN_SECONDS: 60,
  });
  // More than what lies between the two, and few enough to be sent on a machine that does ten other things.
  pages = 4_000;
  rest = `${'whole '.repeat(1_000)}\n`;
  const { body } = await fetch(`${leaving.url}/console/api/submissions/export`, { headers: signedIn });
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let size = (await reader.read()).value?.length ?? 0;
  const stopped = leaving.stop();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) size += piece.value.length;
  await stopped;
  expect(size).toBe(Array.from({ length: pages }, (_, page) => `page ${page + 1} ${rest}`).join('').length);
});

it('an export may take longer than all else that the console answers', async () => {
  const strict = await startTestGateway({
    ...addresses('CONTENT', content),
    ...addresses('FORMS', forms),
    ANSWER_SECONDS: 1,
  });
  pages = Infinity;
  const over = new AbortController();
  const address = `${strict.url}/console/api/submissions`;
  const { status } = await fetch(`${address}/export`, { headers: signedIn, signal: over.signal });
  expect(status).toBe(200);
  let letGo = (): void => undefined;
  held = new Promise((resolve) => (letGo = resolve));
  for (let turn = 0; turn < 2; turn++)
    await expect(speaker(address, signedIn).get('')).rejects.toThrow('fetch failed');
  // A service that was taken for silent for a moment is asked for the rest of it.
  await until(() => ended < heard.exports.length);
  over.abort();
  await until(() => ended === heard.exports.length);
  letGo();
  held = undefined;
  await strict.stop();
});
