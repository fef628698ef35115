/**
 * Connections to Redis, by an address of a server or of Sentinels (address.ts). It is never a store of record: commands fail
 * fast while it is away, and callers fall back to what PostgreSQL holds.
 */
import type { Log } from '../log';
import { logOutage } from '../outages';
import { readRedisAddress } from './address';
import { redisLibrary, silentWithTls } from './redis-library';
import { roadToMaster } from './sentinel';

export type RedisClient = ReturnType<typeof newClient>;

// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- the library's type is inferred from the options
const newClient = (url: string, log: Log, ca?: Buffer) => {
  const { sentinels, ...account } = readRedisAddress(url);
  const shell = redisLibrary().createClient({
    ...(sentinels ? account : { url }),
    disableOfflineQueue: true,
    // To ask for them it looks up the host as it stands in the address, and never connects to an IPv6 one, which stands in brackets there.
    maintNotifications: 'disabled',
    socket: {
      ...(sentinels && { path: roadToMaster(sentinels, ca, log) }),
      ...(ca && isTls(url) && { tls: true, ca }),
      connectTimeout: 2_000,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 6), 2_000),
    },
  });
  // The client itself: it does not ask the shell around it, which is what was made here, how to send.
  return movingOn(shell.duplicate(), log);
};

/** Schemes may be in capitals. */
const isTls = (url: string): boolean => new URL(url).protocol === 'rediss:';

/** How a server refuses to write that is no master (any more, or yet), by itself or out of a script. */
const REFUSES = /\bREADONLY\b/;
/** Where nobody else is the master, a connection is made anew so often at most. */
const STAYS_MS = 2_000;

/**
 * How long nothing may come while something was asked: longer than any command of ours blocks. Looked for several times, so that a
 * process that stood still takes in what has come meanwhile before it thinks that nothing has.
 */
const LOOK_MS = 5_000;
const SILENT_LOOKS = 4;

interface Sending {
  readonly isOpen: boolean;
  readonly isReady: boolean;
  sendCommand: (this: Sending, ...asked: never[]) => Promise<unknown>;
  duplicate: (this: Sending, ...overrides: never[]) => Sending;
  on: (event: 'ready', call: () => void) => unknown;
  connect: () => Promise<unknown>;
  destroy: () => void;
}

/**
 * A server that becomes a replica keeps its connections, if no Sentinel ends them, and refuses what writes: nobody would ever look
 * where the address leads by then. So whoever is refused asks the server to end the connection, and connects anew as after any other
 * end. A machine that is gone ends nothing at all, and the system goes on for a quarter of an hour to bring it what was asked: such a
 * connection is given up. The same goes for whatever is duplicated from it, such as the connections that BullMQ makes.
 */
function movingOn<C extends Sending>(client: C, log: Log): C {
  const { sendCommand, duplicate } = client;
  const send = sendCommand.bind(client) as (words: string[]) => Promise<unknown>;
  let leftAt = -Infinity;
  const moveOn = (error: Error): void => {
    if (!REFUSES.test(error.message) || performance.now() - leftAt < STAYS_MS) return;
    leftAt = performance.now();
    logOutage(log, 'Redis cannot be reached.', { err: error });
    send(['QUIT']).catch(() => undefined);
  };
  let unanswered = 0;
  let silentLooks = 0;
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => void (timer ??= setTimeout(look, LOOK_MS).unref());
  const look = (): void => {
    timer = undefined;
    if (unanswered === 0) return;
    // While there is no connection what was asked waits for one.
    silentLooks = client.isReady ? silentLooks + 1 : 0;
    if (silentLooks >= SILENT_LOOKS) giveUp();
    watch();
  };
  const giveUp = (): void => {
    silentLooks = 0;
    // It is being closed.
    if (!client.isOpen) return;
    logOutage(log, 'Redis cannot be reached.', { err: new Error('Redis does not answer any more') });
    client.destroy();
    client.connect().catch(() => undefined);
  };
  const heard = (): void => {
    silentLooks = 0;
  };
  client.on('ready', heard);
  client.sendCommand = function (...asked) {
    const reply = sendCommand.apply(this, asked);
    unanswered += 1;
    watch();
    reply.then(
      () => {
        unanswered -= 1;
        heard();
      },
      (error: Error) => {
        unanswered -= 1;
        if (error instanceof redisLibrary().ErrorReply) heard();
        moveOn(error);
      },
    );
    return reply;
  };
  client.duplicate = (...overrides) => movingOn(duplicate.apply(client, overrides), log);
  return client;
}

/** Connects in the background and keeps trying; the client is usable at once, failing commands until it is connected. */
export function openRedis(url: string, log: Log, ca?: Buffer): RedisClient {
  const client = newClient(url, log, ca);
  client.on('error', (error: Error) =>
    logOutage(log, 'Redis cannot be reached.', { err: isTls(url) ? silentWithTls(error) : error }),
  );
  client.connect().catch(() => undefined);
  return client;
}

export async function closeRedis(client: RedisClient): Promise<void> {
  if (client.isOpen) client.destroy();
}
