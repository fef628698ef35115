/* Forms as HTML: what a browser makes of them, whoever wrote the form and whatever a visitor sent. */

import fc from 'fast-check';
import { parseForm } from './parse';
import { HIDDEN, renderForm, unitTag, type RenderOptions } from './render';
import { flat, readHtml, type Element } from './testing/html';
import { readValues } from './values';

const OPTIONS: RenderOptions = {
  unitTag: unitTag(7, 3, 1),
  version: '1.0',
  locale: 'en_US',
  containerId: 3,
  action: '/rest/contact-form/v1/contact-forms/7/feedback',
  returnUrl: '',
  title: 'Contact',
  query: {},
  reader: {},
  paragraphs: true,
  today: '2026-11-22',
  signing: { formId: 7, keys: [Buffer.alloc(32, 1)], now: new Date('2026-11-22T10:00:00Z'), pick: () => 0 },
};

function render(text: string, changes: Partial<RenderOptions> = {}): Element[] {
  return flat(readHtml(renderForm(parseForm(text), { ...OPTIONS, ...changes })));
}

function named(elements: Element[], name: string): Element[] {
  return elements.filter(({ attributes }) => attributes.name === name);
}

function withId(elements: Element[], id: string | undefined): Element | undefined {
  return elements.find(({ attributes }) => attributes.id === id);
}

/** The fields' own HTML, without what surrounds every form. */
function inside(text: string, changes: Partial<RenderOptions> = {}): string {
  const html = renderForm(parseForm(text), { ...OPTIONS, ...changes });
  const end = html.lastIndexOf('\n<div class="contact-form-response-output');
  return html.slice(html.indexOf('</div>\n') + 7, end === -1 ? undefined : end);
}

describe('the form', () => {
  it('posts to the feedback route and tells where it stood', () => {
    const elements = render('[text a]', {
      returnUrl: 'https://example.org/?a=1&b=2',
      cameFrom: 'https://example.org/contact/',
    });
    const form = elements.find(({ name }) => name === 'form')!;
    expect(elements[0]!.attributes).toEqual({
      class: 'contact-form',
      id: 'contact-form-f7-p3-o1',
      lang: 'en-US',
      dir: 'ltr',
    });
    expect(form.attributes).toEqual({
      action: OPTIONS.action,
      method: 'post',
      class: 'contact-form-form init',
      'aria-label': 'Contact',
      'data-status': 'init',
      'accept-charset': 'utf-8',
    });
    const hidden = Object.values(HIDDEN).map((name) => named(elements, name)[0]!.attributes.value);
    expect(hidden).toEqual([
      '7',
      '1.0',
      'en_US',
      'contact-form-f7-p3-o1',
      '3',
      'https://example.org/?a=1&b=2',
      'https://example.org/contact/',
      '1795341600',
      '',
    ]);
  });

  it('is multipart with files, and right to left in languages that are', () => {
    const elements = render('[file f]', { locale: 'he_IL' });
    expect(elements[0]!.attributes).toMatchObject({ lang: 'he-IL', dir: 'rtl' });
    expect(elements.find(({ name }) => name === 'form')!.attributes.enctype).toBe('multipart/form-data');
  });

  it.each([
    ['[captchac x] [captchar x]', 'x', 'captcha-x'],
    ['[count y] [textarea y]', 'y', 'count-y'],
  ])('tells what is wrong beside a control after what is called by its name: %s', (text, name, beside) => {
    const elements = render(text);
    const unit = 'contact-form-f7-p3-o1';
    const control = named(elements, name)[0]!;
    expect(control.attributes.id).toBe(`${unit}-${name}`);
    const told = String(control.attributes['aria-describedby']).split(' ');
    expect(told).toEqual([`${unit}-ve-${name}`, `${unit}-${beside}`]);
    for (const id of told) expect(withId(elements, id)).toBeDefined();
  });

  it('has a trap that nobody sees, hears or reaches', () => {
    const elements = render('[text a]');
    const trap = named(elements, HIDDEN.honeypot)[0]!;
    expect(trap.attributes).toMatchObject({ type: 'text', value: '', tabindex: '-1', autocomplete: 'off' });
    const around = elements.filter((element) => flat(element.children).includes(trap));
    expect(around.some(({ attributes }) => 'hidden' in attributes)).toBe(true);
    expect(around.some(({ attributes }) => attributes['aria-hidden'] === 'true')).toBe(true);
  });

  it('has one place for the result, at the end or where the author wants it', () => {
    const places = (text: string): Element[] =>
      render(text).filter(({ attributes }) => attributes.class === 'contact-form-response-output');
    expect(places('[text a]')).toHaveLength(1);
    expect(places('a [response]\n\n[text a]')).toHaveLength(1);
    expect(places('[text a]')[0]).toMatchObject({ attributes: { role: 'status' }, text: '' });
  });
});

