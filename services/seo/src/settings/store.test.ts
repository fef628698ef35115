/** What is told of a change, so that others keep what they have where there was none. */
import { newsDuring } from '@sevenfold/chassis/testing/news-during';
import { type TestService } from '@sevenfold/chassis/testing/service';
import type { Site } from '../analysis/shape';
import type { Deps } from '../deps';
import { administrator, startSeo } from '../testing/service';
import * as store from './store';

let site: TestService<Deps>;
beforeAll(async () => {
  site = await startSeo();
});
afterAll(() => site.stop());

const facts: Site = {
  title: 'Ferries',
  tagline: '',
  url: 'http://site.test',
  language: 'en-US',
  timezone: 'UTC',
};
const know = (now: Site): Promise<boolean> => site.deps.db.transaction((tx) => store.keepSite(tx, now));

test('what the site says of itself is news where it is something else than before', async () => {
  const { db } = site.deps;
  expect(await newsDuring(db, () => know(facts))).toEqual(['*']);
  expect(await newsDuring(db, () => know(facts))).toEqual([]);
  expect(await newsDuring(db, () => know({ ...facts, title: 'Boats' }))).toEqual(['*']);
});

test('so are settings', async () => {
  const configure = (): Promise<unknown> =>
    site.as(administrator).post('/configurator', { siteName: 'Ferry' });
  expect(await newsDuring(site.deps.db, configure)).toEqual(['*']);
  expect(await newsDuring(site.deps.db, configure)).toEqual([]);
});
