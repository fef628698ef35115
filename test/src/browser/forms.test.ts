/**
 * The contact form as people meet it: in a real browser, by keyboard, as a page without scripts and put into a page of
 * somebody else by the gateway's script. Controls are found by the names that assistive technology reads.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElementHandle, HTTPRequest, Page, SerializedAXNode } from 'puppeteer-core';
import { until } from '@sevenfold/chassis/testing/until';
import { list } from '@sevenfold/forms/mail/mailbox';
import { type TestBrowser, startBrowser, violations } from '../support/browser';
import { type Site, startSite } from '../support/site';

let site: Site;
let files: string;
let elsewhere: Server;
let browser: TestBrowser | undefined;
let id: number;
let other: number;
let wide: number;

const FORM = `<label>Your name [text* your-name default:get]</label>
<label>Your e-mail address [email* your-email default:get]</label>
<label>Your message [textarea your-message default:get]</label>
[quiz sum "1+1=?|2"]
<label>A file [file your-file filetypes:txt limit:10kb]</label>
[acceptance terms]I agree[/acceptance]
[hidden action "ask"][hidden reset "no"]
[submit "Send"]`;
/** Of fields whose names are also those of a form's own members, and a sum that is another one each time. */
const OTHER = `<label>Your name [text* your-name]</label>
<label>Elements [text elements]</label>
<label>Data set [text dataset]</label>
<label>Note [textarea note maxlength:50]</label> [count note down] [count note]
[captchac sum] [captchar sum]
[checkbox days exclusive use_label_element "Monday" "Tuesday"]
[submit "Send"]`;
/** Of words that are wider than a phone, wherever an owner may write one. */
const WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
const WIDE = `<label>${WORD} [text* your-name]</label> [select menu "${WORD}"] [radio one use_label_element "${WORD}"]
<fieldset><legend>${WORD}</legend>[checkbox two "${WORD}"]</fieldset> [quiz sum "${WORD}|2"] <pre>${'to be read '.repeat(20)}</pre>
<table><tr><td nowrap>${'to be read '.repeat(20)}</td></tr></table> [acceptance terms]${WORD}[/acceptance]
[submit "${WORD}"]`;
const NAMES = ['Your name', 'Your e-mail address', 'Your message', '1+1=?', 'A file', 'I agree', 'Send'];
const THANKS = 'Thank you for your message. It has been sent.';
const REQUIRED = 'Please fill out this field.';

/** As strict as a page may be; its own style is the one thing that the form does not need. See «In a page» of services/forms. */
const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src http://site.test; connect-src http://site.test; form-action http://site.test; base-uri 'none'`;
const hostPage = (form: number): string => `<!DOCTYPE html><html lang="en"><head><title>Elsewhere</title>
<style>:root{background:Canvas;color:CanvasText;color-scheme:light dark}</style></head>
<body><main><h1>Write to us</h1><script src="http://site.test/forms/${form}/embed.js"></script></main></body></html>`;

const framing = (): string =>
  `<!DOCTYPE html><html lang="en"><head><title>Elsewhere</title></head><body><iframe title="Write to us" src="http://site.test/forms/${id}/page"></iframe></body></html>`;

beforeAll(async () => {
  files = await mkdtemp(path.join(tmpdir(), 'forms-'));
  const CORS_ORIGINS = 'http://elsewhere.test';
  site = await startSite(
    { CORS_ORIGINS, FORM_LIMIT_BYTES: 2_000_000 },
    { forms: { CORS_ORIGINS, FILES_DIR: files, ROLE: 'all', FORM_REPEAT_SECONDS: 0 } },
  );
  const { db } = site.service('forms').service;
  ({ id } = (await db.first<{ id: number }>('select id from forms')) as { id: number });
  await db.run(
    `update forms set form = $1, additional_settings = 'acceptance_as_validation: on', version = version + 1`,
    [FORM],
  );
  ({ id: other } = (await db.first<{ id: number }>(
    `insert into forms (slug, title, locale, form, mail, mail_2, messages, additional_settings)
     select 'other', 'Ask us', locale, $1, mail, mail_2, messages, '' from forms returning id`,
    [OTHER],
  )) as { id: number });
  ({ id: wide } = (await db.first<{ id: number }>(
    `insert into forms (slug, title, locale, form, mail, mail_2, messages, additional_settings)
     select 'wide', $2, locale, $1, mail, mail_2, messages, '' from forms where id = $3 returning id`,
    [WIDE, WORD, id],
  )) as { id: number });
  elsewhere = createServer(({ url = '' }, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (!url.startsWith('/careless')) response.setHeader('Content-Security-Policy', POLICY);
    response.end(
      url.startsWith('/careless/frame') ? framing() : hostPage(url.startsWith('/other') ? other : id),
    );
  });
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  browser = await startBrowser({
    'site.test': new URL(site.url).host,
    'elsewhere.test': `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`,
  });
});
afterAll(async () => {
  await browser?.stop();
  elsewhere?.close();
  await site?.stop();
  await rm(files, { recursive: true, force: true });
});

