/** What the site says of itself, as it was told last: pages name it also while the content service is away. */
import type { SiteFacts } from '@sevenfold/proto/gen/sevenfold/content/v1/site';
import { isZone } from '@sevenfold/text/dates';

export interface Facts {
  now(): SiteFacts;
  /** What is known from now on. */
  learn(told: SiteFacts | undefined): SiteFacts;
}

export function openFacts(siteUrl: string): Facts {
  const { host } = new URL(siteUrl);
  let known: SiteFacts = { title: host, description: '', language: 'en', timezone: 'UTC', perPage: 10 };
  return {
    now: () => known,
    learn: (told) => {
      if (!told) return known;
      const { title, description, language, timezone, perPage } = told;
      known = {
        // Both are text, as they are kept.
        title: title.trim() || host,
        description,
        // What is no language makes a page that no screen reader can read.
        language: isLanguage(language) ? language : 'en',
        timezone: isZone(timezone) ? timezone : 'UTC',
        perPage,
      };
      return known;
    },
  };
}

function isLanguage(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
