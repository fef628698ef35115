/** The reference client, well-behaved and not, against the real callbacks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ApiError } from '@sevenfold/chassis/errors';
import { registerImport } from '@sevenfold/imports/commands';
import { identityOf } from '../leftovers';
import { type PushOptions, push, readBatches } from './push';
import { readSource } from './sources/source';
import { until } from '@sevenfold/chassis/testing/until';
import { type ImportsSite, report, startImports } from '@sevenfold/imports/testing/service';

let site: ImportsSite;
let folder: string;
beforeAll(async () => {
  site = await startImports({ ROLE: 'all' });
  folder = await mkdtemp(path.join(tmpdir(), 'push-'));
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true });
});

const batches = (total: number) =>
  Array.from({ length: total }, (_, index) => {
    const { batch_hash: _none, ...body } = report('', index, total);
    return body;
  });
/** The command, as a process on the database of the service. */
const cli = (...args: string[]): Running =>
  cliOn(
    {
      DATA_DIR: '/nowhere',
      SITE_URL: site.deps.config.SITE_URL,
      IMPORTS_DATABASE_URL: site.deps.config.DATABASE_URL,
    },
    ...args,
  );
type Running = ChildProcess & {
  readonly over: Promise<{ code: number | null; output: string }>;
  output(): string;
};
const cliOn = (env: NodeJS.ProcessEnv, ...args: string[]): Running => {
  const child = spawn(
    process.execPath,
    [path.resolve(__dirname, '../../dist/cli/main.js'), 'imports', ...args],
    { env: { PATH: process.env.PATH, ...env } },
  );
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  const over = once(child, 'close').then(([code]) => ({ code: code as number | null, output }));
  return Object.assign(child, { over, output: () => output });
};

const run = async (total: number, more: Partial<PushOptions> = {}) => {
  const { importId, batchHash } = await registerImport({ db: site.deps.db }, {});
  const pushed = await push({ url: site.url, importId, batchHash, batches: batches(total), ...more });
  await until(async () => (await site.row(importId)).state === 'success');
  return { pushed, row: await site.row(importId) };
};

test('follows the hashes to the end', async () => {
  const seen: number[] = [];
  const times: number[] = [];
  const { pushed, row } = await run(7, {
    onProgress: ({ sent }) => seen.push(sent),
    onAnswer: (ms) => times.push(ms),
  });
  expect(pushed).toMatchObject({ sent: 7, total: 7, retries: 0, repeats: 0, dropped: 0 });
  expect(pushed.answer).not.toHaveProperty('next_batch_hash');
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(times).toHaveLength(7);
  expect(row).toMatchObject({ applied: 7, events_created: 14 });
});

test('repeats, dropped answers and broken requests change nothing about the result', async () => {
  const { pushed, row } = await run(25, { repeatOneIn: 5, dropAnswerOneIn: 4, interruptOneIn: 7 });
  expect(pushed.repeats).toBe(5);
  expect(pushed.dropped).toBeGreaterThan(5);
  expect(row).toMatchObject({ accepted: 25, applied: 25, events_created: 50, events_accepted: 50 });
});

test('what is refused for good is not sent again', async () => {
  const { importId } = await registerImport({ db: site.deps.db }, {});
  await expect(
    push({ url: site.url, importId, batchHash: 'wrong', batches: batches(1) }),
  ).rejects.toMatchObject({ name: 'PushRefused', status: 400, batch: 1 });
});

test('waits for a server that is not there, within its patience', async () => {
  const { importId, batchHash } = await registerImport({ db: site.deps.db }, {});
  await expect(
    push({ url: 'http://127.0.0.1:9', importId, batchHash, batches: batches(1), patienceMs: 300 }),
  ).rejects.toThrow('no answer to batch 1 for too long');
});

test('a first batch with a credential registers its import', async () => {
  // Through the service itself the gateway's signed header is missing: the credential means nothing here.
  await expect(
    push({
      url: site.url,
      importId: 'mine',
      batchHash: 'first',
      batches: batches(1),
      authorization: 'Basic eDp5',
    }),
  ).rejects.toMatchObject({ status: 400 });
});

