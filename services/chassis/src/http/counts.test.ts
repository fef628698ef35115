/** What is counted before it is parsed, through HTTP; the health of the process stands for everybody else's requests. */
import { type Actor, stranger } from '../actor';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type Answer, type TestService, startTestService } from '../testing/service';

let site: TestService<SampleDeps>;
const editor: Actor = { ...stranger, id: 7, username: 'ed', capabilities: new Set(['edit_notes']) };

beforeAll(async () => {
  site = await startTestService(sampleService, {});
});
afterAll(() => site.stop());

const MEGABYTE = 1024 * 1024;
const post = (type: string, body: string): Promise<Answer> =>
  site.as(editor).post('/notes', body, { 'Content-Type': type });
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
const refusal = (answer: Answer): unknown[] => [answer.status, answer.body.code];

test.each([
  ['separators by the million', FORM, '&'.repeat(1_000_000)],
  ['one parameter too many', FORM, `text=x${'&a=1'.repeat(1000)}`],
  [
    'lists with far places',
    FORM,
    `text=x${Array.from({ length: 500 }, (_, n) => `&a${n}[999][999]=1`).join('')}`,
  ],
  ['the same, encoded', FORM, `text=x${Array.from({ length: 500 }, (_, n) => `&a${n}%5B999%5d=1`).join('')}`],
  ['numbers by the hundred thousand', JSON_TYPE, `[${'0,'.repeat(MEGABYTE / 2 - 10)}0]`],
  ['empty lists by the hundred thousand', JSON_TYPE, `[${'[],'.repeat(MEGABYTE / 3 - 10)}[]]`],
])('refuses %s', async (_what, type, body) => {
  expect(refusal(await post(type, body))).toEqual([413, 'payload_too_large']);
});

test('refuses a query string with too many parameters', async () => {
  expect(refusal(await site.as().get(`/notes?${'&'.repeat(5_000)}`))).toEqual([413, 'payload_too_large']);
});

test.each([
  ['nested by the hundred thousand', '['.repeat(500_000) + ']'.repeat(500_000)],
  ['nested and never closed', '{"a":'.repeat(100_000)],
])('refuses JSON %s', async (_what, body) => {
  expect(refusal(await post(JSON_TYPE, body))).toEqual([400, 'rest_invalid_json']);
});

test('takes as much as is allowed, and does not count inside of texts', async () => {
  const full = await post(FORM, `text=x${'&a[]=1'.repeat(999)}`);
  expect(full.status).toBe(201);
  for (const text of ['[{,'.repeat(100_000), '\\"[['.repeat(50_000), '\\'.repeat(100_000)]) {
    const answer = await post(JSON_TYPE, JSON.stringify({ text }));
    expect([answer.status, answer.body.text.raw]).toEqual([201, text]);
  }
});
