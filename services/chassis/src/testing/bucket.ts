/** A small S3-compatible store on this machine, for tests: objects in memory, path style, conditional writes, ranges. */
import { type IncomingHttpHeaders, type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Of what clients may say of an object, the one word that ours says. */
const MARK = 'x-amz-meta-write';

export interface FakeBucket {
  readonly url: string;
  readonly requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  readonly objects: Map<string, { bytes: Buffer; type: string; modified: Date; mark: string }>;
  /** Whether what is missing is told from what is forbidden. */
  canList: boolean;
  failNext(status: number): void;
  /** Does what it is asked next, and says that it has failed. */
  loseNext(status: number): void;
  hangNext(): void;
  stop(): Promise<void>;
}

export async function startBucket(name: string): Promise<FakeBucket> {
  const requests: FakeBucket['requests'] = [];
  const objects: FakeBucket['objects'] = new Map();
  let next: number | 'hang' | undefined;
  let lost: number | undefined;

  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const path = decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '');
      requests.push({ method: request.method ?? '', path, headers: request.headers });
      const order = next;
      next = undefined;
      if (order === 'hang') return;
      if (order !== undefined) return void response.writeHead(order).end('<Error/>');
      if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ') || !path.startsWith(`/${name}/`))
        return refuse(response, path.startsWith('/none/') ? 'NoSuchBucket' : 'AccessDenied');
      const key = path.slice(name.length + 2);
      const status = lost;
      lost = undefined;
      if (status === undefined) return serve(request, response, key, Buffer.concat(chunks));
      put(request, key, Buffer.concat(chunks));
      response.writeHead(status).end('<Error/>');
    })();
  });

  /** What has no body, as an answer to HEAD, loses it on its way. */
  function refuse(response: ServerResponse, code: string): void {
    response.writeHead(code === 'AccessDenied' ? 403 : 404).end(`<Error><Code>${code}</Code></Error>`);
  }

  function put({ headers }: IncomingMessage, key: string, bytes: Buffer): boolean {
    if (objects.has(key) && headers['if-none-match'] === '*') return false;
    const type = String(headers['content-type']);
    objects.set(key, { bytes, type, modified: new Date(), mark: String(headers[MARK]) });
    return true;
  }

  function serve(request: IncomingMessage, response: ServerResponse, key: string, body: Buffer): void {
    const known = objects.get(key);
    if (request.method === 'PUT')
      return void (put(request, key, body)
        ? response.writeHead(200).end()
        : response.writeHead(412).end('<Error/>'));
    if (request.method === 'DELETE') {
      objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (key === '' && bucket.canList) return void response.writeHead(200).end();
    if (!known) return refuse(response, bucket.canList ? 'NoSuchKey' : 'AccessDenied');
    const headers = {
      'Last-Modified': known.modified.toUTCString(),
      'Content-Type': known.type,
      [MARK]: known.mark,
    };
    if (request.method === 'HEAD')
      return void response.writeHead(200, { ...headers, 'Content-Length': known.bytes.length }).end();
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (!range)
      return void response
        .writeHead(200, { ...headers, 'Content-Length': known.bytes.length })
        .end(known.bytes);
    const part = known.bytes.subarray(Number(range[1]), Number(range[2]) + 1);
    response.writeHead(206, { ...headers, 'Content-Length': part.length }).end(part);
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bucket: FakeBucket = {
    canList: true,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    objects,
    failNext: (status) => (next = status),
    loseNext: (status) => (lost = status),
    hangNext: () => (next = 'hang'),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return bucket;
}
