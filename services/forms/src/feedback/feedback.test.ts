/** What visitors submit, through HTTP on a real database, with a spam filter over real gRPC. */
import { speaker } from '@sevenfold/chassis/testing/service';
import { type FormsSite, startForms } from '../testing/service';
import { type FakeFilter, startFilter, usual } from '../testing/filter';

let site: FormsSite;
let filter: FakeFilter;
beforeAll(async () => {
  filter = await startFilter();
  site = await startForms({ SPAMFILTER_GRPC: filter.address, FORM_WAIT_SECONDS: 60 });
});
afterAll(async () => {
  await site.stop();
  await filter.stop();
});
afterEach(() => {
  filter.answer = usual;
  filter.checks.length = 0;
});

const FORM = `[text* your-name][email* your-email][text your-subject minlength:3 maxlength:20]
[textarea your-message][tel your-tel][url your-url][number your-number min:1 max:10]
[date your-date min:2026-01-01 max:2026-12-31][select your-menu "one" "two"][checkbox your-box "a" "b"]
[radio your-radio default:1 "x" "y"][acceptance your-accept]Yes[/acceptance][hidden your-hidden "h"][submit "Send"]`;
const right = {
  'your-name': 'Ann',
  'your-email': 'ann@site.test',
  'your-message': 'Hello\r\nthere',
  'your-box[]': ['a', 'b'],
  'your-radio': 'x',
  'your-accept': '1',
};

type Fields = Record<string, string | readonly string[]>;
const pairs = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [name, one]),
  );
const multipart = (fields: Fields): FormData => {
  const data = new FormData();
  for (const [name, value] of pairs(fields)) data.append(name, value);
  return data;
};
const send = (id: number, body: unknown, headers: Record<string, string> = {}, who?: 'subscriber') =>
  site.by(who ?? 'anonymous').post(`/contact-forms/${id}/feedback`, body, headers);
/** What nobody has sent before. */
let sent = 0;
const fresh = (more: Fields = {}): Fields => ({ ...right, 'your-subject': `No ${++sent}`, ...more });

interface Row {
  readonly [column: string]: unknown;
}
const submissions = (id: number) =>
  site.deps.db.rows<Row>('select * from submissions where form_id = $1 order by id', [id]);
const mails = (id: number) =>
  site.deps.db.rows<{ mail: string }>(
    `select o.payload ->> 'mail' as mail from outbox o join submissions s on s.id = (o.payload ->> 'submission')::bigint
      where o.channel = 'forms.mail' and o.name = 'send-mail' and s.form_id = $1 order by o.id`,
    [id],
  );
const kept = async (id: number) => [(await submissions(id)).length, (await mails(id)).length];

describe('mail_sent', () => {
  test.each([
    ['form data', (fields: Fields) => new URLSearchParams(pairs(fields))],
    ['multipart', multipart],
    [
      'JSON',
      (fields: Fields) =>
        Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replace('[]', ''), value])),
    ],
  ])('as %s', async (_kind, make) => {
    const id = await site.makeForm({
      form: FORM,
      mail_2: { active: true },
      messages: { mail_sent_ok: 'OWN' },
    });
    const { status, body, headers } = await send(
      id,
      make(fresh({ _contact_form_unit_tag: 'contact-form-f1-p2-o3' })),
      {
        Referer: 'https://elsewhere.test/page?x=1',
      },
    );
    expect(status).toBe(200);
    expect(headers.get('allow')).toBe('POST');
    expect(body).toEqual({
      into: '#contact-form-f1-p2-o3',
      status: 'mail_sent',
      message: 'OWN',
      invalid_fields: [],
      invalidFields: [],
      posted_data_hash: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const [row, ...others] = await submissions(id);
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      status: 'received',
      result: 'mail_sent',
      mail: 'queued',
      mail_2: 'queued',
      keep: true,
      spam_verdict: 'ham',
      spam_unchecked: false,
      values: {
        'your-name': 'Ann',
        'your-message': 'Hello\nthere',
        'your-box': ['a', 'b'],
        'your-accept': '1',
        'your-date': '',
      },
      meta: {
        address: '127.0.0.1',
        agent: 'node',
        url: 'https://elsewhere.test/page?x=1',
        unit_tag: 'contact-form-f1-p2-o3',
      },
    });
    expect(await mails(id)).toEqual([{ mail: 'mail' }, { mail: 'mail_2' }]);
    expect(filter.checks).toMatchObject([
      {
        key: `submission/${String(row?.id)}`,
        message: {
          kind: 'contact-form',
          authorName: 'Ann',
          authorEmail: 'ann@site.test',
          address: '127.0.0.1',
          userAgent: 'node',
          language: 'en_US',
          honeypot: false,
          secondsToFill: 0,
        },
      },
    ]);
    expect(filter.checks[0]?.message?.content).toContain('Hello\nthere');
  });

  test('needs neither nonce nor unit tag, from whatever site', async () => {
    const id = await site.makeForm({ form: FORM });
    const { body } = await send(id, new URLSearchParams(pairs(fresh())), {
      Origin: 'https://elsewhere.test',
      'Sec-Fetch-Site': 'cross-site',
    });
    expect(body).toMatchObject({ into: '', status: 'mail_sent' });
    expect(await kept(id)).toEqual([1, 1]);
  });

  test.each(['#x', 'a b', '1a', 'x"><script>', 'a'.repeat(101)])('no unit tag: %s', async (tag) => {
    const id = await site.makeForm({ form: FORM });
    expect((await send(id, { ...right, 'your-box': ['a'], _contact_form_unit_tag: tag })).body.into).toBe('');
  });

  test('the honeypot and the time of filling in are told to the filter', async () => {
    const id = await site.makeForm({ form: FORM });
    const shown = Math.floor(Date.now() / 1000) - 100;
    await send(id, { ...right, _contact_form_homepage: 'x', _contact_form_shown: String(shown) });
    expect(filter.checks[0]?.message?.honeypot).toBe(true);
    expect(filter.checks[0]?.message?.secondsToFill).toBeGreaterThanOrEqual(100);
    expect(filter.checks[0]?.message?.secondsToFill).toBeLessThan(700);
  });
});

