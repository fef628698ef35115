/** What is loaded when it is needed first may be needed in a bad moment. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { askShortOfFiles } from '../testing/few-files';

const PROGRAM = `
  const { lateAgent } = require(${JSON.stringify(path.resolve(__dirname, '../../dist/http/late-agent.js'))});
  const agent = lateAgent({});
  const ask = () => agent.request(process.argv[1]).then(
    ({ statusCode, body }) => body.dump().then(() => statusCode),
    ({ code }) => code,
  );
  end = () => agent.destroy();
`;

test('a process that could open no more files for a moment can ask all the same behind it', async () => {
  const server = http.createServer((_request, response) => void response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    expect(await askShortOfFiles(PROGRAM, url)).toEqual(['EMFILE', 200]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