let said: string[];
/** A page that may say nothing by itself: what it says is kept. */
async function visit(address: string, scripts = true): Promise<Page> {
  const page = await (browser as TestBrowser).open({ scripts });
  said = [];
  page.on('dialog', (dialog) => {
    said.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('console', (message) => said.push(message.text()));
  await page.goto(address);
  return page;
}

const flat = (node: SerializedAXNode): SerializedAXNode[] => [node, ...(node.children ?? []).flatMap(flat)];
const tree = async (page: Page): Promise<SerializedAXNode[]> =>
  flat((await page.accessibility.snapshot({ interestingOnly: false })) as SerializedAXNode);
const focused = async (page: Page): Promise<SerializedAXNode | undefined> =>
  (await tree(page)).find((node) => node.focused && node.role !== 'RootWebArea');

/** Goes on with Tab to the control of this name; says which names it passed. */
async function reach(page: Page, name: string): Promise<string[]> {
  const passed: string[] = [];
  while (passed.length < 30) {
    await page.keyboard.press('Tab');
    passed.push((await focused(page))?.name?.trim() ?? '');
    if (passed.at(-1)?.startsWith(name)) return passed;
  }
  throw new Error(`No way by Tab to ${name}: ${passed.join(', ')}`);
}

/** What is typed into each control, in the order in which Tab meets them; a space ticks, Enter sends. */
async function fill(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    await reach(page, name);
    if (text === ' ') await page.keyboard.press('Space');
    else await page.keyboard.type(text);
  }
}

async function attach(page: Page, file: string): Promise<void> {
  const input = await page.$('input[type=file]');
  await input?.uploadFile(file);
}

async function send(page: Page): Promise<void> {
  await reach(page, 'Send');
  await page.keyboard.press('Enter');
}

/** The controls that are marked as wrong, each with what is said about it. */
const faults = async (page: Page): Promise<string[][]> =>
  (await tree(page))
    .filter(({ invalid }) => invalid === 'true')
    .map(({ name = '', description = '' }) => [name.trim(), description]);

/** It comes to where it goes, and the page never hears of it. */
async function loseAnswer(request: HTTPRequest): Promise<void> {
  await fetch(request.url().replace('http://site.test', site.url), {
    method: 'POST',
    headers: { ...request.headers(), host: 'site.test' },
    body: (await request.fetchPostData()) ?? '',
  });
  await request.abort('failed');
}

const result = (page: Page): Promise<string> =>
  page.$eval('[role=status], [role=alert]', (place) => `${place.getAttribute('role')}: ${place.textContent}`);

async function violationsInAnyLight(page: Page): Promise<string[]> {
  const found = [];
  for (const value of ['light', 'dark']) {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value }]);
    found.push(...(await violations(page)));
  }
  return found;
}

interface Kept {
  readonly values: Record<string, string>;
}
const submissions = (): Promise<Kept[]> =>
  site.service('forms').service.db.rows<Kept>('select values from submissions order by id');

/** So many are kept, and so many mails lie in the mailbox, where each comes in its time. */
async function kept(count: number): Promise<void> {
  expect(await submissions()).toHaveLength(count);
  await until(async () => (await list(path.join(files, 'mailbox'))).length >= count);
  expect(await list(path.join(files, 'mailbox'))).toHaveLength(count);
}
const before = async (): Promise<number> => (await submissions()).length;

const WRONG = [
  ['Your name', REQUIRED],
  ['Your e-mail address', REQUIRED],
  ['1+1=?', 'This is not the right answer.'],
];