describe('validation_failed', () => {
  test('names all fields at once, and keeps nothing', async () => {
    const id = await site.makeForm({
      form: FORM,
      messages: { invalid_required: 'REQ', validation_error: 'ALL' },
    });
    const { status, body } = await send(id, {
      'your-email': 'nobody',
      'your-subject': 'ab',
      'your-tel': 'x',
      'your-url': 'nowhere',
      'your-number': '11',
      'your-date': '2025-12-31',
      'your-menu': 'three',
      _contact_form_unit_tag: 'u',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ into: '#u', status: 'validation_failed', message: 'ALL' });
    const names = ['name', 'email', 'subject', 'tel', 'url', 'number', 'date', 'menu', 'radio'].map(
      (one) => `your-${one}`,
    );
    expect(body.invalid_fields.map(({ field }: { field: string }) => field)).toEqual(names);
    expect(body.invalidFields.map(({ into }: { into: string }) => into)).toEqual(
      names.map((name) => `span.contact-form-form-control-wrap.${name}`),
    );
    expect(body.invalid_fields[0]).toEqual({
      field: 'your-name',
      message: 'REQ',
      idref: null,
      error_id: 'u-ve-your-name',
    });
    expect(body.invalidFields[0]).toEqual({
      into: 'span.contact-form-form-control-wrap.your-name',
      message: 'REQ',
      idref: null,
    });
    expect(await kept(id)).toEqual([0, 0]);
    expect(filter.checks).toEqual([]);
  });

  test('the selector of a name with a colon finds it', async () => {
    const id = await site.makeForm({ form: '[text* your:name]' });
    const { body } = await send(id, {});
    expect(body.invalidFields[0].into).toBe('span.contact-form-form-control-wrap.your\\:name');
  });

  test.each([
    ['nothing', undefined],
    ['a JSON list', '[1,2]'],
    ['a JSON text', '"x"'],
    ['text', 'hello'],
  ])('%s was posted', async (_what, body) => {
    const id = await site.makeForm({ form: FORM });
    const type = body?.startsWith('h') ? 'text/plain' : 'application/json';
    const answer = await send(id, body, body === undefined ? {} : { 'Content-Type': type });
    expect([answer.status, answer.body.status]).toEqual([200, 'validation_failed']);
  });

  test('a form of as many fields as there may be, sent as its script does', async () => {
    const names = Array.from({ length: 999 }, (_none, at) => `a${at}`);
    const id = await site.makeForm({ form: names.map((name) => `[text* ${name}]`).join('') });
    const sentAll = Object.fromEntries(names.map((name) => [name, 'x']));
    expect((await send(id, multipart(sentAll))).body.status).toBe('mail_sent');
  });

  test('names of prototypes are no fields', async () => {
    const id = await site.makeForm({ form: '[text constructor][text* __proto__][text* toString]' });
    const { body } = await send(id, '{"__proto__":"x","constructor":"y"}', {
      'Content-Type': 'application/json',
    });
    expect(body.status).toBe('validation_failed');
    expect(body.invalid_fields.map(({ field }: { field: string }) => field)).toContain('toString');
  });
});

