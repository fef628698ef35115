/**
 * The fields of the wizard as one table: how each is shown, what it takes, what it is unless somebody answered. What the
 * answers mean for the site is derive.ts.
 */
import { type Choices, type Reader, account, address, digits, line, oneOf, paths } from './values';

type ComponentName =
  'Choice' | 'ConfigurationChoices' | 'FinalStep' | 'HTML' | 'Input' | 'MediaUpload' | 'Suggestions';

export interface Field {
  readonly componentName: ComponentName;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Shown only where another field has this value. */
  readonly requires?: { readonly field: string; readonly value: string };
  /** Absent: it only shows something. */
  readonly answer?: { readonly read: Reader; readonly unless: string };
}

const choice = (label: string, choices: Choices, unless: string, requires?: Field['requires']): Field => ({
  componentName: 'Choice',
  properties: { label, choices },
  ...(requires && { requires }),
  answer: { read: oneOf(choices), unless },
});
const input = (
  label: string,
  read: Reader,
  {
    requires,
    unless = '',
    ...shown
  }: { requires?: Field['requires']; unless?: string } & Record<string, unknown> = {},
): Field => ({
  componentName: 'Input',
  properties: { label, ...shown },
  ...(requires && { requires }),
  answer: { read, unless },
});
const html = (text: string): Field => ({ componentName: 'HTML', properties: { html: text } });

const yesNo = { true: { label: 'Yes' }, false: { label: 'No' } };

/** Kinds of what search engines may be told to leave out, by subtype; what the wizard calls them. */
export const kinds = {
  post: { field: 'Post', label: 'posts' },
  page: { field: 'Page', label: 'pages' },
  attachment: { field: 'Attachment', label: 'files of the media library' },
  event: { field: 'Event', label: 'events' },
  venue: { field: 'Venue', label: 'venues' },
  organizer: { field: 'Organizer', label: 'organizers' },
  category: { field: 'Category', label: 'categories' },
  post_tag: { field: 'Tag', label: 'tags' },
  calendar_events_cat: { field: 'EventCategory', label: 'categories of events' },
} as const;
export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

/** Kinds that have templates of their own. */
export const templated = {
  ...kinds,
  user: { field: 'Author', label: 'authors' },
  home: { field: 'Home', label: 'the home page' },
} as const;
export const templatedNames = Object.keys(templated) as (keyof typeof templated)[];

export const visibilityField = (kind: Kind): string => `postType${kinds[kind].field}`;
export const titleField = (kind: keyof typeof templated): string => `titleTemplate${templated[kind].field}`;
export const descriptionField = (kind: keyof typeof templated): string =>
  `descriptionTemplate${templated[kind].field}`;

/** What stands between the parts of titles, by the names that clients know. */
export const separators: Readonly<Record<string, string>> = {
  'sc-dash': '-',
  'sc-ndash': '–',
  'sc-mdash': '—',
  'sc-colon': ':',
  'sc-middot': '·',
  'sc-bull': '•',
  'sc-star': '*',
  'sc-smstar': '⋆',
  'sc-pipe': '|',
  'sc-tilde': '~',
  'sc-laquo': '«',
  'sc-raquo': '»',
  'sc-lt': '<',
  'sc-gt': '>',
};

/** The publisher's pages elsewhere. */
export const networks = [
  'Facebook',
  'Twitter',
  'Instagram',
  'LinkedIn',
  'MySpace',
  'Pinterest',
  'YouTube',
  'Wikipedia',
] as const;

const company = { field: 'publishingEntityType', value: 'company' };
const person = { field: 'publishingEntityType', value: 'person' };

const LONGEST_NAME = 200;
const LONGEST_TEMPLATE = 500;

