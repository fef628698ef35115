/** A form that was sent without a script, and files that came with one, through HTTP. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { decodeEntities } from '@sevenfold/text/html';
import { type FormsSite, startForms } from '../testing/service';
import { type FakeFilter, startFilter } from '../testing/filter';

let site: FormsSite;
let filter: FakeFilter;
beforeAll(async () => {
  filter = await startFilter();
  site = await startForms({
    SPAMFILTER_GRPC: filter.address,
    CORS_ORIGINS: 'https://front.test,https://other.test:8443',
    FORM_LIMIT_BYTES: 300_000,
  });
});
afterAll(async () => {
  await site.stop();
  await filter.stop();
});

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const FORM =
  '<label>Your name [text* your-name]</label>[email your-email][textarea your-message][submit "Go"]';
const send = (id: number, body: unknown, headers: Record<string, string> = {}) =>
  site.by('anonymous').post(`/contact-forms/${id}/feedback`, body, headers);
const post = (id: number, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  send(id, new URLSearchParams(fields), { ...BROWSER, ...headers });
const kept = async (id: number): Promise<number> =>
  (await site.deps.db.first<{ n: number }>('select count(*) as n from submissions where form_id = $1', [id]))
    ?.n ?? 0;

/** What the form on a page sends by itself. */
const hiddenOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]) => [
      name as string,
      decodeEntities(value as string),
    ]),
  );

