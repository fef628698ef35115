/** Wrong credentials, from sixty connections at once: of one address, and of many. */
import { type Field, type Kind, ask, get } from '../kind';

const basic = (name: string, password: string): string =>
  `Authorization: Basic ${Buffer.from(`${name}:${password}`).toString('base64')}\r\n`;

async function guess(field: Field, from: () => string | undefined): Promise<void> {
  const { dice } = field;
  await Promise.all(
    Array.from({ length: 60 }, async () => {
      const wire = await field.open({ from: from() });
      const name = dice.oneIn(2) ? 'admin' : `nobody${dice.between(1, 1_000)}`;
      field.sent(1);
      await wire.send(get('/rest/core/v2/users/me', basic(name, `wrong ${dice.between(1, 1e9)}`)));
      await wire.answers(1);
      wire.cut();
    }),
  );
}

const broken = [
  'Basic',
  'Basic ',
  'Basic !!!!',
  'Basic Og==',
  'Basic YWRtaW4=',
  `Basic ${Buffer.from(`admin:${'p'.repeat(15_000)}`).toString('base64')}`,
  `Basic ${Buffer.from('a\u0000b:c\u0000d').toString('base64')}`,
  'Bearer x',
  `Bearer ${'.'.repeat(20_000)}`,
  'Digest username="admin"',
  ','.repeat(5_000),
];

async function malformed(field: Field): Promise<void> {
  for (const value of broken) {
    const wire = await ask(
      field,
      get('/rest/core/v2/posts', `Authorization: ${value}\r\nX-Sevenfold-Actor: ${value.slice(0, 9)}.x\r\n`),
    );
    wire.cut();
  }
}

export const passwords: readonly Kind[] = [
  // Who asks for more checks than there is room for may be told to come later.
  {
    name: 'passwords: 60 connections of one address',
    mayGet: [503],
    strike: (field) => {
      const one = field.address();
      return guess(field, () => one);
    },
  },
  {
    name: 'passwords: 60 connections of as many addresses',
    mayGet: [503],
    strike: (field) => guess(field, () => field.address()),
  },
  { name: 'passwords: headers that are none', mayGet: [503], strike: malformed },
];
