/** What is still coming when its user loses a right, or the credential that it came with. */
import net from 'node:net';
import type { RunningService } from '@sevenfold/chassis/service-definition';
import { TEST_SITE_URL, speaker } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import type { RunningGateway } from '../gateway';
import { addresses, startSmall, startTestGateway } from '../testing';
import {
  type Deps,
  PASSWORD,
  SESSION,
  basic,
  signedIn,
  signedInAsAdministrator,
  smallContent,
} from '../testing/small';
import { openTokens } from './tokens';

const ECHO = '/rest/core/v2/echo';
const BODY = '{"text":"late"}';
const TOKEN_KEYS = 'a secret of tests that signs tokens';

let content: RunningService<Deps>;
let gateway: RunningGateway;
const sockets: net.Socket[] = [];

beforeAll(async () => {
  content = await startSmall(smallContent);
  gateway = await startTestGateway({
    ...addresses('CONTENT', content),
    TOKEN_KEYS,
  });
  await until(() => content.deps.news.listenerCount('user') > 0);
});
beforeEach(() => Object.assign(content.deps, { demoted: false, sessionEnded: false, runs: 0 }));
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await gateway.stop();
  await content.stop();
});

interface UnderWay {
  readonly socket: net.Socket;
  readonly said: () => string;
}

/** One of which only the head is sent. */
function start(path: string, { Authorization }: { Authorization: string }, { port } = gateway): UnderWay {
  const socket = net.connect(port, '127.0.0.1').on('error', () => undefined);
  sockets.push(socket);
  let said = '';
  socket.on('data', (chunk) => (said += chunk.toString()));
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: ${Authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return { socket, said: () => said };
}
/** One whose head has come as far as to who answers it, who waits for the body now. */
async function begin(...asked: Parameters<typeof start>): Promise<UnderWay> {
  const { socket, said } = start(...asked);
  await until(() => said().includes('100 Continue'));
  socket.write(BODY.slice(0, 3));
  return { socket, said: () => said().slice(said().indexOf('\r\n\r\n') + 4) };
}
const tell = (): boolean => content.deps.news.emit('user', 7);

test('ends where the user has lost a right, before the rest of it has come', async () => {
  const { said } = await begin(ECHO, signedIn);
  content.deps.demoted = true;
  tell();
  await until(() => said().includes('rest_forbidden'));
  expect(said()).toMatch(/^HTTP\/1\.1 403 /);
  expect(content.deps.runs).toBe(0);
});

test('ends where the user has lost a right while it was asked who he is', async () => {
  const patient = await startTestGateway({ ...addresses('CONTENT', content), CREDENTIAL_SECONDS: 600 });
  try {
    await until(() => content.deps.news.listenerCount('user') > 1);
    const read = () => fetch(`${patient.url}${ECHO}`, { headers: signedIn });
    const asked = async (): Promise<boolean> => {
      const before = content.deps.signIns;
      await read();
      return content.deps.signIns > before;
    };
    await until(async () => !(await asked()));
    let answer = (): void => undefined;
    content.deps.held = new Promise((resolve) => (answer = resolve));
    const before = content.deps.signIns;
    const { socket, said } = start(ECHO, signedInAsAdministrator, patient);
    await until(() => content.deps.signIns > before);
    Object.assign(content.deps, { demoted: true, held: undefined });
    tell();
    // Whoever was remembered is asked for again once the news are there.
    await until(asked);
    answer();
    socket.write(BODY.slice(0, 3));
    await until(() => said().includes('rest_forbidden'));
    expect(said()).toMatch(/HTTP\/1\.1 403 /);
    expect(content.deps.runs).toBe(0);
  } finally {
    await patient.stop();
  }
});

test('goes on where the token was good when it began', async () => {
  const seconds = 5;
  const tokens = openTokens({ TOKEN_KEYS, SITE_URL: TEST_SITE_URL, ACCESS_TOKEN_SECONDS: seconds });
  const endsBy = Date.now() + (seconds + 1) * 1_000;
  const token = await tokens.sign(7, SESSION);
  const { socket, said } = await begin(ECHO, { Authorization: `Bearer ${token}` });
  await until(() => Date.now() > endsBy);
  const before = content.deps.signIns;
  tell();
  await until(() => content.deps.signIns > before || said() !== '');
  socket.write(BODY.slice(3));
  await until(() => said().includes('\r\n\r\n'));
  expect(said()).toMatch(/^HTTP\/1\.1 201 /);
});

test('ends where the session is over', async () => {
  const { body } = await speaker(gateway.url).post('/console/api/sessions', {
    username: 'editor',
    password: PASSWORD,
  });
  const { said } = await begin(ECHO, { Authorization: `Bearer ${body.access_token}` });
  content.deps.sessionEnded = true;
  tell();
  await until(() => said().includes('rest_invalid_credentials'));
  expect(said()).toMatch(/^HTTP\/1\.1 401 /);
  expect(content.deps.runs).toBe(0);
});

test('ends without an answer where the gateway itself reads it', async () => {
  const { socket, said } = await begin('/console/api/application-passwords', signedIn);
  content.deps.demoted = true;
  tell();
  await until(() => socket.closed);
  expect(said()).toBe('');
});

test('goes on where the news of the user take nothing from him', async () => {
  const { socket, said } = await begin(ECHO, signedIn);
  const before = content.deps.signIns;
  tell();
  await until(() => content.deps.signIns > before);
  socket.write(BODY.slice(3));
  await until(() => said().includes('late'));
  expect(said()).toMatch(/^HTTP\/1\.1 201 /);
  expect(content.deps.runs).toBe(1);
});

test('goes on where somebody else at the address was wrong too often to be asked for it again', async () => {
  const strict = await startTestGateway({
    ...addresses('CONTENT', content),
    RATE_LIMIT_ATTEMPTS: 2,
    CREDENTIAL_SECONDS: 600,
  });
  try {
    await until(() => content.deps.news.listenerCount('user') > 1);
    const read = (headers: Record<string, string>) =>
      fetch(`${strict.url}/rest/core/v2/echo`, { headers }).then(({ status }) => status);
    await read(signedInAsAdministrator);
    const { socket, said } = await begin(ECHO, signedIn, strict);
    const wrong = [await read(basic('editor', 'a')), await read(basic('editor', 'b'))];
    expect([...wrong, await read(basic('editor', 'c'))]).toEqual([401, 401, 429]);
    const before = content.deps.signIns;
    tell();
    // By then the news have come: who is remembered otherwise is asked for again.
    await until(async () => (await read(signedInAsAdministrator)) !== 429 && content.deps.signIns > before);
    socket.write(BODY.slice(3));
    await until(() => said().includes('\r\n\r\n'));
    expect(said()).toMatch(/^HTTP\/1\.1 201 /);
  } finally {
    await strict.stop();
  }
});
