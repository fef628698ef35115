/** What a restore leaves in the data folder of a site that had no files yet. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { testServers } from '@sevenfold/chassis/testing/servers';
import { readSettings } from '../settings';
import { temporaryFolder } from '../test-support';
import { writeArchive } from './archive';
import { holdFolders } from './files';
import { newManifest } from './manifest';
import { restore } from './restore';

const folder = temporaryFolder();

test('the folders of files are there again, empty ones too: the next backup asks for both', async () => {
  const [file, dataDir] = [path.join(folder, 'site.bak'), path.join(folder, 'data')];
  await writeArchive(file, undefined, async (writer) => {
    await writer.add('manifest.json', newManifest({ siteUrl: '', buckets: [], databases: {} }));
    await writer.add('secrets.json', { databasePasswords: {} });
  });
  const env = { DATA_DIR: dataDir, DATABASE_URL: testServers().adminUrl, DATABASE_PREFIX: 'restored_empty_' };
  await restore({ settings: readSettings(env), env, file });
  expect(readdirSync(dataDir).sort()).toEqual(['files', 'secrets.json', 'uploads']);
  const [uploads, files] = ['uploads', 'files'].map((name) => path.join(dataDir, name)) as [string, string];
  const held = await holdFolders(dataDir, { uploads, files });
  await held.release();
});
