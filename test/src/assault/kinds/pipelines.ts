/** Many requests on one connection at once, read, half read, or never read. */
import { type Field, type Kind, READS, WRITES, get, head, post } from '../kind';
import type { Wire } from '../wire';

const repeated = (request: string, depth: number): Buffer => Buffer.from(request.repeat(depth));

/** 140 reads, and gone without having read one answer. */
async function unread(field: Field): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const wire = await field.open({ reading: false });
    field.sent(140);
    await wire.send(repeated(get(field.dice.pick(READS)), 140));
    await field.pause(field.dice.between(0, 200));
    if (field.dice.oneIn(2)) wire.cut();
    else wire.reset();
  }
}

/** A megabyte of heads behind one request. */
async function heads(field: Field): Promise<void> {
  const wire = await field.open({ reading: field.dice.oneIn(2) });
  field.sent(40);
  await wire.send(repeated(get(field.dice.pick(READS), `X: ${'x'.repeat(28_000)}\r\n`), 40));
  await leave(field, wire, 40);
}

/** 52 kB of requests for the dearest answer. */
async function indexes(field: Field): Promise<void> {
  const wire = await field.open({ reading: field.dice.oneIn(3) });
  field.sent(1_300);
  await wire.send(repeated('GET /rest/?_pretty HTTP/1.1\r\nHost: x\r\n\r\n', 1_300));
  await field.pause(field.dice.between(200, 1_500));
  wire.cut();
}

async function mixed(field: Field): Promise<void> {
  const { dice } = field;
  const depth = dice.pick([1, 2, 5, 16, 60, 250, 1_000, 2_000]);
  const one = (): string => {
    if (dice.oneIn(8)) return `${post(dice.pick(WRITES), 'application/json', 2)}{}`;
    if (dice.oneIn(8)) return head(dice.pick(['HEAD', 'OPTIONS', 'DELETE', 'TRACE']), dice.pick(READS), '');
    return get(dice.pick(READS));
  };
  const requests = Array.from({ length: depth }, one).join('');
  const cutAt = dice.oneIn(4) ? dice.between(1, requests.length) : requests.length;
  const wire = await field.open({ reading: dice.oneIn(2) });
  field.sent(depth);
  await wire.send(requests.slice(0, cutAt));
  await leave(field, wire, depth);
}

/** Each way to go: at once, after some answers, after half a close, after nothing was read for a while. */
async function leave(field: Field, wire: Wire, depth: number): Promise<void> {
  const { dice } = field;
  const way = dice.between(1, 5);
  if (way === 1) return wire.cut();
  if (way === 2) await wire.answers(dice.between(1, depth), 2_000);
  if (way === 3) wire.end();
  if (way === 4) wire.stall();
  await wire.closed(dice.between(100, 2_000));
  if (dice.oneIn(2)) wire.reset();
  else wire.cut();
}

/** The same read many times, each answer taken: all of them must come, in a connection that goes on. */
async function patient(field: Field): Promise<void> {
  const depth = field.dice.between(2, 40);
  const wire = await field.open();
  field.sent(depth);
  await wire.send(repeated(get(field.dice.pick(READS)), depth));
  await wire.answers(depth);
  wire.cut();
}

export const pipelines: readonly Kind[] = [
  { name: 'pipeline: 140 reads, closed unread', strike: unread },
  { name: 'pipeline: 1,300 indexes', strike: indexes },
  { name: 'pipeline: 40 of the largest heads', strike: heads },
  { name: 'pipeline: mixed, 1 to 2,000 deep', strike: mixed },
  { name: 'pipeline: read to the end', strike: patient },
];