describe('acceptance_missing', () => {
  const without = { ...right, 'your-accept': '' };
  test('keeps nothing', async () => {
    const id = await site.makeForm({ form: FORM });
    const { body } = await send(id, without);
    expect(body).toMatchObject({ status: 'acceptance_missing', invalid_fields: [] });
    expect(await kept(id)).toEqual([0, 0]);
  });
  test('comes after validation', async () => {
    const id = await site.makeForm({ form: FORM });
    expect((await send(id, { ...without, 'your-name': '' })).body.status).toBe('validation_failed');
  });
  test('is a fault of its field where the form says so', async () => {
    const id = await site.makeForm({ form: FORM, additional_settings: 'acceptance_as_validation: on' });
    const { body } = await send(id, without);
    expect(body.status).toBe('validation_failed');
    expect(body.invalid_fields).toMatchObject([{ field: 'your-accept' }]);
  });
});

describe('spam', () => {
  test.each([
    ['spam', 'please buy'],
    ['blatant', 'BUY NOW'],
  ])('%s is kept apart and not mailed', async (verdict, text) => {
    filter.answer = async (request) => ({ ...(await usual(request)), refuse: false });
    const id = await site.makeForm({ form: FORM, messages: { spam: 'OWN' } });
    const { body } = await send(id, { ...right, 'your-message': text });
    expect(body).toMatchObject({ status: 'spam', message: 'OWN' });
    expect(await submissions(id)).toMatchObject([
      {
        status: 'spam',
        result: 'spam',
        mail: 'none',
        spam_verdict: verdict,
        spam_score: 0.9,
        spam_evidence: [{ name: 'words', weight: 2, detail: 'buy' }],
      },
    ]);
    expect(await mails(id)).toEqual([]);
  });

  test('what the site wants refused is not kept, and told alike', async () => {
    const id = await site.makeForm({ form: FORM, messages: { spam: 'OWN' } });
    const worst = { ...right, 'your-message': 'BUY NOW' };
    for (let times = 0; times < 2; times++)
      expect((await send(id, worst)).body).toMatchObject({ status: 'spam', message: 'OWN' });
    expect(filter.checks).toHaveLength(1);
    expect(await submissions(id)).toMatchObject([
      {
        status: 'spam',
        keep: false,
        values: {},
        meta: {},
        mail: 'none',
        words: '',
        emails: [],
        spam_evidence: [],
      },
    ]);
    expect(await mails(id)).toEqual([]);
  });

  test('in a hidden field; what the form put there is not asked about', async () => {
    const id = await site.makeForm({ form: '[text a][hidden b "offered"]' });
    expect((await send(id, { a: 'Hello', b: 'offered' })).body.status).toBe('mail_sent');
    expect((await send(id, { a: 'Hello', b: 'please buy' })).body.status).toBe('spam');
    expect(filter.checks.map(({ message }) => message?.content)).toEqual(['Hello', 'Hello\nplease buy']);
  });

  test('in what was typed beside a choice; the choices are words of the form', async () => {
    const id = await site.makeForm({
      form: `[text a][select b "buy cake"][checkbox c "buy tea" "buy more"][radio d free_text "buy now" "Other, buy"]`,
    });
    const chosen = { a: 'Hello', b: 'buy cake', 'c[]': ['buy tea', 'buy more'], d: 'Other, buy' };
    const own = (text: string): Fields => ({ ...chosen, _contact_form_free_text_d: text });
    for (const fields of [chosen, own('a word of mine')])
      expect((await send(id, fields)).body.status).toBe('mail_sent');
    expect((await send(id, own('please buy'))).body.status).toBe('spam');
    expect(filter.checks.map(({ message }) => message?.content)).toEqual([
      'Hello',
      'Hello\na word of mine',
      'Hello\nplease buy',
    ]);
  });

  test('behind a field that alone is longer than what the filter looks at', async () => {
    const id = await site.makeForm({ form: '[textarea a][text b][textarea c][text d]' });
    const [most, filler] = [64 * 1024, 'so '.repeat(30_000)];
    await send(id, { a: filler, b: 'short', c: filler, d: 'please buy' });
    const [a, b, c, d] = (filter.checks[0]?.message?.content ?? '').slice(0, most).split('\n');
    expect([b, d]).toEqual(['short', 'please buy']);
    expect(a).toBe(c);
    // What is short leaves its room to the others.
    expect(a?.length).toBeGreaterThan(most / 2 - 20);
  });

  test('who does not say what program it is', async () => {
    const id = await site.makeForm({ form: FORM });
    expect((await send(id, right, { 'User-Agent': 'x' })).body.status).toBe('spam');
    expect(await submissions(id)).toMatchObject([{ status: 'spam', spam_verdict: 'spam' }]);
    expect(filter.checks).toEqual([]);
  });
});

