import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { identityOf } from './leftovers';
import { freePort } from '@sevenfold/chassis/ports';
import {
  MEMORY_GIVEN_BACK,
  SPARING,
  keepServer,
  runProcesses,
  statusOf,
  type Plan,
  type Processes,
  type Timing,
} from './processes';
import { hopeless, stubborn, temporaryFolder, until, wellBehaved } from './test-support';

const folder = temporaryFolder();
const quick: Partial<Timing> = { firstPause: 10, longestPause: 40, poll: 10 };
const said: string[] = [];
let running: Processes | undefined;

async function plan(name: string, code: string): Promise<Plan> {
  const script = path.join(folder, `${name}.js`);
  writeFileSync(script, code);
  const port = await freePort();
  const env = {
    ...process.env,
    ROLE: 'api',
    HTTP_HOST: '127.0.0.1',
    HTTP_PORT: String(port),
    MARK: path.join(folder, `${name}.mark`),
  };
  return {
    name,
    script,
    env,
    cwd: folder,
    readyUrl: `http://127.0.0.1:${port}/readyz`,
    logFile: path.join(folder, `${name}.log`),
    stopWithin: 3_000,
  };
}

function run(plans: Plan[], timing: Partial<Timing> = {}): Processes {
  running = runProcesses(plans, { say: (line) => said.push(line), timing: { ...quick, ...timing } });
  return running;
}

beforeEach(() => {
  said.length = 0;
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
});

