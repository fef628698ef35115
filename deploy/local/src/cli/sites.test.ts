/** What a command is given of the site that runs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findSite } from './sites';

test('services are opened on the clock that the running ones were given, and with their settings', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'site-'));
  try {
    const secretsFile = path.join(folder, 'secrets.json');
    await writeFile(secretsFile, '{}');
    const run = {
      secretsFile,
      siteUrl: 'http://site.test',
      timezone: 'Asia/Tokyo',
      databases: { content: 'postgres://nowhere' },
      services: {},
      uploadsDir: '',
      filesDir: '',
    };
    await writeFile(path.join(folder, 'run.json'), JSON.stringify(run));
    expect(findSite({ DATA_DIR: folder }).env('content')).toMatchObject({ SITE_TIMEZONE: 'Asia/Tokyo' });
    // What commands write hangs on these as much as what processes do.
    const set = {
      IMPORT_INTERVAL: '60',
      SPAM_DAYS: '3',
      WEBHOOK_GIVE_UP_HOURS: '2',
      WEBHOOK_ROTATION_HOURS: '1',
      WEBHOOK_TIMEOUT_MS: '1000',
    };
    expect(findSite({ DATA_DIR: folder, ...set }).env('content')).toMatchObject(set);
  } finally {
    await rm(folder, { recursive: true });
  }
});
