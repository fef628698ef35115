import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { canListen, freePort, freePorts } from './ports';

describe('free ports', () => {
  it('are different, below the range for outgoing connections, and can be listened on', async () => {
    const ports = await freePorts(30);
    expect(new Set(ports).size).toBe(30);
    for (const port of ports) {
      expect(port).toBeGreaterThanOrEqual(15_000);
      expect(port).toBeLessThan(32_768);
      expect(await canListen(port)).toBe(true);
    }
  });

  it('are told from those in use', async () => {
    const port = await freePort();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    expect(await canListen(port)).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await canListen(port)).toBe(true);
  });

  it('of an address that is not of this machine are a fault', async () => {
    await expect(canListen(await freePort(), '192.0.2.1')).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  });

  it('are not those that another running process was given, whether it listens yet or not', async () => {
    const folder = path.join(os.tmpdir(), `sevenfold-ports-${os.userInfo().uid}`);
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    // Where nothing else looks for any, not even this test in another checkout.
    const first = 12_000 + (process.pid % 250) * 10;
    const range = [first, first + 10] as const;
    const files = Array.from({ length: 10 }, (_, n) => path.join(folder, String(first + n)));
    mkdirSync(folder, { recursive: true });
    try {
      files.forEach((file, n) => writeFileSync(file, String(n < 8 ? process.ppid : ended)));
      expect((await freePorts(2, range)).sort()).toEqual([first + 8, first + 9]);
      await expect(freePorts(1, range)).rejects.toThrow(/No free port/);
    } finally {
      for (const file of files) rmSync(file, { force: true });
    }
  });
});
