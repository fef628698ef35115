/** Separators by the million, in every place that is split: bodies of forms, queries, JSON, headers of types. */
import { type Field, type Kind, READS, WRITES, ask, get, post } from '../kind';

/** What fits into the largest body that is taken. */
const MOST = 1024 * 1024 - 16;
const UNITS = [
  '&',
  '[',
  ';',
  '=',
  '%',
  '%5B',
  'a[]=&',
  'a=&',
  '[]&',
  'a[b]&',
  '&=',
  '+',
  '\u0000',
  ',',
  '&a[0]=1',
];

async function forms(field: Field): Promise<void> {
  const unit = field.dice.pick(UNITS);
  const body = unit.repeat(Math.floor(MOST / Buffer.byteLength(unit)));
  const wire = await ask(
    field,
    post(field.dice.pick(WRITES), 'application/x-www-form-urlencoded', Buffer.byteLength(body)),
    body,
  );
  wire.cut();
}

async function ampersands(field: Field): Promise<void> {
  const body = '&'.repeat(1_000_000);
  const wires = await Promise.all(
    [field.dice.pick(WRITES), field.dice.pick(WRITES)].map((path) =>
      ask(field, post(path, 'application/x-www-form-urlencoded', body.length), body),
    ),
  );
  for (const wire of wires) wire.cut();
}

async function json(field: Field): Promise<void> {
  const { dice } = field;
  const body = dice.pick([
    () => '['.repeat(MOST),
    () => '['.repeat(MOST / 2) + ']'.repeat(MOST / 2),
    () => '{"a":'.repeat(MOST / 5),
    () => `{"a":[${'[],'.repeat(MOST / 4)}1]}`,
    () => `{${Array.from({ length: 80_000 }, (_, n) => `"k${n}":1`).join(',')}}`,
    () => `{"content":"${'\\u0000'.repeat(MOST / 7)}"}`,
    () => `{"meta":{${'"__proto__":{},'.repeat(MOST / 17)}"a":1}}`,
    () => `{"slug":"${'-'.repeat(MOST - 20)}"}`,
    () => `{"content":"${'<'.repeat(MOST - 20)}"}`,
  ])();
  const wire = await ask(field, post(dice.pick(WRITES), 'application/json', body.length), body);
  wire.cut();
}

/** As long as a request line may be, and longer. */
async function queries(field: Field): Promise<void> {
  const { dice } = field;
  for (let n = 0; n < 4; n++) {
    const unit = dice.pick(UNITS.filter((one) => one !== '\u0000'));
    const size = dice.pick([1_000, 8_000, 15_000, 31_000, 100_000]);
    const wire = await ask(
      field,
      get(`${dice.pick(READS).split('?')[0]}?${unit.repeat(size / unit.length)}`),
    );
    wire.cut();
  }
}

/** More than is taken: refused while it still comes. */
async function tooLong(field: Field): Promise<void> {
  const wire = await field.open();
  field.sent(1);
  const chunk = Buffer.alloc(64 * 1024, '&');
  await wire.send(post(field.dice.pick(WRITES), 'application/x-www-form-urlencoded', 3 * 1024 * 1024));
  for (let n = 0; n < 48 && (await wire.send(chunk)); n++);
  await wire.answers(1, 3_000);
  wire.cut();
}

export const separators: readonly Kind[] = [
  { name: 'separators: a million ampersands', strike: ampersands },
  { name: 'separators: forms', strike: forms },
  { name: 'separators: JSON', strike: json },
  { name: 'separators: queries', strike: queries },
  { name: 'separators: larger than is taken', strike: tooLong },
];
