/* What is refused of what visitors send, field by field, and what is read of it at all. */

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import fc from 'fast-check';
import { messages } from '../forms/defaults';
import { parseForm } from './parse';
import { freshQuestions, type Signing } from './quiz';
import { isAcceptanceMissing, validate, type ValidationContext } from './validate';
import { readTokens, readValues, type Files, type Posted } from './values';

const signing: Signing = { formId: 7, keys: [Buffer.alloc(32, 1)], now: new Date('2026-11-22T10:00:00Z') };

function check(
  text: string,
  posted: Posted,
  files: Files = {},
  changes: Partial<ValidationContext> = {},
): Record<string, string> {
  const form = parseForm(text);
  const context = {
    unitTag: 'contact-form-f7-o1',
    today: '2026-11-22',
    signing,
    tokens: readTokens(form, posted),
    acceptances: false,
    ...changes,
  };
  const keys = new Map(Object.entries(messages).map(([key, message]) => [message, key]));
  const invalid = validate(form, readValues(form, posted), files, messages, context);
  return Object.fromEntries(invalid.map(({ field, message }) => [field, keys.get(message)!]));
}

describe('readValues', () => {
  it('costs no more than what was sent, however often the words of a visitor are asked for', () => {
    const code = `
      const { parseForm } = require('./parse.js');
      const { readValues } = require('./values.js');
      const form = parseForm('[checkbox topic free_text "A" "Other"]');
      const posted = { topic: Array(1000).fill('Other'), _contact_form_free_text_topic: 'x'.repeat(1_000_000) };
      process.stdout.write(readValues(form, posted).topic.map((text) => text.length).join());`;
    // A process of its own, with memory for hundreds of such bodies.
    const options = { cwd: path.resolve(__dirname, '../../dist/tags'), encoding: 'utf8' } as const;
    expect(execFileSync(process.execPath, ['--max-old-space-size=200', '-e', code], options)).toBe('1000006');
  });

  it('takes the fields of the form from form data and JSON, clean', () => {
    const form = parseForm(
      '[text a][textarea b][checkbox c "x" "y"][select d multiple "1" "2"][number n][acceptance ok]y[/acceptance]' +
        '[checkbox e exclusive "x"][file f][submit "Go"][hidden constructor]',
    );
    const posted = {
      a: ' one\r\ntwo\u0000\ud800 ',
      b: 'one\r\ntwo\rthree',
      'c[]': ['x', 'y', 'x', ''],
      d: '1',
      n: 12.5,
      ok: true,
      e: ['x'],
      f: 'no file',
      other: 'x',
    };
    expect({ ...readValues(form, posted) }).toEqual({
      a: 'one two',
      b: 'one\ntwo\nthree',
      c: ['x', 'y'],
      d: ['1'],
      n: '12.5',
      ok: '1',
      e: 'x',
      constructor: '',
    });
    expect({ ...readValues(form, { ok: false, a: { b: 1 }, b: null }) }).toMatchObject({
      ok: '',
      a: '',
      b: '',
    });
  });

  it('adds the words that belong to the last choice', () => {
    const form = parseForm('[checkbox c free_text "x" "Other"][radio r free_text "x" "Other"]');
    const own = { _contact_form_free_text_c: 'mine', _contact_form_free_text_r: 'his' };
    expect({ ...readValues(form, { c: ['x', 'Other'], r: 'Other', ...own }) }).toEqual({
      c: ['x', 'Other mine'],
      r: 'Other his',
    });
    expect({ ...readValues(form, { c: 'x', r: 'x', ...own }) }).toEqual({ c: ['x'], r: 'x' });
  });

  it('adds them where one place of several asks for them', () => {
    const form = parseForm('[checkbox c free_text "x" "Other"] or [checkbox c "y"]');
    const posted = { c: ['y', 'Other'], _contact_form_free_text_c: 'mine' };
    expect({ ...readValues(form, posted) }).toEqual({ c: ['y', 'Other mine'] });
  });
});

