/**
 * Where log lines go. One write is under way at a time and what waits is bounded: a destination that is full, slow or
 * gone costs lines, which are counted, and never time, memory or the process. Lines of the last milliseconds before a
 * kill may be lost; at an ordinary end what waits is tried once.
 */
import fs from 'node:fs';
import { Counter } from 'prom-client';

export interface LogDestination {
  write(line: string): void;
}

const MOST_WAITING_BYTES = 1024 * 1024;
const MOST_AT_ONCE = 64 * 1024;
/**
 * How long a line waits for others. A write takes a turn of a thread and the loop, as much as a third of a whole request that is
 * answered from memory; so what many requests say goes together.
 */
const GATHER_MS = 10;
/** How long a pipe whose reader is behind is left alone. */
const FULL_PIPE_MS = 50;
/** A write that takes longer is not waited for at the end of the process. */
const STUCK_MS = 1_000;

const dropped = new Counter({
  name: 'log_lines_dropped_total',
  help: 'Log lines that their destination did not take',
});
dropped.inc(0);

const opened = new Map<number, LogDestination>();
const once = (fd: number): LogDestination => {
  const destination = opened.get(fd) ?? openLogDestination(fd);
  opened.set(fd, destination);
  return destination;
};

/** Of a process that serves; opened once. */
export const standardOutput = (): LogDestination => once(1);
/** Of a command, whose standard output is its answer. */
export const standardError = (): LogDestination => once(2);

function openLogDestination(fd: number): LogDestination {
  const waiting: string[] = [];
  let waitingBytes = 0;
  let busy = false;
  let writingSince: number | undefined;
  /** Lines lost since the last one that was written, and the code of the first refusal. */
  let lost = 0;
  let reason = '';
  /** The destination ends in the middle of a line. */
  let torn = false;

  const lose = (lines: number, why: string): void => {
    if (lost === 0) reason = why;
    lost += lines;
    dropped.inc(lines);
  };

  const take = (): Buffer => {
    let text = torn ? '\n' : '';
    if (lost > 0) text += notice(lost, reason);
    for (let line = waiting.shift(); line !== undefined; line = waiting.shift()) {
      text += line;
      waitingBytes -= line.length;
      if (text.length >= MOST_AT_ONCE) break;
    }
    return Buffer.from(text);
  };

  const refused = (rest: Buffer, whole: Buffer, code: string): void => {
    if (rest.length < whole.length) torn = true;
    // A notice of loss is no line of the program: it is written anew when the destination takes something again.
    const lines = linesIn(rest) - (lost > 0 && rest.length === whole.length ? 1 : 0);
    lose(Math.max(0, lines), code);
  };
  const written = (): void => {
    lost = 0;
    torn = false;
  };

  const next = (): void => {
    if (busy || waiting.length === 0) return;
    busy = true;
    setTimeout(send, waitingBytes < MOST_AT_ONCE ? GATHER_MS : 0).unref();
  };
  const send = (): void => {
    const whole = take();
    const push = (rest: Buffer): void => {
      writingSince = Date.now();
      fs.write(fd, rest, 0, rest.length, null, (error, count) => {
        writingSince = undefined;
        if (error?.code === 'EAGAIN') return void setTimeout(() => push(rest), FULL_PIPE_MS).unref();
        if (!error && count < rest.length) return push(rest.subarray(count));
        if (error) refused(rest, whole, error.code ?? 'unknown');
        else written();
        busy = false;
        next();
      });
    };
    push(whole);
  };

  process.once('exit', () => {
    // The process ends when its threads have ended, and one waits for a reader who stands still.
    if (writingSince !== undefined && Date.now() - writingSince > STUCK_MS)
      process.kill(process.pid, 'SIGKILL');
    while (waiting.length > 0) {
      try {
        fs.writeSync(fd, take());
        written();
      } catch {
        return;
      }
    }
  });

  return {
    write: (line) => {
      if (waitingBytes + line.length > MOST_WAITING_BYTES) return lose(1, 'too many lines at once');
      waiting.push(line);
      waitingBytes += line.length;
      next();
    },
  };
}

const notice = (lines: number, reason: string): string =>
  `${JSON.stringify({
    level: 'warn',
    time: new Date().toISOString(),
    pid: process.pid,
    dropped: lines,
    reason,
    msg: 'log lines were lost here',
  })}\n`;

function linesIn(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(10); at >= 0; at = text.indexOf(10, at + 1)) lines++;
  return lines;
}