describe('without scripts', () => {
  test('what is sent in a frame is answered in it', async () => {
    const page = await visit('http://elsewhere.test/careless/frame', false);
    const frame = page.frames().find((one) => one.url().includes('/forms/'));
    await (await frame?.$('[type=submit]'))?.click();
    const answered = await until(() =>
      page.frames().find((one) => /feedback$|^chrome-error/.test(one.url())),
    );
    expect(answered.url()).toMatch(/feedback$/);
    expect(await answered.$eval('[role=alert]', (place) => place.textContent)).not.toBe('');
  });

  test('it is filled in by keyboard, shows what is wrong beside the fields, keeps what is right, and is sent once', async () => {
    const page = await visit(`http://site.test/forms/${id}/page`, false);
    expect(await violationsInAnyLight(page)).toEqual([]);
    expect(await reach(page, 'Send')).toEqual(NAMES);
    await fill(page, { 'Your message': 'When do you open on Sundays?', '1+1=?': '3', 'I agree': ' ' });
    await reach(page, 'Send');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);

    expect(await faults(page)).toEqual(WRONG);
    expect(await result(page)).toMatch(/^alert: Some fields need your attention/);
    expect(await page.$eval('textarea', (area) => area.value)).toBe('When do you open on Sundays?');
    expect(await violationsInAnyLight(page)).toEqual([]);
    const was = await before();

    await fill(page, { 'Your name': 'Ann', 'Your e-mail address': 'ann@example.org', '1+1=?': '2' });
    await reach(page, 'Send');
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
    expect(await result(page)).toBe(`status: ${THANKS}`);
    expect(await violationsInAnyLight(page)).toEqual([]);
    await kept(was + 1);
    expect((await submissions()).at(-1)?.values).toMatchObject({
      'your-name': 'Ann',
      'your-message': 'When do you open on Sundays?',
    });
  });
});

test('on a narrow phone nothing has to be moved sideways, before and after it was sent', async () => {
  const page = await (browser as TestBrowser).open({ scripts: false });
  await page.setViewport({ width: 320, height: 640 });
  const width = (): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth');
  await page.goto(`http://site.test/forms/${wide}/page`);
  expect(await width()).toBe(320);
  await page.$eval('form', (form) => (form.noValidate = true));
  await Promise.all([page.waitForNavigation(), page.click('[type=submit]')]);
  expect(await result(page)).toMatch(/^alert: /);
  expect(await width()).toBe(320);
});

test('without scripts, what is larger than the gateway lets in is said on a page, in a frame as well', async () => {
  const page = await visit('http://elsewhere.test/careless/frame', false);
  const large = path.join(files, 'large.txt');
  await writeFile(large, Buffer.alloc(3_000_000));
  const frame = page.frames().find((one) => one.url().includes('/forms/'));
  const input = await frame?.$('input[type=file]');
  await input?.uploadFile(large);
  await frame?.$eval('form', (form) => (form.noValidate = true));
  await (await frame?.$('[type=submit]'))?.click();
  const answered = await until(() => page.frames().find((one) => /feedback$|^chrome-error/.test(one.url())));
  expect(await answered.$eval('h1 + [role=alert]', (place) => place.textContent)).toBe(
    'The request body is larger than the limit of 2000000 bytes.',
  );
  expect(await violations(answered)).toEqual([]);
  // Whoever asks for JSON gets it.
  const { status, headers } = await fetch(`${site.url}/rest/contact-form/v1/contact-forms/${id}/feedback`, {
    method: 'POST',
    headers: { Accept: 'application/json, text/html' },
    body: new URLSearchParams({ text: 'a'.repeat(2_000_001) }),
  });
  expect([status, headers.get('content-type')]).toEqual([413, 'application/json; charset=UTF-8']);
});

/** What the sum of the other form comes to, as it is shown. */
async function sum(page: Page): Promise<string> {
  const question = await page.$eval('.contact-form-captchac', ({ textContent }) => textContent as string);
  const [, one, two] = /(\d+) plus (\d+)/.exec(question) ?? [];
  return String(Number(one) + Number(two));
}

test.each([0, 1])(
  'without scripts it leads on to a page of a listed origin, after as many faults: %i',
  async (faulty) => {
    const page = await visit(
      `http://site.test/forms/${other}/page?_return_url=http://elsewhere.test/careless/thanks`,
      false,
    );
    const was = await before();
    await page.type('[name=note]', 'Do you close in the winter?');
    const sent = async (name: string): Promise<void> => {
      await page.$eval(
        '[name=your-name]',
        (field, text) => ((field as { value: string }).value = text),
        name,
      );
      await page.type('[name=sum]', await sum(page));
      await Promise.all([page.waitForNavigation(), page.click('[type=submit]')]);
    };
    for (let at = 0; at < faulty; at++) {
      await page.$eval('form', (form) => (form.noValidate = true));
      await sent('');
      expect(await result(page)).toMatch(/^alert: /);
    }
    await sent('Cleo');
    expect(page.url()).toBe('http://elsewhere.test/careless/thanks');
    await kept(was + 1);
    expect(said.filter((line) => line.includes('form-action'))).toEqual([]);
  },
);

