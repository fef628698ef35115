/**
 * A profile is its own way back: whatever goes there comes back as it was, byte by byte, in pieces of any size, and what
 * people wrote is the same on both sides.
 */
import { readFileSync } from 'node:fs';
import { sharedFile } from '@sevenfold/chassis/testing/shared';
import { TEST_SITE_URL } from '@sevenfold/chassis/testing/service';
import fc from 'fast-check';
import {
  placeAnswered,
  placeAsked,
  readerOf,
  routeOf,
  swapQuery,
} from '@sevenfold/gateway/profiles/addresses';
import { pairsTranslator, partsTranslator } from '@sevenfold/gateway/profiles/forms';
import { type Translator, jsonTranslator } from '@sevenfold/gateway/profiles/json';
import { compileNodes } from '@sevenfold/gateway/profiles/nodes';
import { type PlaceName, places } from '@sevenfold/gateway/profiles/places';
import { compileSwaps } from '@sevenfold/gateway/profiles/swaps';
import { wordpress } from '@sevenfold/gateway/profiles/wordpress';

const SITES = [TEST_SITE_URL, 'http://127.0.0.1:8080'];
const swaps = compileSwaps(wordpress, TEST_SITE_URL);
const nodes = compileNodes(swaps);
const below = readerOf(wordpress, swaps.word);

/** All that comes out of it, of a body that comes in pieces. */
function through(translator: Translator, body: Buffer, size = body.length + 1): Buffer {
  const told: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) told.push(translator.write(body.subarray(at, at + size)));
  return Buffer.concat([...told, translator.end()]);
}
const json = (place: PlaceName, body: string, size?: number): string =>
  through(jsonTranslator(nodes(place)), Buffer.from(body), size).toString();

interface Recorded {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query: Record<string, unknown>;
    readonly body: unknown;
  };
  readonly response: { readonly status: number; readonly body: unknown };
}

const files = [
  'calendar_event-aggregator_v1',
  'calendar_events_v1',
  'contact-form_v1',
  'core_v2',
  'oembed_1.0',
  'seo_v1',
  'spamfilter_v1',
];
const recorded: Recorded[] = files.flatMap((name) => {
  const file = sharedFile(`contract/examples/${name}.json`);
  if (!file) return [];
  const text = readFileSync(file, 'utf8').replaceAll(SITES[1] as string, TEST_SITE_URL);
  // In an envelope headers are put into words by themselves.
  return (JSON.parse(text) as Recorded[]).filter(({ request }) => !('_envelope' in request.query));
});

const placeOf = ({ request, response }: Recorded): PlaceName | undefined => {
  if (response.status >= 400) return 'error';
  if (request.method === 'OPTIONS') return 'description';
  return placeAnswered(routeOf(request.path));
};

/** The names of our vocabulary, wherever they stand. */
const OURS =
  /calendar_(?:events|venue|organizer)|calendar-(?:ea|ignored)|\bcore[:/]|\/rest\/|spamfilter_|_contact_form|contact-form-f/;

/** Everything in it but texts that people wrote. */
function* words(value: unknown, at = ''): Generator<[at: string, word: string]> {
  if (typeof value === 'string') yield [at, value];
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) yield [`${at} names`, name];
    if (!WRITTEN.has(name)) yield* words(member, `${at}.${name}`);
  }
}
const WRITTEN = new Set([
  'title',
  'content',
  'excerpt',
  'description',
  'message',
  'slug',
  'html',
  'link',
  'labels',
]);

if (recorded.length > 0) {
  describe('every recorded answer (../shared)', () => {
    test.each(recorded.map((one) => [`${one.request.path} ${one.name}`, one] as const))('%s', (_, one) => {
      const place = placeOf(one);
      if (place === undefined) return;
      const body = JSON.stringify(one.response.body);
      const there = json(place, body);
      expect(json(place, there)).toBe(body);
      for (const size of [1, 7, 1000]) expect(json(place, body, size)).toBe(there);
      const left = [...words(JSON.parse(there))].filter(([, word]) => OURS.test(word));
      expect(left).toEqual([]);
    });
  });

  test('every recorded request (../shared)', () => {
    for (const { request } of recorded) {
      const found = below(request.path.slice('/rest'.length));
      const back = below(found.swapped);
      expect(back.swapped).toBe(request.path.slice('/rest'.length));
      expect([found.namespace, back.namespace]).toEqual([routeOf(request.path).namespace, found.namespace]);
      const place = placeAsked(routeOf(request.path));
      if (place === undefined) continue;
      const query = new URLSearchParams(request.query as Record<string, string>).toString();
      expect(swapQuery(swapQuery(query, place, swaps), place, swaps)).toBe(query);
      const body = JSON.stringify(request.body);
      expect(json(place, json(place, body))).toBe(body);
    }
  });
}

const names = Object.keys(places) as PlaceName[];
const vocabulary = [
  ...Object.values(wordpress).flatMap((part) => (Array.isArray(part) ? (part.flat() as string[]) : [])),
  ...names.flatMap((name) => Object.keys((places[name] as { members?: object }).members ?? {})),
  `${TEST_SITE_URL}/rest/core/v2/posts?status=calendar-ignored`,
  `${TEST_SITE_URL}/wp-json/wp/v2/tribe_events_cat/1`,
  'core:term',
  'wp:term',
];
const text = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...vocabulary) },
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('\\', '"', '\\u0074', 'é', '{', ']') }),
);
const value = fc.jsonValue({ stringUnit: 'binary' });
const tree = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    value,
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(text, tie('any'), { maxKeys: 5 }),
  ),
})).any;

