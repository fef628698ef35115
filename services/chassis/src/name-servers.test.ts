/** Look-ups of names at a server of the test: what it says is judged, and one that says nothing holds nobody else. */
import dgram from 'node:dgram';
import dns from 'node:dns';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { lookupByServers } from './name-servers';
import { NotPublic, openPublicAgent } from './outgoing';

const A = 1;
const AAAA = 28;
const NO_SUCH_NAME = 3;

type Records = Readonly<
  Record<string, readonly { readonly type: number; readonly bytes: readonly number[] }[]>
>;
const v4 = (...bytes: number[]) => ({ type: A, bytes });
const v6 = (...bytes: number[]) => ({
  type: AAAA,
  bytes: [...bytes, ...Array<number>(16 - bytes.length).fill(0)],
});
const records: Records = {
  'near.test': [v4(127, 0, 0, 1)],
  'mixed.test': [v4(127, 0, 0, 1), v4(10, 0, 0, 1)],
  'mixed-kinds.test': [v4(127, 0, 0, 1), v6(0xfd)],
  'far.test': [v6(0x20, 0x01, 0x0d, 0xb8)],
};

/** The answer to a question of one name, in the form of RFC 1035; nothing for names that begin with `silent`. */
function answerTo(question: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] as number; length > 0; length = question[at] as number) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const end = at + 5;
  const name = labels.join('.');
  if (name.startsWith('silent')) return undefined;
  const known = records[name];
  const type = question.readUInt16BE(at + 1);
  const found = (known ?? []).filter((record) => record.type === type);
  const head = Buffer.alloc(12);
  question.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | (known ? 0 : NO_SUCH_NAME), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(found.length, 6);
  const rows = found.map(({ bytes }) =>
    Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
  );
  return Buffer.concat([head, question.subarray(12, end), ...rows]);
}

let names: dgram.Socket;
let site: http.Server;
let port: number;
let asked: number;
beforeAll(async () => {
  names = dgram.createSocket('udp4');
  names.on('message', (question, from) => {
    asked += 1;
    const answer = answerTo(question);
    if (answer) names.send(answer, from.port, from.address);
  });
  await new Promise<void>((resolve) => names.bind(0, '127.0.0.1', resolve));
  site = http.createServer((_, response) => void response.end('here'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  port = (site.address() as AddressInfo).port;
});
afterAll(async () => {
  await new Promise<void>((resolve) => names.close(resolve));
  site.closeAllConnections();
  await new Promise((resolve) => site.close(resolve));
});
beforeEach(() => {
  asked = 0;
});
afterEach(() => jest.restoreAllMocks());

const servers = (): string[] => [`127.0.0.1:${names.address().port}`];
/** This machine is public here, and what belongs to documents. */
const isPublic = (address: string): boolean => address === '127.0.0.1' || address.startsWith('2001:db8');

async function get(host: string, timeoutMs = 60_000): Promise<string> {
  const agent = openPublicAgent({
    allowPrivate: false,
    timeoutMs,
    limitBytes: 100,
    isPublic,
    resolve: lookupByServers(servers()),
  });
  try {
    const { body } = await agent.request(new URL(`http://${host}:${port}/`), { method: 'GET' });
    return await body.text();
  } finally {
    await agent.destroy();
  }
}

test('a name leads to its addresses, unless one of them, of either kind, is not public', async () => {
  expect(await get('near.test')).toBe('here');
  await expect(get('mixed.test')).rejects.toBeInstanceOf(NotPublic);
  await expect(get('mixed-kinds.test')).rejects.toBeInstanceOf(NotPublic);
  expect(asked).toBe(6);
});

test('all addresses are told, of both kinds', async () => {
  const told = (name: string): Promise<unknown> =>
    new Promise((resolve, reject) =>
      lookupByServers(servers())(name, { all: true }, (error, addresses) =>
        error ? reject(error) : resolve(addresses),
      ),
    );
  expect(await told('mixed-kinds.test')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: 'fd00::', family: 6 },
  ]);
  expect(await told('far.test')).toEqual([{ address: '2001:db8::', family: 6 }]);
  for (const name of ['localhost', 'a.localhost', 'LOCALHOST.'])
    expect(await told(name)).toEqual([{ address: '127.0.0.1', family: 4 }]);
  await expect(told('no-such-name.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  await expect(told('silent.test')).rejects.toMatchObject({ code: 'EAI_AGAIN' });
});

test('names whose servers never answer are given up in time', async () => {
  const tries = Array.from({ length: 16 }, (_, n) => get(`silent-${n}.test`, 500));
  for (const one of await Promise.allSettled(tries))
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'UND_ERR_CONNECT_TIMEOUT' } });
});

test('no thread of the process is asked for a name of somebody else', async () => {
  const system = jest.spyOn(dns, 'lookup');
  const agent = openPublicAgent({ allowPrivate: false, timeoutMs: 60_000, limitBytes: 100 });
  try {
    await expect(agent.request(new URL('http://name.invalid/'), { method: 'GET' })).rejects.toMatchObject({
      code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
    });
  } finally {
    await agent.destroy();
  }
  expect(system).not.toHaveBeenCalled();
});
