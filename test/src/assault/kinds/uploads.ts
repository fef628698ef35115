/** Files of strangers: megabytes that will be refused, announced or not, whole or not. */
import { type Field, type Kind, head } from '../kind';

const SIZE = 5 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 7);
const DISPOSITION = 'Content-Disposition: attachment; filename="a.png"\r\n';

interface Manner {
  readonly expect: boolean;
  readonly chunked: boolean;
  readonly type: string;
  /** Bytes that are sent. */
  readonly size: number;
}

async function upload(field: Field, { expect, chunked, type, size }: Manner): Promise<void> {
  const wire = await field.open();
  field.sent(1);
  const more = [
    `Content-Type: ${type}`,
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${SIZE}`,
    ...(expect ? ['Expect: 100-continue'] : []),
  ];
  await wire.send(head('POST', '/rest/core/v2/media', `${DISPOSITION}${more.join('\r\n')}\r\n`));
  // Whoever asks first waits for a word, and for no more than a moment if there is none.
  if (expect && (await wire.answers(1, 300))) return wire.cut();
  for (let sent = 0; sent < size; sent += CHUNK.length) {
    const bytes = chunked ? [`${CHUNK.length.toString(16)}\r\n`, CHUNK, '\r\n'] : [CHUNK];
    for (const part of bytes) if (!(await wire.send(part))) break;
    if (wire.isClosed()) break;
  }
  if (chunked && size >= SIZE) await wire.send('0\r\n\r\n');
  await wire.answers(1, size < SIZE ? 300 : 4_000);
  wire.cut();
}

const whole: Manner = { expect: false, chunked: false, type: 'image/png', size: SIZE };

/** Five refusals in a row were once enough to close the whole namespace for everybody. */
async function stranger(field: Field): Promise<void> {
  await Promise.all(Array.from({ length: 6 }, () => upload(field, whole)));
}

async function varied(field: Field): Promise<void> {
  const { dice } = field;
  await upload(field, {
    expect: dice.oneIn(2),
    chunked: dice.oneIn(2),
    type: dice.pick([
      'image/png',
      'application/octet-stream',
      'multipart/form-data; boundary=x',
      'text/plain',
    ]),
    size: dice.oneIn(3) ? dice.between(0, SIZE) : SIZE,
  });
}

export const uploads: readonly Kind[] = [
  { name: 'uploads: 5 MB of a stranger', strike: stranger },
  { name: 'uploads: announced, chunked, cut', strike: varied },
];
