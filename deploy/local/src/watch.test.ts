/** What a change restarts: whoever runs what was changed. */
import { topology } from './topology';
import { usersOfFolders } from './watch';

const users = usersOfFolders();
const restartedBy = (folder: string): string[] => [...(users.get(folder) ?? [])].sort();
const all = topology.map(({ name }) => name).sort();

test.each(['services/chassis', 'proto'])('%s restarts everybody', (folder) => {
  expect(restartedBy(folder)).toEqual(all);
});

test('what published things have in common restarts those who know some', () => {
  expect(restartedBy('services/publishing')).toEqual(
    all.filter((name) => /^(calendar|content|seo)/.test(name)),
  );
});

test.each(topology.map(({ folder }) => folder))('%s restarts its own processes', (folder) => {
  expect(restartedBy(folder)).toEqual(
    topology
      .filter((one) => one.folder === folder)
      .map(({ name }) => name)
      .sort(),
  );
});
