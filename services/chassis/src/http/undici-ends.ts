/**
 * A fault of undici 7 (https://github.com/nodejs/undici/issues/5360; version 8, which Node 20 cannot load, is mended): where the other side
 * closes the connection behind an answer that is taken slowly, undici throws where nobody can catch it, and the process ends. A
 * file from such a server is enough for that. Here what has arrived is parsed to its end first, as version 8 does it.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** As much as is used of what undici keeps at a connection. */
interface Parser {
  /** Since somebody does not take the body as fast as it comes. */
  paused: boolean;
  /** Of the answer that is under way; 0 or null: of none. */
  readonly statusCode: number | null;
  readonly socket: Socket;
  readonly ptr: number | null;
  readonly llhttp: { llhttp_resume(ptr: number | null): void };
  resume(): void;
  finish: (this: Parser) => Error | null;
}

const mended = new WeakSet<object>();
let isMending = false;

/** For all clients of this process, those of Node itself too; doing it again does nothing. */
export function mendEnds(): void {
  if (isMending) return;
  isMending = true;
  subscribe('undici:client:connected', mendParser);
}

function mendParser(message: unknown): void {
  const { socket } = message as { socket: Socket & Record<symbol, unknown> };
  const key = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  const parser = key && (socket[key] as Parser | undefined);
  if (!parser) return;
  const kind = Object.getPrototypeOf(parser) as Parser;
  if (mended.has(kind)) return;
  mended.add(kind);
  const finish = kind.finish;
  kind.finish = function (): Error | null {
    if (!this.paused) return finish.call(this);
    // Whoever reads slowly gets the rest at once: it is no more than was on its way.
    while (this.paused && !this.socket.destroyed) this.resume();
    // The answer was whole, and the connection is given up.
    if (!this.statusCode) return null;
    if (this.paused) this.llhttp.llhttp_resume(this.ptr);
    this.paused = false;
    return finish.call(this);
  };
}
