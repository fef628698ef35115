/** Whether a text is a key: by its form, and by what the outside service says where one is configured. */
import { postForm } from '@sevenfold/chassis/outgoing';
import type { Deps } from '../deps';
import type { Verified } from './store';

const FORM = /^[A-Za-z0-9]{12}$/;

export const isKey = (text: string): boolean => FORM.test(text);

const TIMEOUT_MS = 5_000;
// The answer is one word.
const LIMIT_BYTES = 4_096;

/** `unasked` where nobody is to be asked, or no answer comes: then the form decides. Throws where the signal ends it. */
export async function verify(
  { config, log }: Pick<Deps, 'config' | 'log'>,
  key: string,
  signal?: AbortSignal,
): Promise<Verified> {
  if (config.SPAM_VERIFY_URL === '') return 'unasked';
  try {
    const { status, text } = await postForm(
      config.SPAM_VERIFY_URL,
      { key, blog: config.SITE_URL },
      {
        allowPrivate: config.OUTBOUND_ALLOW_PRIVATE,
        timeoutMs: TIMEOUT_MS,
        limitBytes: LIMIT_BYTES,
        userAgent: 'Sevenfold spam filter',
        signal,
      },
    );
    const word = text.trim();
    if (status === 200 && (word === 'valid' || word === 'invalid')) return word;
    log.warn({ status }, 'the outside service did not say whether the key is valid');
  } catch (error) {
    // Whoever has gone does not want the key kept, least of all one that nobody has vouched for.
    signal?.throwIfAborted();
    // The request holds the key, and an error may hold the request: only its message is told.
    log.warn({ reason: (error as Error).message }, 'the outside service cannot be asked about the key');
  }
  return 'unasked';
}
