/** Several readings of which all are needed. */

type Running<T extends readonly unknown[]> = { readonly [K in keyof T]: Promise<T[K]> };

/**
 * All of them, or what the first of them failed for: the others are told by the signal, and have ended when this throws. What went on
 * with nobody to wait for it would be read again beside itself.
 */
export async function together<T extends readonly unknown[]>(
  begin: (signal: AbortSignal) => Running<T>,
): Promise<T> {
  const failing = new AbortController();
  const failed: unknown[] = [];
  const running = begin(failing.signal) as readonly Promise<unknown>[];
  const note = (error: unknown): void => {
    failed.push(error);
    failing.abort();
  };
  await Promise.all(running.map((one) => one.catch(note)));
  if (failed.length > 0) throw failed[0];
  return (await Promise.all(running)) as unknown as T;
}
