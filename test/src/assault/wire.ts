/**
 * A connection as a stranger has it: bytes go out as they are given, answers are only counted, and reading may be left
 * undone. Every wait is bounded, and a connection ends by itself after `longest`, whatever the other side does.
 */
import net from 'node:net';
import { resetConnection } from '@sevenfold/chassis/http/reset';

export interface Wire {
  readonly statuses: readonly number[];
  /** What has come in, in bytes. */
  readonly received: () => number;
  readonly isClosed: () => boolean;
  /** Resolves when the bytes were taken by the system; false when the connection ended, or did not take them in time. */
  send(bytes: string | Buffer): Promise<boolean>;
  /** Begins to read. Until then nothing is taken from the system's buffers. */
  read(): void;
  stall(): void;
  /** Until so many final answers have begun, the connection has ended, or the time is over; tells whether they have. */
  answers(count: number, ms?: number): Promise<boolean>;
  closed(ms?: number): Promise<boolean>;
  /** Sends the end of the stream and goes on reading. */
  end(): void;
  /** Closes; what has not been read makes the system send a reset. */
  cut(): void;
  reset(): void;
}

export interface WireOptions {
  readonly port: number;
  readonly from?: string;
  readonly reading?: boolean;
  readonly longest: number;
}

const STATUS_LINE = /HTTP\/1\.[01] (\d{3})/g;
/** Shorter than a status line: one that was cut in two is found with what follows, none is found twice. */
const CARRY = 'HTTP/1.1 200'.length - 1;

export async function openWire(options: WireOptions): Promise<Wire> {
  const socket = net.connect({
    host: '127.0.0.1',
    port: options.port,
    localAddress: options.from,
    // A half-closed connection is ours to close.
    allowHalfOpen: true,
  });
  const statuses: number[] = [];
  let received = 0;
  let carry = '';
  let over = false;
  const waiting = new Set<() => void>();
  const stir = (): void => waiting.forEach((look) => look());
  socket.on('error', () => undefined);
  socket.on('close', () => {
    over = true;
    clearTimeout(last);
    stir();
  });
  // An end without ours after it would leave the connection half open for ever.
  socket.on('end', () => {
    over = true;
    socket.end();
    stir();
  });
  const last = setTimeout(() => socket.destroy(), options.longest);
  const listen = (): void => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      const text = carry + chunk.toString('latin1');
      // Answers that only announce others, such as 100, are no answers.
      for (const [, status] of text.matchAll(STATUS_LINE))
        if (!(status as string).startsWith('1')) statuses.push(Number(status));
      carry = text.slice(-CARRY);
      stir();
    });
  };
  const until = (done: () => boolean, ms: number): Promise<boolean> =>
    new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer);
        waiting.delete(look);
        resolve(done());
      };
      const look = (): void => {
        if (done() || over) finish();
      };
      const timer = setTimeout(finish, ms);
      waiting.add(look);
      look();
    });
  if (options.reading ?? true) listen();
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
  return {
    statuses,
    received: () => received,
    isClosed: () => over,
    send: (bytes) =>
      new Promise((resolve) => {
        if (over || socket.destroyed || !socket.writable) return resolve(false);
        // The callback comes when the system has taken the bytes, or with an error.
        const timer = setTimeout(() => resolve(false), options.longest);
        socket.write(bytes, (error) => {
          clearTimeout(timer);
          resolve(!error);
        });
      }),
    read: listen,
    stall: () => void socket.pause(),
    answers: (count, ms = options.longest) => until(() => statuses.length >= count, ms),
    closed: (ms = options.longest) => until(() => over, ms),
    end: () => void socket.end(),
    cut: () => void socket.destroy(),
    reset: () => resetConnection(socket),
  };
}