describe('processes', () => {
  it('are started with their flags, and give memory back as those of the image do', async () => {
    const says = `require('node:fs').writeFileSync(process.env.MARK, JSON.stringify([process.execArgv, process.env]));`;
    const one = { ...(await plan('flagged', says + wellBehaved)), flags: SPARING };
    await run([one]).ready;
    const [flags, env] = JSON.parse(readFileSync(path.join(folder, 'flagged.mark'), 'utf8')) as unknown[];
    expect(flags).toEqual(SPARING);
    expect(env).toMatchObject(MEMORY_GIVEN_BACK);
    const image = readFileSync(path.resolve(__dirname, '../../Dockerfile'), 'utf8');
    const [, given = ''] = /^ENV (MALLOC_.*)$/m.exec(image) ?? [];
    expect(Object.fromEntries(given.split(' ').map((one) => one.split('=')))).toEqual(MEMORY_GIVEN_BACK);
  });

  it('are started together, say when they are ready, and stop when asked', async () => {
    const plans = [await plan('one', wellBehaved), await plan('two', wellBehaved)];
    const processes = run(plans);
    await processes.ready;
    expect(said.sort()).toEqual([
      expect.stringMatching(/^one ready \(\d+ ms\)$/),
      expect.stringMatching(/^two ready \(\d+ ms\)$/),
    ]);
    const pids = processes.pids();
    expect(Object.keys(pids).sort()).toEqual(['one', 'two']);
    await processes.stop();
    expect(processes.pids()).toEqual({});
    for (const pid of Object.values(pids)) expect(identityOf(pid)).toBeUndefined();
    expect(said).toHaveLength(2);
  });

  it('that die before they are ready fail the start with their last lines', async () => {
    const processes = run([await plan('fine', wellBehaved), await plan('broken', hopeless)], { attempts: 3 });
    await expect(processes.ready).rejects.toThrow(
      /^broken stopped 3 times before it was ready \(exit code 3\)(.|\n)*no such table: attempt of api/,
    );
    expect(
      said.filter((line) => line.startsWith('broken stopped (exit code 3), starting it again in 0.0')),
    ).toHaveLength(2);
    await processes.stop();
    expect(processes.pids()).toEqual({});
  });

  it('that are never ready fail the start in the end, and are killed when they ignore the request to stop', async () => {
    const processes = run([{ ...(await plan('stubborn', stubborn)), stopWithin: 200 }], {
      readyWithin: 10_000,
    });
    await expect(processes.ready).rejects.toThrow(
      /^stubborn was not ready within 10 seconds(.|\n)*still waiting/,
    );
    const { stubborn: pid } = processes.pids();
    await processes.stop();
    expect(identityOf(pid!)).toBeUndefined();
  });

  it('that are killed come back, on the same port, without end', async () => {
    const only = await plan('only', wellBehaved);
    const processes = run([only], { attempts: 2 });
    await processes.ready;
    for (let round = 1; round <= 3; round += 1) {
      const before = processes.pids().only!;
      process.kill(before, 'SIGKILL');
      await until(
        'it is ready again',
        () => said.filter((line) => line.startsWith('only ready again')).length === round,
      );
      expect(processes.pids().only).not.toBe(before);
      expect(await statusOf(only.readyUrl)).toBe(200);
    }
    expect(said.filter((line) => line.startsWith('only stopped (ended by SIGKILL)'))).toHaveLength(3);
  });

  it('that stumble at first are given further chances', async () => {
    const code = `const fs = require('node:fs');
      if (!fs.existsSync(process.env.MARK)) { fs.writeFileSync(process.env.MARK, ''); process.exit(1); }
      ${wellBehaved}`;
    await run([await plan('slow', code)]).ready;
    expect(said[0]).toMatch(/^slow stopped \(exit code 1\)/);
    expect(said[1]).toMatch(/^slow ready/);
  });

  it('are restarted on request without being counted as dead', async () => {
    const processes = run([await plan('edited', wellBehaved)], { attempts: 1 });
    await processes.ready;
    const before = processes.pids().edited;
    await processes.restart('edited');
    await until('it is ready again', () => said.some((line) => line.startsWith('edited ready again')));
    expect(processes.pids().edited).not.toBe(before);
    expect(said.some((line) => line.includes('stopped'))).toBe(false);
  });

  it('learn by the closed channel that the supervisor is gone', async () => {
    const mark = `process.on('disconnect', () => require('node:fs').writeFileSync(process.env.MARK, 'told'));`;
    const told = await plan('told', `${mark}\n${wellBehaved}`);
    const script = path.join(folder, 'supervisor.cjs');
    writeFileSync(
      script,
      `const { runProcesses } = require(${JSON.stringify(path.join(__dirname, 'processes.ts'))});
       runProcesses([${JSON.stringify(told)}], { say: () => undefined }).ready.then(() => process.kill(process.pid, 'SIGKILL'));`,
    );
    const supervisor = spawn(process.execPath, ['--require', require.resolve('tsx/cjs'), script]);
    await new Promise((resolve) => supervisor.once('exit', resolve));
    await until(
      'the child was told',
      () => existsSync(told.env.MARK!) && readFileSync(told.env.MARK!, 'utf8') === 'told',
    );
    await until('the child has ended', async () => (await statusOf(told.readyUrl)) === undefined);
  });
});

describe('keepServer', () => {
  function fakeServer(): { exited: Promise<string>; stop(): Promise<void>; die(): void; stopped: boolean } {
    let end!: (reason: string) => void;
    const exited = new Promise<string>((resolve) => (end = resolve));
    const server = {
      exited,
      stopped: false,
      die: () => end('ended by SIGKILL'),
      stop(): Promise<void> {
        server.stopped = true;
        end('exit code 0');
        return Promise.resolve();
      },
    };
    return server;
  }

  it('starts the server again until that succeeds, and stops the last one', async () => {
    const first = fakeServer();
    const second = fakeServer();
    const results = [() => Promise.reject(new Error('the disk is full')), () => Promise.resolve(second)];
    const kept = keepServer('Store', first, () => results.shift()!(), {
      say: (line) => said.push(line),
      timing: quick,
    });
    first.die();
    await until('it is back', () => kept.current() === second && said.includes('Store is back'));
    expect(said).toContain('the disk is full');
    await kept.stop();
    expect(second.stopped).toBe(true);
    expect(results).toEqual([]);
  });

  it('does not start it again while stopping', async () => {
    const only = fakeServer();
    const kept = keepServer('Store', only, () => Promise.reject(new Error('not wanted')), {
      say: (line) => said.push(line),
      timing: quick,
    });
    await kept.stop();
    expect(said).toEqual([]);
  });
});
