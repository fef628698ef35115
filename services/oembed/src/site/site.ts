/** What the site says of itself. Remembered for a minute, and for as long as the content service is away. */
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Neighbours } from './neighbours';

const FRESH_MS = 60_000;

export interface Site {
  readonly name: string;
  /** As HTML has it: `en-US`. */
  readonly language: string;
}

/** Until it was told once, the site is named by its host. */
export function openSite({ settings }: Pick<Neighbours, 'settings'>, siteUrl: string): () => Promise<Site> {
  let known: Site = { name: new URL(siteUrl).host, language: 'en' };
  let until = 0;
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    try {
      known = toSite(await settings.getSettings({}), known);
      until = Date.now() + FRESH_MS;
    } catch {
      // The next one asks again.
    } finally {
      asking = undefined;
    }
  };
  return async () => {
    if (Date.now() >= until) {
      asking ??= ask();
      // Nobody waits for what is known, only a little old.
      if (until === 0) await asking;
    }
    return known;
  };
}

const toSite = ({ title, language }: Settings, before: Site): Site => ({
  name: title === '' ? before.name : title,
  language: language === '' ? 'en' : language.replaceAll('_', '-'),
});
