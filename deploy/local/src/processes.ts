/**
 * Keeps a set of Node programs running: starts them all at once, watches until each is ready, restarts what
 * dies with growing pauses, stops all in the order they need. Knows nothing of what they do. A program that dies
 * again and again before it was ever ready fails the start instead of being tried for ever.
 */
import http from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeExit, startChild, within, type Child, type Exit } from './child';

/**
 * Of processes that have little to do: what lives for a moment has 12 MB, not 48, and garbage is collected once what is in use
 * has doubled, not grown fourfold. Those that answer many take 7 % more time for a miss with it, and a sixth
 * more for whoever is signed in.
 */
export const SPARING: readonly string[] = ['--max-semi-space-size=4', '--heap-growing-percent=100'];

/**
 * Of glibc (elsewhere nobody reads them), in the image as well. By default it keeps up to twice the largest piece that was
 * ever freed, and places that into holes which small pieces then pin; and each thread begins a heap of its own. What is read from
 * a connection goes into pieces of 64 KB: below twice that each of them would be asked of the system, at a fifth more time.
 */
export const MEMORY_GIVEN_BACK = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '524288',
} as const;

export interface Plan {
  readonly name: string;
  readonly script: string;
  /** Of Node. */
  readonly flags?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Answers 200 when the program is ready. */
  readonly readyUrl: string;
  readonly logFile: string;
  /** What runs in it needs the others to the end: they are asked to stop only when it has ended. */
  readonly stopsFirst?: boolean;
  /** Milliseconds between SIGTERM and SIGKILL: more than what it takes to finish what runs in it. */
  readonly stopWithin: number;
}

/** All in milliseconds, except `attempts`. */
export interface Timing {
  /** Deaths before the first readiness that fail the start. */
  readonly attempts: number;
  readonly firstPause: number;
  readonly longestPause: number;
  /** A program that ran this long is well: the next pause is the first one again. */
  readonly wellAfter: number;
  /** How long the slowest program may take from the start to its first readiness, restarts included. */
  readonly readyWithin: number;
  readonly poll: number;
}

const defaultTiming: Timing = {
  attempts: 5,
  firstPause: 500,
  longestPause: 10_000,
  wellAfter: 30_000,
  readyWithin: 180_000,
  poll: 50,
};

export interface Hooks {
  readonly say: (line: string) => void;
  /** A program was started or has ended. */
  readonly changed?: () => void;
  readonly timing?: Partial<Timing>;
}

export interface Processes {
  /** Resolves when every program was ready once; rejects with a message for people when one never will be. */
  readonly ready: Promise<void>;
  /** The ids of the running ones, by name. */
  pids(): Record<string, number>;
  /** Stops one and starts it again at once. */
  readonly restart: (name: string) => Promise<void>;
  stop(): Promise<void>;
  /** Ends all of them at once, without a chance to finish anything. */
  readonly kill: () => void;
}

export function runProcesses(plans: readonly Plan[], hooks: Hooks): Processes {
  const timing: Timing = { ...defaultTiming, ...hooks.timing };
  const kept = plans.map((plan) => keepRunning(plan, hooks, timing));
  const ready = Promise.all(kept.map((each) => each.ready)).then(() => undefined);
  // The caller may be busy stopping when this rejects; it learns of it when it looks.
  ready.catch(() => undefined);
  return {
    ready,
    pids: () =>
      Object.fromEntries(
        kept.flatMap((each) => (each.pid() === undefined ? [] : [[each.name, each.pid()!]])),
      ),
    async restart(name) {
      await kept.find((each) => each.name === name)?.restart();
    },
    async stop() {
      await Promise.all(kept.filter((each) => each.stopsFirst).map((each) => each.stop()));
      await Promise.all(kept.map((each) => each.stop()));
    },
    kill() {
      for (const each of kept) each.kill();
    },
  };
}

interface Kept {
  readonly name: string;
  readonly stopsFirst: boolean;
  readonly ready: Promise<void>;
  pid(): number | undefined;
  restart(): Promise<void>;
  stop(): Promise<void>;
  kill(): void;
}

