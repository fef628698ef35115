/** Files of visitors in the store: under names that nobody can guess, and never longer than their submission. */
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeSubmission } from '../testing/factories';
import { type FormsSite, startForms } from '../testing/service';
import { cleanName, typeOf } from './content';
import { keepFile, readFile, removeLoose, uploadSweeps } from './keep';
import * as store from './store';

let site: FormsSite;
let form: number;
beforeAll(async () => {
  site = await startForms();
  form = await site.makeForm();
});
afterAll(() => site.stop());

const file = (text: string) =>
  keepFile(site.deps, { field: 'cv', name: 'cv.txt', type: 'text/plain', source: Buffer.from(text) });
const stored = async (): Promise<string[]> =>
  (await readdir(path.join(site.deps.config.FILES_DIR, 'uploads', 'forms')).catch(() => [])).sort();
const past = () => site.deps.db.run(`update loose_files set remove_after = now() - interval '1 second'`);

it('a file stays with its submission, and goes with it', async () => {
  const upload = await file('one');
  expect(upload).toMatchObject({
    name: 'cv.txt',
    bytes: 3,
    objectKey: expect.stringMatching(/^forms\/[0-9a-f]{32}$/),
  });
  const id = await makeSubmission(site.deps.db, { form, uploads: [upload] });
  await past();
  await removeLoose(site.deps);
  expect((await readFile(site.deps, upload))?.toString()).toBe('one');
  await site.deps.db.run('delete from submissions where id = $1', [id]);
  await removeLoose(site.deps);
  expect(await readFile(site.deps, upload)).toBeUndefined();
  expect(await stored()).toEqual([]);
});

it('a file whose submission never came is removed, and no submission takes it afterwards', async () => {
  const upload = await file('two');
  await removeLoose(site.deps);
  expect(await stored()).toHaveLength(1);
  await past();
  await removeLoose(site.deps);
  expect(await stored()).toEqual([]);
  await expect(makeSubmission(site.deps.db, { form, uploads: [upload] })).rejects.toThrow('not in the store');
});

it('what a killed process left half written is removed', async () => {
  const folder = path.join(site.deps.config.FILES_DIR, 'uploads', '.unfinished');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'half'), 'what a visitor sent');
  const at = new Date(Date.now() - 61 * 60_000);
  await utimes(path.join(folder, 'half'), at, at);
  for (const sweep of uploadSweeps) await sweep.run(site.deps);
  expect(await readdir(folder)).toEqual([]);
});

it('a store that takes no file is away, whatever it says', async () => {
  const write = () => Promise.reject(new Error('AccessDenied'));
  const kept = keepFile(
    { ...site.deps, files: { ...site.deps.files, write } },
    { field: 'cv', name: 'cv.txt', type: 'text/plain', source: Buffer.from('none') },
  );
  await expect(kept).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  await past();
  await removeLoose(site.deps);
});

it('a file that could not be removed is removed the next time', async () => {
  await file('three');
  await past();
  const broken = { ...site.deps.files, remove: () => Promise.reject(new Error('the store is away')) };
  await expect(removeLoose({ db: site.deps.db, files: broken })).rejects.toThrow('away');
  expect(await stored()).toHaveLength(1);
  await removeLoose(site.deps);
  expect(await stored()).toEqual([]);
});

it('a file that cannot be removed keeps none behind it from being so', async () => {
  const [first, ...others] = [await file('four'), await file('five'), await file('six')];
  await past();
  const key = first!.objectKey;
  await site.deps.db.run(
    `update loose_files set remove_after = remove_after - interval '1 second' where object_key = $1`,
    [key],
  );
  const remove = (path: string) =>
    path === key ? Promise.reject(new Error('it is not ours')) : site.deps.files.remove(path);
  await expect(removeLoose({ db: site.deps.db, files: { ...site.deps.files, remove } })).rejects.toThrow(
    'not ours',
  );
  expect(await stored()).toEqual([path.basename(key)]);
  for (const one of others) expect(await readFile(site.deps, one)).toBeUndefined();
  await removeLoose(site.deps);
  expect(await stored()).toEqual([]);
});

it('a noted file that was never written is forgotten', async () => {
  await store.addLoose(site.deps.db, 'forms/never', -1);
  await removeLoose(site.deps);
  expect(await site.deps.db.rows('select 1 from loose_files')).toEqual([]);
});

it.each([
  ['cv.pdf', Buffer.from('%PDF-1.7'), 'application/pdf'],
  ['cv.PDF', Buffer.from('%PDF-1.7'), 'application/pdf'],
  ['cv.doc', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'application/msword'],
  ['notes.txt', Buffer.from('notes'), 'text/plain'],
  ['cv.pdf', Buffer.from('MZ\x90\0'), undefined],
  ['cv.pdf', Buffer.from('notes'), undefined],
  ['cv.exe', Buffer.from('MZ\x90\0'), undefined],
  ['run.sh', Buffer.from('#!/bin/sh'), undefined],
  ['page.html', Buffer.from('<html>'), undefined],
  ['picture.svg', Buffer.from('<svg></svg>'), undefined],
  ['script.php.txt', Buffer.from('\0'), undefined],
  ['cv', Buffer.from('%PDF-1.7'), undefined],
])('%s with %p is %p', (name, head, type) => expect(typeOf(name, head)).toBe(type));

it.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['C:\\Users\\ann\\cv.pdf', 'cv.pdf'],
  ['a\r\nBcc: x.pdf', 'a Bcc x.pdf'],
  ['cv\u202Efdp.exe.pdf', 'cvfdp.exe.pdf'],
  ['.hidden.txt', 'hidden.txt'],
  ['.txt', 'file.txt'],
  ['', 'file'],
  [`${'x'.repeat(400)}.pdf`, `${'x'.repeat(150)}.pdf`],
  // What is cut is never the ending that was judged.
  [`invoice${'_'.repeat(989)}.hta.txt`, `invoice${'_'.repeat(143)}.txt`],
  [`/in/voice.hta.${'x'.repeat(2_000)}.TXT`, `voice.hta.${'x'.repeat(140)}.txt`],
])('the name %p becomes %p', (name, clean) => expect(cleanName(name)).toBe(clean));
