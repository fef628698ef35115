/**
 * Nodes of the JSON-LD graph that several kinds of pages have. Nodes name each other by `@id`: an address with a
 * fragment that says what it is, the same on every page that mentions the thing. Empty properties are left out.
 */
import type { Facts } from './facts';
import { wholeAddress } from './page';
import type { Author, Crumb, Image, Organizer, Place } from './shape';

export type Node = Readonly<Record<string, unknown>>;

/** Properties without those that say nothing. */
export function node(type: string, id: string, properties: Node): Node {
  const told = Object.entries(properties).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  );
  return { '@type': type, ...(id === '' ? {} : { '@id': id }), ...Object.fromEntries(told) };
}

/** Names a node that is in the graph; one without an address cannot be named and stands there itself. */
export const reference = (to: Node): Node => ('@id' in to ? { '@id': to['@id'] } : to);

const idOf = (address: string, what: string): string => (address === '' ? '' : `${address}#${what}`);

export const siteId = ({ settings }: Facts, what: string): string => `${settings.site.url}/#${what}`;

export function websiteNode(facts: Facts): Node {
  const { site } = facts.settings;
  return node('WebSite', siteId(facts, 'website'), {
    url: `${site.url}/`,
    name: site.title,
    description: site.tagline,
    inLanguage: site.language,
    publisher: { '@id': siteId(facts, 'publisher') },
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${site.url}/?s={search_term_string}` },
      'query-input': {
        '@type': 'PropertyValueSpecification',
        valueRequired: true,
        valueName: 'search_term_string',
      },
    },
  });
}

export function publisherNode(facts: Facts): Node {
  const { site, publisher, profiles } = facts.settings;
  const isCompany = publisher.kind === 'company';
  const picture = publisher.logo && imageNode(publisher.logo, siteId(facts, 'logo'), site.language);
  return node(isCompany ? 'Organization' : 'Person', siteId(facts, 'publisher'), {
    name: publisher.name || site.title,
    url: `${site.url}/`,
    [isCompany ? 'logo' : 'image']: picture,
    sameAs: webAddresses(profiles),
  });
}

export function imageNode(image: Image, id: string, language: string): Node {
  const isKnown = image.width > 0 && image.height > 0;
  return node('ImageObject', id, {
    url: image.url,
    contentUrl: image.url,
    width: isKnown ? pixels(image.width) : undefined,
    height: isKnown ? pixels(image.height) : undefined,
    encodingFormat: image.mimeType,
    caption: image.alt,
    inLanguage: image.alt === '' ? undefined : language,
  });
}

/** Widths and heights are distances, never bare numbers; E37 is the pixel of UN/CEFACT's list. */
const pixels = (value: number): Node => node('QuantitativeValue', '', { value, unitCode: 'E37' });

export function breadcrumbNode(crumbs: readonly Crumb[], id: string): Node {
  return node('BreadcrumbList', id, {
    itemListElement: crumbs.map(({ name, url }, index) =>
      node('ListItem', '', {
        position: index + 1,
        name,
        // Where one is already needs no address.
        item: index === crumbs.length - 1 ? undefined : node('WebPage', url, { url: wholeAddress(url) }),
      }),
    ),
  });
}

export const authorNode = ({ name, url, website }: Author): Node =>
  node('Person', idOf(url, 'person'), {
    name,
    url: wholeAddress(url),
    sameAs: webAddresses([website]),
  });

export function placeNode(place: Place): Node {
  const { latitude, longitude } = place;
  const address = node('PostalAddress', '', {
    streetAddress: place.address,
    addressLocality: place.city,
    addressRegion: place.region,
    postalCode: place.zip,
    addressCountry: place.country,
  });
  return node('Place', idOf(place.url, 'place'), {
    name: place.name,
    url: wholeAddress(place.url),
    address: Object.keys(address).length > 1 ? address : undefined,
    geo:
      latitude === undefined || longitude === undefined
        ? undefined
        : node('GeoCoordinates', '', { latitude, longitude }),
    telephone: place.phone,
    sameAs: webAddresses([place.website]),
  });
}

export const organizerNode = (organizer: Organizer): Node =>
  node('Organization', idOf(organizer.url, 'organization'), {
    name: organizer.name,
    url: wholeAddress(organizer.url),
    telephone: organizer.phone,
    email: organizer.email,
    sameAs: webAddresses([organizer.website]),
  });

/** What people enter as addresses may be none, or worse. */
const webAddresses = (values: readonly string[]): string[] =>
  values.flatMap((value) => wholeAddress(value) ?? []);
