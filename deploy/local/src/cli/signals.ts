/** How a command ends that is stopped: Ctrl-C, whoever supervises it, a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * A process that exits clears away what is half-done and gives the terminal back, which a signal alone does not make it do.
 * Signals that a command takes for itself stay its own.
 */
export function exitOnSignals(): void {
  for (const signal of SIGNALS)
    // Heard however often it comes: unheard, a second one would end the process in the midst of clearing away.
    if (process.listenerCount(signal) === 0) process.on(signal, () => process.exit(130));
}
