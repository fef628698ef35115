/** The settings in memory. Every process keeps a copy and drops it when PostgreSQL says that a commit changed them. */
import { createHash } from 'node:crypto';
import type { Db } from '@sevenfold/chassis/db/sql';
import { ANALYSIS_VERSION, type SeoSettings, type Site } from '../analysis/shape';
import type { Config } from '../config';
import { answerOf, answersIn } from '../configurations/derive';
import type { SeoMemory } from '../memory';
import * as store from './store';

export interface Current {
  readonly settings: SeoSettings;
  /** All that was saved, what analysis does not read as well. */
  readonly saved: store.Saved['own'];
  /** What is made by these settings and rules carries it. */
  readonly madeFor: string;
}

export type SettingsCache = () => Promise<Current>;

const defaults: store.OwnSettings = {
  separator: '-',
  titleTemplates: {},
  descriptionTemplates: {},
  noindexed: [],
  isHidden: false,
  publisher: { kind: 'company', name: '' },
  profiles: [],
  facebookAppId: '',
  twitterName: '',
  newsSitemap: false,
};

export function openSettings(db: Db, memory: SeoMemory, config: Pick<Config, 'SITE_URL'>): SettingsCache {
  const copy = memory.cache<Current>(['settings'], { lifetimeMs: 60_000, most: 1 });
  return () => copy.get('', () => read(db, config));
}

/** As they are in the database now. */
export async function read(db: Db, { SITE_URL: url }: Pick<Config, 'SITE_URL'>): Promise<Current> {
  const { site, own } = await store.read(db);
  const chosen = Object.fromEntries(Object.entries(own).filter(([name]) => name in defaults));
  // Until the content service has told them.
  const unknown: Site = { title: '', tagline: '', url, language: 'en-US', timezone: 'UTC' };
  const known = site ?? unknown;
  const title = answerOf(answersIn(own), 'siteName') || known.title;
  const settings: SeoSettings = { ...defaults, ...chosen, site: { ...known, title, url } };
  return { settings, saved: own, madeFor: digestOf(settings) };
}

const digestOf = (settings: SeoSettings): string =>
  createHash('sha256')
    .update(JSON.stringify([ANALYSIS_VERSION, settings]))
    .digest('base64url')
    .slice(0, 16);
