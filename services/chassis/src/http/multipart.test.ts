/** Forms, through HTTP: what is read, and what is refused without harm to anything else. */
import { type Actor, stranger } from '../actor';
import { type SampleDeps, sampleService } from '../testing/sample';
import { type Answer, type TestService, startTestService } from '../testing/service';

let site: TestService<SampleDeps>;
const editor: Actor = { ...stranger, id: 7, username: 'ed', capabilities: new Set(['edit_notes']) };

beforeAll(async () => {
  site = await startTestService(sampleService, {});
});
afterAll(() => site.stop());

const part = (head: string, text = 'x'): string => `--b\r\n${head}\r\n\r\n${text}\r\n`;
const TEXT = part('Content-Disposition: form-data; name="text"', 'of the form');
const END = '--b--\r\n';
const FILE = 'Content-Disposition: form-data; name="a"; filename="a"';
/** A boundary within the headers of a file, which go on after it: the file begins, and its end is never seen. */
const ENTANGLED = `--b\r\n${FILE}\r\n--b\r\n\r\n`;

const send = (body: string): Promise<Answer> =>
  site.as(editor).post('/notes', body, { 'Content-Type': 'multipart/form-data; boundary=b' });

test('takes fields, reads past files', async () => {
  const file = part('Content-Disposition: form-data; name="picture"; filename="a.png"', 'x'.repeat(200_000));
  const answer = await send(file + TEXT + END);
  expect([answer.status, answer.body.text.raw]).toEqual([201, 'of the form']);
});

test('names are UTF-8', async () => {
  const form = new FormData();
  form.set('naïve', '1');
  form.set('text', 'über');
  expect((await site.as(editor).post('/notes', form)).body.text.raw).toBe('über');
});

test.each([
  ['a part without a name', part('Content-Disposition: form-data'), /no name/],
  ['a file without a name', part('Content-Disposition: form-data; filename="a.png"'), /no name/],
  [
    'a file without a name behind a fault',
    part('Content-Disposition: form-data') +
      part('Content-Disposition: form-data; filename="a"', 'x'.repeat(100)),
    /no name/,
  ],
  [
    'an alphabet that nobody knows',
    part('Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=nowhere-8'),
    /character set/,
  ],
  ['a header that is none', part('\u0001'), /malformed/],
  ['a part within the headers of a file', `${ENTANGLED}\r\n${FILE}\r\n\r\nx\r\n`, /malformed/],
])('refuses %s with 400', async (_what, body, message) => {
  for (const whole of [body + END, body + TEXT + END, TEXT + body + END]) {
    const answer = await send(whole);
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_multipart']);
    expect(answer.body.message).toMatch(message);
  }
});

test('a form that ends within the headers of a file is refused, and is not waited for', async () => {
  const answer = await send(`${ENTANGLED}--`);
  expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_multipart']);
});

test('refuses a body that ends too early', async () => {
  for (const body of ['--b', '--b\r\n', TEXT.slice(0, 20), TEXT, `${TEXT}--b`])
    expect((await send(body)).status).toBe(400);
});

test('counts parts, skipped ones included, and bytes, boundaries included', async () => {
  const thousand = TEXT.repeat(1000);
  expect((await send(thousand + END)).status).toBe(201);
  const more = await send(thousand + part('X-Nothing: here') + END);
  expect([more.status, more.body.code]).toEqual([413, 'payload_too_large']);
  expect(more.body.message).toMatch(/1000 parts/);
  const padded = await send(TEXT + part('X-Nothing: here', 'x'.repeat(1024 * 1024)) + END);
  expect(padded.status).toBe(413);
});
