/** Uploads to a disk that is full, which is no fault of whoever sends them. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toApiError } from '@sevenfold/chassis/errors';
import { type HttpServer, startHttpServer } from '@sevenfold/chassis/http/server';
import { createLog } from '@sevenfold/chassis/log';
import { readUpload } from './read-upload';

let folder: string;
let server: HttpServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'read-upload-'));
  await symlink('/dev/full', path.join(folder, 'upload'));
  server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    log: createLog('content', 'test', 'silent'),
    notReady: () => [],
    configure: (app) =>
      app.post('/', (request, response) => {
        readUpload(request, folder, 10_000_000).then(
          () => response.end('taken'),
          (error: unknown) => {
            const { status, code } = toApiError(error);
            response.writeHead(status).end(code);
          },
        );
      }),
  });
});
afterAll(async () => {
  await server.stop(0);
  await rm(folder, { recursive: true });
});

const bare = (bytes: Buffer<ArrayBuffer>): RequestInit => ({
  body: bytes,
  headers: { 'Content-Disposition': 'attachment; filename="a.txt"', 'Content-Type': 'text/plain' },
});
const form = (bytes: Buffer<ArrayBuffer>): RequestInit => {
  const body = new FormData();
  body.append('file', new Blob([bytes]), 'a.txt');
  return { body };
};

test.each([
  ['bare, small', bare, 100],
  ['bare, large', bare, 3_000_000],
  ['in a form, small', form, 100],
])('%s', async (_, made, size) => {
  const answer = await fetch(server.url, { method: 'POST', ...made(Buffer.alloc(size, 'x')) });
  expect([answer.status, await answer.text()]).toEqual([507, 'insufficient_storage']);
});
