/** What the columns of a table of events may be called: by the names of the interface, and by those that calendars export. */

/** Names of the interface; those of a venue and of an organizer after a point. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  uid: ['id'],
  global_id: [],
  title: ['name', 'subject', 'summary'],
  description: ['details', 'body'],
  excerpt: [],
  start_date: ['start', 'date', 'starts', 'start datetime', 'start date time', 'begin date'],
  start_time: ['begin time', 'time'],
  end_date: ['end', 'ends', 'end datetime', 'end date time'],
  end_time: [],
  all_day: ['all day event'],
  timezone: ['time zone'],
  url: ['website', 'link'],
  image: ['featured image', 'image url'],
  categories: ['category'],
  tags: ['tag'],
  cost: ['price'],
  currency_symbol: [],
  currency_position: [],
  show_map: [],
  show_map_link: [],
  hide_from_listings: ['hide from event listings', 'hide event from event listings'],
  sticky: ['sticky in month view', 'sticky in calendar'],
  featured: ['feature event', 'featured event'],
  private: [],
  'venue.venue': ['venue', 'venue name', 'location', 'place'],
  'venue.address': ['address', 'street', 'venue street'],
  'venue.city': ['city'],
  'venue.state': ['state'],
  'venue.province': ['province'],
  'venue.stateprovince': ['stateprovince', 'state province', 'venue state province', 'state or province'],
  'venue.zip': ['zip', 'postal code', 'venue postal code', 'zip code'],
  'venue.country': ['country'],
  'venue.phone': [],
  'venue.website': ['venue url'],
  'venue.latitude': ['latitude', 'geo lat', 'venue geo lat'],
  'venue.longitude': ['longitude', 'geo lng', 'venue geo lng'],
  'organizer.organizer': [
    'organizer',
    'organizers',
    'organizer name',
    'organizer names',
    'organizer name s',
    'organiser',
  ],
  'organizer.email': [],
  'organizer.phone': [],
  'organizer.website': ['organizer url'],
};

/** `Event Start Date` and `start_date` are the same. */
const plain = (header: string): string =>
  header
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/^event (?=.)/, '');

const fields = new Map(
  Object.entries(NAMES).flatMap(([field, others]) =>
    [field, ...others].map((name) => [plain(name), field] as const),
  ),
);

/** By their places; undefined for columns that mean nothing here. Throws where two mean the same. */
export function fieldsOf(header: readonly string[]): (string | undefined)[] {
  const found = header.map((name) => fields.get(plain(name)));
  const twice = found.find((field, index) => field !== undefined && found.indexOf(field) !== index);
  if (twice !== undefined) throw new Error(`two of its columns mean ${twice}`);
  for (const field of ['title', 'start_date'])
    if (!found.includes(field)) throw new Error(`none of its columns is called ${field}`);
  return found;
}
