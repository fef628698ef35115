/** Passwords come from files, the environment or a question, never as arguments, which every account of the machine reads in the list of processes. */
import { readFileSync } from 'node:fs';

/** What stands in it without the end of its line; `/dev/stdin` is a file as well. Throws where that is nothing. */
export function readSecretFile(file: string): string {
  const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (text === '') throw new Error(`${file} is empty.`);
  return text;
}
