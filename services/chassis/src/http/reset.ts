import type { Socket } from 'node:net';

/**
 * Ends a connection at once, with a reset, so that the kernel does not keep what the other side does not read. While the end of what
 * was written is just being told, the system refuses a reset, and Node forgets such a socket without closing it: it is closed
 * plainly then, with nothing left that could be kept.
 */
export function resetConnection(socket: Socket): void {
  const isEnding = socket.writableEnded && !socket.writableFinished && socket.writableLength === 0;
  if (isEnding) socket.destroy();
  else socket.resetAndDestroy();
}
