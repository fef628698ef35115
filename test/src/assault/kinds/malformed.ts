/** What is no HTTP, or too much of it. */
import { type Field, HOST, type Kind, READS, WRITES, get } from '../kind';

const W = WRITES[1];
const chunked = (rest: string): string =>
  `POST ${W} HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${rest}`;

const messages: readonly string[] = [
  '\r\n\r\n\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET /rest/ HTTP/1.1\r\n\r\n',
  `get /rest/ HTTP/1.1\r\n${HOST}\r\n`,
  `GET  /rest/  HTTP/1.1\r\n${HOST}\r\n`,
  `GET /rest/\u0000 HTTP/1.1\r\n${HOST}\r\n`,
  `GET /rest/%00%ff%zz HTTP/1.1\r\n${HOST}\r\n`,
  `GET /rest/core/v2/../../../etc/passwd HTTP/1.1\r\n${HOST}\r\n`,
  `GET http://example.com:99999/rest/ HTTP/1.1\r\n${HOST}\r\n`,
  `GET //rest//core/v2//posts HTTP/1.1\r\n${HOST}\r\n`,
  `GET * HTTP/1.1\r\n${HOST}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`,
  `CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`,
  `TRACE /rest/ HTTP/1.1\r\n${HOST}\r\n`,
  `PROPFIND /rest/ HTTP/1.1\r\n${HOST}Depth: infinity\r\n\r\n`,
  `NOTHING /rest/ HTTP/1.1\r\n${HOST}\r\n`,
  `GET /rest/ HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n`,
  `GET /rest/core/v2/posts HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n\r\n`,
  `POST ${W} HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 3\r\n\r\na=1`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  `POST ${W} HTTP/1.1\r\n${HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`,
  `POST ${W} HTTP/1.1\r\n${HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST ${W} HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`,
  `POST ${W} HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n`,
  `POST ${W} HTTP/1.1\r\n${HOST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `POST ${W} HTTP/1.1\r\n${HOST}Content-Encoding: gzip\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n\u001f\u008b\u0008\u0000`,
  `POST ${W} HTTP/1.1\r\n${HOST}Content-Type: ${'a/b;'.repeat(3_000)}\r\nContent-Length: 2\r\n\r\n{}`,
  chunked('zz\r\n'),
  chunked('5\r\nabc\r\n0\r\n\r\n'),
  chunked('ffffffffffffffff\r\n'),
  chunked(`1;${'e'.repeat(20_000)}\r\na\r\n0\r\n\r\n`),
  chunked(`${'1\r\na\r\n'.repeat(20_000)}0\r\n\r\n`),
  chunked(`0\r\n${'Trailer-Of-Mine: x\r\n'.repeat(1_000)}\r\n`),
  chunked('2\r\n{}\r\n0\r\nX-Sevenfold-Actor: x\r\n\r\n'),
  `GET /rest/ HTTP/1.1\r\n${HOST}Broken\r\n\r\n`,
  `GET /rest/ HTTP/1.1\r\n${HOST}A: b\r\n folded: c\r\n\r\n`,
  `GET /rest/ HTTP/1.1\r\n${HOST}A\u0001: b\u0000\r\n\r\n`,
  `GET /rest/ HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`,
  `GET /rest/ HTTP/1.1\r\nHost:\r\n\r\n`,
  `POST ${W} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `GET /rest/core/v2/posts HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`,
  `GET /rest/core/v2/posts HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`,
  `GET /rest/core/v2/posts HTTP/1.1\r\n${HOST}Expect: the-unexpected\r\n\r\n`,
  `GET /uploads/a.png HTTP/1.1\r\n${HOST}Range: bytes=${'0-0,'.repeat(3_000)}1-1\r\n\r\n`,
  `POST /rest/core/v2/posts?_method=DELETE&_envelope HTTP/1.1\r\n${HOST}X-HTTP-Method-Override: CONNECT\r\nContent-Length: 0\r\n\r\n`,
];

async function known(field: Field): Promise<void> {
  for (const message of messages) await say(field, Buffer.from(message, 'latin1'));
}

async function random(field: Field): Promise<void> {
  const { dice } = field;
  for (let n = 0; n < 20; n++) {
    const bytes = Buffer.from(dice.pick([...messages, ...READS.map((path) => get(path))]), 'latin1');
    const spoiled = Buffer.concat([
      bytes.subarray(0, dice.between(0, bytes.length)),
      dice.bytes(dice.between(0, 30)),
      bytes.subarray(dice.between(0, bytes.length)),
    ]);
    await say(field, dice.oneIn(10) ? dice.bytes(dice.between(1, 3_000)) : spoiled);
  }
}

/** An answer or none, the connection is done with. */
async function say(field: Field, bytes: Buffer): Promise<void> {
  const wire = await field.open();
  field.sent(1);
  await wire.send(bytes);
  await wire.answers(1, 100);
  if (field.dice.oneIn(4)) wire.end();
  if (field.dice.oneIn(3)) wire.reset();
  else wire.cut();
}

async function headers(field: Field): Promise<void> {
  const { dice } = field;
  const flood = dice.pick([
    () => 'A: b\r\n'.repeat(2_000),
    () => Array.from({ length: 1_900 }, (_, n) => `H${n}: ${n}\r\n`).join(''),
    () => `X: ${'x'.repeat(31_000)}\r\n`,
    () => `X: ${'x'.repeat(200_000)}\r\n`,
    () => `Cookie: ${'a=b; '.repeat(6_000)}\r\n`,
    () => `X-Forwarded-For: ${'127.0.0.1, '.repeat(2_500)}\r\n`,
    () => `Accept: ${'*/*;q=0.1,'.repeat(2_500)}\r\n`,
    () => `If-None-Match: ${'W/"x", '.repeat(4_000)}\r\n`,
    () => `X-Request-Id: ${'i'.repeat(20_000)}\r\nX-Sevenfold-Actor: ${'a'.repeat(9_000)}\r\n`,
    () => `Origin: ${'o'.repeat(10_000)}\r\nAccess-Control-Request-Headers: ${'h,'.repeat(8_000)}\r\n`,
    () => `Connection: ${'close, keep-alive, '.repeat(1_500)}\r\n`,
  ])();
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const wire = await field.open();
      field.sent(1);
      await wire.send(get(dice.pick(READS), flood));
      await wire.answers(1, 3_000);
      wire.cut();
    }),
  );
}

export const malformed: readonly Kind[] = [
  // Asked to do what HTTP has and nobody here does.
  { name: 'malformed: known ways', mayGet: [501, 505], strike: known },
  { name: 'malformed: spoiled at random', mayGet: [501, 505], strike: random },
  { name: 'malformed: floods of headers', strike: headers },
];
