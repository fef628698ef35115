/**
 * Where in requests and answers of the interface words stand that a profile may call otherwise. Nothing else is looked
 * at: what people wrote stays as it is, whatever it says.
 */
export type Kind =
  | 'address'
  | 'path'
  | 'namespace'
  | 'route'
  | 'word'
  | 'words'
  | 'subtype'
  | 'relation'
  | 'relations'
  | 'curie'
  | 'setting'
  | 'formField'
  | 'formPart'
  | 'code'
  | 'capability'
  | 'value'
  | 'fields';

/** Of a JSON value. A list is its elements. */
export interface Place {
  /** What it is when it is a text. */
  readonly text?: Kind;
  /** What the names of its members are. */
  readonly names?: Kind;
  readonly members?: Readonly<Record<string, PlaceName | Place>>;
  /** Members that are not named above. */
  readonly each?: PlaceName | Place;
}

export type PlaceName = keyof typeof places;

const address: Place = { text: 'address' };
const word: Place = { text: 'word' };

const links: Place = {
  names: 'relation',
  each: {
    // `name` of a curie, and what else links say beside where they lead.
    members: { href: address, name: { text: 'curie' }, taxonomy: word, post_type: word },
  },
};

/** Whatever is wrong with the request. */
const error = {
  code: { text: 'code' },
  data: {
    members: {
      params: { names: 'setting', text: 'setting' },
      details: {
        names: 'setting',
        each: { members: { data: { members: { param: { text: 'setting' } } } } },
      },
    },
  },
  additional_errors: 'error',
} as const satisfies Record<string, unknown>;

const endpoints: Place = { members: { args: { names: 'setting', each: 'property' } } };
const route: Place = {
  members: {
    namespace: { text: 'namespace' },
    endpoints,
    _links: { each: { text: 'address', members: { href: address } } },
  },
};

const registryEntry: Place = {
  members: {
    slug: word,
    rest_base: word,
    rest_namespace: { text: 'namespace' },
    taxonomies: word,
    types: word,
    capabilities: { each: { text: 'capability' } },
    _links: links,
  },
};

export const places = {
  error: { members: error },
  index: {
    members: {
      namespace: { text: 'namespace' },
      namespaces: { text: 'namespace' },
      routes: { names: 'route', each: route },
      _links: { each: { members: { href: address } } },
    },
  },
  description: {
    members: {
      namespace: { text: 'namespace' },
      endpoints,
      schema: 'property',
      _links: { each: { members: { href: address } } },
    },
  },
  /** An argument, or a schema. */
  property: {
    members: {
      title: word,
      default: { text: 'value' },
      enum: { text: 'value' },
      const: { text: 'value' },
      items: 'property',
      properties: { names: 'setting', each: 'property' },
      anyOf: 'property',
      oneOf: 'property',
      links: { members: { href: address } },
    },
  },
  item: {
    members: {
      status: word,
      type: word,
      taxonomy: word,
      capabilities: { names: 'capability' },
      extra_capabilities: { names: 'capability' },
      _links: links,
      _embedded: { names: 'relation', each: 'embedded' },
      previous: 'item',
    },
  },
  embedded: {
    members: {
      ...error,
      status: word,
      type: word,
      taxonomy: word,
      _links: links,
    },
  },
  registry: { names: 'word', each: registryEntry },
  registryEntry,
  calendarItem: {
    members: {
      rest_url: address,
      next_rest_url: address,
      previous_rest_url: address,
      url: address,
      // An event without one answers its own address.
      website: address,
      status: word,
      taxonomy: word,
      urls: { each: address },
      events: 'calendarItem',
      venues: 'calendarItem',
      organizers: 'calendarItem',
      categories: 'calendarItem',
      tags: 'calendarItem',
      venue: 'calendarItem',
      organizer: 'calendarItem',
      json_ld: { members: { url: address, offers: { members: { url: address } } } },
      _links: links,
      _embedded: { names: 'relation', each: 'embedded' },
    },
  },
  calendarDocument: {
    members: {
      basePath: { text: 'path' },
      paths: { each: { each: { members: { parameters: 'property' } } } },
      definitions: { each: 'property' },
    },
  },
  activity: { members: { activity: { names: 'word' } } },
  filterSettings: { names: 'setting' },
  feedback: {
    members: {
      into: { text: 'formPart' },
      invalid_fields: { members: { error_id: { text: 'formPart' } } },
      invalidFields: { members: { into: { text: 'formPart' } } },
    },
  },
  indexable: { members: { object_subtype: { text: 'subtype' }, permalink: address, canonical: address } },

  coreArguments: {
    members: {
      status: { text: 'words' },
      type: { text: 'words' },
      _fields: { text: 'fields' },
      _embed: { text: 'relations' },
      namespace: { text: 'namespace' },
    },
  },
  calendarArguments: {
    members: {
      status: { text: 'words' },
      // Clients send back what they were answered, also what stands for a page that has no other address yet.
      website: address,
      venue: 'calendarArguments',
      organizer: 'calendarArguments',
      _fields: { text: 'fields' },
      _embed: { text: 'relations' },
    },
  },
  importArguments: { members: { default_status: word, _fields: { text: 'fields' } } },
  filterArguments: { names: 'setting', members: { _fields: { text: 'fields' } } },
  formArguments: {
    names: 'formField',
    members: { _contact_form_unit_tag: { text: 'formPart' } },
  },
  embedArguments: { members: { url: address } },
  indexArguments: { members: { namespace: { text: 'namespace' }, _fields: { text: 'fields' } } },
  siteArguments: { members: { post_type: word } },
} as const satisfies Record<string, { [K in keyof Place]: unknown }>;

interface Row {
  readonly namespace: string;
  /** Of the path below the namespace, which knows no upper case. */
  readonly at: RegExp;
  readonly answer?: PlaceName;
  readonly asked?: PlaceName;
}

/** The first row that fits tells what stands in requests to a route and in its answers; indexes are all alike. */
export const rows: readonly Row[] = [
  {
    namespace: 'core/v2',
    at: /^\/(?:types|statuses|taxonomies)\/*$/i,
    answer: 'registry',
    asked: 'coreArguments',
  },
  {
    namespace: 'core/v2',
    at: /^\/(?:types|statuses|taxonomies)\//i,
    answer: 'registryEntry',
    asked: 'coreArguments',
  },
  { namespace: 'core/v2', at: /^\/./, answer: 'item', asked: 'coreArguments' },
  { namespace: 'calendar/events/v1', at: /^\/doc\/*$/i, answer: 'calendarDocument' },
  { namespace: 'calendar/events/v1', at: /^\/./, answer: 'calendarItem', asked: 'calendarArguments' },
  { namespace: 'calendar/event-aggregator/v1', at: /^\/./, answer: 'activity', asked: 'importArguments' },
  { namespace: 'spamfilter/v1', at: /^\/settings\/*$/i, answer: 'filterSettings', asked: 'filterArguments' },
  { namespace: 'contact-form/v1', at: /\/feedback\/*$/i, answer: 'feedback', asked: 'formArguments' },
  { namespace: 'seo/v1', at: /^\/indexables\//i, answer: 'indexable' },
  { namespace: 'oembed/1.0', at: /^\/./, asked: 'embedArguments' },
];

/** Where a file may be sent as it is, whatever its type. */
export const files = { namespace: 'core/v2', at: /^\/media(?:\/|$)/i } as const;

/** Path segments below `core/v2` that are words: collections called by their taxonomy, and entries of registries. */
export const wordsInPath = { namespace: 'core/v2', after: /^(?:types|statuses|taxonomies)$/i } as const;