describe('additional settings', () => {
  const make = (additional_settings: string) => site.makeForm({ form: FORM, additional_settings });

  test('demo_mode keeps nothing and sends nothing', async () => {
    const id = await make('demo_mode: on');
    expect((await send(id, right)).body.status).toBe('mail_sent');
    expect((await send(id, right, { 'User-Agent': '' })).body.status).toBe('spam');
    expect(await kept(id)).toEqual([0, 0]);
  });

  test('skip_mail keeps and sends nothing', async () => {
    const id = await make('skip_mail: on');
    expect((await send(id, right)).body.status).toBe('mail_sent');
    expect(await kept(id)).toEqual([1, 0]);
    expect(await submissions(id)).toMatchObject([{ mail: 'none', mail_2: 'none', status: 'received' }]);
  });

  test('subscribers_only is for users', async () => {
    const id = await make('subscribers_only: true');
    const refused = await send(id, {});
    expect([refused.status, refused.body.status]).toEqual([200, 'error']);
    expect(await kept(id)).toEqual([0, 0]);
    expect((await send(id, right, {}, 'subscriber')).body.status).toBe('mail_sent');
    expect(await kept(id)).toEqual([1, 1]);
  });

  test('the account of a user is noted, and found when it is to be erased; strangers have none', async () => {
    const id = await make('');
    await send(id, fresh(), {}, 'subscriber');
    await send(id, fresh());
    const rows = await site.deps.db.rows<{ user: { email: string } | null; emails: string[] }>(
      `select meta->'user' as "user", emails from submissions where form_id = $1 order by id`,
      [id],
    );
    expect(rows.map(({ user }) => user?.email)).toEqual(['subscriber@site.test', undefined]);
    expect(rows.map(({ emails }) => emails.includes('subscriber@site.test'))).toEqual([true, false]);
  });

  test('do_not_store keeps what is sent for its mail only', async () => {
    const id = await make('do_not_store: on');
    expect((await send(id, right)).body.status).toBe('mail_sent');
    expect(await submissions(id)).toMatchObject([
      { keep: false, mail: 'queued', values: { 'your-name': 'Ann' } },
    ]);
    const spam = await make('do_not_store: on');
    expect((await send(spam, { ...right, 'your-message': 'buy' })).body.status).toBe('spam');
    const silent = await make('do_not_store: on\nskip_mail: on');
    expect((await send(silent, right)).body.status).toBe('mail_sent');
    for (const one of [spam, silent])
      expect(await submissions(one)).toMatchObject([{ keep: false, mail: 'none', values: {}, meta: {} }]);
  });

  test('of what is not to be stored, and not mailed, the files go with the rest; others are kept', async () => {
    const files = async (settings: string, fields: Fields): Promise<unknown> => {
      const id = await site.makeForm({
        form: '[textarea your-message][file cv]',
        additional_settings: settings,
      });
      const body = multipart(fields);
      body.append('cv', new Blob(['my life']), 'cv.txt');
      expect((await send(id, body)).status).toBe(200);
      return (
        await site.deps.db.first<{ n: number }>(
          'select count(*)::int as n from uploads u join submissions s on s.id = u.submission_id where s.form_id = $1',
          [id],
        )
      )?.n;
    };
    const silent = 'do_not_store: on\nskip_mail: on';
    expect(await files(silent, {})).toBe(0);
    expect(await files('do_not_store: on', { 'your-message': 'buy' })).toBe(0);
    expect(await files('do_not_store: on', {})).toBe(1);
    expect(await files('skip_mail: on', {})).toBe(1);
  });

  test.each([
    ['on', 'This form takes no messages at the moment.'],
    ['The registration has ended.', 'The registration has ended.'],
  ])('abort: %s', async (text, message) => {
    const id = await make(`abort: ${text}`);
    expect((await send(id, right)).body).toMatchObject({ status: 'aborted', message });
    expect((await send(id, { ...right, 'your-name': '' })).body.status).toBe('validation_failed');
    expect((await send(id, right, { 'User-Agent': '' })).body.status).toBe('spam');
    expect(await kept(id)).toEqual([0, 0]);
  });

  test('wait_for_mail answers what became of the mail', async () => {
    const id = await make('wait_for_mail: on');
    const impatient = await site.another('api', { FORM_WAIT_SECONDS: 1 });
    const settle = async (state: string) => {
      await site.deps.db.run(
        `with done as (update submissions set mail = $2 where form_id = $1 and mail = 'queued' returning id)
         select pg_notify('forms_mail', id::text) from done`,
        [id, state],
      );
    };
    for (const [state, status, { url }] of [
      ['sent', 'mail_sent', site],
      ['failed', 'mail_failed', site],
      // Nobody sends it in time.
      ['queued', 'mail_failed', impatient],
    ] as const) {
      const before = (await submissions(id)).length;
      const answer = speaker(`${url}/rest/contact-form/v1`).post(`/contact-forms/${id}/feedback`, fresh());
      while ((await mails(id)).length === before) await new Promise((resolve) => setTimeout(resolve, 5));
      await settle(state);
      expect((await answer).body.status).toBe(status);
      await settle('sent');
    }
    expect((await send(id, { ...right, 'your-message': 'buy' })).body.status).toBe('spam');
  });
});

