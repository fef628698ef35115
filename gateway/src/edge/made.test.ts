import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '@sevenfold/chassis/testing/until';
import { createRoom } from './made';

const MIB = 1024 * 1024;

test('who needs more room than is left gets it from those that have taken theirs the longest', async () => {
  const keepRoom = createRoom();
  const begun: ServerResponse[] = [];
  const server = http.createServer((request, response) => {
    begun.push(response);
    keepRoom({ response, address: '' }, Buffer.allocUnsafeSlow(Number(request.url?.slice(1)) * MIB));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const ask = async (mebibytes: number): Promise<() => boolean> => {
    const count = begun.length;
    const { port } = server.address() as AddressInfo;
    http.get({ port, path: `/${mebibytes}`, agent: false }).on('error', () => undefined);
    await until(() => begun.length > count);
    return () => begun[count]!.destroyed || begun[count]!.socket!.destroyed;
  };
  const cut = [await ask(10), await ask(10), await ask(10)];
  expect(cut.map((one) => one())).toEqual([false, false, false]);
  cut.push(await ask(15));
  expect(cut.map((one) => one())).toEqual([true, true, false, false]);
  begun[2]!.end('done');
  await until(() => begun[2]!.closed);
  cut.push(await ask(17));
  expect(cut.map((one) => one())).toEqual([true, true, true, false, false]);
  // Who has left meanwhile takes none from the others.
  keepRoom({ response: begun[0]!, address: '' }, Buffer.allocUnsafeSlow(20 * MIB));
  expect(cut.map((one) => one())).toEqual([true, true, true, false, false]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('what many take is there once, and a piece of something keeps all of it', async () => {
  const keepRoom = createRoom(MIB);
  const shelf = Buffer.allocUnsafeSlow(20 * MIB);
  const begun: ServerResponse[] = [];
  const server = http.createServer((request, response) => {
    begun.push(response);
    const own = Buffer.allocUnsafeSlow(12 * MIB);
    keepRoom({ response, address: '' }, request.url === '/shared' ? shelf.subarray(MIB, 2 * MIB) : own);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const path of ['/shared', '/shared', '/shared', '/own']) {
    const count = begun.length;
    http.get({ port, path, agent: false }).on('error', () => undefined);
    await until(() => begun.length > count);
  }
  const cut = (): boolean[] => begun.map((one) => one.destroyed || one.socket!.destroyed);
  expect(cut()).toEqual([false, false, false, false]);
  // Only when the last of them has gone is there room for more.
  http.get({ port, path: '/own', agent: false }).on('error', () => undefined);
  await until(() => begun.length > 4);
  expect(cut()).toEqual([true, true, true, false, false]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('nobody is cut for what somebody else leaves unread, who takes more', async () => {
  const keepRoom = createRoom();
  const begun: ServerResponse[] = [];
  const server = http.createServer((request, response) => {
    begun.push(response);
    const address = String(request.headers['x-forwarded-for']);
    keepRoom({ response, address }, Buffer.allocUnsafeSlow(Number(request.url?.slice(1)) * MIB));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const ask = async (mebibytes: number, address: string): Promise<void> => {
    const count = begun.length;
    const headers = { 'X-Forwarded-For': address };
    http.get({ port, path: `/${mebibytes}`, agent: false, headers }).on('error', () => undefined);
    await until(() => begun.length > count);
  };
  await ask(8, '192.0.2.1');
  // Addresses of one network.
  for (let n = 1; n <= 7; n++) await ask(6, `2001:db8::${n}`);
  await ask(8, '192.0.2.2');
  expect(begun.map((one) => one.destroyed || one.socket!.destroyed)).toEqual([
    ...[false],
    ...[true, true, true, true, true, false, false],
    ...[false],
  ]);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
