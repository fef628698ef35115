const ANSWER_MS = 5_000;

/**
 * What was asked, or an error where no answer comes in time: a server that was stopped, or the way to it cut, keeps its
 * connections, and commands on them would wait for ever. Whether it was done is not known then.
 */
export async function answered<T>(asked: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ANSWER_MS} ms`)), ANSWER_MS);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
