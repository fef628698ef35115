/** The program as people start it. Needs a build, as `npm test` makes it. */
import { spawnSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './test-support';

const program = path.join(__dirname, '..', 'dist', 'main.js');
const folder = temporaryFolder();

function run(
  args: string[],
  env: Record<string, string>,
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
}

describe('main', () => {
  it('reports all faulty settings at once with exit code 2 and starts nothing', () => {
    const dataDir = path.join(folder, 'never');
    const { status, stdout, stderr } = run([], {
      DATA_DIR: dataDir,
      PORT: 'x',
      REDIS_URL: 'http://x',
      ADMIN_EMAIL: 'x',
    });
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/3 faults(.|\n)*PORT(.|\n)*REDIS_URL(.|\n)*ADMIN_EMAIL/);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('knows its arguments', () => {
    expect(run(['--nonsense'], {})).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('Unknown argument --nonsense') as string,
    });
    expect(run(['--help'], {})).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('DATABASE_URL') as string,
    });
  });

  it('ends with exit code 1 and one line when it cannot start', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const { port } = blocker.address() as AddressInfo;
    expect(run([], { DATA_DIR: path.join(folder, 'data'), PORT: String(port) })).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `PORT ${port} on 127.0.0.1 is in use by another program. Stop it, or set another PORT.\n`,
    });
    await new Promise((resolve) => blocker.close(resolve));
  });

  it('names the setting when the folder of the data cannot be made', () => {
    const file = path.join(folder, 'file');
    writeFileSync(file, '');
    const nowhere = process.platform === 'linux' ? ['/proc/none/data'] : [];
    for (const dataDir of [file, path.join(file, 'data'), ...nowhere]) {
      const { status, stdout, stderr } = run([], { DATA_DIR: dataDir, PORT: '0' });
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/^DATA_DIR: cannot make the folder .*\n$/);
    }
  });
});
