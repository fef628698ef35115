/** A process that may open no more files for a moment: what it says to the same question then and behind that. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** `program` makes `ask`, which answers what is told, and may make `end`; `argument` is its `process.argv[1]`. */
export async function askShortOfFiles(program: string, argument: string): Promise<[unknown, unknown]> {
  const whole = `
    const fs = require('node:fs');
    let end = () => undefined;
    ${program}
    const main = async () => {
      const held = [];
      try { for (;;) held.push(fs.openSync('/dev/null')); } catch {}
      const short = await ask();
      held.forEach((one) => fs.closeSync(one));
      console.log(JSON.stringify([short, await ask()]));
      await end();
    };
    void main();
  `;
  const few = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, '-e', whole, argument];
  const { stdout } = await promisify(execFile)('/bin/sh', few);
  return JSON.parse(stdout) as [unknown, unknown];
}