it('all fields at once, one message each, with what points to the control', () => {
  const form = parseForm('[text* a id:first][email* b][number c max:1]');
  const invalid = validate(form, readValues(form, { b: 'x', c: '2' }), {}, messages, {
    unitTag: 'contact-form-f7-p1-o1',
    today: '2026-11-22',
    signing,
    tokens: {},
    acceptances: false,
  });
  expect(invalid).toEqual([
    {
      field: 'a',
      message: messages.invalid_required,
      idref: 'first',
      error_id: 'contact-form-f7-p1-o1-ve-a',
    },
    { field: 'b', message: messages.invalid_email, idref: null, error_id: 'contact-form-f7-p1-o1-ve-b' },
    { field: 'c', message: messages.number_too_large, idref: null, error_id: 'contact-form-f7-p1-o1-ve-c' },
  ]);
});

describe('validate', () => {
  it.each([
    ['[text* x]', '', 'invalid_required'],
    ['[text* x]', ' \t', 'invalid_required'],
    ['[text* x]', '0', undefined],
    ['[text x minlength:3]', '', undefined],
    ['[text x minlength:3]', 'ab', 'invalid_too_short'],
    ['[text x minlength:3]', '😀😀', 'invalid_too_short'],
    ['[text x maxlength:2]', '😀😀', undefined],
    ['[text x 40/2]', 'abc', 'invalid_too_long'],
    ['[textarea x maxlength:3]', 'a\r\nb', undefined],
    ['[textarea x maxlength:3]', 'a\r\nbc', 'invalid_too_long'],
    ['[email x]', 'a@b', 'invalid_email'],
    ['[email x]', 'a@example.org', undefined],
    ['[email x]', 'a@example.org, b@example.org', 'invalid_email'],
    ['[url x]', 'https://example.org/a?b#c', undefined],
    ['[url x]', 'javascript:alert(1)', 'invalid_url'],
    ['[url x]', 'http://', 'invalid_url'],
    ['[tel x]', '+49 (30) 12-34/5', undefined],
    ['[tel x]', 'call me', 'invalid_tel'],
    ['[number x]', '-1.5e3', undefined],
    ['[number x]', '1,5', 'invalid_number'],
    ['[number x]', '0x10', 'invalid_number'],
    ['[number x]', '1e999', 'invalid_number'],
    ['[number x min:1 max:10]', '0.5', 'number_too_small'],
    ['[range x min:1 max:10]', '11', 'number_too_large'],
    ['[number x min:1 step:0.1]', '1.3', undefined],
    ['[number x min:1 step:2]', '4', 'invalid_number'],
    ['[number x min:1 step:any]', '4.2', undefined],
    // As browsers count: from what the form fills in, where there is no least.
    ['[number x step:5 "3"]', '3', undefined],
    ['[number x step:5 "3"]', '-2', undefined],
    ['[number x step:5 "3"]', '5', 'invalid_number'],
    ['[range x step:10 "5"]', '25', undefined],
    ['[number x min:1 step:2 "4"]', '4', 'invalid_number'],
    ['[number x step:5 placeholder "3"]', '5', undefined],
    ['[number x step:5]', '3', 'invalid_number'],
    ['[number x step:5 default:get]', '3', undefined],
    ['[number x min:0 step:5 default:get]', '3', 'invalid_number'],
    ['[date x step:7 "2026-11-03"]', '2026-11-17', undefined],
    ['[date x step:7 "2026-11-03"]', '2026-11-19', 'invalid_date'],
    ['[date x step:7 "today"]', '2026-11-29', undefined],
    ['[date x]', '2026-02-29', 'invalid_date'],
    ['[date x]', '2024-02-29', undefined],
    ['[date x]', '01.02.2026', 'invalid_date'],
    ['[date x min:2026-01-01]', '2025-12-31', 'date_too_early'],
    ['[date x max:today+7days]', '2026-11-29', undefined],
    ['[date x max:today+7days]', '2026-11-30', 'date_too_late'],
    ['[date x min:today]', '2026-11-21', 'date_too_early'],
    ['[date x max:today+3months]', '2027-02-23', 'date_too_late'],
    ['[date x min:today step:7]', '2026-11-30', 'invalid_date'],
    ['[select x "a" "b|c"]', 'b', undefined],
    ['[select x "a" "b|c"]', 'c', 'validation_error'],
    ['[select* x include_blank "a"]', '', 'invalid_required'],
    ['[select x first_as_label "a" "b"]', 'a', 'validation_error'],
    ['[checkbox* x "a"]', [], 'invalid_required'],
    ['[checkbox x "a" "b"]', ['a', 'c'], 'validation_error'],
    ['[checkbox x "a" "b"]', ['a', 'b'], undefined],
    ['[radio x "a"]', '', 'invalid_required'],
    ['[radio x free_text "a" "Other"]', 'Other thing', undefined],
    ['[radio x free_text "a" "Other"]', 'Others', 'validation_error'],
    ['[radio x]', '', undefined],
    // In two places of the form.
    ['[checkbox x "a"] and [checkbox x "b"]', ['b'], undefined],
    ['[checkbox x "a"] and [checkbox x "b"]', ['a', 'c'], 'validation_error'],
    ['[checkbox x "a"] and [checkbox* x "b"]', [], 'invalid_required'],
    ['[radio x "a"] or [radio x "b"]', 'b', undefined],
    ['[radio x free_text "Other"] or [radio x "b"]', 'Other thing', undefined],
    ['[select x first_as_label "Choose" "a"] or [select x "b"]', 'b', undefined],
    // In two lines, as browsers send it.
    ['[checkbox* x "I have read\n  this"]', ['I have read\r\n  this'], undefined],
    ['[radio x "a\tb" "c"]', 'a\tb', undefined],
    ['[select* x "a\r\nb|c"]', 'a\r\nb', undefined],
    ['[select* x "R&amp;D"]', 'R&D', undefined],
    ['[hidden x "a"]', 'anything', undefined],
    ['[captchar x]', '', undefined],
  ])('%s with %j: %s', (text, value, expected) => {
    expect(check(text, { x: value }).x).toBe(expected);
  });

  it.each([
    ['[acceptance x]y[/acceptance]', '', true],
    ['[acceptance x]y[/acceptance]', '1', false],
    ['[acceptance x]y[/acceptance]', false, true],
    ['[acceptance x optional]y[/acceptance]', '', false],
    ['[acceptance x invert]y[/acceptance]', '1', true],
    ['[acceptance x invert]y[/acceptance]', '', false],
  ])('%s with %j: missing is %s', (text, x, missing) => {
    const form = parseForm(text);
    expect(isAcceptanceMissing(form, readValues(form, { x }))).toBe(missing);
    expect(check(text, { x })).toEqual({});
    expect(check(text, { x }, {}, { acceptances: true })).toEqual(missing ? { x: 'accept_terms' } : {});
  });

  const png = { name: 'a.PNG', type: 'image/png', bytes: 1000 };
  it.each([
    ['[file* x]', [], 'invalid_required'],
    ['[file* x]', [{ name: '', type: 'application/octet-stream', bytes: 0 }], 'invalid_required'],
    ['[file x]', [png], undefined],
    ['[file x]', [png, png], 'upload_failed'],
    ['[file x multiple]', [png, png], undefined],
    ['[file x limit:1kb]', [{ ...png, bytes: 1025 }], 'upload_file_too_large'],
    ['[file x]', [{ ...png, bytes: 1024 * 1024 + 1 }], 'upload_file_too_large'],
    ['[file x filetypes:txt|.pdf]', [png], 'upload_file_type_invalid'],
    ['[file x filetypes:image/*]', [png], undefined],
    ['[file x filetypes:image/*]', [{ ...png, name: 'a.html' }], 'upload_file_type_invalid'],
    [
      '[file x filetypes:image/*]',
      [{ ...png, name: 'a.svg', type: 'image/svg+xml' }],
      'upload_file_type_invalid',
    ],
    ['[file x filetypes:application/pdf]', [{ ...png, type: 'application/pdf; a=b' }], undefined],
    ['[file x]', [{ ...png, type: 'text/html' }], 'upload_file_type_invalid'],
    ['[file x]', [{ ...png, type: '' }], undefined],
    ['[file x]', [{ ...png, name: 'a.php' }], 'upload_file_type_invalid'],
    ['[file x]', [{ ...png, name: 'png' }], 'upload_file_type_invalid'],
  ])('%s with %j: %s', (text, files, expected) => {
    expect(check(text, {}, { x: files }).x).toBe(expected);
  });

  it('never throws, and refuses only fields of the form', () => {
    const posted = fc.dictionary(fc.constantFrom('a', 'b', 'c[]', 'd', '__proto__'), fc.anything());
    const form =
      '[text* a][date b min:today-1month][checkbox c "x"][number d step:0.1][url e][tel f][email g]';
    fc.assert(
      fc.property(posted, (values) => {
        expect(Object.keys(check(form, values)).join('')).toMatch(/^[a-g]*$/);
      }),
    );
  });
});

