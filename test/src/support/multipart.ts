/** Multipart bodies that are almost right: parts of every kind, then cut, doubled and overwritten at random places. */
import http from 'node:http';
import fc from 'fast-check';

const BOUNDARY = 'b0undary';

const disposition = fc.constantFrom(
  'Content-Disposition: form-data; name="text"',
  'Content-Disposition: form-data; name="title"',
  'Content-Disposition: form-data; name="file"; filename="a.png"',
  'Content-Disposition: form-data; name="other"; filename="b.txt"',
  'Content-Disposition: form-data; filename="nameless.png"',
  'Content-Disposition: form-data',
  'Content-Disposition: form-data; name',
  'Content-Disposition: form-data; name=',
  'Content-Disposition: form-data; name=""',
  'Content-Disposition: form-data; name="__proto__[x]"',
  'Content-Disposition: form-data; name="a[b][c][]"',
  "Content-Disposition: form-data; name*=utf-8''%ff%fe",
  'Content-Disposition: attachment; name="text"',
  // The headers go on behind a boundary.
  `Content-Disposition: form-data; name="file"; filename="c.txt"\r\n--${BOUNDARY}\r\n`,
  'X-Nothing: here',
);
const partType = fc.constantFrom(
  '',
  'Content-Type: text/plain; charset=nowhere-8\r\n',
  'Content-Type: text/plain; charset=utf-16le\r\n',
  'Content-Type: application/octet-stream\r\n',
  'Content-Type: ;;;\r\n',
  'Content-Transfer-Encoding: base64\r\n',
);
const content = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(`--${BOUNDARY}`, `\r\n--${BOUNDARY}-`, '\r\n\r\n', '\u0000', 'x'.repeat(20_000)),
);
const part = fc
  .tuple(disposition, partType, content)
  .map(([head, type, text]) => `--${BOUNDARY}\r\n${head}\r\n${type}\r\n${text}\r\n`);

type Change = readonly [kind: 'cut' | 'double' | 'overwrite' | 'insert', at: number, length: number];
const change = fc.tuple(
  fc.constantFrom('cut', 'double', 'overwrite', 'insert'),
  fc.nat(),
  fc.nat({ max: 30 }),
) as fc.Arbitrary<Change>;

function changed(bytes: Buffer, [kind, where, length]: Change): Buffer {
  const at = where % (bytes.length + 1);
  const [before, piece, after] = [
    bytes.subarray(0, at),
    bytes.subarray(at, at + length),
    bytes.subarray(at + length),
  ];
  if (kind === 'cut') return Buffer.concat([before, after]);
  if (kind === 'double') return Buffer.concat([before, piece, piece, after]);
  const noise = Buffer.alloc(length, where % 256);
  return Buffer.concat(kind === 'insert' ? [before, noise, piece, after] : [before, noise, after]);
}

export interface Sent {
  readonly bytes: Buffer;
  /** Where the body is split into pieces that are sent one by one. */
  readonly splits: readonly number[];
  /** How many bytes more are announced than are sent: the connection is half closed instead. */
  readonly missing: number;
}

export const multipart: fc.Arbitrary<Sent> = fc
  .record({
    parts: fc.array(part, { maxLength: 5 }),
    end: fc.constantFrom(`--${BOUNDARY}--\r\n`, `--${BOUNDARY}--`, `--${BOUNDARY}`, ''),
    changes: fc.array(change, { maxLength: 3 }),
    splits: fc.array(fc.nat(), { maxLength: 4 }),
    missing: fc.constantFrom(0, 0, 0, 0, 1, 1_000),
  })
  .map(({ parts, end, changes, splits, missing }) => {
    const bytes = changes.reduce(changed, Buffer.from(parts.join('') + end));
    return {
      bytes,
      splits: splits.map((at) => at % (bytes.length + 1)).sort((a, b) => a - b),
      missing,
    };
  });

const PATIENCE_MS = 10_000;

/** The status of the answer, or undefined where the connection ended without one. */
export function sendMultipart(
  url: string,
  headers: Record<string, string>,
  { bytes, splits, missing }: Sent,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.request(url, {
      method: 'POST',
      agent: false,
      headers: {
        ...headers,
        'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
        'Content-Length': bytes.length + missing,
      },
    });
    request.on('response', (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode));
    });
    request.on('error', () => undefined);
    request.on('close', () => resolve(undefined));
    // What was announced and never comes may be waited for as long as a body may take.
    if (missing > 0) request.setTimeout(PATIENCE_MS, () => request.destroy());
    void (async () => {
      let from = 0;
      for (const to of [...splits, bytes.length]) {
        request.write(bytes.subarray(from, to));
        from = to;
        await new Promise(setImmediate);
      }
      if (missing === 0) request.end();
      else request.socket?.end();
    })();
  });
}
