/** Contact forms as visitors meet them: through the gateway, put into pages of other sites, sent with and without scripts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import vm from 'node:vm';
import { type Site, startSite } from '../support/site';

let site: Site;
let files: string;
let id: number;
beforeAll(async () => {
  files = await mkdtemp(path.join(tmpdir(), 'forms-'));
  site = await startSite({}, { forms: { FILES_DIR: files } });
  const forms = site.service('forms');
  const row = await forms.service.db.first<{ id: number }>('select id from forms');
  id = (row as { id: number }).id;
  await forms.service.db.run(
    `update forms set form = '[text* your-name default:get][file your-file limit:3mb][quiz q "1+1=?|2"]', version = version + 1`,
  );
});
afterAll(async () => {
  await site.stop();
  await rm(files, { recursive: true, force: true });
});

const FEEDBACK = () => `/rest/contact-form/v1/contact-forms/${id}/feedback`;
const ELSEWHERE = { Origin: 'https://elsewhere.test', 'Sec-Fetch-Site': 'cross-site' };

interface Rendered {
  readonly html: string;
  readonly unit_tag: string;
}
const rendered = async (query = ''): Promise<Rendered> =>
  (await site.client.get(`/forms/${id}/form.json${query}`)).body as Rendered;

/** The answer to the question that a rendered form asks, with its token. */
async function answered(more: Record<string, string> = {}): Promise<FormData> {
  const { html } = await rendered();
  const [, token = ''] = /name="_contact_form_quiz_answer_q" value="([^"]+)"/.exec(html) ?? [];
  const data = new FormData();
  for (const [name, value] of Object.entries({ q: '2', _contact_form_quiz_answer_q: token, ...more }))
    data.append(name, value);
  return data;
}

describe('in pages of other sites', () => {
  test('a form is read by any page, fresh', async () => {
    const { status, headers, body } = await site.client.get(
      `/forms/${id}/form.json?your-name=Ann&your-name[]=x&_position=3`,
      ELSEWHERE,
    );
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('https://elsewhere.test');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({ id, title: 'Contact form 1', unit_tag: `contact-form-f${id}-o3` });
    expect((body as Rendered).html).toContain(FEEDBACK());
  });

  test.each([
    ['1.5', 1],
    ['-99999999999', 1],
    ['-Infinity', 1],
    ['1e3', 1],
    ['x', 1],
    ['0', 1],
    ['9999', 1_000],
    ['99999', 1],
  ])('in the place %s it is in place %i', async (given, position) => {
    const { status, body } = await site.client.get(`/forms/${id}/form.json?_position=${given}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ unit_tag: `contact-form-f${id}-o${position}` });
  });

  test('takes first values from the address of its page', async () => {
    expect((await rendered('?your-name=Ann')).html).toContain('value="Ann"');
    expect((await rendered(`?your-name=${encodeURIComponent('"><b>')}`)).html).not.toContain('"><b>');
  });

  test('a page with nothing but the form, for frames', async () => {
    const { status, headers, text } = await site.client.get(`/forms/${id}/page?your-name=Bob`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(text).toContain('value="Bob"');
    expect(text).not.toContain('<script');
    expect(text).toContain('<html lang="en-US" dir="ltr">');
  });

  test('which is in the language of the form', async () => {
    const { db } = site.service('forms').service;
    await db.run(`update forms set locale = 'he_IL' where id = $1`, [id]);
    try {
      const { text } = await site.client.get(`/forms/${id}/page`);
      expect(text).toContain('<html lang="he-IL" dir="rtl">');
    } finally {
      await db.run(`update forms set locale = 'en_US' where id = $1`, [id]);
    }
  });

  test('a script of few bytes that is kept for a while', async () => {
    const { status, headers, text } = await site.client.get(`/forms/${id}/embed.js`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/javascript; charset=UTF-8');
    expect(headers.get('cache-control')).toBe('public, max-age=3600');
    expect(text.length).toBeLessThan(7_000);
    expect(() => new vm.Script(text)).not.toThrow();
  });

  test.each([
    ['GET', '/forms/999999/form.json', 404, 'contact_form_not_found'],
    ['GET', '/forms/999999/page', 404, 'contact_form_not_found'],
    ['GET', '/forms/x/page', 404, 'rest_no_route'],
    ['GET', '/forms/1/other', 404, 'rest_no_route'],
    ['POST', '/forms/1/page', 404, 'rest_no_route'],
  ])('%s %s is %i', async (method, address, status, code) => {
    const answer = await site.client.request(method, address);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.headers.get('content-type')).toContain('application/json');
  });
});

describe('sent', () => {
  test('from a page of another site, with a file', async () => {
    const data = await answered({ 'your-name': 'Ann' });
    data.append('your-file', new Blob(['x'.repeat(2 * 1024 * 1024)]), 'notes.txt');
    const { status, headers, body } = await site.client.post(FEEDBACK(), data, {
      ...ELSEWHERE,
      Accept: 'application/json',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'mail_sent', quiz: { q: ['1+1=?', expect.any(String)] } });
    expect(headers.get('access-control-allow-origin')).toBe('https://elsewhere.test');
    expect(headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('with credentials that a browser remembers, only from the site itself', async () => {
    const data = await answered({ 'your-name': 'Ben' });
    const remembered = { Authorization: 'Basic eDp5' };
    const { status, body } = await site.client.post(FEEDBACK(), data, { ...ELSEWHERE, ...remembered });
    expect([status, body.code]).toEqual([403, 'rest_cross_site']);
  });

  test('without a script: pages and ways back pass the gateway', async () => {
    const html = { Accept: 'text/html,*/*;q=0.8' };
    const faulty = await site.client.post(FEEDBACK(), await answered(), html);
    expect([faulty.status, faulty.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(faulty.headers.get('content-security-policy')).toContain(`default-src 'none'`);
    expect(faulty.text).toContain('aria-invalid="true"');
    const back = await site.client.post(
      FEEDBACK(),
      await answered({ 'your-name': 'Cid', _contact_form_return_url: '/thanks' }),
      html,
    );
    expect([back.status, back.headers.get('location')]).toEqual([303, 'http://site.test/thanks']);
    const gone = await site.client.post(
      '/rest/contact-form/v1/contact-forms/999999/feedback',
      undefined,
      html,
    );
    expect([gone.status, gone.headers.get('content-type')]).toEqual([404, 'text/html; charset=UTF-8']);
  });

  test('too large bodies are refused at the door, announced or not', async () => {
    const { status, body } = await site.client.post(FEEDBACK(), 'x'.repeat(16 * 1024 * 1024 + 1), {
      'Content-Type': 'multipart/form-data; boundary=x',
    });
    expect([status, body.code]).toEqual([413, 'payload_too_large']);
  });
});
