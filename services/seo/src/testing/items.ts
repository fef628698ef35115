/** Objects of a site as their owners tell of them; a test names only what it is about. */
import type { Item, Organizer, Place, SeoSettings } from '../analysis/shape';

export const SITE = 'https://example.org';

export const testItem = (given: Partial<Item> = {}): Item => ({
  objectType: 'post',
  objectSubtype: 'post',
  id: 7,
  status: 'publish',
  isPublic: true,
  hasPassword: false,
  permalink: `${SITE}/2026/11/21/garden/`,
  slug: 'garden',
  titleHtml: 'Garden',
  contentHtml: '<p>We dig.</p>',
  excerptHtml: '',
  language: 'en-US',
  publishedUtc: '2026-11-21T10:00:00Z',
  modifiedUtc: '2026-11-22T11:30:00Z',
  terms: [],
  ancestors: [],
  own: {},
  ...given,
});

export const testPlace = (given: Partial<Place> = {}): Place => ({
  name: 'Town hall',
  url: `${SITE}/venue/town-hall/`,
  address: '1 Market Square',
  city: 'Ghent',
  region: '',
  zip: '9000',
  country: 'BE',
  phone: '+32 9 000 00 00',
  website: 'https://hall.example/',
  latitude: 51.05,
  longitude: 3.72,
  ...given,
});

export const testOrganizer = (given: Partial<Organizer> = {}): Organizer => ({
  name: 'Garden club',
  url: `${SITE}/organizer/garden-club/`,
  phone: '+32 9 111 11 11',
  website: 'https://club.example/',
  email: 'club@example.org',
  ...given,
});

export const testSettings = (given: Partial<SeoSettings> = {}): SeoSettings => ({
  site: {
    title: 'Example',
    tagline: 'A site of examples',
    url: SITE,
    language: 'en-US',
    timezone: 'Europe/Brussels',
  },
  separator: '-',
  titleTemplates: {},
  descriptionTemplates: {},
  noindexed: [],
  isHidden: false,
  publisher: { kind: 'company', name: 'Example Ltd' },
  profiles: [],
  facebookAppId: '',
  twitterName: '',
  newsSitemap: false,
  ...given,
});
