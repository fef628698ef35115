/**
 * What analysis takes and gives: an object of the site as its owner tells of it, the settings, and everything that the
 * index keeps of it. Analysis is pure: the same item and settings always give the same, without asking anybody.
 */

/** Goes up whenever the same item and settings would give something else: then the whole index is made anew, little by little. */
export const ANALYSIS_VERSION = 9;

export const OBJECT_TYPES = ['home', 'post', 'term', 'user'] as const;
export type ObjectType = (typeof OBJECT_TYPES)[number];
export const isObjectType = (word: string): word is ObjectType =>
  (OBJECT_TYPES as readonly string[]).includes(word);

export interface Item {
  readonly objectType: ObjectType;
  /** post, page, attachment, event, venue or organizer; of terms the taxonomy (category, post_tag, …); `user` or `home`. */
  readonly objectSubtype: string;
  /** 0 of the home page. */
  readonly id: number;
  readonly status: string;
  /** Whether everybody may read it: the head of everything else is made as well, but shown to nobody. */
  readonly isPublic: boolean;
  readonly hasPassword: boolean;
  /** Whole address. */
  readonly permalink: string;
  readonly slug: string;
  /** HTML as it is shown: entities, maybe inline elements. */
  readonly titleHtml: string;
  readonly contentHtml: string;
  readonly excerptHtml: string;
  /** BCP 47: `en-US`, `de`. */
  readonly language: string;
  /** ISO 8601 with Z; empty where it has none. */
  readonly publishedUtc: string;
  readonly modifiedUtc: string;
  readonly author?: Author;
  /** The featured picture; of a picture in the media library itself. */
  readonly image?: Image;
  /** Of a file of the media library. */
  readonly file?: { readonly url: string; readonly mimeType: string };
  readonly terms: readonly ItemTerm[];
  /** Of pages, files and terms: what they are below, outermost first. */
  readonly ancestors: readonly Crumb[];
  readonly event?: EventFacts;
  /** Of a venue itself. */
  readonly place?: Place;
  /** Of an organizer itself. */
  readonly organization?: Organizer;
  /** Of terms: how many published objects carry it. */
  readonly count?: number;
  /** Of lists that go on over several pages: which one this is, from 1. */
  readonly page?: number;
  /** What somebody chose for this object; it wins over templates. */
  readonly own: Overrides;
}

export interface Crumb {
  readonly name: string;
  readonly url: string;
}

export interface Author extends Crumb {
  readonly id: number;
  /** Their own web site; empty where there is none. */
  readonly website: string;
}

export interface Image {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly alt: string;
  readonly mimeType: string;
}

export interface ItemTerm extends Crumb {
  readonly id: number;
  readonly taxonomy: string;
  /** Outermost first. */
  readonly ancestors: readonly Crumb[];
}

export interface EventFacts {
  readonly startUtc: string;
  readonly endUtc: string;
  readonly timezone: string;
  readonly allDay: boolean;
  /** A number such as `12.50`, or the least and the greatest of several; empty: unknown. `0`: free. */
  readonly cost: string;
  /** ISO 4217, or empty. */
  readonly currency: string;
  readonly website: string;
  readonly places: readonly Place[];
  readonly organizers: readonly Organizer[];
}

export interface Place extends Crumb {
  readonly address: string;
  readonly city: string;
  readonly region: string;
  readonly zip: string;
  readonly country: string;
  readonly phone: string;
  readonly website: string;
  readonly latitude?: number;
  readonly longitude?: number;
}

export interface Organizer extends Crumb {
  readonly phone: string;
  readonly website: string;
  readonly email: string;
}

export interface Overrides {
  readonly title?: string;
  readonly description?: string;
  readonly canonical?: string;
  readonly ogTitle?: string;
  readonly ogDescription?: string;
  readonly noindex?: boolean;
  readonly nofollow?: boolean;
  readonly noarchive?: boolean;
  readonly noimageindex?: boolean;
  readonly nosnippet?: boolean;
  readonly focusKeyword?: string;
  readonly isCornerstone?: boolean;
}

