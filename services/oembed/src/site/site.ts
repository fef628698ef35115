/** What the site says of itself. Remembered for some seconds, and for as long as the content service is away. */
import { type Seen, openSeen } from '@sevenfold/chassis/news/seen';
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Neighbours } from './neighbours';

const FRESH_MS = 5_000;

export interface Site {
  readonly name: string;
  /** As HTML has it: `en-US`. */
  readonly language: string;
}

/** `seen` notes since when. */
export type AskSite = (seen?: Seen) => Promise<Site>;

/** Until it was told once, the site is named by its host. */
export function openSite({ settings }: Pick<Neighbours, 'settings'>, siteUrl: string): AskSite {
  let known: Site = { name: new URL(siteUrl).host, language: 'en' };
  /** Of the news, when it was told: whoever keeps something with it learns that it is older than what he knows. */
  let knownSince = openSeen();
  let until = 0;
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    try {
      const seen = openSeen();
      known = toSite(await settings.getSettings({}, { seen }), known);
      knownSince = seen;
      until = Date.now() + FRESH_MS;
    } catch {
      // The next one asks again.
    } finally {
      asking = undefined;
    }
  };
  return async (seen) => {
    if (Date.now() >= until) {
      asking ??= ask();
      // Nobody waits for what is known, only a little old.
      if (until === 0) await asking;
    }
    // Until it was told once, nobody knows how old the name is.
    if (until === 0) seen?.note('content', undefined);
    else seen?.add(knownSince);
    return known;
  };
}

const toSite = ({ title, language }: Settings, before: Site): Site => ({
  name: title === '' ? before.name : title,
  language: language === '' ? 'en' : language.replaceAll('_', '-'),
});
