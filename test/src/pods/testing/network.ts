/**
 * The network of a cluster on the loopback device of one machine: each pod and each Service has an address of its own below
 * 127/8, so all listen on the same ports as in a cluster; names are told by DNS, as a cluster's does; what goes to a Service with an
 * address is spread over its ready pods, connection by connection, and stays where it is when its pod is to end.
 */
import dgram from 'node:dgram';
import net from 'node:net';
import { resetConnection } from '@sevenfold/chassis/http/reset';

/** Of one address: the pods' name servers are asked there, and the kernel knows no other port for that. */
const DNS_PORT = 53;
const DOMAIN = 'svc.cluster.local';
const CONNECT_MS = 5_000;
const ATTEMPTS = 200;

export interface Place {
  readonly address: string;
  readonly port: number;
}

/** Of a Service: a port is the name of one of its pods' ports. */
export interface Door {
  readonly name: string;
  readonly namespace: string;
  /** Whose pods are behind it. */
  readonly component: string;
  /** Its name leads to the pods themselves; otherwise it has an address. */
  readonly isHeadless: boolean;
  readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
}

type Addresses = Readonly<Record<string, string>>;

/** The ready pods behind a Service, now. */
export type Behind = (door: Door, targetPort: string) => readonly Place[];

export interface Network {
  /** Where names are asked. */
  readonly resolver: string;
  /** One that nobody has. */
  newAddress(): string;
  /** `addresses` of some of them, by component, where they are settled. */
  open(doors: readonly Door[], addresses: Addresses, behind: Behind): Promise<void>;
  close(): Promise<void>;
}

export async function openNetwork(): Promise<Network> {
  const { socket, begins } = await listenForNames();
  let last = 1;
  const newAddress = (): string => {
    last += 1;
    return `${begins}.${last}`;
  };
  const servers: net.Server[] = [];
  const sockets = new Set<net.Socket>();
  return {
    resolver: `${begins}.1`,
    newAddress,
    open: async (doors, addresses, behind) => {
      const names = new Map<string, () => readonly string[]>();
      for (const door of doors) {
        const name = `${door.name}.${door.namespace}.${DOMAIN}`;
        if (door.isHeadless) {
          const [first] = door.ports;
          names.set(name, () => behind(door, first?.targetPort ?? '').map((place) => place.address));
          continue;
        }
        const address = addresses[door.component] ?? newAddress();
        names.set(name, () => [address]);
        for (const { port, targetPort } of door.ports)
          servers.push(await balance({ address, port }, () => behind(door, targetPort), sockets));
      }
      socket.on('message', (question, from) => {
        const answer = answerTo(question, (name) => names.get(name)?.());
        if (answer) socket.send(answer, from.port, from.address);
      });
    },
    close: async () => {
      socket.close();
      for (const one of sockets) one.destroy();
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** Networks of runs at the same time are apart: each has the first 127.x.y that nobody answers names in. */
async function listenForNames(): Promise<{ socket: dgram.Socket; begins: string }> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const number = (process.pid + attempt) % 60_000;
    const begins = `127.${10 + (number >> 8)}.${number & 255}`;
    const socket = dgram.createSocket('udp4');
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind(DNS_PORT, `${begins}.1`, resolve);
      });
      return { socket, begins };
    } catch (error) {
      socket.close();
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error('No part of 127/8 is free to answer names in.');
}

const A = 1;
const IN = 1;
const NO_SUCH_NAME = 3;
/** An answer, to whom it was asked, by whom it is known. */
const FLAGS = 0x8580;
const SECONDS = 5;

/** RFC 1035, as much as resolvers of names need: one question, addresses of version 4. */
function answerTo(
  question: Buffer,
  find: (name: string) => readonly string[] | undefined,
): Buffer | undefined {
  if (question.length < 17) return undefined;
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at]; length; length = question[at]) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
    if (at + 5 > question.length) return undefined;
  }
  const type = question.readUInt16BE(at + 1);
  const addresses = find(labels.join('.').toLowerCase());
  const shown = type === A ? (addresses ?? []) : [];
  const head = Buffer.alloc(12);
  question.copy(head, 0, 0, 2);
  head.writeUInt16BE(FLAGS | (addresses ? 0 : NO_SUCH_NAME), 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(shown.length, 6);
  const rows = shown.map((address) => {
    const row = Buffer.alloc(16);
    // The name again, by where it stands.
    row.writeUInt16BE(0xc00c, 0);
    row.writeUInt16BE(A, 2);
    row.writeUInt16BE(IN, 4);
    row.writeUInt32BE(SECONDS, 6);
    row.writeUInt16BE(4, 10);
    address.split('.').forEach((part, place) => row.writeUInt8(Number(part), 12 + place));
    return row;
  });
  return Buffer.concat([head, question.subarray(12, at + 5), ...rows]);
}

function balance(
  { address, port }: Place,
  behind: () => readonly Place[],
  sockets: Set<net.Socket>,
): Promise<net.Server> {
  const server = net.createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const places = behind();
    const place = places[Math.floor(Math.random() * places.length)];
    if (!place) return resetConnection(client);
    const pod = net.connect({ ...place, host: place.address, allowHalfOpen: true, noDelay: true });
    pod.setTimeout(CONNECT_MS, () => resetConnection(pod));
    pod.once('connect', () => pod.setTimeout(0));
    join(client, pod, sockets);
    join(pod, client, sockets);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, address, () => resolve(server));
  });
}

/** Bytes, the end and the loss of one side reach the other, as they do where nobody stands between. */
function join(from: net.Socket, to: net.Socket, sockets: Set<net.Socket>): void {
  sockets.add(from);
  from.pipe(to);
  from.on('error', () => resetConnection(to));
  from.on('close', () => {
    sockets.delete(from);
    to.destroySoon();
  });
}

/** What `resolv.conf` of a pod says. */
export const resolvConf = ({ resolver }: Network, namespace: string): string =>
  `nameserver ${resolver}\nsearch ${namespace}.${DOMAIN} ${DOMAIN} cluster.local\noptions ndots:5\n`;
