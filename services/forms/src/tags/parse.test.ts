/* Reading of forms: what each piece of the language means, what is wrong with it and where, on any text at all. */

import fc from 'fast-check';
import type { FormTag } from './form';
import { parseForm } from './parse';
import { printForm } from './print';

function only(text: string): FormTag {
  const { tags, faults } = parseForm(text);
  expect(faults).toEqual([]);
  expect(tags).toHaveLength(1);
  return tags[0]!;
}

function faults(text: string): string[] {
  return parseForm(text).faults.map((fault) => `${fault.line}:${fault.column} ${fault.code}`);
}

function shown(text: string): string[] {
  return parseForm(text).parts.map((part) => (part.kind === 'tag' ? `<${part.tag.type}>` : part.text));
}

describe('a tag', () => {
  it('has type, star, name, options and quoted values', () => {
    expect(only('[text* your-name id:who class:a class:b 40/200 placeholder "Your name"]')).toEqual({
      type: 'text',
      starred: true,
      name: 'your-name',
      options: ['id:who', 'class:a', 'class:b', '40/200', 'placeholder'],
      values: [{ text: 'Your name', quote: '"' }],
      choices: [{ label: 'Your name', value: 'Your name' }],
      settings: {
        id: 'who',
        classes: ['a', 'b'],
        size: 40,
        maxLength: 200,
        defaultChoices: [],
        defaultSources: [],
        flags: new Set(['placeholder']),
      },
      content: undefined,
      place: { start: 0, end: 71, line: 1, column: 1 },
    });
  });

  it.each([
    ['[select x "a" \'b "c"\' “d” ‘e’ „f“]', ['a', 'b "c"', 'd', 'e', 'f']],
    ['[select x\n  "a]b"\n  "[c"]', ['a]b', '[c']],
    ['[select x "Sales|sales@example.org"]', ['Sales→sales@example.org']],
    ['[quiz x "1|2=?|3"]', ['1→2=?|3']],
    ['[select x "R&amp;D" "Don&#039;t|a&#x40;b.test" "a&#124;b"]', ['R&D', "Don't→a@b.test", 'a|b']],
    ['[hidden x "?a=1&copy=2&amp;lt;"]', ['?a=1&copy=2&lt;']],
  ])('%j takes its values from quotes of every kind', (text, labels) => {
    const { choices } = only(text);
    expect(choices.map(({ label, value }) => (label === value ? label : `${label}→${value}`))).toEqual(
      labels,
    );
  });

  it('without a name there is text, where one is needed', () => {
    expect(shown('a [text] b')).toEqual(['a [text] b']);
    expect(faults('a\nb [text] c')).toEqual(['2:3 name_missing']);
    expect(only('[submit "Send"]').name).toBe('');
  });

  it('encloses what stands before its closing one', () => {
    expect(only('[acceptance ok]I <b>agree</b> [x][/acceptance]').content).toBe('I <b>agree</b> [x]');
    expect(only('[textarea t]a\nb[/textarea]').content).toBe('a\nb');
    expect(shown('[textarea a] [textarea b]x[/textarea]')).toEqual(['<textarea>', ' ', '<textarea>']);
  });
});

it('text stays, and so do brackets that are no tags of ours; double ones show single ones', () => {
  expect(shown('a [b c] [[text x]] [[gallery]] [/text] [text y]')).toEqual([
    'a [b c] ',
    '[text x]',
    ' ',
    '[gallery]',
    ' [/text] ',
    '<text>',
  ]);
  expect(shown('[[acceptance x]a[/acceptance]]')).toEqual(['[acceptance x]a[/acceptance]']);
  expect(shown('[[text x] b')).toEqual(['[', '<text>', ' b']);
});

