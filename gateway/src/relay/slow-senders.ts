/**
 * Requests whose clients send their body slower than any network is hold room on the way to a service, and nobody need
 * wait for it because of them: while somebody does, the slowest of them are told that their time is over. So are the slowest of
 * whoever holds more than a fair share (shares.ts), however fast they are: who sends many bodies a little faster than that is no network.
 */
import type { IncomingMessage } from 'node:http';
import type { Held } from './giving-way';

/** Slower than any network is. */
export const BYTES_PER_SECOND = 4 * 1024;

/** A body that is coming. One that is whole, or not read by the service, waits for no client. */
export const bodyOf = (request: IncomingMessage, address: string, cut: () => void): Held => ({
  address,
  moved: () => request.socket.bytesRead,
  isClients: () => !request.complete && !request.isPaused(),
  isStuck: (rate = Infinity) => rate < BYTES_PER_SECOND,
  giveWay: cut,
});