describe('a page for browsers', () => {
  test('tells the result, and the way back where that is ours', async () => {
    const id = await site.makeForm({
      form: FORM,
      title: 'A <b> form',
      messages: { mail_sent_ok: 'Got <it>' },
    });
    const { status, headers, text } = await post(
      id,
      { 'your-name': 'Ann' },
      { Referer: 'http://site.test/contact?a=1&b=2' },
    );
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(text).toContain('<html lang="en-US" dir="ltr">');
    expect(text).toContain('<h1>A &lt;b&gt; form</h1>');
    expect(text).toMatch(/<p role="status">Got &lt;it(?:&gt;|>)<\/p>/);
    expect(text).toContain('href="http://site.test/contact?a=1&amp;b=2"');
    expect(text).not.toContain('<form');
    expect(await kept(id)).toBe(1);
  });

  test('runs nothing, is kept by no cache, and may stand where the form stood: in a frame', async () => {
    const id = await site.makeForm({ form: FORM });
    const { headers, text } = await post(id, {});
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(policy).not.toContain('frame-ancestors');
    expect(headers.get('x-frame-options')).toBeNull();
    expect(policy).toContain(`base-uri 'none'`);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(text).not.toMatch(/<script|style="/i);
  });

  test('shows the form again with faults beside the fields and what was filled in', async () => {
    const id = await site.makeForm({
      form: FORM,
      messages: { invalid_email: 'NO MAIL', invalid_required: 'REQ' },
    });
    const { status, text } = await post(id, {
      'your-name': '',
      'your-email': '"><script>alert(1)</script>',
      'your-message': 'I <wrote> this',
      _contact_form_unit_tag: 'contact-form-f9-o2',
    });
    expect(status).toBe(200);
    expect(text).toContain(`action="http://site.test/rest/contact-form/v1/contact-forms/${id}/feedback"`);
    expect(text).toContain('NO MAIL');
    expect(text).toContain('REQ');
    expect(text).toContain('aria-invalid="true"');
    expect(text).toContain('id="contact-form-f9-o2-ve-your-name"');
    expect(text).toMatch(/I &lt;wrote(?:&gt;|>) this<\/textarea>/);
    expect(text).not.toContain('<script');
    expect(await kept(id)).toBe(0);
  });

  test('goes on where the form was: with its time, its page and its way back', async () => {
    const id = await site.makeForm({ form: FORM });
    const shown = Math.floor(Date.now() / 1000) - 300;
    const first = await post(id, {
      'your-name': '',
      _contact_form_unit_tag: 'contact-form-f9-p7-o1',
      _contact_form_container_post: '7',
      _contact_form_return_url: '/thanks?x=1',
      _contact_form_shown: String(shown),
    });
    const again = hiddenOf(first.text);
    expect(again).toMatchObject({
      _contact_form_unit_tag: 'contact-form-f9-p7-o1',
      _contact_form_container_post: '7',
      _contact_form_return_url: 'http://site.test/thanks?x=1',
      _contact_form_shown: String(shown),
    });
    const { status, headers } = await post(id, { ...again, 'your-name': 'Ann' });
    expect([status, headers.get('location')]).toEqual([303, 'http://site.test/thanks?x=1']);
    const [row] = await site.deps.db.rows<{ meta: { container: number; seconds_to_fill: number } }>(
      'select meta from submissions where form_id = $1',
      [id],
    );
    expect(row?.meta.container).toBe(7);
    expect(row?.meta.seconds_to_fill).toBeGreaterThanOrEqual(300);
  });

  const backOf = (text: string): string | undefined => /<a href="([^"]*)">Back<\/a>/.exec(text)?.[1];
  const FEEDBACK = 'http://site.test/rest/contact-form/v1/contact-forms/9/feedback';

  test.each([
    ['http://site.test/contact/', FEEDBACK],
    ['https://front.test/contact', 'http://site.test/wp-json/contact-form-7/v1/contact-forms/9/feedback'],
    ['http://site.test/contact/', 'http://site.test/?rest_route=/contact-form/v1/contact-forms/9/feedback'],
  ])('leads back to %s after a second try as well, from %s', async (page, answer) => {
    const id = await site.makeForm({ form: FORM });
    const first = await post(id, { 'your-name': '' }, { Referer: page });
    expect(backOf(first.text)).toBe(page);
    const second = await post(id, hiddenOf(first.text), { Referer: answer });
    expect([second.text.includes('role="alert"'), backOf(second.text)]).toEqual([true, page]);
    const third = await post(id, { ...hiddenOf(second.text), 'your-name': 'Ann' }, { Referer: answer });
    expect([third.text.includes('role="status"'), backOf(third.text)]).toEqual([true, page]);
  });

  test.each(['', 'https://evil.test/', FEEDBACK])(
    'leads nowhere where nobody knows where it stood, or somebody lies: %j',
    async (place) => {
      const id = await site.makeForm({ form: FORM });
      const { text } = await post(
        id,
        { _contact_form_came_from: place, 'your-name': '' },
        { Referer: FEEDBACK },
      );
      expect(backOf(text)).toBeUndefined();
      expect(hiddenOf(text)._contact_form_came_from).toBeUndefined();
    },
  );

  test.each([
    ['https://evil.test/', '-7', '9'.repeat(12)],
    ['javascript:alert(1)', '"><b>', 'x'],
    ['//evil.test', '1e400', '-1'],
  ])('goes on with nothing that could not be at first: %s, %s, %s', async (address, container, shown) => {
    const id = await site.makeForm({ form: FORM });
    const before = Math.floor(Date.now() / 1000);
    const { text } = await post(id, {
      _contact_form_return_url: address,
      _contact_form_container_post: container,
      _contact_form_shown: shown,
    });
    const again = hiddenOf(text);
    expect(again._contact_form_return_url).toBeUndefined();
    expect(again._contact_form_container_post).toBe('0');
    expect(Number(again._contact_form_shown)).toBeGreaterThanOrEqual(before);
    expect(Number(again._contact_form_shown)).toBeLessThan(before + 600);
  });

  test.each([
    ['acceptance_missing', '[text a][acceptance ok]Yes[/acceptance]', 'accept_terms', { a: 'x' }],
    ['spam', '[textarea a]', 'spam', { a: 'buy' }],
  ])('%s', async (_status, form, message, fields) => {
    const id = await site.makeForm({ form, messages: { [message]: 'OWN TEXT' } });
    const { status, text } = await post(id, fields as Record<string, string>);
    expect(status).toBe(200);
    expect(text).toContain('OWN TEXT');
    expect(text).toContain('<form');
  });

  test('errors are pages, too', async () => {
    const gone = await post(999_999, {});
    expect(gone.status).toBe(404);
    expect(gone.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(gone.text).toContain('There is no such contact form.');
    const id = await site.makeForm({ form: FORM });
    const reused = { 'Idempotency-Key': 'page' };
    await post(id, { 'your-name': 'Ann' }, reused);
    const refused = await post(id, { 'your-name': 'Bob' }, reused);
    expect([refused.status, refused.text.includes('role="alert"')]).toEqual([422, true]);
  });

  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/json, text/html;q=0.5', 'application/json'],
    ['text/html', 'text/html'],
  ])('whoever accepts %s gets %s', async (accept, type) => {
    const id = await site.makeForm({ form: FORM });
    const { headers } = await send(
      id,
      new URLSearchParams({ 'your-name': 'A' }),
      accept ? { Accept: accept } : {},
    );
    expect(headers.get('content-type')).toContain(type);
  });
});

describe('the way back', () => {
  const back = async (address: string, fields: Record<string, string> = { 'your-name': 'Ann' }) => {
    const id = await site.makeForm({ form: FORM });
    const { status, headers } = await post(id, { ...fields, _contact_form_return_url: address });
    return [status, headers.get('location')];
  };

  test.each([
    ['/thanks?x=1#y', 'http://site.test/thanks?x=1#y'],
    ['http://site.test/thanks', 'http://site.test/thanks'],
    ['https://front.test/', 'https://front.test/'],
    ['https://other.test:8443/a', 'https://other.test:8443/a'],
  ])('%s', async (address, location) => {
    expect(await back(address)).toEqual([303, location]);
  });

  test.each([
    'https://evil.test/',
    '//evil.test/',
    '/\\evil.test/',
    '\\\\evil.test',
    'http://site.test@evil.test/',
    'http://user:secret@site.test/',
    'http://site.test.evil.test/',
    'https://site.test/',
    'http://site.test:81/',
    'javascript:alert(1)',
    'data:text/html,x',
    'http://site.test/\r\nX-Own: 1',
    '/\tevil',
    '',
  ])('nobody is sent to %j', async (address) => {
    expect(await back(address)).toEqual([200, null]);
  });

  test('is not taken when something is wrong', async () => {
    expect(await back('/thanks', {})).toEqual([200, null]);
  });

  test('programs that ask for JSON get it', async () => {
    const id = await site.makeForm({ form: FORM });
    const { status, body } = await send(id, { 'your-name': 'A', _contact_form_return_url: '/thanks' });
    expect([status, body.status]).toEqual([200, 'mail_sent']);
  });
});

