/** TLS by configuration, with certificates made here: who is let in, and who believes whom. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import {
  type DescribeServiceServer,
  DescribeServiceService,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import { dial } from './grpc/dial';
import { createLog } from './log';
import { closeRedis, openRedis } from './queue/redis';
import { sampleService } from './testing/sample';
import { testServers } from './testing/servers';
import { TEST_ACTOR_SECRET, startTestService } from './testing/service';
import { type GrpcTls, readGrpcTls } from './tls';

const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string): string => path.join(folder, name);
const openssl = (...args: string[]): Buffer => execFileSync('openssl', args, { stdio: 'pipe' });

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
function makeAuthority(name: string): void {
  const out = ['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)];
  openssl('req', '-x509', ...KEY, '-days', '2', '-subj', `/CN=${name}`, ...out);
}
function makeCertificate(name: string, authority: string): void {
  openssl(
    ...['req', ...KEY, '-subj', `/CN=${name}`, '-keyout', file(`${name}.key`), '-out', file(`${name}.csr`)],
  );
  writeFileSync(file('san'), 'subjectAltName=IP:127.0.0.1,DNS:localhost\n');
  const by = ['-CA', file(`${authority}.pem`), '-CAkey', file(`${authority}.key`), '-CAcreateserial'];
  const out = ['-extfile', file('san'), '-out', file(`${name}.pem`)];
  openssl('x509', '-req', '-in', file(`${name}.csr`), ...by, '-days', '2', ...out);
}
beforeAll(() => {
  makeAuthority('ours');
  makeAuthority('theirs');
  makeCertificate('service', 'ours');
  makeCertificate('caller', 'ours');
  makeCertificate('intruder', 'theirs');
});

const named = (name: string) => ({ GRPC_TLS_CERT: file(`${name}.pem`), GRPC_TLS_KEY: file(`${name}.key`) });
const trusting = (name: string) => ({ GRPC_TLS_CA: file(`${name}.pem`) });

/** The status of the answer; 503 where no connection came about. */
async function call(port: number, options: GrpcTls | undefined): Promise<number> {
  const remote = dial<DescribeServiceServer>(DescribeServiceService, {
    service: 'sample',
    address: `127.0.0.1:${port}`,
    caller: 'gateway',
    actorSecret: TEST_ACTOR_SECRET,
    tls: options,
  });
  try {
    await remote.describe({}, { deadlineMs: 5_000 });
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  } finally {
    remote.close();
  }
}

describe('gRPC', () => {
  test('with an authority lets in whom it signed, and nobody else', async () => {
    const site = await startTestService(sampleService, { ...named('service'), ...trusting('ours') });
    const port = site.service.grpcPort;
    expect(await call(port, readGrpcTls({ ...named('caller'), ...trusting('ours') }))).toBe(200);
    expect(await call(port, readGrpcTls(trusting('ours')))).toBe(503);
    expect(await call(port, readGrpcTls({ ...named('intruder'), ...trusting('ours') }))).toBe(503);
    expect(await call(port, undefined)).toBe(503);
    await site.stop();
  });

  test('without one lets in who believes its certificate', async () => {
    const site = await startTestService(sampleService, named('service'));
    const port = site.service.grpcPort;
    expect(await call(port, readGrpcTls(trusting('ours')))).toBe(200);
    expect(await call(port, readGrpcTls(trusting('theirs')))).toBe(503);
    expect(await call(port, undefined)).toBe(503);
    await site.stop();
  });

  test('is plain unless it is asked for, and half a setting is none', () => {
    expect(readGrpcTls({ GRPC_TLS_CERT: '', GRPC_TLS_KEY: '', GRPC_TLS_CA: '' })).toBeUndefined();
    expect(() => readGrpcTls({ GRPC_TLS_CERT: file('service.pem') })).toThrow(/go together/);
    expect(() => readGrpcTls({ GRPC_TLS_CA: file('missing.pem') })).toThrow(/GRPC_TLS_CA: .*no such file/);
  });
});

describe('Redis', () => {
  test('is believed when its certificate is of the named authority', async () => {
    const plain = new URL(testServers().redisUrl);
    const front = tls.createServer(
      { cert: readFileSync(file('service.pem')), key: readFileSync(file('service.key')) },
      (socket) => {
        const behind = net.connect(Number(plain.port), plain.hostname);
        socket.on('error', () => behind.destroy()).on('close', () => behind.destroy());
        behind.on('error', () => socket.destroy()).on('close', () => socket.destroy());
        socket.pipe(behind).pipe(socket);
      },
    );
    front.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    plain.protocol = 'rediss:';
    const url = plain.href
      .replace(/^redis:/, 'rediss:')
      .replace(`:${plain.port}`, `:${(front.address() as AddressInfo).port}`);
    const log = createLog('test', 'tls', 'silent');

    const good = openRedis(url, log, readFileSync(file('ours.pem')));
    await new Promise((resolve) => good.once('ready', resolve));
    expect(await good.ping()).toBe('PONG');
    await closeRedis(good);

    const bad = openRedis(url, log, readFileSync(file('theirs.pem')));
    const fault = await new Promise<Error>((resolve) => bad.once('error', resolve));
    expect(fault.message).toMatch(/certificate|signature/i);
    await closeRedis(bad);
    await new Promise((resolve) => front.close(resolve));
  });
});