test('reads plain and packed files, and names the line that is wrong', async () => {
  const lines = batches(3);
  const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`;
  const plain = path.join(folder, 'a.jsonl');
  const packed = path.join(folder, 'a.jsonl.gz');
  await writeFile(plain, text);
  await writeFile(packed, gzipSync(text));
  expect(await readBatches(plain)).toEqual(lines);
  expect(await readBatches(packed)).toEqual(lines);
  for (const wrong of ['[1]', '{"events": [']) {
    await writeFile(plain, `{}\n${wrong}\n`);
    await expect(readBatches(plain)).rejects.toThrow(`${plain}:2`);
  }
  await expect(readBatches(path.join(folder, 'none.jsonl.gz'))).rejects.toThrow('ENOENT');
});

test('--wait stays until everything is applied, and tells what came of it', async () => {
  const file = path.join(folder, 'wait.jsonl');
  await writeFile(
    file,
    batches(3)
      .map((line) => JSON.stringify(line))
      .join('\n'),
  );
  const { answer } = site.calendar;
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  site.calendar.answer = async (request) => {
    await held;
    return answer(request);
  };
  const child = cli('push', file, '--url', site.url, '--wait', '--import-id', 'waited_for');
  try {
    await until(async () => (await site.row('waited_for')).accepted === 3);
    expect([child.exitCode, (await site.row('waited_for')).applied]).toEqual([null, 0]);
  } finally {
    release();
    site.calendar.answer = answer;
  }
  const { code, output } = await child.over;
  expect([code, output]).toEqual([0, expect.stringMatching(/waited_for +success +3\/3 +6 +0 +0/)]);
  const listed = await cli('list', '--format', 'json').over;
  expect(JSON.parse(listed.output)).toContainEqual(
    expect.objectContaining({ importId: 'waited_for', eventsCreated: 6 }),
  );
});

test('--wait ends with a fault where a batch failed for good', async () => {
  const file = path.join(folder, 'fails.jsonl');
  await writeFile(file, JSON.stringify(batches(1)[0]));
  const { answer } = site.calendar;
  site.calendar.answer = () => Promise.reject(new ApiError('odd_batch', 400, 'The batch is odd.'));
  try {
    const child = cli('push', file, '--url', site.url, '--wait', '--import-id', 'failing');
    // Its tries come faster than the pauses between them would let them.
    await until(async () => {
      const { id, work } = await site.row('failing');
      await site.deps.db.run(
        `update outbox set run_at = now(), sent_at = null
         where payload->>'import' = $1 and done_at is null and failed_at is null and sent_at is null`,
        [String(id)],
      );
      return work === 'blocked';
    });
    const { code, output } = await child.over;
    expect([code, output]).toEqual([1, expect.stringMatching(/failing +failed +0\/1 .*The batch is odd\./)]);
  } finally {
    site.calendar.answer = answer;
  }
});

test('the command says what the import may do to what people changed, and tells how it went', async () => {
  const file = path.join(folder, 'authority.jsonl');
  const events = [{ title: 'One', uid: 'u' }, { uid: 'no title' }, { title: 'Two', uid: 'v' }];
  await writeFile(file, JSON.stringify({ ...batches(1)[0], events }));
  const pushed = await cli('push', file, '--url', site.url, '--import-id', 'told', '--authority', 'fill')
    .over;
  expect(pushed).toMatchObject({ code: 0 });
  await until(async () => (await site.row('told')).state === 'success');
  expect((await site.row('told')).authority).toBe('fill');
  const { code, output } = await cli('progress', 'told', '--per-page', '1').over;
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({
    import: { state: 'success', authority: 'fill', batchesApplied: 1 },
    events: { created: 2, failed: 1 },
    batches: [{ number: 1, created: 2, failed: 1 }],
    faults: [{ batch: 1, position: 1, uid: 'no title', leftAlone: false }],
  });
  const waiting = JSON.parse((await cli('register').over).output) as Record<string, string>;
  const renewed = await cli('renew-hash', String(waiting.import_id)).over;
  const given = (await site.row(String(waiting.import_id))).expected_hash;
  expect([renewed.code, JSON.parse(renewed.output)]).toEqual([0, { ...waiting, batch_hash: given }]);
  expect(given).not.toBe(waiting.batch_hash);
  expect(await cli('register', '--authority', 'all').over).toMatchObject({ code: 1 });
  expect(await cli('progress', 'nobody').over).toMatchObject({ code: 1 });
});

test('calendars and tables are pushed as batches; what is wrong in them is told by its line, with exit code 1', async () => {
  const [calendar, table] = [path.join(folder, 'a.ics'), path.join(folder, 'a.csv')];
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:w', 'SUMMARY:Weekly', 'DTSTART:20270301T100000Z'];
  const rule = ['RRULE:FREQ=WEEKLY;COUNT=60', 'END:VEVENT', 'END:VCALENDAR'];
  await writeFile(calendar, [...lines, ...rule].join('\r\n'));
  await writeFile(table, 'title;start_date\nGood;2027-03-01\nBad;never\n');
  const before = site.calendar.calls.length;
  const good = await cli('push', calendar, '--url', site.url, '--wait', '--to', '2028-12-31').over;
  expect([good.code, good.output]).toEqual([0, expect.stringMatching(/success +2\/2/)]);
  const calls = site.calendar.calls.slice(before);
  const sent = calls
    .flatMap(({ batches: all }) => all)
    .flatMap(({ eventsJson }) => JSON.parse(eventsJson) as { uid: string }[]);
  expect([calls[0]!.origin, sent.length, sent[0]!.uid]).toEqual(['ics', 60, 'w/20270301T100000']);
  const bad = await cli('push', table, '--url', site.url, '--wait').over;
  expect([bad.code, bad.output]).toEqual([
    1,
    expect.stringMatching(/1 could not be read\s[^]*\n3 +Bad +Its start cannot be read[^]*success +1\/1/),
  ]);
  expect(site.calendar.calls.at(-1)!.origin).toBe('csv');
});

test('where a file is refused, those that have begun go to their end and are told, and so is what was not pushed', async () => {
  const names = ['refused', 'good', 'later'].map((name) => path.join(folder, `${name}.jsonl`));
  const [refused, good, later] = names as [string, string, string];
  const [first, ...rest] = batches(40).map((body) => `${JSON.stringify(body)}\n`) as [string, ...string[]];
  await writeFile(refused, '{"events":5}\n');
  for (const file of [good, later]) await writeFile(file, first + rest.join(''));
  const push = ['push', ...names, '--url', site.url, '--wait', '--parallel', '2'];
  const { code, output } = await cli(...push).over;
  expect(code).toBe(1);
  expect(output).toMatch(/good\.jsonl +imp_\w+ +40 [^]*success +40\/40/);
  expect(output).not.toMatch(/later\.jsonl +imp_/);
  for (const file of [refused, later]) expect(output).toContain(`${file}: not pushed, or not to its end`);
  expect(output).toContain('batch 1 was refused with 400');
});

const manyBatches = async (name: string, count: number): Promise<string> => {
  const file = path.join(folder, name);
  const lines = batches(count).map((body) => `${JSON.stringify(body)}\n`);
  await writeFile(file, lines.join(''));
  return file;
};
const importsOf = (origin: string): Promise<{ importId: string; accepted: number }[]> =>
  site.deps.db.rows('select import_id as "importId", accepted from imports where origin = $1 order by id', [
    origin,
  ]);

test('one that is stopped tells the imports that it leaves', async () => {
  const file = await manyBatches('stopped.jsonl', 3);
  let tries = 0;
  const away = createServer((_, response) => {
    tries += 1;
    response.writeHead(503).end();
  }).listen(0, '127.0.0.1');
  try {
    await once(away, 'listening');
    const url = `http://127.0.0.1:${(away.address() as AddressInfo).port}`;
    const child = cli('push', file, '--url', url, '--origin', 'stopped');
    await until(() => tries > 0);
    child.kill('SIGINT');
    const [begun] = await importsOf('stopped');
    expect(await child.over).toMatchObject({
      code: 130,
      output: expect.stringContaining(`${file}: import ${begun?.importId} is not at its end`) as string,
    });
  } finally {
    away.close();
  }
});

