/** Sitemaps of texts that show many pictures under long addresses. */
import { type TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { startSeo } from '../testing/service';
import { listEntries } from './store';
import { MOST } from './make';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSeo();
});
afterAll(() => site.stop());

test('of pictures no more is read than a sitemap has room for', async () => {
  await site.deps.db.run(
    `insert into indexables (object_type, object_id, object_subtype, status, is_public, version, made_for, read_no, permalink, images)
     select 'post', id, 'post', 'publish', true, '1', '', 1, 'http://site.test/' || id || '/',
       array(select 'http://site.test/' || id || '-' || n || '.png?' || repeat('&', 1900) from generate_series(1, 20) n)
     from generate_series(1, 500) id`,
  );
  const entries = await listEntries(site.deps.db, { kind: 'post', bucket: 0 }, MOST);
  expect(entries).toHaveLength(500);
  const bytes = entries.flatMap(({ images }) => images).join('').length;
  expect(bytes).toBeLessThanOrEqual(MOST.bytes);
  expect(bytes).toBeGreaterThan(MOST.bytes / 2);
});
