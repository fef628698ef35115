/** The benchmark leaves no resource out, so that none gets slow unseen. */
import { rows } from '../load/rows';
import { declared } from '../support/site';

/** Answer 501 so far, or only to import services' own reports. */
const NOT_READ = ['oembed', 'forms', 'seo', 'imports'];

test('each resource that can be read has a row of the benchmark', () => {
  const measured = new Set(rows.map(({ resource }) => resource));
  const readable = declared
    .filter(({ row }) => !NOT_READ.includes(row.name))
    .flatMap(({ definition }) =>
      definition.resources
        .filter(({ routes }) => routes.some(({ methods }) => methods.includes('GET')))
        .map(({ name }) => `${definition.namespace} ${name}`),
    );
  expect(readable.length).toBeGreaterThan(15);
  expect(readable.filter((name) => !measured.has(name))).toEqual([]);
});

test('no two rows have one name', () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
