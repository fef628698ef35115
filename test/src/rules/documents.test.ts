/** What the documents name is there: files, commands, topics and jobs. What only people can check is theirs. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { declared } from '../support/declared';

const root = path.resolve(__dirname, '../../..');
const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

const files = ['services', 'gateway', 'client', 'deploy', 'proto', 'test'].flatMap((folder) =>
  ['', ...readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })]
    .map((name) => path.join(folder, name))
    .filter((name) => !/(^|\/)(dist|node_modules)\//.test(name)),
);
const documents = ['README.md', ...files.filter((name) => /(^|\/)README\.md$/.test(name))];

const all = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, found]) => found as string);

test('the documents are found', () => {
  expect(documents.length).toBeGreaterThan(10);
});

describe.each(documents)('%s', (name) => {
  const text = read(name);

  test('names files and folders that are there', () => {
    const named = all(text, /`((?:[\w.-]+\/)*[\w-]+\.(?:ts|sql|cjs|mjs|md)|(?:[\w-]+\/)+)`/g)
      .map((one) => one.replace(/\/$/, ''))
      // Of the data folder, and of the example that is not to be kept.
      .filter(
        (one) => !(name === 'deploy/local/README.md' && /^\w+$/.test(one)) && !one.includes('bookmarks'),
      );
    expect(named.filter((one) => !files.some((file) => `/${file}`.endsWith(`/${one}`)))).toEqual([]);
  });

  test('names commands that are there', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(all(text, /npm run (?:--silent )?([\w:]+)/g).filter((script) => !(script in scripts))).toEqual([]);
  });
});

describe.each(declared.map((one) => [one.row.name, one] as const))('%s', (service, { definition }) => {
  const text = read(`services/${service}/README.md`);

  test('tells of each of its topics', () => {
    const told = [...text.matchAll(/`(\w+\.\w+)\.(\w+(?:\|\w+)*)`/g)].flatMap(([, thing, verbs]) =>
      (verbs as string).split('|').map((verb) => `${thing as string}.${verb}`),
    );
    const sources = files.filter(
      (name) => name.startsWith(`services/${service}/src/`) && /(?<!\.test)\.ts$/.test(name),
    );
    const topics = sources.flatMap((name) =>
      all(read(name), new RegExp(`'(${service}\\.\\w+\\.\\w+)'`, 'g')),
    );
    expect([...new Set(topics)].filter((topic) => !told.includes(topic))).toEqual([]);
    expect(told.filter((topic) => topic.startsWith(`${service}.`) && !topics.includes(topic))).toEqual([]);
  });

  test('tells of each of its jobs', () => {
    const jobs = (definition.jobs ?? []).map(({ queue, name }) => `\`${queue}/${name}\``);
    expect(jobs.filter((job) => !text.includes(job))).toEqual([]);
  });
});

test('decisions are in the order of their days, one paragraph each', () => {
  const [, , ...entries] = read('services/DECISIONS.md').trim().split('\n\n');
  expect(entries.filter((one) => !/^\*\*\d{4}-\d\d-\d\d — /.test(one) || /\n\*\*20/.test(one))).toEqual([]);
  const heads = entries.map((one) => one.slice(0, one.indexOf('**', 2)));
  expect(heads.filter((head, at) => heads.indexOf(head) !== at)).toEqual([]);
  const days = entries.map((one) => one.slice(2, 12));
  expect(days).toEqual([...days].sort());
});