describe('quizzes', () => {
  const QUIZ = '[text a][quiz sum "1+1=?|2" "2+2=?|4"][quiz other "Red?|yes"]';
  const refill = async (id: number) => (await site.by('anonymous').get(`/contact-forms/${id}/refill`)).body;

  test('are asked by refill and in each answer, and answered with the token that came with them', async () => {
    const id = await site.makeForm({ form: QUIZ });
    const { quiz } = await refill(id);
    expect(Object.keys(quiz)).toEqual(['sum', 'other']);
    const [question, token] = quiz.sum as [string, string];
    expect(['1+1=?', '2+2=?']).toContain(question);
    const fields = {
      sum: question === '1+1=?' ? '2' : '4',
      other: ' YES ',
      _contact_form_quiz_answer_sum: token,
      _contact_form_quiz_answer_other: quiz.other[1],
    };
    const wrong = await send(id, { ...fields, sum: '5' });
    expect(wrong.body).toMatchObject({ status: 'validation_failed', invalid_fields: [{ field: 'sum' }] });
    expect(Object.keys(wrong.body.quiz)).toEqual(['sum', 'other']);
    const foreign = await site.makeForm({ form: QUIZ });
    expect((await send(foreign, fields)).body.status).toBe('validation_failed');
    expect((await send(id, fields)).body.status).toBe('mail_sent');
  });

  test('refill of a form without any is an empty list; of none, 404', async () => {
    const id = await site.makeForm({ form: FORM });
    expect(await refill(id)).toEqual([]);
    expect((await site.by('anonymous').get('/contact-forms/999999/refill')).status).toBe(404);
  });
});

describe('refusals', () => {
  test('a form that is not there', async () => {
    const { status, body } = await send(999_999, right);
    expect([status, body.code]).toEqual([404, 'contact_form_not_found']);
  });

  test('bodies that cannot be read, and too large ones', async () => {
    const id = await site.makeForm({ form: FORM });
    const json = await send(id, '{', { 'Content-Type': 'application/json' });
    expect([json.status, json.body.code]).toEqual([400, 'rest_invalid_json']);
    const cut = await send(id, '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb', {
      'Content-Type': 'multipart/form-data; boundary=x',
    });
    expect([cut.status, cut.body.code]).toEqual([400, 'rest_invalid_multipart']);
    const large = await send(id, { 'your-message': 'x'.repeat(1024 * 1024) });
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    expect(await kept(id)).toEqual([0, 0]);
  });
});

test.each(['off', 'no', '0', 'False'])('abort: %s takes what is sent', async (word) => {
  const id = await site.makeForm({ form: '[text a]', additional_settings: `abort: ${word}` });
  const { body } = await site.by('anonymous').post(`/contact-forms/${id}/feedback`, { a: 'x' });
  expect(body).toMatchObject({ status: 'mail_sent' });
});
