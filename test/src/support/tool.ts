/** Runs a program of a package as a process of its own, with the Node.js that runs the tests. */
import { execFile } from 'node:child_process';
import path from 'node:path';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MOST_BYTES = 16 * 1024 * 1024;

/** `script` is a file of a package; tools that would tell their makers about it are told not to. */
export const runTool = (script: string, args: readonly string[], cwd: string): Promise<Ended> =>
  new Promise((resolve) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const options = { cwd, env, maxBuffer: MOST_BYTES };
    execFile(process.execPath, [packageFile(script), ...args], options, (error, stdout, stderr) =>
      resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
    );
  });

/** By path, whatever a package exports. */
function packageFile(script: string): string {
  const [scope = '', name = ''] = script.split('/', 2);
  const owner = scope.startsWith('@') ? `${scope}/${name}` : scope;
  return path.join(path.dirname(require.resolve(`${owner}/package.json`)), script.slice(owner.length + 1));
}
