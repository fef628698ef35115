import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { watchDisk } from '@sevenfold/chassis/testing/disk';
import { compose } from './compose';
import { list, openMailbox, prune, read, remove } from './mailbox';
import { makeSubmitted, makeTemplate } from './testing/samples';

let folder: string;
beforeEach(async () => void (folder = path.join(await mkdtemp(path.join(tmpdir(), 'mailbox-')), 'mail')));
afterEach(() => rm(path.dirname(folder), { recursive: true, force: true }));

const NO_LIMITS = { files: 1_000, bytes: 1e9 };
const keep = (messageId: string, day: string, limits = NO_LIMITS) =>
  openMailbox(folder, limits).send(
    {
      ...compose(makeTemplate({ additional_headers: 'Bcc: hidden@site.test' }), makeSubmitted({})),
      messageId,
      date: new Date(`${day}T10:00:00Z`),
    },
    [],
    ['office@site.test'],
  );

it('lists the newest first and shows a mail as it would have gone out, with whom it was hidden from', async () => {
  await keep('<form-1.1.mail.a@site.test>', '2030-01-01');
  await keep('<form-1.2.mail.b@site.test>', '2030-01-02');
  const entries = await list(folder);
  expect(entries.map(({ id }) => id)).toEqual([
    '20300102T100000Z-form-1.2.mail.b',
    '20300101T100000Z-form-1.1.mail.a',
  ]);
  const raw = (await read(folder, '20300101T100000Z-form-1.1.mail.a'))?.toString();
  expect(raw).toContain('Message-ID: <form-1.1.mail.a@site.test>');
  expect(raw).toContain('Bcc: hidden@site.test');
  expect(raw).toHaveLength(entries[1]?.bytes ?? 0);
});

it('has the same mail once, however often it comes', async () => {
  for (const _ of [1, 2, 3]) await keep('<form-1.1.mail.a@site.test>', '2030-01-01');
  expect(await readdir(folder)).toEqual(['20300101T100000Z-form-1.1.mail.a.eml']);
});

it('has a mail on the disk, with its name, before it says so', async () => {
  const done = await watchDisk(() => keep('<form-1.1.mail.a@site.test>', '2030-01-01'));
  expect(done.slice(1)).toEqual([
    `named ${folder}/20300101T100000Z-form-1.1.mail.a.eml`,
    `wrote ${folder}`,
    `wrote ${path.dirname(folder)}`,
  ]);
});

it('lets the oldest go beyond the limits, and what a crash left half written', async () => {
  for (const day of ['2030-01-03', '2030-01-01', '2030-01-02']) await keep(`<form-1.${day}@site.test>`, day);
  const [{ bytes = 0 } = {}] = await list(folder);
  await writeFile(path.join(folder, '.half'), 'x');
  await utimes(path.join(folder, '.half'), new Date(0), new Date(0));
  await writeFile(path.join(folder, '.being-written'), 'x');
  await prune(folder, { files: 2, bytes: 1e9 });
  expect((await readdir(folder)).sort()).toEqual([
    '.being-written',
    '20300102T100000Z-form-1.2030-01-02.eml',
    '20300103T100000Z-form-1.2030-01-03.eml',
  ]);
  await prune(folder, { files: 2, bytes });
  expect((await list(folder)).map(({ id }) => id)).toEqual(['20300103T100000Z-form-1.2030-01-03']);
});

it('is empty before the first mail, and knows no file outside of it', async () => {
  expect(await list(folder)).toEqual([]);
  await prune(folder, NO_LIMITS);
  await keep('<form-1.1.mail.a@site.test>', '2030-01-01');
  await writeFile(path.join(folder, '../secret.eml'), 'x');
  for (const id of ['../secret', '20300101T100000Z-../../secret', 'x']) {
    expect(await read(folder, id)).toBeUndefined();
    await remove(folder, [id]);
  }
  expect(await readdir(path.dirname(folder))).toContain('secret.eml');
  expect(await read(folder, '20300101T100000Z-form-1.9.mail.a')).toBeUndefined();
});