describe('files', () => {
  const PNG = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const FILES = '[text a][file* your-file limit:20kb filetypes:txt|png][file more limit:200kb filetypes:txt]';
  const data = (files: readonly [string, string, string | Buffer][]): FormData => {
    const form = new FormData();
    form.append('a', 'x');
    for (const [field, name, content] of files) form.append(field, new Blob([content]), name);
    return form;
  };
  const stored = (): number =>
    readdirSync(path.join(site.deps.config.FILES_DIR, 'uploads'), {
      recursive: true,
      withFileTypes: true,
    }).filter((one) => one.isFile()).length;
  const uploads = (id: number) =>
    site.deps.db.rows<{ field: string; name: string; type: string; bytes: number; object_key: string }>(
      'select u.* from uploads u join submissions s on s.id = u.submission_id where s.form_id = $1 order by u.id',
      [id],
    );

  test('are kept with their submission, by content and under names of ours', async () => {
    const id = await site.makeForm({ form: FILES });
    const { body } = await send(
      id,
      data([
        ['your-file', '../../me.png', PNG],
        ['more', 'notes.txt', 'hello'],
        ['unknown', 'x.txt', 'dropped'],
      ]),
    );
    expect(body.status).toBe('mail_sent');
    const rows = await uploads(id);
    expect(rows).toMatchObject([
      { field: 'your-file', name: 'me.png', type: 'image/png', bytes: PNG.length },
      { field: 'more', name: 'notes.txt', type: 'text/plain', bytes: 5 },
    ]);
    for (const { object_key } of rows) expect(object_key).toMatch(/[0-9a-f]{32}$/);
    expect(stored()).toBe(2);
  });

  test('have the ending by which they were judged, however long the name is', async () => {
    const id = await site.makeForm({ form: FILES });
    const name = `invoice${'_'.repeat(989)}.hta.txt`;
    const { body } = await send(id, data([['your-file', name, '<script>']]));
    expect(body.status).toBe('mail_sent');
    expect((await uploads(id)).map(({ name }) => name)).toEqual([`invoice${'_'.repeat(143)}.txt`]);
  });

  test.each([
    ['missing', [], 'invalid_required'],
    ['chosen by nobody', [['your-file', '', '']], 'invalid_required'],
    ['too large', [['your-file', 'a.txt', 'x'.repeat(20 * 1024 + 1)]], 'upload_file_too_large'],
    ['of another type', [['your-file', 'a.pdf', '%PDF-1.4']], 'upload_file_type_invalid'],
    ['another than its name says', [['your-file', 'a.png', 'hello']], 'upload_file_type_invalid'],
    ['a page under the name of a picture', [['your-file', 'a.png', '<html>']], 'upload_file_type_invalid'],
    [
      'two where one is asked for',
      [
        ['your-file', 'a.txt', 'a'],
        ['your-file', 'b.txt', 'b'],
      ],
      'upload_failed',
    ],
  ] as const)('%s', async (_what, files, message) => {
    const id = await site.makeForm({ form: FILES, messages: { [message]: 'OWN TEXT' } });
    const before = stored();
    const { body } = await send(id, data(files as never));
    expect(body).toMatchObject({
      status: 'validation_failed',
      invalid_fields: [{ field: 'your-file', message: 'OWN TEXT' }],
    });
    expect([await kept(id), stored()]).toEqual([0, before]);
  });

  test('are refused as a whole beyond the limit, announced or not', async () => {
    const id = await site.makeForm({ form: FILES });
    const large = data([['your-file', 'a.txt', 'x'.repeat(300_001)]]);
    expect((await send(id, large)).status).toBe(413);
    const encoded = new Response(data([['your-file', 'a.txt', 'x'.repeat(300_001)]]));
    const streamed = await fetch(`${site.url}/rest/contact-form/v1/contact-forms/${id}/feedback`, {
      method: 'POST',
      headers: { 'Content-Type': encoded.headers.get('content-type') as string },
      body: encoded.body,
      duplex: 'half',
    } as RequestInit);
    expect(streamed.status).toBe(413);
    expect(await kept(id)).toBe(0);
  });
});
