/** The commands about submissions and the local mailbox, as a process, on the database and the folder of a site. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '@sevenfold/chassis/testing/until';
import { mailboxFolder } from '@sevenfold/forms/mail/open';
import { makeSubmission } from '@sevenfold/forms/testing/factories';
import { type FormsSite, startForms } from '@sevenfold/forms/testing/service';

let site: FormsSite;
let folder: string;
let form: number;
beforeAll(async () => {
  site = await startForms();
  folder = await mkdtemp(path.join(tmpdir(), 'forms-cli-'));
  form = await site.makeForm({
    title: 'Boats',
    mail: {
      active: true,
      recipient: 'harbour@example.org',
      sender: 'site@example.org',
      subject: 'Boats',
      body: '[text]',
    },
  });
});
afterAll(async () => {
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

const program = path.resolve(__dirname, '../../dist/cli/main.js');
const env = (): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  DATA_DIR: '/nowhere',
  SITE_URL: site.deps.siteUrl,
  FORMS_DATABASE_URL: site.deps.config.DATABASE_URL,
  FILES_DIR: site.deps.config.FILES_DIR,
});
const cli = (...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env: env() }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
const listed = async (...filter: string[]): Promise<number[]> => {
  const { output } = await cli('submissions', 'list', '--format', 'json', ...filter);
  return (JSON.parse(output) as { id: number }[]).map(({ id }) => id);
};
const make = (values: Record<string, string>, more: object = {}): Promise<number> =>
  makeSubmission(site.deps.db, { form, values, ...more });

test('submissions are listed, shown, moved, exported and deleted', async () => {
  const first = await make({ text: 'Where is\u001b[31m the ferry?', formula: '=1+1' });
  const second = await make({ text: 'And the harbour?' });
  expect(await listed()).toEqual([second, first]);
  expect(await listed('--search', 'ferry')).toEqual([first]);

  const table = await cli('submissions', 'list');
  expect(table.output).toContain('Boats');
  expect(table.output).toContain('And the harbour?');
  expect(table.output).not.toContain('\u001b');

  expect((await cli('submissions', 'mark', 'spam', String(first))).output).toBe(`moved: ${first}\n`);
  expect(await listed('--status', 'spam')).toEqual([first]);
  const shown = JSON.parse((await cli('submissions', 'show', String(first))).output) as object;
  expect(shown).toMatchObject({ id: first, status: 'spam', form: { title: 'Boats' } });

  const file = path.join(folder, 'all.csv');
  expect(await cli('submissions', 'export', '--out', file)).toEqual({ code: 0, output: '' });
  const csv = await readFile(file, 'utf8');
  expect(csv).toContain('And the harbour?');
  expect(csv).toContain("'=1+1");
  const lines = (await cli('submissions', 'export', '--format', 'jsonl')).output.trim().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual([first, second]);

  const whole = JSON.parse((await cli('submissions', 'export', '--format', 'json')).output) as object[];
  expect(whole).toEqual(lines.map((line) => JSON.parse(line) as object));
  expect((await cli('submissions', 'export', '--format', 'table')).output.trim().split('\n')).toHaveLength(
    lines.length + 1,
  );
  const none = ['submissions', 'export', '--search', 'nowhere', '--format'] as const;
  expect(await cli(...none, 'json')).toEqual({ code: 0, output: '[]\n' });
  expect(await cli(...none, 'table')).toEqual({ code: 0, output: 'none\n' });
  expect((await cli('submissions', 'delete', String(second))).output).toBe(`deleted: ${second}\n`);
  expect(await listed()).toEqual([first]);
  const { code, output } = await cli('submissions', 'show', String(second));
  expect(code).not.toBe(0);
  expect(output).toContain('There is no such submission.');
});

test.each(['--email', '--search', '--after', '--before'])(
  '%s without anything is refused',
  async (option) => {
    const id = await make({ text: 'Somebody', mail: 'ben@example.org' });
    for (const command of ['list', 'export']) {
      const { code, output } = await cli('submissions', command, option, '');
      expect([code, output]).toEqual([1, expect.stringContaining('must not be empty.')]);
      expect(output).not.toContain('Somebody');
    }
    await cli('submissions', 'delete', String(id));
  },
);

test('a file that cannot be written is told of in words', async () => {
  const file = path.join(folder, 'nowhere', 'all.csv');
  const { code, output } = await cli('submissions', 'export', '--out', file);
  expect(code).toBe(1);
  expect(output).toMatch(new RegExp(`^error: cannot write ${file}: ENOENT: [^\\n]*\\n$`));
});

describe('an export that does not come to its end', () => {
  const file = (): string => path.join(folder, 'earlier.csv');
  const beside = async (): Promise<string[]> =>
    (await readdir(folder)).filter((name) => name.startsWith('earlier'));
  beforeEach(async () => {
    await writeFile(file(), 'An earlier export', { mode: 0o640 });
    // More than is read, or written, at once.
    await site.deps.db.run(
      `insert into submissions (form_id, status, values)
       select $1, 'received', jsonb_build_object('n', n::text, 'text', repeat('x', 200000)) from generate_series(1, 60) as n`,
      [form],
    );
  });
  afterEach(() => site.deps.db.run(`delete from submissions where values ? 'n'`));

  test.each(['SIGINT', 'SIGKILL'] as const)('by %s leaves the one before', async (signal) => {
    const child = spawn(process.execPath, [program, 'submissions', 'export', '--out', file()], {
      env: env(),
    });
    // Until it has written some of it.
    await until(async () => {
      const sizes = await Promise.all(
        (await readdir(folder)).map((name) => stat(path.join(folder, name)).then(({ size }) => size)),
      );
      return Math.max(...sizes) > 1_000_000;
    });
    child.kill(signal);
    await once(child, 'close');
    expect(await readFile(file(), 'utf8')).toBe('An earlier export');
    expect(await beside()).toHaveLength(signal === 'SIGKILL' ? 2 : 1);
    expect(await cli('submissions', 'export', '--out', file())).toEqual({ code: 0, output: '' });
    expect((await readFile(file(), 'utf8')).trim().split('\n').length).toBeGreaterThan(60);
    expect((await stat(file())).mode & 0o777).toBe(0o640);
    expect(await beside()).toEqual(['earlier.csv']);
  });

  test('for want of space leaves the one before', async () => {
    const shell = `ulimit -f 2000; trap '' XFSZ; exec ${process.execPath} ${program} submissions export --out ${file()}`;
    const child = spawn('bash', ['-c', shell], { env: env() });
    let output = '';
    child.stderr.on('data', (text) => (output += String(text)));
    const [code] = (await once(child, 'close')) as [number];
    expect([code, output]).toEqual([1, expect.stringContaining(`cannot write ${file()}: EFBIG`)]);
    expect(await readFile(file(), 'utf8')).toBe('An earlier export');
    expect(await beside()).toEqual(['earlier.csv']);
  });
});

test('mail in the local mailbox is listed and shown; erasing somebody takes it along', async () => {
  const id = await make({ text: 'Rent a boat', mail: 'ann@example.org' });
  const box = mailboxFolder(site.deps.config);
  await mkdir(box, { recursive: true });
  const mailOf = (submission: number): string => `20300105T100000Z-form-${form}.${submission}.mail.abc`;
  const names = [mailOf(id), mailOf(id + 1)];
  for (const name of names)
    await writeFile(path.join(box, `${name}.eml`), 'Subject: Boats\r\n\r\nRent\u001b[31m');
  const list = (await cli('mailbox', 'list')).output;
  for (const name of names) expect(list).toContain(name);
  expect((await cli('mailbox', 'show', mailOf(id))).output).toBe('Subject: Boats\n\nRent[31m\n');
  expect((await cli('mailbox', 'show', '../secrets')).code).not.toBe(0);

  const erase = async (...options: string[]): Promise<unknown> =>
    JSON.parse((await cli('submissions', 'erase', 'ann@example.org', ...options)).output);
  const all = { submissions: 1, files: 0, mails: 1 };
  expect(await erase('--dry-run')).toEqual(all);
  expect(await erase()).toEqual(all);
  expect(await listed('--email', 'ann@example.org')).toEqual([]);
  expect((await cli('mailbox', 'clear')).output).toBe('removed: 1\n');
});

test('a reader that has seen enough ends a command without a fault', async () => {
  const child = spawn(process.execPath, [program, 'submissions', 'list'], { env: env() });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (text) => (said += String(text)));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, said]).toEqual([0, '']);
});
