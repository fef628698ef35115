/** A worker of a service as a process of its own, on what a test has started of that service, to be killed. */
import { spawn } from 'node:child_process';
import path from 'node:path';

export interface WorkerProcess {
  /** Resolves when it is gone. */
  kill(): Promise<void>;
}

export function startWorker(service: string, config: object): WorkerProcess {
  const program = path.resolve(__dirname, `../../../services/${service}/dist/program.js`);
  const worker = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      ...Object.fromEntries(Object.entries(config).map(([name, value]) => [name, String(value)])),
      ROLE: 'worker',
      HTTP_PORT: '0',
      GRPC_PORT: '0',
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    kill: () =>
      new Promise((resolve) => {
        worker.once('exit', () => resolve());
        worker.kill('SIGKILL');
      }),
  };
}
