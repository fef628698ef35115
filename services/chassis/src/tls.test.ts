/** TLS by configuration, with certificates made here: who is let in, and who believes whom. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import {
  type DescribeServiceServer,
  DescribeServiceService,
} from '@sevenfold/proto/gen/sevenfold/chassis/v1/describe';
import { openListener } from './db/listen';
import { openDatabase } from './db/pool';
import { toApiError } from './errors';
import { dial } from './grpc/dial';
import { type Log, createLog } from './log';
import { closeRedis, openRedis } from './queue/redis';
import { openCertificates } from './testing/certificates';
import { createTestDatabase } from './testing/database';
import { sampleService } from './testing/sample';
import { testServers } from './testing/servers';
import { TEST_ACTOR_SECRET, startTestService } from './testing/service';
import { until } from './testing/until';
import { type GrpcTls, readGrpcTls, readRedisCa } from './tls';

const { file, makeAuthority, makeCertificate, remove } = openCertificates();
afterAll(remove);
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
    await remote.describe({}, { deadlineMs: 60_000 });
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

  test('goes on with certificates that are made anew, on both sides, without a start', async () => {
    const copy = (from: string, to: string): void =>
      ['key', 'pem'].forEach((kind) => copyFileSync(file(`${from}.${kind}`), file(`${to}.${kind}`)));
    copy('service', 'renewed');
    copy('ours', 'authority');
    const site = await startTestService(sampleService, { ...named('renewed'), ...trusting('authority') });
    const port = site.service.grpcPort;
    // One that was made before, and connects now and then as its connections end.
    const kept = readGrpcTls({ ...named('renewed'), ...trusting('authority') });
    const intruder = readGrpcTls({ ...named('intruder'), ...trusting('theirs') });
    expect([await call(port, kept), await call(port, intruder)]).toEqual([200, 503]);
    // Half of it is there: nobody takes what does not fit together.
    copyFileSync(file('intruder.key'), file('renewed.key'));
    expect(await call(port, kept)).toBe(200);
    copy('intruder', 'renewed');
    copy('theirs', 'authority');
    await until(async () => (await call(port, intruder)) === 200);
    await until(async () => (await call(port, kept)) === 200);
    expect(await call(port, readGrpcTls({ ...named('caller'), ...trusting('ours') }))).toBe(503);
    await site.stop();
  });

  test.each(['', 'no certificate'])(
    'goes on with the authority of before where the file of a newer one holds «%s», and says so once',
    async (bad) => {
      copyFileSync(file('ours.pem'), file('broken.pem'));
      const site = await startTestService(sampleService, { ...named('service'), ...trusting('broken') });
      const port = site.service.grpcPort;
      const told: string[] = [];
      const log = { warn: (_: object, message: string) => told.push(message) } as unknown as Log;
      const kept = readGrpcTls({ ...named('caller'), ...trusting('broken') }, log);
      writeFileSync(file('broken.pem'), bad);
      await until(async () => {
        expect(await call(port, kept)).toBe(200);
        expect(await call(port, readGrpcTls({ ...named('caller'), ...trusting('ours') }))).toBe(200);
        return told.length > 0;
      });
      expect(told).toEqual(['certificates for gRPC cannot be used; those of before are']);
      await site.stop();
    },
  );

  test('goes on with the certificate of before where a newer one is over already, and says so once', async () => {
    const copy = (from: string): void =>
      ['key', 'pem'].forEach((kind) => copyFileSync(file(`${from}.${kind}`), file(`lasting.${kind}`)));
    makeCertificate('over', 'ours', -1);
    makeCertificate('newer', 'theirs');
    copy('service');
    const told: string[] = [];
    const note = ({ err }: { err: Error }): void => void told.push(err.message);
    const tls = readGrpcTls(named('lasting'), { warn: note } as unknown as Log) as GrpcTls;
    const taken: string[] = [];
    const hear = (pair: { certificate: Buffer } | null): void => void taken.push(String(pair?.certificate));
    tls.provider.addIdentityCertificateListener(hear);
    copy('over');
    await until(() => told.length > 0);
    const good = readFileSync(file('service.pem'), 'utf8');
    expect(new Set(taken)).toEqual(new Set([good]));
    copy('newer');
    await until(() => taken.at(-1) === readFileSync(file('newer.pem'), 'utf8'));
    expect(told).toEqual([expect.stringMatching(/^The certificate is valid from .* to .* only\.$/)]);
    tls.provider.removeIdentityCertificateListener(hear);
  });

  test('is plain unless it is asked for, and half a setting is none', () => {
    expect(readGrpcTls({ GRPC_TLS_CERT: '', GRPC_TLS_KEY: '', GRPC_TLS_CA: '' })).toBeUndefined();
    expect(() => readGrpcTls({ GRPC_TLS_CERT: file('service.pem') })).toThrow(/go together/);
    expect(() => readGrpcTls({ GRPC_TLS_CA: file('missing.pem') })).toThrow(/GRPC_TLS_CA: .*no such file/);
  });

  test('is refused by name where what its files hold is no use', () => {
    const mixed = { GRPC_TLS_CERT: file('service.pem'), GRPC_TLS_KEY: file('caller.key') };
    expect(() => readGrpcTls(mixed)).toThrow(/GRPC_TLS_CERT and GRPC_TLS_KEY: .*mismatch/);
    const swapped = { GRPC_TLS_CERT: file('service.key'), GRPC_TLS_KEY: file('service.pem') };
    expect(() => readGrpcTls(swapped)).toThrow(/GRPC_TLS_CERT and GRPC_TLS_KEY: /);
    expect(() => readGrpcTls({ GRPC_TLS_CA: file('ours.key') })).toThrow(/GRPC_TLS_CA: /);
    expect(() => readRedisCa({ REDIS_TLS_CA: file('ours.key') })).toThrow(/REDIS_TLS_CA: /);
    expect(readRedisCa({ REDIS_TLS_CA: file('ours.pem') })).toEqual(readFileSync(file('ours.pem')));
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

    const loud = openRedis(url.replace('rediss:', 'REDISS:'), log, readFileSync(file('ours.pem')));
    await new Promise((resolve, reject) => loud.once('ready', resolve).once('error', reject));
    await closeRedis(loud);

    const bad = openRedis(url, log, readFileSync(file('theirs.pem')));
    const fault = await new Promise<Error>((resolve) => bad.once('error', resolve));
    expect(fault.message).toMatch(/certificate|signature/i);
    await closeRedis(bad);
    await new Promise((resolve) => front.close(resolve));
  });
});

test.each(['rediss:', 'rediss+sentinel:'])('a Redis without TLS is told of as such to %s', async (scheme) => {
  // Neither ends a line that was no line, nor says anything.
  const { hostname, port } = new URL(testServers().redisUrl);
  const master = scheme.includes('+') ? '?master=main' : '';
  const told: string[] = [];
  const note = ({ err }: { err?: Error }): void => void told.push(err?.message ?? '');
  const log = { bindings: () => ({ service: scheme }), error: note, info: note } as unknown as Log;
  const redis = openRedis(`${scheme}//${hostname}:${port}${master}`, log, readFileSync(file('ours.pem')));
  await until(() => told.some((message) => /TLS|SSL/.test(message)));
  await closeRedis(redis);
});

describe('PostgreSQL', () => {
  test('with a certificate that nobody believes, or without the file of its authority, is away until that is right', async () => {
    const database = await createTestDatabase(path.resolve(__dirname, 'testing/sample-migrations'));
    const plain = new URL(database.url);
    // The client asks for TLS in eight bytes, and begins it when it hears that the server does, too.
    const front = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        socket.write('S');
        const cert = readFileSync(file('service.pem'));
        const near = new tls.TLSSocket(socket, {
          isServer: true,
          cert,
          key: readFileSync(file('service.key')),
        });
        const behind = net.connect(Number(plain.port), plain.hostname);
        near.on('error', () => behind.destroy()).on('close', () => behind.destroy());
        behind.on('error', () => near.destroy()).on('close', () => near.destroy());
        near.pipe(behind).pipe(near);
      });
    });
    await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
    const url = new URL(plain);
    url.port = String((front.address() as AddressInfo).port);
    url.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: file('root.pem') }).toString();
    const log = createLog('test', 'tls', 'silent');
    const db = openDatabase({ url: url.href, size: 2, application: 'test', log });
    const listener = openListener({ url: url.href, application: 'test', log });
    let isHeard = false;
    listener.hear({ channels: ['a'], onMessage: () => undefined, onConnected: () => (isHeard = true) });
    const fault = (): Promise<{ status: number; why: string }> =>
      db.first('select 1').then(
        () => ({ status: 200, why: '' }),
        (error: Error) => ({ status: toApiError(error).status, why: error.message }),
      );

    expect(await fault()).toEqual({
      status: 503,
      why: expect.stringMatching(/cannot be reached: .*root\.pem/),
    });
    copyFileSync(file('theirs.pem'), file('root.pem'));
    expect(await fault()).toEqual({
      status: 503,
      why: expect.stringMatching(/cannot be reached: .*certificate/),
    });
    copyFileSync(file('ours.pem'), file('root.pem'));
    expect((await fault()).status).toBe(200);
    await until(() => isHeard);

    await listener.stop();
    await db.close();
    await new Promise((resolve) => front.close(resolve));
    await database.drop();
  });
});