test('any JSON at any place, in pieces of any size', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), tree, fc.integer({ min: 1, max: 40 }), (place, any, size) => {
      const body = JSON.stringify(any);
      const there = json(place, body, size);
      expect(there).toBe(json(place, body));
      expect(() => JSON.parse(there) as unknown).not.toThrow();
      expect(JSON.parse(json(place, there, size))).toEqual(JSON.parse(body));
    }),
    { numRuns: 2_000 },
  );
});

test('what is no JSON goes on, byte by byte, and hurts nobody', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', ':', 'status'), maxLength: 60 }),
  );
  fc.assert(
    fc.property(fc.constantFrom(...names), bytes, fc.integer({ min: 1, max: 9 }), (place, given, size) => {
      const body = Buffer.from(given as Uint8Array);
      const told = through(jsonTranslator(nodes(place)), body, size);
      expect(told.equals(through(jsonTranslator(nodes(place)), body))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  const deep = '['.repeat(200_000);
  expect(json('item', `{"status":${deep}`)).toBe(`{"status":${deep}`);
  const long = `{"status":"${'x'.repeat(300_000)}","type":"calendar_events"}`;
  expect(json('item', long, 1000)).toBe(long.replace('calendar_events', 'tribe_events'));
});

test('a name in other letters is the same name', () => {
  const given = '{"\\u0073tatus":"\\u0063alendar-ignored","title":{"raw":"\\u0063alendar-ignored"}}';
  expect(json('item', given)).toBe(
    '{"\\u0073tatus":"tribe-ignored","title":{"raw":"\\u0063alendar-ignored"}}',
  );
});

test('what people wrote is the same on both sides', () => {
  const written = fc.record({
    title: fc.record({ rendered: text }),
    content: fc.record({ rendered: text, protected: fc.boolean() }),
    slug: text,
    link: text,
    meta: fc.dictionary(text, text),
    author_name: text,
    source_url: text,
    media_details: tree,
    settings: tree,
  });
  fc.assert(
    fc.property(fc.array(written, { maxLength: 3 }), (items) => {
      const body = JSON.stringify(items.map((item) => ({ id: 1, ...item })));
      expect(json('item', body)).toBe(body);
    }),
    { numRuns: 500 },
  );
});

describe('forms', () => {
  const name = fc.oneof(
    fc.constantFrom(
      '_wpcf7',
      '_wpcf7_unit_tag',
      '_contact_form_unit_tag',
      'your-name',
      'status',
      'a[]',
      '_wpcf7_x[0]',
    ),
    fc.string({ minLength: 1 }),
  );
  const fieldValue = fc.oneof(
    fc.constantFrom('wpcf7-f1-o1', 'tribe_events', 'contact-form-f1-p2-o1', ''),
    fc.string(),
  );

  test('pairs', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, fieldValue), { maxLength: 6 }),
        fc.integer({ min: 1, max: 20 }),
        (pairs, size) => {
          const body = new URLSearchParams(pairs).toString();
          const once = (form: string): string =>
            through(pairsTranslator(places.formArguments, swaps), Buffer.from(form), size).toString();
          const there = new URLSearchParams(once(body));
          expect([...new URLSearchParams(once(there.toString()))]).toEqual([...new URLSearchParams(body)]);
          for (const [index, [key, given]] of pairs.entries())
            if (!key.startsWith('_')) expect([...there][index]).toEqual([key, given]);
        },
      ),
    );
  });

  test('parts', () => {
    const part = fc.record({
      name: name.map((one) => one.replace(/["\r\n\\]/g, '')),
      value: fieldValue,
      file: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.integer({ min: 1, max: 30 }), (parts, size) => {
        const body = Buffer.from(
          `${parts
            .map(
              (one) =>
                `--edge-1\r\nContent-Disposition: form-data; name="${one.name}"${one.file ? '; filename="a.txt"' : ''}\r\n\r\n${one.value}\r\n`,
            )
            .join('')}--edge-1--\r\n`,
        );
        const once = (form: Buffer, pieces: number): Buffer =>
          through(
            partsTranslator(
              'multipart/form-data; boundary="edge-1"',
              places.formArguments,
              swaps,
            ) as Translator,
            form,
            pieces,
          );
        const there = once(body, size);
        expect(there.equals(once(body, body.length))).toBe(true);
        expect(once(there, size).toString()).toBe(body.toString());
      }),
    );
  });

  test('of a contact form', () => {
    const form = '_wpcf7=5&_wpcf7_unit_tag=wpcf7-f5-o1&your-name=wpcf7-f5-o1&_wpcf7_quiz_answer_q%5B%5D=1';
    expect(through(pairsTranslator(places.formArguments, swaps), Buffer.from(form)).toString()).toBe(
      '_contact_form=5&_contact_form_unit_tag=contact-form-f5-o1&your-name=wpcf7-f5-o1&_contact_form_quiz_answer_q%5B%5D=1',
    );
  });
});
