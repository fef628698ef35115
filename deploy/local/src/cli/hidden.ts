/** Asks whoever sits at the terminal for something that is not shown while it is typed. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Empty where nobody sits there. */
export async function askHidden(question: string): Promise<string> {
  if (!process.stdin.isTTY) return '';
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    const gone = new Promise<string>((_resolve, reject) => {
      reader.once('close', () => reject(new Error('Stopped before there was a password.')));
    });
    // Closed in the end, after an answer as well.
    gone.catch(() => undefined);
    return (await Promise.race([reader.question(''), gone])).trim();
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