describe('in a page of somebody else', () => {
  const embedded = async (query = ''): Promise<Page> => {
    const page = await visit(`http://elsewhere.test/${query}`);
    await page.waitForSelector('form');
    return page;
  };
  const ended = (page: Page, status: string): Promise<ElementHandle | null> =>
    page.waitForSelector(`form[data-status=${status}]:not([aria-busy])`);
  const GOOD = {
    'Your name': 'Ben',
    'Your e-mail address': 'ben@example.org',
    'Your message': 'Is there a lift in the building?',
    '1+1=?': '2',
    'I agree': ' ',
  };

  test('it is filled in by keyboard, leads to the first field that is wrong, says that it was sent, and begins anew', async () => {
    const page = await embedded();
    expect(await violationsInAnyLight(page)).toEqual([]);
    expect(await reach(page, 'Send')).toEqual(NAMES);
    await fill(page, { 'Your message': GOOD['Your message'], '1+1=?': '3', 'I agree': ' ' });
    await send(page);
    await ended(page, 'validation_failed');
    expect(await faults(page)).toEqual(WRONG);
    expect((await focused(page))?.name?.trim()).toBe('Your name');
    expect(await result(page)).toMatch(/^alert: Some fields need your attention/);
    expect(await violationsInAnyLight(page)).toEqual([]);
    const was = await before();

    // The cursor is where it has to be.
    await page.keyboard.type('Ben');
    await fill(page, { 'Your e-mail address': 'ben@example.org', '1+1=?': '2' });
    await send(page);
    await ended(page, 'mail_sent');
    expect(await result(page)).toBe(`status: ${THANKS}`);
    expect(await faults(page)).toEqual([]);
    expect(await page.$$eval('input[type=text], textarea', (all) => all.map(({ value }) => value))).toEqual(
      expect.not.arrayContaining(['Ben']),
    );
    expect(await violationsInAnyLight(page)).toEqual([]);
    expect(page.url()).toBe('http://elsewhere.test/');
    await kept(was + 1);

    // And once more: the question is fresh.
    await fill(page, { ...GOOD, 'Your message': 'And is there one in the garden?' });
    await send(page);
    await page.waitForFunction(`document.querySelector('textarea').value === ''`);
    await kept(was + 2);
    expect(said).toEqual([]);
  });

  test('a captcha is asked anew, characters are counted, and fields may have any name', async () => {
    const page = await embedded('other');
    const was = await before();
    const counts = (): Promise<(string | null)[]> =>
      page.$$eval('.contact-form-character-count', (all) => all.map(({ textContent }) => textContent));
    expect(await counts()).toEqual(['50', '0']);
    await page.type('[name=note]', 'Is there a lift in the building? 💨');
    expect(await counts()).toEqual(['16', '34']);
    for (const name of ['', '', 'Dora']) {
      await page.type('[name=your-name]', name);
      await page.type('[name=sum]', await sum(page));
      await page.click('[type=submit]');
      await ended(page, name === '' ? 'validation_failed' : 'mail_sent');
      // A wrong answer to the sum would be a fault as well.
      expect(await faults(page)).toEqual(name === '' ? [['Your name', REQUIRED]] : []);
      await page.$eval('form', (form) => form.setAttribute('data-status', 'again'));
    }
    expect(await result(page)).toBe(`status: ${THANKS}`);
    expect(await counts()).toEqual(['50', '0']);
    await kept(was + 1);
    expect(said).toEqual([]);
  });

  test('of boxes of which one may be ticked, ticking one unticks the others', async () => {
    const page = await embedded('other');
    const ticked = (): Promise<string[]> =>
      page.$$eval('[name=days]:checked', (all) => all.map((box) => (box as { value?: string }).value ?? ''));
    const [monday, tuesday] = await page.$$('[name=days]');
    await monday?.click();
    await tuesday?.click();
    expect(await ticked()).toEqual(['Tuesday']);
    await tuesday?.click();
    expect(await ticked()).toEqual([]);
  });

  test('a double click sends once', async () => {
    const page = await embedded();
    const was = await before();
    await fill(page, { ...GOOD, 'Your message': 'How long is the night of the museums?' });
    await page.click('[type=submit]', { count: 2 });
    await ended(page, 'mail_sent');
    await kept(was + 1);
  });

  test('what is sent again after its answer was lost is kept once', async () => {
    const page = await embedded();
    const was = await before();
    await fill(page, { ...GOOD, 'Your message': 'Do you sell tickets at the door?' });
    const keys: (string | undefined)[] = [];
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.method() !== 'POST') return void request.continue();
      keys.push(request.headers()['idempotency-key']);
      void (keys.length === 1 ? loseAnswer(request) : request.continue());
    });
    await send(page);
    await ended(page, 'error');
    await kept(was + 1);
    await send(page);
    await ended(page, 'mail_sent');
    await kept(was + 1);
    // What is filled in after that is another one.
    await fill(page, { ...GOOD, 'Your message': 'Do you sell tickets at the door?' });
    await send(page);
    await page.waitForFunction(`document.querySelector('textarea').value === ''`);
    await kept(was + 2);
    expect(keys).toEqual([
      expect.stringMatching(/^\d+(?:-\d+){3}$/),
      keys[0],
      expect.not.stringMatching(`^${keys[0]}$`),
    ]);
    expect(said.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  });

  test('a file goes with it, and one of a kind that is not wanted is refused beside its field', async () => {
    const page = await embedded();
    const was = await before();
    const [note, page2] = [path.join(files, 'note.txt'), path.join(files, 'page.html')];
    await writeFile(note, 'a note');
    await writeFile(page2, '<script>ran = 1</script>');
    await fill(page, { ...GOOD, 'Your message': 'Here is the note that you asked for.' });
    await attach(page, page2);
    await send(page);
    await ended(page, 'validation_failed');
    expect(await faults(page)).toEqual([['A file', 'Files of this type cannot be uploaded here.']]);
    await attach(page, note);
    await fill(page, { '1+1=?': '2' });
    await send(page);
    await ended(page, 'mail_sent');
    await kept(was + 1);
    const { db } = site.service('forms').service;
    expect(await db.first('select name from uploads order by id desc limit 1')).toEqual({ name: 'note.txt' });
  });

  test('a page that lay in a cache is told a fresh question, and works after that', async () => {
    const page = await embedded();
    const was = await before();
    await page.$$eval('input[type=hidden]', (all) => {
      for (const { name, value } of [...all]) {
        const field = all.find((input) => input.name === name) as { value: string };
        if (name.startsWith('_contact_form_quiz_answer_')) field.value = value.replace(/^[^.]+/, '1');
        if (name === '_contact_form_unit_tag') field.value = 'contact-form-f999-p1-o9';
        if (name === '_contact_form_version') field.value = '0';
        if (name === '_contact_form_shown') field.value = '1000000000';
      }
    });
    await fill(page, { ...GOOD, 'Your message': 'Which tram goes to the harbour?' });
    await send(page);
    await ended(page, 'validation_failed');
    expect(await faults(page)).toEqual([['1+1=?', 'This is not the right answer.']]);
    await page.keyboard.type('2');
    await send(page);
    await ended(page, 'mail_sent');
    await kept(was + 1);
  });
});

