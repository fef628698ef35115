import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunFile } from '../run-file';
import { runOf, temporaryFolder } from '../test-support';
import { localStatus } from './local';

const folder = temporaryFolder();
const { version } = JSON.parse(readFileSync(path.join(__dirname, '../../package.json'), 'utf8')) as RunFile;

test('what has ended and is not started again yet is told of, and is not well', async () => {
  const run = runOf(folder, {
    version,
    node: process.versions.node,
    services: { calendar: { http: 'http://127.0.0.1:9' }, gateway: { http: 'http://127.0.0.1:9' } },
    // As it stands while the supervisor waits before it starts the calendar again.
    processes: { gateway: process.pid },
  });
  const rows = await localStatus(run, {});
  expect(rows.filter(({ part }) => part === 'process')).toEqual([
    expect.objectContaining({ name: 'calendar', state: 'gone', ok: false, detail: 'no process' }),
    expect.objectContaining({ name: 'gateway', state: 'silent', ok: false }),
  ]);
});
