/** What is loaded when it is needed first may be needed in a bad moment. */
import { execFile } from 'node:child_process';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';

const PROGRAM = `
  const fs = require('node:fs');
  const { lateAgent } = require(${JSON.stringify(path.resolve(__dirname, '../../dist/http/late-agent.js'))});
  const agent = lateAgent({});
  const ask = () => agent.request(process.argv[1]).then(
    ({ statusCode, body }) => body.dump().then(() => statusCode),
    ({ code }) => code,
  );
  const main = async () => {
    const held = [];
    try { for (;;) held.push(fs.openSync('/dev/null')); } catch {}
    const short = await ask();
    held.forEach((one) => fs.closeSync(one));
    console.log(JSON.stringify([short, await ask()]));
    await agent.destroy();
  };
  void main();
`;

test('a process that could open no more files for a moment can ask all the same behind it', async () => {
  const server = http.createServer((_request, response) => void response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const few = ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath, '-e', PROGRAM, url];
    const { stdout } = await promisify(execFile)('/bin/sh', few);
    expect(JSON.parse(stdout)).toEqual(['EMFILE', 200]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