describe('the author’s HTML', () => {
  it.each([
    [
      '<label> Name\n  [text a] </label>\n\nmore',
      /^<p><label> Name<br \/>\n<span .*<\/span> <\/label><\/p>\n<p>more<\/p>$/,
    ],
    [
      '<fieldset><legend>L</legend>[radio r "a"]</fieldset>',
      /^<fieldset>\n<legend>L<\/legend>\n<span .*<\/span><\/fieldset>$/s,
    ],
    ['<h2>A</h2>\n<table><tr><td>[text a]</td></tr></table>', /^<h2>A<\/h2>\n<table>\s*<tr>\s*<td><span /],
    ['a "b" -- c', /^<p>a "b" -- c<\/p>$/],
    ['[[text x]]', /^<p>\[text x\]<\/p>$/],
    ['<script>alert(1)</script><p onclick="x">a', /^<p>alert\(1\)<\/p>\n<p>a<\/p>$/],
    ['<label title="&A0;">&A0; &ouml;</label>', /^<p><label title="&amp;A0;">&amp;A0; &ouml;<\/label><\/p>$/],
    ['</form></div><input name="b"><form>a', /^<p>a<\/p>$/],
    ['\ue0000\ue001a', /^<p>0a<\/p>$/],
  ])('%j', (text, expected) => {
    expect(inside(text)).toMatch(expected);
  });

  it('stays on its lines where it says so', () => {
    expect(inside('a\n\nb\n[submit]', { paragraphs: false })).toMatch(/^a\n\nb\n<input /);
  });

  it('never holds a field in an attribute or a comment', () => {
    expect(inside('<p title="[text a]">x</p>', { paragraphs: false })).toBe('<p title="">x</p>');
    expect(inside('<!-- [text a] -->x', { paragraphs: false })).toBe('x');
    expect(inside('<p title="[text a]>x', { paragraphs: false })).toMatch(/^&lt;p title="<span /);
  });
});

describe('a field', () => {
  const one = (text: string, changes: Partial<RenderOptions> = {}): Record<string, string> => {
    const elements = render(text, changes);
    return (named(elements, 'x')[0] ?? named(elements, 'x[]')[0])!.attributes;
  };

  it.each([
    ['[text x "a"]', { type: 'text', value: 'a' }],
    ['[text* x placeholder "a"]', { placeholder: 'a', value: '', 'aria-required': 'true' }],
    ['[email x id:me class:a class:b]', { type: 'email', id: 'me', class: /contact-form-email .* a b$/ }],
    ['[tel x 40/20 minlength:3]', { type: 'tel', size: '40', maxlength: '20', minlength: '3' }],
    ['[tel x 40/]', { type: 'tel', size: '40' }],
    ['[url x autocomplete:url readonly]', { type: 'url', autocomplete: 'url', readonly: '' }],
    ['[textarea x 30x5/99]', { cols: '30', rows: '5', maxlength: '99' }],
    ['[textarea x 30x/99]', { cols: '30', rows: '10', maxlength: '99' }],
    ['[number x min:1 max:9 step:2 "3"]', { type: 'number', min: '1', max: '9', step: '2', value: '3' }],
    ['[range x min:1]', { type: 'range', min: '1' }],
    ['[date x min:today max:today+1month]', { type: 'date', min: '2026-11-22', max: '2026-12-22' }],
    ['[date x "2026-12-24"]', { type: 'date', value: '2026-12-24' }],
    ['[date x "today+1week"]', { type: 'date', value: '2026-11-29' }],
    ['[select x multiple "a"]', { name: 'x[]', multiple: '' }],
    ['[checkbox x "a"]', { type: 'checkbox', name: 'x[]', value: 'a' }],
    ['[checkbox x exclusive "a|b"]', { type: 'checkbox', name: 'x', value: 'a' }],
    ['[radio x default:1 "a"]', { type: 'radio', value: 'a', checked: '' }],
    ['[acceptance x default:on]y[/acceptance]', { type: 'checkbox', value: '1', checked: '' }],
    ['[file x filetypes:PNG|image/* multiple]', { type: 'file', accept: '.png,image/*', multiple: '' }],
    ['[hidden x "a"]', { type: 'hidden', value: 'a' }],
    ['[quiz x "1+1=?|2"]', { type: 'text', value: '', autocomplete: 'off' }],
    ['[captchac x][captchar x]', { type: 'text', value: '' }],
  ])('%s', (text, expected) => {
    const wanted = Object.entries(expected).map(([key, value]): [string, unknown] => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]);
    expect(one(text)).toMatchObject(Object.fromEntries(wanted));
  });

  it('takes its first value from the page’s address, the reader, or the form', () => {
    const query = { x: 'from\u0000 <query>', 'y[]': ['b', 'c'] };
    expect(one('[text x default:get "own"]', { query }).value).toBe('from <query>');
    expect(
      one('[text x default:get default:user_email "own"]', { reader: { user_email: 'a@b.cd' } }).value,
    ).toBe('a@b.cd');
    expect(one('[text x default:get "own"]').value).toBe('own');
    const boxes = named(render('[checkbox y default:get default:1 "a" "b" "c"]', { query }), 'y[]');
    expect(boxes.map(({ attributes }) => 'checked' in attributes)).toEqual([false, true, true]);
  });

  it('is found under the class that answers name', () => {
    const [wrap] = render('[text your-name]').filter(({ attributes }) => attributes['data-name']);
    expect(wrap!.name).toBe('span');
    expect(wrap!.attributes.class!.split(' ')).toEqual(['contact-form-form-control-wrap', 'your-name']);
  });

  it('of a quiz carries its question and the token', () => {
    const elements = render('[quiz x "1+1=?|2"]');
    expect(elements.find(({ attributes }) => attributes.class === 'contact-form-quiz-label')!.text).toBe(
      '1+1=?',
    );
    expect(named(elements, '_contact_form_quiz_answer_x')[0]!.attributes.value).toMatch(
      /^[a-z\d]+\.[\w-]{43}$/,
    );
  });

  it('is counted where the form counts', () => {
    const elements = render('[text x maxlength:10 "abc"][count x down][count x]');
    const counts = elements.filter(({ attributes }) => attributes['data-target-name'] === 'x');
    expect(counts.map(({ text }) => text)).toEqual(['7', '3']);
  });
});

