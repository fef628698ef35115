/** Work that is done again and again with a pause between, never twice at the same time. */
export interface RepeatOptions {
  readonly work: () => Promise<void>;
  readonly pauseMs: () => number;
  /** After each turn, with what went wrong. */
  readonly onTurn: (error?: Error) => void;
  readonly onStop: () => void;
}

export interface Repeated {
  /** Joins the turn that runs, or starts one; resolves when it is over, well or not. */
  now(): Promise<void>;
  stop(): Promise<void>;
}

export function repeat({ work, pauseMs, onTurn, onStop }: RepeatOptions): Repeated {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const turn = async (): Promise<void> => {
    clearTimeout(timer);
    let fault: Error | undefined;
    try {
      await work();
    } catch (error) {
      fault = error as Error;
    }
    running = undefined;
    if (stopped) return;
    onTurn(fault);
    timer = setTimeout(() => void now(), pauseMs());
  };
  const now = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    running ??= turn();
    return running;
  };
  return {
    now,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      const last = running;
      // Closing ends a call that still waits.
      onStop();
      await last;
    },
  };
}
