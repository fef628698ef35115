/**
 * Titles and descriptions from templates. A template is text with variables, `%%title%% %%sep%% %%sitename%%`; parts
 * between `%%sep%%` that come out empty, or again, leave their separator out. Values are never read for variables.
 */
import { dayInWords } from './dates';
import { cutText, type Facts, LONGEST_DESCRIPTION, LONGEST_NAME } from './facts';
import { wordsOf } from './languages';
import type { Place } from './shape';

const PLAIN = '%%title%% %%page%% %%sep%% %%sitename%%';

/** By subtype; every other one is a taxonomy. */
const TITLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    home: '%%sitename%% %%page%% %%sep%% %%sitedesc%%',
    post: PLAIN,
    page: PLAIN,
    attachment: PLAIN,
    event: '%%title%% %%sep%% %%event_date%% %%sep%% %%sitename%%',
    venue: PLAIN,
    organizer: PLAIN,
    user: PLAIN,
    search: '%%searchphrase%% %%sep%% %%label%% %%page%% %%sep%% %%sitename%%',
    404: '%%label%% %%sep%% %%sitename%%',
  }),
);

const DESCRIPTIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    home: '%%sitedesc%%',
    event: '%%excerpt%%',
    search: '',
    404: '',
  }),
);

/** What stands in where a description comes out empty. */
const FALLBACKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    attachment: '%%caption%%',
    event: '%%event_date%% %%sep%% %%venue%% %%sep%% %%city%%',
    venue: '%%address%% %%sep%% %%city%%',
  }),
);

type Value = (facts: Facts) => string;

/** Every variable that there is. */
const VARIABLES: ReadonlyMap<string, Value> = new Map(
  Object.entries({
    title: ({ name }) => name,
    excerpt: ({ excerpt }) => excerpt,
    excerpt_only: ({ summary }) => summary,
    sitename: ({ settings }) => settings.site.title,
    sitedesc: ({ settings }) => settings.site.tagline,
    id: ({ item }) => (item.id > 0 ? String(item.id) : ''),
    slug: ({ item }) => item.slug,
    name: ({ item, name }) => item.author?.name ?? (item.objectType === 'user' ? name : ''),
    parent_title: ({ item }) => item.ancestors.at(-1)?.name ?? '',
    term_title: ({ item, name }) => (item.objectType === 'term' ? name : ''),
    category: ({ item }) => namesOf(item.terms, isCategory),
    primary_category: ({ item }) => item.terms.find(isCategory)?.name ?? '',
    tag: ({ item }) => namesOf(item.terms, (term) => !isCategory(term)),
    caption: ({ item }) => item.image?.alt ?? '',
    focuskw: ({ item }) => item.own.focusKeyword ?? '',
    date: (facts) => siteDay(facts, facts.item.publishedUtc),
    modified: (facts) => siteDay(facts, facts.item.modifiedUtc),
    page: (facts) => (pageOf(facts) > 1 ? pageWords(facts) : ''),
    pagenumber: (facts) => String(pageOf(facts)),
    searchphrase: ({ item, name }) => (item.objectSubtype === 'search' ? name : ''),
    label: ({ item, language }) =>
      item.objectSubtype === 'search' ? wordsOf(language).search : wordsOf(language).missing,
    event_date: eventDays,
    venue: ({ item }) => item.event?.places[0]?.name ?? item.place?.name ?? '',
    address: ({ item }) => placeOf(item)?.address ?? '',
    city: ({ item }) => placeOf(item)?.city ?? '',
    organizer: ({ item }) => item.event?.organizers.map(({ name }) => name).join(', ') ?? '',
    cost: ({ item }) => item.event?.cost ?? '',
  }),
);

export const VARIABLE_NAMES: readonly string[] = ['sep', ...VARIABLES.keys()];

export function titleOf(facts: Facts): string {
  const { item, settings } = facts;
  const subtype = item.objectSubtype;
  const template = chosen(settings.titleTemplates, subtype) ?? TITLES.get(subtype) ?? PLAIN;
  return cutText(ownTitle(facts) ?? (fill(template, facts) || facts.name), LONGEST_NAME);
}

/** Later pages of a list say which they are: no two pages have one title. */
function ownTitle(facts: Facts): string | undefined {
  const { title = '' } = facts.item.own;
  const own = fill(title, facts);
  if (own === '') return undefined;
  return pageOf(facts) === 1 || NAMES_PAGE.test(title) ? own : `${own} ${pageWords(facts)}`;
}

const NAMES_PAGE = /%%page(?:number)?%%/;

export function descriptionOf(facts: Facts): string {
  const { item, settings } = facts;
  const own = item.own.description;
  if (own !== undefined) return cutText(own, LONGEST_DESCRIPTION);
  if (item.hasPassword) return '';
  const subtype = item.objectSubtype;
  const template =
    chosen(settings.descriptionTemplates, subtype) ?? DESCRIPTIONS.get(subtype) ?? '%%excerpt%%';
  return cutText(fill(template, facts) || fill(FALLBACKS.get(subtype) ?? '', facts), LONGEST_DESCRIPTION);
}

const VARIABLE = /%%([a-z_]{1,40})%%/g;

export function fill(template: string, facts: Facts): string {
  const parts = template.split('%%sep%%').map((part) =>
    part
      .replace(VARIABLE, (_, name: string) => VARIABLES.get(name)?.(facts) ?? '')
      .replace(/\s+/g, ' ')
      .trim(),
  );
  return [...new Set(parts)].filter((part) => part !== '').join(` ${facts.settings.separator} `);
}

const chosen = (templates: Readonly<Record<string, string>>, subtype: string): string | undefined =>
  Object.hasOwn(templates, subtype) ? templates[subtype] : undefined;

interface Named {
  readonly name: string;
  readonly taxonomy: string;
}

const isCategory = ({ taxonomy }: Named): boolean => taxonomy !== 'post_tag';

const namesOf = (terms: readonly Named[], which: (term: Named) => boolean): string =>
  terms
    .filter(which)
    .map(({ name }) => name)
    .join(', ');

const placeOf = (item: Facts['item']): Place | undefined => item.event?.places[0] ?? item.place;

const pageOf = ({ item }: Facts): number => Math.max(1, Math.trunc(item.page ?? 1));

const pageWords = (facts: Facts): string => `${wordsOf(facts.language).page} ${pageOf(facts)}`;

const siteDay = ({ settings, language }: Facts, utc: string): string =>
  dayInWords(utc, language, settings.site.timezone);

function eventDays({ item, language }: Facts): string {
  const { event } = item;
  if (!event) return '';
  const days = [event.startUtc, event.endUtc].map((utc) => dayInWords(utc, language, event.timezone));
  return [...new Set(days)].filter((day) => day !== '').join(' – ');
}