test('a site that stops and starts again between two files is waited for, one that never was is not', async () => {
  const dataDir = await mkdtemp(path.join(folder, 'data-'));
  const [runFile, secretsFile] = [path.join(dataDir, 'run.json'), path.join(dataDir, 'secrets.json')];
  await writeFile(secretsFile, '{}');
  const run = {
    ...{ pid: process.pid, identity: identityOf(process.pid), gateway: site.url, siteUrl: site.url },
    ...{ databases: { imports: site.deps.config.DATABASE_URL } },
    ...{ services: {}, secretsFile, uploadsDir: dataDir, filesDir: dataDir },
  };
  const start = (): Promise<void> => writeFile(runFile, JSON.stringify(run));
  const files = [await manyBatches('before.jsonl', 60), await manyBatches('after.jsonl', 2)];
  const push = () => cliOn({ DATA_DIR: dataDir }, 'push', ...files, '--origin', 'restarted');
  const { code, output } = await push().over;
  expect([code, output]).toEqual([1, expect.stringContaining('No site runs from')]);

  await start();
  const child = push();
  await until(async () => (await importsOf('restarted')).length > 0);
  await rm(runFile);
  await Promise.race([
    until(() => child.output().includes('waiting for the site: No site runs')),
    child.over,
  ]);
  await start();
  expect(await child.over).toMatchObject({ code: 0 });
  expect(await importsOf('restarted')).toMatchObject([{ accepted: 60 }, { accepted: 2 }]);
});