describe('whoever cannot see', () => {
  const FORM =
    '<label>A [text* a]</label>[email b]<label for="see">C</label>[tel c id:see][select d "1"][checkbox e "x" "y"]' +
    '[radio f use_label_element "x"][acceptance g]I <b>agree</b>[/acceptance][quiz h "1?|1"][file i]' +
    '[captchac j][captchar j][textarea k][number l][range m][date n][url o][checkbox p free_text label_first "z"]' +
    '<label>Q [checkbox q "1" "2"][acceptance r]yes[/acceptance][quiz s "2?|2"]</label>[text a]';

  it('hears a name for each control, and each id is there once', () => {
    const elements = render(FORM);
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const labels = elements.filter(({ name }) => name === 'label');
    const controls = elements.filter(
      ({ name, attributes }) =>
        ['input', 'select', 'textarea'].includes(name) &&
        attributes.type !== 'hidden' &&
        attributes.name !== HIDDEN.honeypot,
    );
    expect(controls.length).toBeGreaterThan(20);
    for (const control of controls) {
      const by = withId(elements, control.attributes['aria-labelledby']);
      const label = labels.find(
        (each) => each.attributes.for === control.attributes.id || flat(each.children).includes(control),
      );
      const name = control.attributes['aria-label'] || by?.text || label?.text;
      expect([control.attributes.name, Boolean(name?.trim())]).toEqual([control.attributes.name, true]);
      expect(labels.every((each) => flat(each.children).every(({ name: inner }) => inner !== 'label'))).toBe(
        true,
      );
    }
  });

  it('is told what is wrong, at the control and in a list that leads there', () => {
    const form = parseForm(FORM);
    const invalid = ['a', 'c', 'e'].map((field) => ({
      field,
      message: `Wrong: ${field}`,
      idref: field === 'c' ? 'see' : null,
      error_id: `contact-form-f7-p3-o1-ve-${field}`,
    }));
    const outcome = {
      status: 'validation_failed',
      message: 'Look',
      values: readValues(form, { a: '1' }),
      invalid,
    };
    const elements = render(FORM, { outcome });
    for (const { field, message, error_id: errorId } of invalid) {
      const control = named(elements, field)[0] ?? withId(elements, `contact-form-f7-p3-o1-${field}`)!;
      expect(control.attributes).toMatchObject({ 'aria-invalid': 'true' });
      expect(control.attributes['aria-describedby']!.split(' ')).toContain(errorId);
      expect(withId(elements, errorId)!.text).toBe(message);
    }
    const result = elements.find(({ attributes }) => attributes.role === 'alert')!;
    const links = flat(result.children).filter(({ name }) => name === 'a');
    expect(links.map(({ text }) => text)).toEqual(invalid.map(({ message }) => message));
    for (const link of links) expect(withId(elements, link.attributes.href!.slice(1))).toBeDefined();
    expect(named(elements, 'b')[0]!.attributes['aria-invalid']).toBe('false');
  });
});

