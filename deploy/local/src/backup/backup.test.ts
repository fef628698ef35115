import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readSettings } from '../settings';
import { temporaryFolder } from '../test-support';
import { backUp } from './backup';

const dataDir = temporaryFolder();

test('of a site with databases elsewhere it asks for them, and makes none in its folder', async () => {
  writeFileSync(path.join(dataDir, 'secrets.json'), '{}');
  const settings = readSettings({ DATA_DIR: dataDir });
  const file = path.join(dataDir, 'site.backup');
  await expect(backUp({ settings, env: {}, file })).rejects.toThrow(
    `There are no databases in ${dataDir}. Where the site has them on a server of its own, DATABASE_URL has to name it`,
  );
  for (const made of ['postgres', 'site.backup', 'run.json'])
    expect(existsSync(path.join(dataDir, made))).toBe(false);
});
