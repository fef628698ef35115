import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startChild } from './child';
import { identityOf } from './leftovers';
import { temporaryFolder, until } from './test-support';

const folder = temporaryFolder();
const common = { env: process.env, cwd: folder };

function run(name: string, code: string): ReturnType<typeof startChild> {
  return startChild({
    ...common,
    command: process.execPath,
    args: ['-e', code],
    logFile: path.join(folder, name),
  });
}

describe('a child', () => {
  it('tells how it ended and what it wrote last, not what an earlier one wrote', async () => {
    await run('a.log', 'console.log("old")').exited;
    const child = run('a.log', 'for (let i = 1; i <= 30; i++) console.log("line", i); process.exitCode = 4');
    expect(await child.exited).toEqual({ code: 4, signal: null });
    expect(child.lastLines(2)).toEqual(['line 29', 'line 30']);
    expect(child.lastLines(100)).toHaveLength(30);
  });

  it('that cannot be started has ended with an error', async () => {
    const child = startChild({
      ...common,
      command: path.join(folder, 'nothing'),
      args: [],
      logFile: path.join(folder, 'b.log'),
    });
    expect((await child.exited).error?.message).toContain('ENOENT');
    await child.stop([['SIGTERM', 10]]);
  });

  it('that ignores the polite signal is killed', async () => {
    const child = run(
      'c.log',
      'process.on("SIGTERM", () => console.log("no")); setInterval(() => {}, 1000); console.log("up")',
    );
    await until('the child is up', () => child.lastLines().includes('up'));
    // Long enough to say no on a busy machine.
    await child.stop([['SIGTERM', 5_000]]);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
    expect(child.lastLines()).toContain('no');
  });

  it('starts with a new log when the old one has become large', async () => {
    const log = path.join(folder, 'd.log');
    writeFileSync(log, 'first line\n');
    truncateSync(log, 21 * 1024 * 1024);
    await run('d.log', 'console.log("fresh")').exited;
    expect(readFileSync(log, 'utf8')).toBe('fresh\n');
    expect(statSync(`${log}.1`).size).toBe(21 * 1024 * 1024);
  });

  it('that writes without end keeps its log small while it runs, and what it wrote last can be read', async () => {
    const logFile = path.join(folder, 'e.log');
    const child = startChild({
      ...common,
      command: process.execPath,
      args: [
        '-e',
        `let n = 0; setInterval(() => console.log('x'.repeat(50_000)), 1);
         process.on('SIGTERM', () => { console.log('the end'); process.exit(0); })`,
      ],
      logFile,
      logLimit: 200_000,
    });
    await until('the log was cut', () => existsSync(`${logFile}.1`));
    const first = statSync(`${logFile}.1`).mtimeMs;
    await until('the log was cut again', () => statSync(`${logFile}.1`).mtimeMs > first);
    await child.stop([['SIGTERM', 60_000]]);
    expect(child.lastLines(1)).toEqual(['the end']);
    expect(statSync(logFile).size).toBeLessThan(100_000_000);
  });

  it('runs without a log where none can be opened', async () => {
    const child = startChild({
      ...common,
      command: process.execPath,
      args: ['-e', 'console.log("said to nobody"); process.exitCode = 3'],
      logFile: path.join(folder, 'nothing', 'f.log'),
    });
    expect((await child.exited).code).toBe(3);
    expect(child.lastLines()).toEqual([]);
  });

  it('without IPC ends with the process that started it, even when that is killed, and takes its folder along', async () => {
    const data = path.join(folder, 'data');
    mkdirSync(data);
    const script = path.join(folder, 'starter.cjs');
    writeFileSync(
      script,
      `const { startChild } = require(${JSON.stringify(path.join(__dirname, 'child.ts'))});
       const child = startChild({ command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], env: process.env, cwd: '/',
         logFile: ${JSON.stringify(path.join(folder, 'e.log'))}, signalOnLoss: 'SIGTERM', removeOnLoss: ${JSON.stringify(data)} });
       console.log(child.pid);
       setInterval(() => {}, 1000);`,
    );
    const starter = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    starter.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const pid = Number(await until('the child was started', () => /^\d+\n/.test(output) && output));
    expect(identityOf(pid)).toBeDefined();
    starter.kill('SIGKILL');
    await until('the child has ended', () => identityOf(pid) === undefined);
    await until('the folder is deleted', () => !existsSync(data));
  });
});
