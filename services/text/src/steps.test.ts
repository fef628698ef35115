/** Long texts in steps: what comes out is the same, and others have their turns meanwhile. */
import fc from 'fast-check';
import { sanitizeRich, sanitizingRich } from './html';
import type { WantedFiles } from './players';
import { renderExcerpt, renderingExcerpt } from './excerpt';
import { namedInBody, renderBody, renderingBody } from './render';
import { STEP, type Steps, atOnce, inTurns } from './steps';
import { newFlow, typeset, typesetting } from './typography';

const MEGABYTE = 1_000_000;
const long = (unit: string): string => unit.repeat(MEGABYTE / unit.length);
const texts = [
  '<b>',
  '<a href="http://a.example/" onclick="x">a</a>',
  'a\n\n',
  '[audio src="http://x.example/a.mp3"]',
  'http://a.example/b\n',
  '<!-- wp:p {"a":"<b>"} -->\n',
  `"it's" -- 2x4 `,
  '&amp;',
  '< ',
].map((unit): [string, string] => [unit, long(unit)]);
const sources = { smilies: true, findEmbed: () => undefined, findFiles: () => [] };

/** How often somebody else had a turn. */
async function turnsDuring<T>(steps: Steps<T>): Promise<{ turns: number; made: T }> {
  let turns = 0;
  let isOver = false;
  const take = (): void => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  const made = await inTurns(steps);
  isOver = true;
  return { turns, made };
}

test.each(texts)('a megabyte of %j is rendered in many turns, as at once', async (_unit, text) => {
  const { turns, made } = await turnsDuring(renderingBody(text, sources));
  expect(turns).toBeGreaterThan(10);
  expect(made === renderBody(text, sources)).toBe(true);
});

const settings: [string, string] = ['settings of a block', `<!-- wp:p {"a":"${long('<b>x')}"} -->`];
test.each([...texts.filter(([unit]) => /[<&]/.test(unit)), settings])(
  'a megabyte of %j is cleaned so',
  async (_unit, text) => {
    const { turns, made } = await turnsDuring(sanitizingRich(text));
    expect(turns).toBeGreaterThan(10);
    expect(made === sanitizeRich(text)).toBe(true);
  },
);

test('steps end within no mark and no reference', () => {
  const pieces = ['"', "'", '&amp;', '&', ' ', 'x', '2x4', '--', '...', 'http://a.example/"', "5'10", '``'];
  fc.assert(
    fc.property(fc.nat(40), fc.array(fc.constantFrom(...pieces), { maxLength: 30 }), (before, some) => {
      // The pieces stand where steps end.
      const text = `${'y'.repeat(STEP - before)}${some.join('')}${'y'.repeat(STEP - 40)}${some.join('')}`;
      expect(atOnce(sanitizingRich(text))).toBe(sanitizeRich(text));
      expect(atOnce(typesetting(text, newFlow()))).toBe(typeset(text, newFlow()));
    }),
  );
});

test('what stands for an excerpt is the same, too', () => {
  for (const raw of ['', 'own words']) {
    const body = { raw: 'one [gallery] two', html: renderBody('one [gallery] two', sources) };
    expect(atOnce(renderingExcerpt(raw, body, sources))).toBe(renderExcerpt(raw, body, sources));
  }
});

const PIECES = [
  ...[
    'http://a.example/1',
    'http://a.example/2',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '<p>',
    '</p>',
    '<pre>',
    '</pre>',
    ' ',
    'x',
  ],
  ...[
    '[embed]http://a.example/3[/embed]',
    '[embed]',
    '[/embed]',
    '<code>',
    '</code>',
    '<a title="',
    '">',
    '<!--',
    '-->',
  ],
  ...[
    '[gallery]',
    '[gallery ids="1,2"]',
    '[playlist ids=3]',
    '[audio]',
    '[/audio]',
    '[video ids=4]',
    '[video src="http://a.example/4.mp4"]',
  ],
  ...['[caption]', '[caption id="', '[/caption]', '[[gallery]]', '<!-- wp:p -->', '<br>', '<svg>', '</svg>'],
];

test('what a body names is found without rendering it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }), (pieces) => {
      const raw = pieces.join('');
      const asked = (ask: (find: Pick<typeof sources, 'smilies'> & Finders) => unknown): string[] => {
        const all: string[] = [];
        const note = (one: unknown): void => void all.push(JSON.stringify(one));
        ask({
          smilies: false,
          findEmbed: (url) => void note(url),
          findFiles: (wanted) => (note(wanted), []),
        });
        return all;
      };
      expect(asked((find) => atOnce(namedInBody(raw, find)))).toEqual(asked((find) => renderBody(raw, find)));
    }),
    { numRuns: 5_000 },
  );
});

interface Finders {
  readonly findEmbed: (url: string) => undefined;
  readonly findFiles: (wanted: WantedFiles) => [];
}
