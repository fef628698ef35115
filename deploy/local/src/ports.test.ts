import { createServer } from 'node:net';
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
});
