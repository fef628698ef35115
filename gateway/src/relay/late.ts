/**
 * Time that has run out, also for a process that stood still: its timers run before what came meanwhile is read, so whoever waits for
 * something looks once more after that.
 */

/** Calls after so long and one reading; what is given back keeps it from that. */
export function whenLate(ms: number, call: () => void): () => void {
  let reading: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => (reading = setImmediate(call)), ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(reading);
  };
}