function keepRunning(plan: Plan, hooks: Hooks, timing: Timing): Kept {
  let child: Child | undefined;
  let wasReady = false;
  let deaths = 0;
  let pause = timing.firstPause;
  let stopping = false;
  let restarting = false;
  let next: NodeJS.Timeout | undefined;
  let resolveReady!: () => void;
  let rejectReady!: (error: Error) => void;
  const ready = new Promise<void>((resolve, reject) => {
    resolveReady = resolve;
    rejectReady = reject;
  });

  const fail = (reason: string, lines: readonly string[]): void => {
    const output = lines.map((line) => `  ${line}`);
    rejectReady(
      new Error([`${plan.name} ${reason}. Its last lines in ${plan.logFile}:`, ...output].join('\n')),
    );
  };
  const deadline = setTimeout(() => {
    fail(`was not ready within ${timing.readyWithin / 1000} seconds`, child?.lastLines() ?? []);
  }, timing.readyWithin);
  ready.then(
    () => clearTimeout(deadline),
    () => clearTimeout(deadline),
  );

  const begin = (): void => {
    next = undefined;
    const startedAt = performance.now();
    const current = startChild({
      command: process.execPath,
      args: [...(plan.flags ?? []), plan.script],
      cwd: plan.cwd,
      env: { ...MEMORY_GIVEN_BACK, ...plan.env },
      logFile: plan.logFile,
      ipc: true,
    });
    child = current;
    hooks.changed?.();
    void current.exited.then((exit) => ended(current, exit, performance.now() - startedAt));
    void untilReady(current, plan.readyUrl, timing.poll).then((isReady) => {
      if (!isReady || stopping) return;
      hooks.say(
        `${plan.name} ready${wasReady ? ' again' : ''} (${Math.round(performance.now() - startedAt)} ms)`,
      );
      wasReady = true;
      resolveReady();
    });
  };

  const ended = (current: Child, exit: Exit, lived: number): void => {
    child = undefined;
    hooks.changed?.();
    if (stopping) return;
    if (restarting) {
      restarting = false;
      begin();
      return;
    }
    deaths += 1;
    if (!wasReady && deaths >= timing.attempts) {
      fail(`stopped ${deaths} times before it was ready (${describeExit(exit)})`, current.lastLines());
      return;
    }
    if (lived >= timing.wellAfter) pause = timing.firstPause;
    hooks.say(
      `${plan.name} stopped (${describeExit(exit)}), starting it again in ${pause / 1000} s; see ${plan.logFile}`,
    );
    next = setTimeout(begin, pause);
    pause = Math.min(pause * 2, timing.longestPause);
  };

  begin();
  return {
    name: plan.name,
    stopsFirst: plan.stopsFirst ?? false,
    ready,
    pid: () => child?.pid,
    async restart() {
      if (stopping || restarting) return;
      const current = child;
      if (current) {
        restarting = true;
        await current.stop([['SIGTERM', plan.stopWithin]]);
      } else if (next) {
        clearTimeout(next);
        begin();
      }
    },
    async stop() {
      stopping = true;
      clearTimeout(next);
      clearTimeout(deadline);
      await child?.stop([['SIGTERM', plan.stopWithin]]);
    },
    kill() {
      stopping = true;
      clearTimeout(next);
      clearTimeout(deadline);
      child?.signal('SIGKILL');
    },
  };
}

/** True once the child answers, false when it has ended before. */
async function untilReady(child: Child, url: string, poll: number): Promise<boolean> {
  while (!child.exit()) {
    if ((await statusOf(url)) === 200) return !child.exit();
    await within(child.exited, poll);
  }
  return false;
}

/** The status of the answer, or undefined when there is none. */
export function statusOf(url: string, timeout = 2_000): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
  });
}

/**
 * Keeps a server (PostgreSQL, Redis) running that other programs have connections to: it comes back on the
 * same port.
 */
export function keepServer<S extends { readonly exited: Promise<string>; stop(): Promise<void> }>(
  name: string,
  first: S,
  again: () => Promise<S>,
  hooks: Hooks,
): { current(): S; stop(): Promise<void> } {
  const timing: Timing = { ...defaultTiming, ...hooks.timing };
  let current = first;
  const over = new AbortController();
  const loop = async (): Promise<void> => {
    for (let pause = timing.firstPause; ;) {
      const since = performance.now();
      const reason = await current.exited;
      if (performance.now() - since >= timing.wellAfter) pause = timing.firstPause;
      for (let running = false; !running;) {
        if (over.signal.aborted) return;
        hooks.say(`${name} stopped (${reason}), starting it again in ${pause / 1000} s`);
        await sleep(pause, undefined, { signal: over.signal }).catch(() => undefined);
        if (over.signal.aborted) return;
        pause = Math.min(pause * 2, timing.longestPause);
        try {
          current = await again();
          running = true;
        } catch (error) {
          hooks.say((error as Error).message);
        }
      }
      hooks.changed?.();
      hooks.say(`${name} is back`);
    }
  };
  const done = loop();
  return {
    current: () => current,
    async stop() {
      over.abort();
      // Ends the wait for `exited`; a restart that is under way finishes first, and is then stopped as well.
      await current.stop();
      await done;
      await current.stop();
    },
  };
}