describe('a fault', () => {
  it.each([
    ['[text a', '1:1 unclosed_tag'],
    ['\n [text a "b]', '2:2 unclosed_tag'],
    ['[text a [email b]', '1:1 unclosed_tag'],
    ['[text 1a]', '1:7 name_invalid'],
    ['[text _a]', '1:7 name_invalid'],
    ['[acceptance a] text', '1:1 unclosed_content'],
    ['[text a][email a]', '1:9 name_taken'],
    ['[number n min:9 max:1]', '1:11 range_empty'],
    ['[date d min:2026-02-01 max:2026-01-01]', '1:9 range_empty'],
    ['[text t minlength:9 maxlength:1]', '1:9 range_empty'],
    ['[text t minlength:x]', '1:9 option_invalid'],
    ['[date d min:2026-02-30]', '1:9 option_invalid'],
    ['[number n min:today]', '1:11 option_invalid'],
    ['[file f limit:lots]', '1:9 option_invalid'],
    ['[select s default:3 "a" "b"]', '1:11 option_invalid'],
    ['[text t multiple]', '1:9 option_unknown'],
    ['[text t plcaeholder "x"]', '1:9 option_unknown'],
    ['[submit* "x"]', '1:1 star_unused'],
    ['[checkbox c]', '1:1 value_missing'],
    ['[quiz q "1+1=?"]', '1:9 value_missing'],
    ['[captchar c]', '1:1 value_missing'],
    ['[recaptcha]', '1:1 not_offered'],
  ])('%j: %s', (text, fault) => {
    expect(faults(text)).toEqual([fault]);
  });

  it('leaves the rest as it is', () => {
    const { tags } = parseForm('[number n min:x max:5 class:a class:!]');
    expect(tags[0]!.settings).toMatchObject({ max: '5', classes: ['a'] });
    expect(tags[0]!.settings.min).toBeUndefined();
  });

  it('is counted to a hundred', () => {
    expect(parseForm('[text] '.repeat(1000)).faults).toHaveLength(100);
  });
});

it('a thousand tags are a form, what follows is text; of a tag a hundred options count', () => {
  const many = parseForm('[text a]'.repeat(1500));
  expect(many.tags).toHaveLength(1000);
  expect(many.faults[0]).toMatchObject({ code: 'too_many_tags', line: 1, column: 8001 });
  expect(many.parts.at(-1)).toEqual({ kind: 'text', text: '[text a]'.repeat(500) });
  expect(faults(`[text a ${'class:b '.repeat(150)}]`)).toEqual(['1:809 option_unknown']);
});

describe('much of the same', () => {
  const pieces = [
    ...['[', '[[', '[[a', '[text ', '[text a]', '[text a "', '[text a “', '[text a "b"', '[text a x'],
    ...['[textarea a]', '[[textarea a]', '[/textarea]', '[acceptance a]b', '[aaaaaaaa', '[select a "x" '],
    `[text a '[text b "[text c “`,
  ];

  // In quadratic time each would be minutes, far beyond the limit of a test.
  it.each(pieces)('%j is read to its end and printed', (piece) => {
    const form = parseForm(piece.repeat(500_000 / piece.length));
    expect(form.tags.length).toBeLessThanOrEqual(1000);
    expect(printForm(form).length).toBeGreaterThan(400_000);
  });
});

describe('whatever the text', () => {
  const pieces = fc.constantFrom(
    ...'[|]|[[|]]|"|\'|“|”|‘|’| |\n|/|*|:|\\|||<b>|text|text* |[text a|[textarea t|[/textarea]|acceptance x'.split(
      '|',
    ),
    ...'[acceptance y]|[/acceptance]|[select s "a" “b”]|name|min:1|max:0|id:x|class:|40x10/200|default:1_2'.split(
      '|',
    ),
    '😀',
    '"a|b"',
  );
  const texts = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join('')),
    fc.string(),
  );

  it('what is printed is read as the same', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = parseForm(text);
        const again = parseForm(printForm(once));
        expect(withoutPlaces(again.parts)).toEqual(withoutPlaces(once.parts));
        expect(printForm(again)).toBe(printForm(once));
      }),
      { numRuns: 500 },
    );
  });

  it('tags and faults are where they say', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { parts, tags, faults: found } = parseForm(text);
        const lines = text.split('\n');
        let at = 0;
        for (const part of parts) {
          if (part.kind !== 'tag') {
            const source = part.kind === 'escaped' ? `[${part.text}]` : part.text;
            expect(text.slice(at, at + source.length)).toBe(source);
            at += source.length;
            continue;
          }
          expect(part.tag.place.start).toBe(at);
          expect(text.slice(at)).toMatch(new RegExp(`^\\[${part.tag.type}`));
          at = part.tag.place.end;
        }
        expect(at).toBe(text.length);
        for (const { place } of tags) {
          const before = lines.slice(0, place.line - 1).reduce((sum, line) => sum + line.length + 1, 0);
          expect(before + place.column - 1).toBe(place.start);
        }
        for (const fault of found) {
          expect(lines[fault.line - 1]!.length).toBeGreaterThanOrEqual(fault.column - 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  function withoutPlaces(parts: ReturnType<typeof parseForm>['parts']): unknown[] {
    return parts.map((part) => (part.kind === 'tag' ? { ...part.tag, place: undefined } : part));
  }
});