describe('what visitors and addresses say never runs', () => {
  const HOSTILE = [
    '"><script>ran=1;alert(1)</script>',
    '</textarea><img src=x onerror="ran=1;alert(2)">',
    `'-alert(3)-'<svg onload=ran=1>`,
  ];
  const query = `?your-name=${encodeURIComponent(HOSTILE[0] as string)}&your-message=${encodeURIComponent(HOSTILE[1] as string)}&your-email=${encodeURIComponent(HOSTILE[2] as string)}`;
  const ran = (page: Page): Promise<unknown> => page.evaluate('window.ran');
  const values = (page: Page): Promise<string[]> =>
    page.$$eval('[name=your-name], [name=your-email], [name=your-message]', (all) =>
      all.map((field) => (field as { value?: string }).value ?? ''),
    );

  test.each([
    ['in a page of somebody else, who has no policy', () => `http://elsewhere.test/careless${query}`],
    ['in the page of the form', () => `http://site.test/forms/${id}/page${query}`],
  ])('%s', async (_, address) => {
    const page = await visit(address());
    await page.waitForSelector('form');
    expect(await values(page)).toEqual([HOSTILE[0], HOSTILE[2], HOSTILE[1]]);
    await page.$eval('form', (form) => (form.noValidate = true));
    await send(page);
    await page.waitForSelector('[role=alert]');
    // The page of the form comes anew, its fields after what it says first.
    await page.waitForFunction(`document.readyState === 'complete'`);
    expect(await values(page)).toEqual([HOSTILE[0], HOSTILE[2], HOSTILE[1]]);
    expect(await ran(page)).toBeUndefined();
    expect(said).toEqual([]);
  });
});
