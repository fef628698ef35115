/** Exports as they come: in odd encodings, packed, with markup that no strict reader takes, cut off. No service is needed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ExportedItem, ExportedRecord } from './exported';
import { openMarkup } from './markup';
import { ExportEnds, readExport } from './read-export';
import { survey } from './survey';
import { author, exportOf, item } from './testing/export';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'read-'));
});
afterAll(() => rm(folder, { recursive: true }));

const write = async (bytes: string | Uint8Array): Promise<string> => {
  const file = path.join(folder, 'export.xml');
  await writeFile(file, bytes);
  return file;
};
const read = async (bytes: string | Uint8Array): Promise<ExportedRecord[]> => {
  const records: ExportedRecord[] = [];
  for await (const record of readExport(await write(bytes))) records.push(record);
  return records;
};
/** Whether it says so itself: a fault of the file that nobody heard of would end the process. */
test('a file that cannot be opened fails with its own fault', async () => {
  const all = readExport(path.join(tmpdir(), 'no such export.xml'));
  await expect(all.next()).rejects.toMatchObject({ code: 'ENOENT' });
});

const itemsOf = async (bytes: string | Uint8Array): Promise<ExportedItem[]> =>
  (await read(bytes)).filter((record) => record.kind === 'item');
const one = (title: string, content = 'x'): string =>
  exportOf({ items: [item({ id: 1, type: 'post', title, content })] });
/** A title outside of CDATA. */
const bare = (title: string): string =>
  one('TITLE').replace('<title><![CDATA[TITLE]]></title>', `<title>${title}</title>`);

test.each([
  ['UTF-8', one('Grüße, мир, 世界, سلام'), 'Grüße, мир, 世界, سلام'],
  ['UTF-8 with a mark', `\ufeff${one('Grüße')}`, 'Grüße'],
  ['packed', gzipSync(one('Grüße')), 'Grüße'],
  ['Latin-1', Buffer.from(one('Grüße').replace('UTF-8', 'ISO-8859-1'), 'latin1'), 'Grüße'],
  ['Latin-1 that says it were UTF-8', Buffer.from(one('Grüße aus Köln'), 'latin1'), 'Grüße aus Köln'],
  ['UTF-16', Buffer.from(`\ufeff${one('Grüße')}`, 'utf16le'), 'Grüße'],
  ['line ends of Windows', one('a b').replaceAll('\n', '\r\n'), 'a b'],
  ['control characters', one('a\u0000b\u0008c\u001fd\uffff'), 'abcd'],
  ['entities that XML does not know', bare('a&nbsp;b &copy; &#8211; &hellip;'), 'a\u00a0b © – …'],
  ['numbers of control characters', bare('a&#0;&#x1F;b'), 'ab'],
  ['a bare ampersand', bare('Salt & Pepper &amp; AT&T; you'), 'Salt & Pepper & AT&T; you'],
  ['a bare less-than', bare('1 < 2 and <3'), '1 < 2 and <3'],
  [
    'tags outside of CDATA',
    bare('so <em class="x">much</em> more<br/>'),
    'so <em class="x">much</em> more<br/>',
  ],
])('reads %s', async (_name, bytes, title) => {
  const [found] = await itemsOf(bytes);
  expect(found?.title).toBe(title);
});

test('what is mended is counted', async () => {
  const file = await write(Buffer.from(one('Grüße\u0001\u0002'), 'latin1'));
  expect((await survey(file)).mended).toEqual({ foreignBytes: 2 + 1, controls: 2 });
});

test.each([1, 2, 3, 7, 64])('reads the same in pieces of %i characters', (size) => {
  const text = one('a &amp; b &nbsp; ü < c', 'One <b>two</b> ]]> three &amp; <!-- four -->').replace(
    '<wp:comment_status>',
    '<!-- a > remark --><?php x ?><wp:comment_status >',
  );
  const events = (pieces: readonly string[]): string => {
    let seen = '';
    const markup = openMarkup({
      tag: ({ kind, name, line }) => (seen += `[${kind} ${name} ${line}]`),
      text: (piece) => (seen += piece),
    });
    for (const piece of pieces) markup.write(piece);
    markup.end();
    return seen;
  };
  const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? [];
  expect(events(pieces)).toBe(events([text]));
});