export const fields: Readonly<Record<string, Field>> = {
  configurationChoices: {
    componentName: 'ConfigurationChoices',
    properties: { label: 'What search engines and other sites are told of this one is settled here.' },
  },
  environment_type: choice(
    'Is the site ready for visitors? Search engines are told to stay away from one that is not.',
    {
      production: { label: 'Yes, it is live and to be found' },
      staging: { label: 'No, it is a copy for trying things out' },
      development: { label: 'No, it is being built' },
    },
    'production',
  ),
  siteType: choice(
    'What kind of site is it?',
    {
      blog: { label: 'Blog' },
      shop: { label: 'Shop' },
      news: { label: 'News' },
      smallBusiness: { label: 'Small business' },
      corporateOther: { label: 'Other site of an organization' },
      personalOther: { label: 'Other site of a person' },
    },
    'blog',
  ),
  publishingEntity: html('<p>Who publishes the site is told to search engines as structured data.</p>'),
  publishingEntityType: choice(
    'Who publishes the site?',
    { company: { label: 'An organization' }, person: { label: 'A person' } },
    'company',
  ),
  publishingEntityCompanyName: input('Name of the organization', line(LONGEST_NAME), { requires: company }),
  publishingEntityCompanyLogo: {
    componentName: 'MediaUpload',
    properties: { label: 'Logo of the organization' },
    requires: company,
    answer: { read: address, unless: '' },
  },
  publishingEntityPersonName: input('Name of the person', line(LONGEST_NAME), { requires: person }),
  ...Object.fromEntries(
    networks.map((network) => [
      `profileUrl${network}`,
      network === 'Twitter'
        ? input('Account on Twitter, or its address', account)
        : input(`Address of the profile on ${network}`, address, { pattern: '^https?://' }),
    ]),
  ),
  facebookAppId: input('Number of the application on Facebook', digits, { pattern: '^[0-9]*$' }),
  postTypeVisibility: html('<p>What is left out here carries noindex and stands in no sitemap.</p>'),
  ...Object.fromEntries(
    kindNames.map((kind) => [
      visibilityField(kind),
      choice(`Shall search engines show ${kinds[kind].label}?`, yesNo, 'true'),
    ]),
  ),
  multipleAuthors: choice('Does the site have more than one author, with pages of their own?', yesNo, 'true'),
  siteName: input('Name of the site in titles; empty: as in the settings of the site', line(LONGEST_NAME)),
  separator: choice(
    'What stands between the parts of a title?',
    Object.fromEntries(Object.entries(separators).map(([name, label]) => [name, { label }])),
    'sc-dash',
  ),
  ...Object.fromEntries(
    templatedNames.flatMap((kind) => [
      [titleField(kind), input(`Title of ${templated[kind].label}`, line(LONGEST_TEMPLATE))],
      [descriptionField(kind), input(`Description of ${templated[kind].label}`, line(LONGEST_TEMPLATE))],
    ]),
  ),
  newsSitemap: choice('Shall posts of the last two days be told in a sitemap of news?', yesNo, 'false'),
  disallowedPaths: input('Paths that crawlers shall leave alone, one a line', paths, { multiline: true }),
  suggestions: {
    componentName: 'Suggestions',
    properties: { suggestions: [{ title: 'Give each post a focus keyword, so that it can be scored.' }] },
  },
  successMessage: {
    componentName: 'FinalStep',
    properties: { title: 'All is set.', message: '<p>The index follows within moments.</p>' },
  },
};

export interface Step {
  readonly title: string;
  readonly fields: readonly string[];
  readonly hideNavigation?: true;
  readonly fullWidth?: true;
}

export const steps: Readonly<Record<string, Step>> = {
  welcome: { title: 'Welcome', fields: ['configurationChoices'], hideNavigation: true, fullWidth: true },
  environment_type: { title: 'Environment', fields: ['environment_type'] },
  siteType: { title: 'Kind of site', fields: ['siteType'] },
  publishingEntity: {
    title: 'Publisher',
    fields: [
      'publishingEntity',
      'publishingEntityType',
      'publishingEntityCompanyName',
      'publishingEntityCompanyLogo',
      'publishingEntityPersonName',
    ],
  },
  profileUrls: {
    title: 'Profiles',
    fields: [...networks.map((name) => `profileUrl${name}`), 'facebookAppId'],
  },
  postTypeVisibility: {
    title: 'What is shown',
    fields: ['postTypeVisibility', ...kindNames.map(visibilityField)],
  },
  multipleAuthors: { title: 'Authors', fields: ['multipleAuthors'] },
  titleTemplate: {
    title: 'Titles',
    fields: [
      'siteName',
      'separator',
      ...templatedNames.flatMap((kind) => [titleField(kind), descriptionField(kind)]),
    ],
  },
  crawlers: { title: 'Crawlers', fields: ['newsSitemap', 'disallowedPaths'] },
  success: {
    title: 'Done',
    fields: ['suggestions', 'successMessage'],
    hideNavigation: true,
    fullWidth: true,
  },
};
