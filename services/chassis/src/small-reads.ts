/**
 * Reading from sockets in pieces of their own size. Node takes 64 KB from the heap of C for each read and gives back what was not filled:
 * what stays lies in a hole that no next read fits into, so under load the heap grows to many times what is in use, and
 * keeps that. Here each read goes into the same room, and only what came is copied.
 */
import { type OnReadOpts, Socket } from 'node:net';

/** One for the process: libuv asks for it, fills it and hands it over in one go. */
const room = Buffer.allocUnsafeSlow(64 * 1024);

/** For `onread` of sockets of which is read as of any stream. */
export const smallReads: OnReadOpts = {
  buffer: room,
  callback(this: Socket, length: number) {
    return this.push(Buffer.from(room.subarray(0, length)));
  },
};

/** Not connected yet. */
export function smallReader(): Socket {
  // The types of Node know `onread` of `connect` only.
  const options = { allowHalfOpen: false, onread: smallReads };
  return new Socket(options);
}
