/** Multipart bodies that are none: parts without a name, broken boundaries, half headers, cut anywhere. */
import type { Dice } from '../dice';
import { type Field, type Kind, WRITES, ask, post } from '../kind';

const BOUNDARY = 'x';
const typeOf = (boundary: string): string => `multipart/form-data; boundary=${boundary}`;

/** 62 bytes: the smallest body that once ended a process. */
const NAMELESS = '--x\r\nContent-Disposition: form-data\r\n\r\nvalue\r\n--x--\r\n';

const dispositions = [
  'Content-Disposition: form-data; name="title"',
  'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png',
  'Content-Disposition: form-data; name="file"; filename*=UTF-8\'\'%ff%00.png',
  'Content-Disposition: form-data',
  'Content-Disposition: form-data; name=',
  'Content-Disposition: form-data; name=""',
  'Content-Disposition: form-data; name="a',
  'Content-Disposition: form-data; filename="only.txt"',
  'Content-Disposition: attachment; name="a"',
  'Content-Disposition:',
  'Content-Disposition',
  ': form-data',
  'Content-Type: text/plain',
  'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="b"',
  'Content-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64',
  'Content-Disposition: form-data; name="a"\r\nContent-Type: text/plain; charset=nothing',
  'Content-Disposition: form-data; name="__proto__[x]"',
  'Content-Disposition: form-data; name="a[b][c][d][e][f][g]"',
  `Content-Disposition: form-data; name="${'n'.repeat(9_000)}"`,
  `X-Long: ${'h'.repeat(20_000)}`,
  `Content-Disposition: form-data; name="\u0000\u0001"`,
  '',
];

const breaks = ['\r\n\r\n', '\r\n\r\n', '\r\n\r\n', '\n\n', '\r\n', '\r', ''];
const ends = [`\r\n--x--\r\n`, `\r\n--x--`, '\r\n--x', '\r\n--x-', '\r\n--y--\r\n', '--x--', ''];

function bodyOf(dice: Dice): Buffer {
  const parts = dice.oneIn(15) ? dice.between(500, 3_000) : dice.between(0, 4);
  const text = Array.from(
    { length: parts },
    (_, index) =>
      `${index === 0 && dice.oneIn(8) ? '' : `--${dice.oneIn(10) ? 'y' : BOUNDARY}`}\r\n${dice.pick(dispositions)}${dice.pick(breaks)}${dice.oneIn(6) ? dice.bytes(40).toString('latin1') : 'value'}\r\n`,
  ).join('');
  const whole = Buffer.from(`${text}${dice.pick(ends).replace(/^\r\n/, '')}`, 'latin1');
  return dice.oneIn(3) ? whole.subarray(0, dice.between(0, whole.length)) : whole;
}

const boundaries = [
  BOUNDARY,
  BOUNDARY,
  BOUNDARY,
  BOUNDARY,
  '',
  '"x',
  '"x"',
  'y',
  'b'.repeat(300),
  'x; boundary=y',
];

async function random(field: Field): Promise<void> {
  const { dice } = field;
  for (let n = 0; n < 12; n++) {
    const body = bodyOf(dice);
    const path = dice.pick(WRITES);
    // One byte more than there is: the end comes by the close of the connection.
    const short = dice.oneIn(6);
    const start = post(path, typeOf(dice.pick(boundaries)), body.length + (short ? 1 : 0));
    if (!short) {
      const wire = await ask(field, start, body);
      wire.cut();
      continue;
    }
    const wire = await field.open();
    field.sent(1);
    await wire.send(start);
    await wire.send(body);
    if (dice.oneIn(2)) wire.end();
    await wire.answers(1, 300);
    wire.cut();
  }
}

async function nameless(field: Field): Promise<void> {
  for (const path of WRITES) {
    const wire = await ask(field, post(path, typeOf(BOUNDARY), NAMELESS.length), NAMELESS);
    wire.cut();
  }
}

async function countless(field: Field): Promise<void> {
  const part = '--x\r\nContent-Disposition: form-data; name="a[]"; filename="f"\r\n\r\n\r\n';
  const body = Buffer.from(`${part.repeat(field.dice.between(2_000, 14_000))}--x--\r\n`);
  await ask(field, post(field.dice.pick(WRITES), typeOf(BOUNDARY), body.length), body);
}

export const multipart: readonly Kind[] = [
  { name: 'multipart: parts without a name', strike: nameless },
  { name: 'multipart: cut and broken', strike: random },
  { name: 'multipart: thousands of parts', strike: countless },
];
