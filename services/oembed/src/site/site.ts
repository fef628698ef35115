/** What the site says of itself: asked for each answer, and as it was told last while the content service is away. */
import type { Seen } from '@sevenfold/chassis/news/seen';
import type { Settings } from '@sevenfold/proto/gen/sevenfold/content/v1/settings';
import type { Neighbours } from './neighbours';

export interface Site {
  readonly name: string;
  /** As HTML has it: `en-US`. */
  readonly language: string;
}

/** `seen` notes since when; while nobody answers, that this is not known. */
export type AskSite = (seen?: Seen) => Promise<Site>;

/** Without a title, and until it was told once, the site is named by its host. */
export function openSite({ settings }: Pick<Neighbours, 'settings'>, siteUrl: string): AskSite {
  const { host } = new URL(siteUrl);
  let known: Site = { name: host, language: 'en' };
  return async (seen) => {
    try {
      const told = toSite(await settings.getSettings({}, { seen }), host);
      return (known = told);
    } catch {
      return known;
    }
  };
}

const toSite = ({ title, language }: Settings, host: string): Site => ({
  name: title === '' ? host : title,
  language: language === '' ? 'en' : language.replaceAll('_', '-'),
});