describe('questions', () => {
  const text = '[quiz q "1+1=?|2" "Capital of France?|Paris"][captchac k][captchar k]';
  const form = parseForm(text);
  const pick = (which: number) => (): number => which;
  const asked = freshQuestions(form, { ...signing, pick: pick(1) });
  const token = asked.quiz!.q![1];

  function answer(q: string, quizToken: string, now = signing.now, formId = 7): string | undefined {
    const posted = { q, _contact_form_quiz_answer_q: quizToken };
    return check(text, posted, {}, { signing: { ...signing, now, formId } }).q;
  }

  it('are picked, and right answers are known by their token alone', () => {
    expect(asked.quiz!.q![0]).toBe('Capital of France?');
    expect(answer('Paris', token)).toBeUndefined();
    expect(answer('  ｐａＲ is', token)).toBeUndefined();
    expect(answer('2', freshQuestions(form, { ...signing, pick: pick(0) }).quiz!.q![1])).toBeUndefined();
  });

  it.each([
    ['another answer', 'Rome', token],
    ['no answer', '', token],
    ['no token', 'Paris', ''],
    ['a cut token', 'Paris', token.slice(0, -1)],
    ['a later expiry', 'Paris', token.replace(/^[^.]+/, 'zzzzzzzzz')],
    [
      'the token of another question',
      'Paris',
      freshQuestions(form, { ...signing, pick: pick(0) }).quiz!.q![1],
    ],
  ])('%s is wrong', (_what, given, quizToken) => {
    expect(answer(given, quizToken)).toBe('quiz_answer_not_correct');
  });

  it('count for a day, in their form only; a fresh one is there at once', () => {
    const later = new Date(signing.now.getTime() + 24 * 60 * 60 * 1000);
    expect(answer('Paris', token, later)).toBe('quiz_answer_not_correct');
    expect(answer('Paris', token, new Date(later.getTime() - 1))).toBeUndefined();
    expect(answer('Paris', token, signing.now, 8)).toBe('quiz_answer_not_correct');
    const weeks = new Date('2027-01-01T00:00:00Z');
    const fresh = freshQuestions(form, { ...signing, now: weeks, pick: pick(1) }).quiz!.q![1];
    expect(answer('Paris', fresh, weeks)).toBeUndefined();
  });

  it('of captchas are sums', () => {
    const [question, captchaToken] = freshQuestions(form, { ...signing, pick: pick(3) }).captcha!.k!;
    expect(question).toBe('What is 4 plus 4?');
    const send = (k: string): string | undefined =>
      check(text, { k, _contact_form_captcha_challenge_k: captchaToken }).k;
    expect([send('8'), send('9')]).toEqual([undefined, 'captcha_not_match']);
  });

  it('none, no maps', () => {
    expect(freshQuestions(parseForm('[text a]'), signing)).toEqual({});
  });
});
