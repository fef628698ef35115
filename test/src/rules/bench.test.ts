/** The benchmark leaves no resource out, so that none gets slow unseen. */
import { readable, rows } from '../load/rows';

test('each resource that can be read has a row of the benchmark, its own or by what it declares', () => {
  const measured = new Set(rows.map(({ resource }) => resource));
  expect(readable.length).toBeGreaterThan(15);
  // What has no collection of its own, such as what hangs on a post, needs a row in the table.
  expect(readable.filter(({ resource }) => !measured.has(resource))).toEqual([]);
});

test('what is derived asks as whoever may, and knows a list', () => {
  const of = (name: string) => readable.find(({ resource }) => resource === name)?.row;
  expect(of('core/v2 settings')).toMatchObject({
    path: '/rest/core/v2/settings',
    signedIn: true,
    byDefault: false,
  });
  expect(of('core/v2 tags')).toMatchObject({ path: '/rest/core/v2/tags', signedIn: false, byDefault: true });
  expect(of('core/v2 revisions')).toBeUndefined();
});

test('no two rows have one name', () => {
  const names = rows.map(({ name }) => name);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});
