import { programFor } from '../program';

/** What a command prints, run in this process. */
export async function printed(...args: string[]): Promise<string> {
  const lines: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    const program = await programFor(args.slice(0, 1));
    await program.parseAsync(args, { from: 'user' });
  } finally {
    log.mockRestore();
  }
  return lines.join('\n');
}
