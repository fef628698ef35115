/** Bytes that come one at a time or stop coming, and answers that are taken as slowly or not at all. */
import { type Field, type Kind, READS, WRITES, get, post } from '../kind';

async function trickledHead(field: Field): Promise<void> {
  const wire = await field.open();
  field.sent(1);
  const request = get(field.dice.pick(READS), `X-Slow: ${'s'.repeat(60)}\r\n`);
  for (const byte of request.slice(0, field.dice.between(20, request.length))) {
    if (!(await wire.send(byte))) break;
    await field.pause(20);
  }
  await wire.answers(1, 500);
  wire.cut();
}

const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];

/** A body that comes in drops; most of them never come to their end. */
async function trickledBody(field: Field): Promise<void> {
  const { dice } = field;
  const wires = await Promise.all(Array.from({ length: 10 }, () => field.open()));
  await Promise.all(
    wires.map(async (wire) => {
      field.sent(1);
      await wire.send(post(dice.pick(WRITES), dice.pick(types), 200_000));
      const drop = dice.bytes(dice.between(1, 50));
      for (let n = 0; n < 40 && (await wire.send(drop)); n++) await field.pause(50);
      if (dice.oneIn(2)) wire.reset();
      else wire.cut();
    }),
  );
}

/** A body that begins and then stops; the connection stays. */
async function stalledBody(field: Field): Promise<void> {
  const { dice } = field;
  const wires = await Promise.all(Array.from({ length: dice.between(20, 80) }, () => field.open()));
  for (const wire of wires) {
    field.sent(1);
    await wire.send(post(dice.pick(WRITES), dice.pick(types), 900_000));
    await wire.send(dice.bytes(dice.between(0, 2_000)));
  }
  await field.pause(dice.between(1_000, 5_000));
  for (const wire of wires) wire.cut();
}

/** Large answers, of which a little is taken now and then. */
async function trickledAnswers(field: Field): Promise<void> {
  const { dice } = field;
  const wires = await Promise.all(
    Array.from({ length: dice.between(10, 60) }, () => field.open({ reading: false })),
  );
  for (const wire of wires) {
    const depth = dice.between(1, 30);
    field.sent(depth);
    await wire.send(get(dice.pick(READS.slice(0, 6))).repeat(depth));
  }
  await field.pause(dice.between(200, 1_500));
  for (const wire of wires.slice(wires.length / 2)) wire.read();
  for (let n = 0; n < 10; n++) {
    await field.pause(100);
    for (const wire of wires) wire.stall();
  }
  for (const wire of wires) wire.cut();
}

/** Asked for, never read; long enough that whoever waits for it has to be waited for. */
async function stalledAnswers(field: Field): Promise<void> {
  const { dice } = field;
  const wires = await Promise.all(
    Array.from({ length: dice.between(40, 150) }, () => field.open({ reading: false })),
  );
  const path = dice.pick(READS);
  for (const wire of wires) {
    field.sent(5);
    await wire.send(get(path).repeat(5));
  }
  await field.pause(dice.between(1_000, 4_000));
  for (const wire of wires) wire.reset();
}

export const slowness: readonly Kind[] = [
  { name: 'slow: heads in drops', strike: trickledHead },
  { name: 'slow: bodies in drops', strike: trickledBody },
  { name: 'slow: bodies that stop', strike: stalledBody },
  { name: 'slow: answers taken in drops', strike: trickledAnswers },
  { name: 'slow: answers never taken', strike: stalledAnswers },
];