test('a record that was never closed ends where the next one begins', async () => {
  const text = exportOf({
    items: [
      item({ id: 1, type: 'post' }).replace('</item>', ''),
      item({ id: 2, type: 'post' }).replace('</title>', ''),
      item({ id: 3, type: 'post' }),
    ],
  });
  expect((await itemsOf(text)).map(({ foreignId }) => foreignId)).toEqual(['1', '2', '3']);
});

test('tells the line of each record', async () => {
  const [first, second] = await itemsOf(
    exportOf({ items: [item({ id: 1, type: 'post' }), item({ id: 2, type: 'post' })] }),
  );
  expect([first?.line, (second?.line ?? 0) - (first?.line ?? 0)]).toEqual([9, 9]);
});

test.each([
  ['plain', (text: string) => text.slice(0, text.lastIndexOf('<wp:post_id>'))],
  ['packed', (text: string) => gzipSync(text).subarray(0, -400)],
])('a %s file that ends in the middle gives what is whole, and says where it ends', async (_name, cut) => {
  const random = Array.from({ length: 300 }, () => Math.random().toString(36)).join(' ');
  const items = Array.from({ length: 20 }, (_, n) => item({ id: n + 1, type: 'post', content: random }));
  const file = await write(cut(exportOf({ items })));
  const seen: string[] = [];
  const reading = (async () => {
    for await (const record of readExport(file)) if (record.kind === 'item') seen.push(record.foreignId);
  })();
  const error: unknown = await reading.catch((fault: unknown) => fault);
  expect(error).toBeInstanceOf(ExportEnds);
  expect((error as ExportEnds).message).toMatch(
    new RegExp(`^${file} ends in the middle, at line \\d{2,3}\\.`),
  );
  expect(seen.length).toBeGreaterThan(5);
  expect(seen.length).toBeLessThan(20);
});

test('six megabytes in one post are one post, and a record beyond all measure is told and left out', async () => {
  const large = 'word '.repeat(1_200_000);
  const [found] = await itemsOf(one('Large', large));
  expect(found?.content).toHaveLength(large.length);
  const huge = exportOf({
    items: [
      item({ id: 1, type: 'post', title: 'Huge', content: 'x'.repeat(65 * 1024 * 1024) }),
      item({ id: 2, type: 'post' }),
    ],
  });
  const records = await read(huge);
  expect(records.filter(({ kind }) => kind === 'oversized')).toMatchObject([{ title: 'Huge', line: 9 }]);
  expect(records.filter(({ kind }) => kind === 'item')).toHaveLength(1);
});

test.each([
  [
    '1.0 with both forms',
    '<category><![CDATA[News]]></category><category domain="category" nicename="news"><![CDATA[News]]></category><category domain="tag"><![CDATA[loud]]></category><category domain="tag" nicename="loud"><![CDATA[loud]]></category>',
  ],
  [
    '1.0 with bare categories',
    '<category><![CDATA[News]]></category><category domain="tag" nicename="loud"><![CDATA[loud]]></category>',
  ],
  [
    '1.1',
    '<category domain="category" nicename="news"><![CDATA[News]]></category><category domain="post_tag" nicename="loud"><![CDATA[loud]]></category>',
  ],
])('terms of an item, version %s', async (_name, extra) => {
  const [found] = await itemsOf(exportOf({ items: [item({ id: 1, type: 'post', extra })] }));
  expect(found?.terms.map(({ taxonomy, name }) => `${taxonomy}/${name}`).sort()).toEqual([
    'category/News',
    'post_tag/loud',
  ]);
});

test('exports without an address are told apart, and each is the same again', async () => {
  const nameless = (title: string): string =>
    exportOf({ address: '', items: [item({ id: 1, type: 'post', title })] });
  const identity = async (text: string): Promise<string> => (await survey(await write(text))).site;
  const first = await identity(nameless('One'));
  expect(await identity(nameless('Two'))).not.toBe(first);
  const later = nameless('One').replace('</channel>', `${item({ id: 2, type: 'post' })}</channel>`);
  expect(await identity(later)).toBe(first);
  expect(await identity(exportOf({ items: [] }))).toBe('https://old.example');
});

test('a feed of another kind is refused before anything is done', async () => {
  const feed = '<rss version="2.0"><channel><title>x</title><item><title>y</title></item></channel></rss>';
  await expect(survey(await write(feed))).rejects.toThrow('is not a site export');
  await expect(survey(await write(exportOf({ items: [] }).replace('UTF-8', 'klingon')))).rejects.toThrow(
    'klingon',
  );
  expect(author).toContain('iris');
});