export interface Site {
  readonly title: string;
  readonly tagline: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** BCP 47 */
  readonly language: string;
  readonly timezone: string;
}

/**
 * The site as the content service tells of it, and what this service's own settings say. Those that the wizard
 * (configurations/) sets and analysis does not read stay in their table.
 */
export interface SeoSettings {
  readonly site: Site;
  /** Between the parts of titles: `-`, `|`, `·`. */
  readonly separator: string;
  /** By subtype (`post`, `event`, `category`, `user`, `home`); those that are missing have the defaults of templates. */
  readonly titleTemplates: Readonly<Record<string, string>>;
  readonly descriptionTemplates: Readonly<Record<string, string>>;
  /** Subtypes that search engines shall leave out. */
  readonly noindexed: readonly string[];
  /** Nothing of the site is to be indexed: it is being built or tried out. */
  readonly isHidden: boolean;
  /** Who publishes the site. */
  readonly publisher: {
    readonly kind: 'company' | 'person';
    readonly name: string;
    readonly logo?: Image;
  };
  /** Addresses of the publisher's profiles elsewhere. */
  readonly profiles: readonly string[];
  readonly facebookAppId: string;
  readonly twitterName: string;
  /** Whether posts of the last two days are told in a sitemap of news. */
  readonly newsSitemap: boolean;
}

export interface Robots {
  readonly noindex: boolean;
  readonly nofollow: boolean;
  readonly noarchive: boolean;
  readonly noimageindex: boolean;
  readonly nosnippet: boolean;
}

export interface SocialCard {
  readonly title: string;
  readonly description: string;
  readonly image?: Image;
}

export interface Link {
  /** Whole, without its fragment. */
  readonly url: string;
  /** Of this site. */
  readonly isInternal: boolean;
  /** Every link to it asks search engines not to follow. */
  readonly isNofollow: boolean;
}

/** What is told of articles alone. */
export interface ArticleFacts {
  readonly publishedUtc: string;
  readonly modifiedUtc: string;
  readonly author: string;
  readonly sections: readonly string[];
  readonly tags: readonly string[];
}

/** Everything that the index keeps of an object beside what its owner says. */
export interface Analysis {
  /** The address of the object itself. */
  readonly url: string;
  /** BCP 47 */
  readonly language: string;
  /** Plain text, as all texts here: whoever writes HTML escapes them. */
  readonly title: string;
  readonly description: string;
  /** Empty where the page shall name none. */
  readonly canonical: string;
  readonly robots: Robots;
  readonly breadcrumbTitle: string;
  /** From the home page to the object itself. */
  readonly breadcrumb: readonly Crumb[];
  /** `article`, `website`, `profile`. */
  readonly ogType: string;
  readonly og: SocialCard;
  readonly twitter: SocialCard;
  /** Of posts. */
  readonly article?: ArticleFacts;
  /** A JSON-LD document: `@context` and `@graph`. */
  readonly jsonLd: Readonly<Record<string, unknown>>;
  readonly focusKeyword: string;
  /** 0 to 100; undefined: not scored (no keyword, or a language without rules). */
  readonly focusKeywordScore?: number;
  readonly readabilityScore?: number;
  readonly isCornerstone: boolean;
  readonly wordCount: number;
  readonly readingMinutes: number;
  /** What the HTML links to, each address once; other sites too. */
  readonly links: readonly Link[];
  /** Pictures of the page, whole addresses, each once: for sitemaps. */
  readonly images: readonly string[];
}

export type SeoRank = 'good' | 'ok' | 'bad' | 'na' | 'noindex';

export interface Head {
  /** Elements of the head: title, meta, link, JSON-LD. */
  readonly html: string;
  /** The same as data. */
  readonly json: Readonly<Record<string, unknown>>;
}
