/**
 * The way to the master of several Redis servers, as their Sentinels tell it: a socket of this process, in a folder that nobody
 * else may enter. Whoever connects to it reaches the master of that moment; when another one becomes master all
 * connections end, and are made anew there. So a client, of whatever library, sees one server that is away for a moment, which it has to
 * bear anyway. The library's own client for Sentinels shares connections among callers: what blocks would hold up the rest.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import tls from 'node:tls';
import type { Log } from '../log';
import { logOutage } from '../outages';
import { within } from '../stop';
import type { Place, Sentinels } from './address';
import { SILENT_WITH_TLS, redisLibrary, silentWithTls } from './redis-library';

/** A Sentinel that takes longer is asked again later; the others may know. */
const ASK_MS = 1_000;
const CONNECT_MS = 2_000;
/** How long a master that is none any more may keep its connections. */
const LOOK_MS = 1_000;
const AGAIN_MS = 100;
/** How long a connection waits for somebody who knows the master; then its client tries again, and tells of it. */
const FIND_MS = 3_000;

interface Master extends Place {
  /** Of two answers the one with the higher number is newer. */
  readonly epoch: number;
}

interface Link {
  readonly near: net.Socket;
  to?: Master;
}

const roads = new Map<string, string>();

/** Path of the socket. The same Sentinels are asked once for a whole process, for as long as it is connected. */
export function roadToMaster(sentinels: Sentinels, ca: Buffer | undefined, log: Log): string {
  const name = JSON.stringify([sentinels, ca?.toString('base64')]);
  const known = roads.get(name);
  if (known) return known;
  const folder = mkdtempSync(path.join(tmpdir(), 'sevenfold-redis-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const road = path.join(folder, 'master');
  listen(road, sentinels, ca, log);
  roads.set(name, road);
  return road;
}

function listen(road: string, sentinels: Sentinels, ca: Buffer | undefined, log: Log): void {
  const links = new Set<Link>();
  const watch = openWatch(sentinels, ca, log, (master) => {
    for (const { near, to } of links) if (to && !isSame(to, master)) near.destroy();
  });
  const server = net.createServer({ pauseOnConnect: true, noDelay: true }, (near) => {
    const link: Link = { near };
    links.add(link);
    watch.begin();
    near.on('error', () => undefined);
    near.on('close', () => {
      links.delete(link);
      if (links.size === 0) watch.end();
    });
    void lead(link, watch, sentinels.tls, ca).catch((error: Error) => {
      if (!near.destroyed) logOutage(log, 'The master of Redis cannot be reached.', { err: error });
      near.destroy();
    });
  });
  server.on('error', (error) => logOutage(log, 'The way to Redis is shut.', { err: error }));
  server.listen(road);
  // Only clients keep a process running.
  server.unref();
}

async function lead(link: Link, watch: Watch, isTls: boolean, ca: Buffer | undefined): Promise<void> {
  const { near } = link;
  const master = await watch.find(near);
  if (near.destroyed) return;
  link.to = master;
  const { host, port } = master;
  const far = isTls ? tls.connect({ host, port, ca }) : net.connect({ host, port });
  far
    .setNoDelay(true)
    .setTimeout(CONNECT_MS, () =>
      far.destroy(new Error(`${host}:${port} ${isTls ? SILENT_WITH_TLS : NO_ANSWER}`)),
    );
  const failed = new Promise<never>((_, reject) => {
    far.once('error', reject);
    far.once('close', () => reject(new Error(`${host}:${port} closed the connection`)));
  });
  near.once('close', () => far.destroy());
  far.once('close', () => near.destroy());
  await Promise.race([
    failed,
    new Promise((resolve) => far.once(isTls ? 'secureConnect' : 'connect', resolve)),
  ]);
  failed.catch(() => undefined);
  // A connection may be silent for hours; whoever uses it sets limits of its own.
  far.setTimeout(0).setKeepAlive(true, 5_000);
  far.on('error', () => undefined);
  near.pipe(far).pipe(near);
}

const isSame = (one: Place, other: Place): boolean => one.host === other.host && one.port === other.port;

interface Watch {
  /** Somebody is connected: the Sentinels are asked again and again. */
  begin(): void;
  end(): void;
  /** The master of this moment. Throws where nobody knows it within FIND_MS, or its asker has gone. */
  find(asker: net.Socket): Promise<Master>;
}

function openWatch(
  sentinels: Sentinels,
  ca: Buffer | undefined,
  log: Log,
  onMaster: (master: Master) => void,
): Watch {
  let asked: Sentinel[] = [];
  let timer: NodeJS.Timeout | undefined;
  let newest: Master | undefined;

  /** A Sentinel that was cut off tells of a master that others have left: the highest number is right. */
  const ask = async (): Promise<Master | undefined> => {
    const answers = await Promise.all(asked.map((one) => askOne(one, sentinels.master)));
    const told = answers.filter((one) => one !== undefined).sort((a, b) => b.epoch - a.epoch)[0];
    if (!told || (newest && told.epoch < newest.epoch)) return undefined;
    if (newest && !isSame(newest, told))
      log.warn({ host: told.host, port: told.port }, 'Redis has another master');
    newest = told;
    onMaster(told);
    return told;
  };

  return {
    begin: () => {
      if (timer) return;
      asked = sentinels.places.map((place) => openSentinel(place, sentinels, ca));
      timer = setInterval(() => void ask(), LOOK_MS).unref();
    },
    end: () => {
      clearInterval(timer);
      timer = undefined;
      for (const { client } of asked) client.destroy();
      asked = [];
    },
    find: async (asker) => {
      const end = Date.now() + FIND_MS;
      while (Date.now() < end && !asker.destroyed) {
        const master = await ask();
        if (master) return master;
        await sleep(AGAIN_MS);
      }
      const why = asked.map(({ place: { host, port }, fault }) => `${host}:${port}: ${fault}`).join('; ');
      throw new Error(`no Sentinel tells where the master "${sentinels.master}" is (${why})`);
    },
  };
}

interface Sentinel {
  readonly client: ReturnType<typeof openClient>;
  readonly place: Place;
  /** Why it does not tell who is the master: all that is known of a wrong password, or of a name that it does not know. */
  fault: string;
}

function openSentinel(place: Place, sentinels: Sentinels, ca?: Buffer): Sentinel {
  const client = openClient(place, sentinels, ca);
  const sentinel = { client, place, fault: NO_ANSWER };
  // That none of them is there is told where somebody waits for it.
  client.on('error', (error: NodeJS.ErrnoException) => {
    const { message } = sentinels.tls ? silentWithTls(error) : error;
    sentinel.fault = message || (error.code ?? NO_ANSWER);
  });
  client.connect().catch(() => undefined);
  return sentinel;
}

const NO_ANSWER = 'does not answer';

// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- the library's type is inferred from the options
function openClient({ host, port }: Place, { username, password, tls: isTls }: Sentinels, ca?: Buffer) {
  return redisLibrary().createClient({
    username,
    password,
    RESP: 2,
    disableOfflineQueue: true,
    socket: {
      host,
      port,
      ...(isTls && { tls: true, ca }),
      connectTimeout: CONNECT_MS,
      reconnectStrategy: (tries) => Math.min(50 * 2 ** Math.min(tries, 5), LOOK_MS),
    },
  });
}

async function askOne(sentinel: Sentinel, master: string): Promise<Master | undefined> {
  const { client } = sentinel;
  // What it said last is why.
  if (!client.isReady) return undefined;
  try {
    const told = await within(ASK_MS, client.sendCommand<string[]>(['SENTINEL', 'MASTER', master]));
    sentinel.fault = NO_ANSWER;
    if (!told) return undefined;
    const field = (name: string): string => told[told.indexOf(name) + 1] as string;
    return { host: field('ip'), port: Number(field('port')), epoch: Number(field('config-epoch')) };
  } catch (error) {
    // It knows no such master, or lost its connection.
    sentinel.fault = (error as Error).message;
    return undefined;
  }
}
