/**
 * Domain events go by one road, the outbox: it remembers what was sent, and sends again what Redis forgets. An event that
 * is put into a stream in any other way would be lost with it.
 */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const sources = ['services', 'gateway'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ts$/.test(name) && !/(^|\/)(dist|node_modules|testing)\/|\.test\.ts$/.test(name))
    .map((name) => ({
      name: `${folder}/${name}`,
      text: readFileSync(path.join(root, folder, name), 'utf8'),
    })),
);
const matches = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found]) => found as string);

test('only the relay writes to streams, and only from the outbox', () => {
  expect(sources.length).toBeGreaterThan(100);
  const writers = sources.filter(({ text }) => /\bxAdd\b|['"`]XADD/i.test(text)).map(({ name }) => name);
  expect(writers).toEqual(['services/chassis/src/queue/relay.ts']);
});

test('rows of the outbox that are news are made by emit alone', () => {
  const makers = sources
    .filter(({ text }) =>
      /insert into outbox[^;`]*?select 'event'|insert into outbox[^;`]*?\(?'event'/.test(text),
    )
    .map(({ name }) => name);
  expect(makers).toEqual(['services/chassis/src/db/outbox.ts']);
});

test('every topic that somebody follows is announced by the service that its name begins with', () => {
  const followed = sources.flatMap(({ text }) => matches(text, /topic: '(\w+\.\w+\.\w+)'/g));
  expect(followed.length).toBeGreaterThan(3);
  for (const topic of new Set(followed)) {
    const service = topic.split('.', 1)[0] as string;
    const announced = sources.some(
      ({ name, text }) =>
        name.startsWith(`services/${service}/`) && text.includes('emit') && text.includes(`'${topic}'`),
    );
    expect([topic, announced]).toEqual([topic, true]);
  }
});
