/** Uploads to a disk that is full, which is no fault of whoever sends them. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toApiError } from '@sevenfold/chassis/errors';
import { readUpload } from './read-upload';

let folder: string;
let server: http.Server;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'read-upload-'));
  await symlink('/dev/full', path.join(folder, 'upload'));
  server = http.createServer((request, response) => {
    readUpload(request, folder, 10_000_000).then(
      () => response.end('taken'),
      (error: unknown) => {
        const { status, code } = toApiError(error);
        // What still comes is for the server of a service to take (chassis/http/connections).
        request.resume();
        response.writeHead(status).end(code);
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
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
  ['in a form, large', form, 3_000_000],
])('%s', async (_, made, size) => {
  const answer = await fetch(url, { method: 'POST', ...made(Buffer.alloc(size, 'x')) });
  expect([answer.status, await answer.text()]).toEqual([507, 'insufficient_storage']);
});
