/** Connections that end where nobody expects it, or not at all: cut, half closed, opened for nothing. */
import { type Field, type Kind, READS, WRITES, get, post } from '../kind';

/** Cut at any byte of the request, or as soon as some of the answer is there. */
async function early(field: Field): Promise<void> {
  const { dice } = field;
  for (let n = 0; n < 25; n++) {
    const wire = await field.open();
    const body = 'a=1&'.repeat(dice.between(1, 2_000));
    const request = dice.oneIn(2)
      ? get(dice.pick(READS))
      : post(dice.pick(WRITES), 'application/x-www-form-urlencoded', body.length) + body;
    field.sent(1);
    await wire.send(request.slice(0, dice.oneIn(2) ? dice.between(0, request.length) : request.length));
    if (dice.oneIn(2)) await wire.answers(1, dice.between(1, 100));
    if (dice.oneIn(2)) wire.cut();
    else wire.reset();
  }
}

/** Says that nothing more will come and reads on: an answer must come, or the end. */
async function half(field: Field): Promise<void> {
  const { dice } = field;
  for (let n = 0; n < 8; n++) {
    const wire = await field.open();
    field.sent(1);
    const announced = dice.between(10, 5_000);
    await wire.send(
      dice.oneIn(2)
        ? get(dice.pick(READS))
        : `${post(dice.pick(WRITES), 'application/json', announced)}${'{'.repeat(dice.between(0, 9))}`,
    );
    wire.end();
    await wire.answers(1, 3_000);
    wire.cut();
  }
}

/** Open, say nothing or half a line, stay for a while, and vanish all together. */
async function silent(field: Field): Promise<void> {
  const wires = await Promise.all(
    Array.from({ length: field.dice.between(50, 250) }, () => field.open({ reading: false })),
  );
  for (const wire of wires) if (field.dice.oneIn(3)) void wire.send(get('/rest/').slice(0, 20));
  await field.pause(field.dice.between(500, 2_500));
  for (const wire of wires) wire.cut();
}

export const endings: readonly Kind[] = [
  { name: 'endings: cut anywhere', strike: early },
  { name: 'endings: half closed', strike: half },
  { name: 'endings: opened and silent', strike: silent },
];