it('what was sent and refused stands there again; what was sent begins anew', () => {
  const text =
    '[text a "own"][textarea b][checkbox c free_text "x" "y"][select d "1" "2"][radio e default:1 "p" "q"][acceptance f]y[/acceptance][quiz g "1?|1"]';
  const posted = {
    a: '"<a>',
    b: '\n<b> & c',
    c: ['x', 'y'],
    _contact_form_free_text_c: 'more',
    d: '2',
    e: 'q',
    f: '1',
    g: '1',
  };
  const values = readValues(parseForm(text), posted);
  const again = (status: string): unknown[] => {
    const elements = render(text, { outcome: { status, message: 'm', values, invalid: [] } });
    return [
      named(elements, 'a')[0]!.attributes.value,
      named(elements, 'b')[0]!.text,
      ...elements
        .filter(({ attributes }) => 'checked' in attributes || 'selected' in attributes)
        .map(({ attributes }) => attributes.value),
      named(elements, '_contact_form_free_text_c')[0]!.attributes.value,
      named(elements, 'g')[0]!.attributes.value,
    ];
  };
  expect(again('spam')).toEqual(['"<a>', '<b> & c', 'x', 'y', '2', 'q', '1', 'more', '']);
  expect(again('mail_sent')).toEqual(['own', '', 'p', '', '']);
});

describe('nothing leaves its place', () => {
  const ATTRIBUTES = new Set(
    (
      'accept accept-charset action aria-describedby aria-hidden aria-invalid aria-label aria-labelledby aria-required ' +
      'autocomplete checked class cols data-current-value data-maximum-value data-minimum-value data-name data-starting-value ' +
      'data-status data-target-name dir enctype for hidden href id lang max maxlength method min minlength multiple name ' +
      'placeholder readonly role rows selected size step tabindex type value'
    ).split(' '),
  );
  const ELEMENTS = new Set('a div form input label li option p select span textarea ul br'.split(' '));
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '"',
          "'",
          '<',
          '>',
          '&',
          '&quot;',
          '&A0;',
          '&#0;',
          '</textarea>',
          '<script>',
          '-->',
          '\n',
          '`',
          '=',
          ' x=',
          '\ue000',
          '\ue001',
          '\ue0000\ue001',
          '$&',
          '|',
          'é',
        ),
        fc.string({ maxLength: 5 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''));
  const quoted = hostile.map((text) => `"${text.replaceAll('"', '')}" '${text.replaceAll("'", '')}'`);
  const types = fc.constantFrom(
    ...'text* email url tel textarea number range date select checkbox radio acceptance quiz file hidden submit count captchac captchar'.split(
      ' ',
    ),
  );
  const options = fc.constantFrom(
    ...'placeholder free_text label_first use_label_element include_blank multiple default:get id:x> class:<i min:& autocomplete:off 40/20'.split(
      ' ',
    ),
  );
  const tags = fc
    .tuple(types, fc.constantFrom('a', 'b', 'c'), fc.array(options, { maxLength: 3 }), quoted)
    .map(
      ([type, name, words, values]) =>
        `[${type} ${/^submit/.test(type) ? '' : `${name}-${type.replace('*', '')}`} ${words.join(' ')} ${values}]`,
    );

  it('whatever the options, the visitor, the page’s address and the texts say', () => {
    fc.assert(
      fc.property(
        fc.array(tags, { maxLength: 5 }),
        fc.array(hostile, { minLength: 9, maxLength: 9 }),
        (list, texts) => {
          const form = parseForm(list.join('\n'));
          const [a, b, c, title, action, message, locale, wrong, returnUrl] = texts as [string, ...string[]];
          const posted = Object.fromEntries(form.tags.map(({ name }, at) => [name, [a, [b, a], c][at % 3]]));
          const elements = render(list.join('\n'), {
            query: posted,
            title,
            action,
            locale,
            returnUrl,
            outcome: {
              status: 'spam',
              message: message!,
              values: readValues(form, posted),
              invalid: [{ field: form.tags[0]?.name ?? 'a', message: wrong!, idref: null, error_id: 'e' }],
            },
          });
          for (const { name, attributes } of elements) {
            expect(ELEMENTS).toContain(name);
            for (const key of Object.keys(attributes)) expect(ATTRIBUTES).toContain(key);
          }
          const values = readValues(form, posted);
          for (const tag of form.tags) {
            if (!['text', 'email', 'url', 'tel', 'number', 'range', 'date', 'hidden'].includes(tag.type))
              continue;
            const value = values[tag.name];
            if (typeof value !== 'string') continue;
            const shown = elements.filter(
              ({ name, attributes }) =>
                name === 'input' && attributes.name === tag.name && attributes.type === tag.type,
            );
            expect(shown.length).toBeGreaterThan(0);
            for (const each of shown) expect(each.attributes.value).toBe(value);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
