import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { claim } from './claim';
import { temporaryFolder } from './test-support';

const folder = temporaryFolder();
const runFile = path.join(folder, 'run.json');
const STARTS = 3;
const ROUNDS = 100;

// Claims whenever it is told to, and tells how that went; it lives on, as a start that holds the folder does. Before each of
// its steps it may have to wait for its turn on the processor, as on a machine that has much to do.
const program = `
  const fs = require('node:fs');
  for (const step of ['linkSync', 'readFileSync', 'renameSync', 'rmSync', 'writeFileSync']) {
    const take = fs[step];
    fs[step] = (...args) => {
      const path = String(args[0]);
      if (path.startsWith(${JSON.stringify(folder)}) && Math.random() < 0.5)
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Math.random() * 4);
      return take(...args);
    };
  }
  const { claim } = require(${JSON.stringify(path.join(__dirname, 'claim.ts'))});
  process.on('message', () => {
    try {
      claim(${JSON.stringify(runFile)});
      process.send('holds');
    } catch (error) {
      process.send(error.message);
    }
  });
  process.send('ready');
`;

const answerOf = async (child: ChildProcess): Promise<string> =>
  String(((await once(child, 'message')) as unknown[])[0]);

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** What starts that were killed left behind; each one is another. */
function leaveStale(round: number): void {
  const contents = ['', '{"pid":', JSON.stringify({ pid: process.pid, identity: `start ${round}` })];
  writeFileSync(`${runFile}.stale`, contents[round % contents.length]!);
  renameSync(`${runFile}.stale`, runFile);
}

test('of several starts at the same moment one takes over what a killed one left, and the others say who', async () => {
  const children = Array.from({ length: STARTS }, () =>
    spawn(process.execPath, ['--import', 'tsx', '-e', program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  try {
    expect(await Promise.all(children.map(answerOf))).toEqual(children.map(() => 'ready'));
    for (let round = 0; round < ROUNDS; round += 1) {
      leaveStale(round);
      const answers = children.map(answerOf);
      for (const child of children) child.send('claim');
      const said = await Promise.all(answers);
      const holder = children[said.indexOf('holds')]?.pid;
      const refused = `Already running on ${folder} (process ${holder}). Stop it first, or set another DATA_DIR.`;
      expect([...said].sort()).toEqual([...children.slice(1).map(() => refused), 'holds']);
      expect(JSON.parse(readFileSync(runFile, 'utf8'))).toMatchObject({ pid: holder });
    }
  } finally {
    await Promise.all(children.map(end));
  }
  expect(readdirSync(folder)).toEqual(['run.json']);
});

test('a claim of a process that is gone is taken over', () => {
  leaveStale(2);
  claim(runFile);
  expect(JSON.parse(readFileSync(runFile, 'utf8'))).toMatchObject({ pid: process.pid });
  expect(() => claim(runFile)).toThrow('Already running');
});