test('what nobody reads is pushed all the same, and the exit code tells what is wrong in it', async () => {
  const file = path.join(folder, 'unread.ics');
  const event = (uid: string, start: string): string[] => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `SUMMARY:${uid}`,
    `DTSTART:${start}`,
    'END:VEVENT',
  ];
  const lines = [...event('wrong', 'never'), ...event('right', '20270101T100000Z')];
  await writeFile(file, ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n'));
  const count = async (): Promise<number> =>
    (await site.deps.db.rows('select from imports where origin = $1', ['unread'])).length;
  const child = cli('push', file, '--origin', 'unread', '--url', site.url);
  child.stdout?.destroy();
  expect((await child.over).code).toBe(1);
  expect(await count()).toBe(1);
});

test('a calendar is UTF-8 also where a line is folded within a character, or another program wrote some of it', async () => {
  const file = path.join(folder, 'folded.ics');
  const write = (...parts: readonly (string | readonly number[])[]): Promise<void> =>
    writeFile(file, Buffer.concat(parts.map((part) => Buffer.from(part as string))));
  const [head, place] = ['BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:', '\r\nLOCATION:Köln\r\nDTSTART:'];
  const end = '\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n';
  const found = () => readSource(file, 'ics', { now: new Date() });
  // ü and the clef, each in two.
  await write(
    head,
    'Fr',
    [0xc3],
    '\r\n ',
    [0xbc],
    'hling ',
    [0xf0, 0x9d],
    '\n\t',
    [0x84, 0x9e],
    place,
    '20270601',
    end,
  );
  expect((await found()).events).toMatchObject([{ title: 'Frühling 𝄞', venue: { venue: 'Köln' } }]);
  await write(head, 'caf', [0xe9], place, '20270601', end);
  expect((await found()).events).toMatchObject([{ title: 'café', venue: { venue: 'Köln' } }]);
  // Lines keep their numbers.
  await write(head, 'Fr', [0xc3], '\r\n ', [0xbc], place, 'never', end, 'BEGIN:VEVENT\r\nSUMMARY:B', end);
  expect((await found()).faults).toMatchObject([
    { line: 2, title: 'Frü' },
    { line: 9, title: 'B' },
  ]);
});

test('an address is asked only where it is public, and a file that is no calendar is refused', async () => {
  for (const address of ['http://127.0.0.1:9/a.ics', 'webcal://localhost/a.ics', 'http://[::1]/x'])
    await expect(readSource(address, 'ics', { now: new Date() })).rejects.toThrow('not at a public address');
  const file = path.join(folder, 'page.ics');
  await writeFile(file, '<html></html>');
  const { code, output } = await cli('push', file, '--url', site.url).over;
  expect([code, output]).toEqual([1, expect.stringContaining(`${file} cannot be read: it is no calendar`)]);
  const whole = await cli('push', folder, '--url', site.url).over;
  expect([whole.code, whole.output]).toEqual([1, expect.stringContaining(`There is no file ${folder}.`)]);
});
