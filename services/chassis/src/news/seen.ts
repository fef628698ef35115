/**
 * What an answer was made of that other services told: of each of their answers its tags and what its process had heard of the
 * news (http/shows.ts). Whoever makes something of several answers passes it on, or keeps it himself. Of an answer that does not
 * say what it shows, or that did not come, nobody can tell when what was made of it is old.
 */
import { EVERYTHING, HEARD_HEADER, TAGS_HEADER, UNTIL_HEADER, joinTags } from '../http/shows';

export interface Told {
  /** `<id of its own news> <service>=<id>…`; of a service without news the own one is `-`. */
  readonly heard: string;
  /** As `joinTags` writes them. */
  readonly tags: string;
  /** In milliseconds since 1970; Infinity where no time ends it. */
  readonly until: number;
}

export interface Seen {
  /** Undefined: it did not say. */
  note(service: string, told: Told | undefined): void;
  add(other: Seen): void;
  /** The other one was asked as well, but nothing is shown of what it told besides the settings behind it. */
  addSettings(other: Seen): void;
  /** Whether everything in it says when it is old. */
  isKnown(): boolean;
  /** As an answer of somebody without news tells it; undefined where something in it is not known, or nothing was seen. */
  told(): Told | undefined;
}

/** Own id of who has no news. */
export const NO_NEWS = '-';

export function openSeen(): Seen {
  const heard = new Set<string>();
  const tags = new Set<string>();
  let until = Infinity;
  let isKnown = true;
  const hear = (service: string, id: string): void => {
    heard.add(`${service}=${id}`);
    // No news has this tag; but settings are news to everything, and something of that service is shown.
    tags.add(`${service}/settings`);
  };
  return {
    note: (service, told) => {
      if (!told) {
        isKnown = false;
        return;
      }
      const [own = '', ...others] = told.heard.split(' ');
      if (own === '') isKnown = false;
      if (own !== NO_NEWS) hear(service, own);
      for (const one of others) heard.add(one);
      for (const tag of told.tags.split('|'))
        if (tag !== '') tags.add(tag.includes('/') ? tag : `${service}/${tag}`);
      until = Math.min(until, told.until);
    },
    add: (other) => {
      const told = other.told();
      isKnown &&= other.isKnown();
      if (!told) return;
      for (const one of told.heard.split(' ').slice(1)) heard.add(one);
      for (const tag of told.tags.split('|')) if (tag !== '') tags.add(tag);
      until = Math.min(until, told.until);
    },
    addSettings: (other) => {
      isKnown &&= other.isKnown();
      for (const one of other.told()?.heard.split(' ').slice(1) ?? []) {
        const [service = '', id = ''] = one.split('=');
        hear(service, id);
      }
    },
    isKnown: () => isKnown,
    told: () =>
      isKnown && heard.size > 0
        ? { heard: [NO_NEWS, ...heard].join(' '), tags: [...tags].join('|'), until }
        : undefined,
  };
}

/** Longer heads are not taken by everybody. */
const LONGEST_TAGS = 8_000;

/** Where there are too many, any news of the services that they are of. */
function fitting(tags: string): string {
  if (tags.length <= LONGEST_TAGS) return tags;
  const ofAll = tags.split('|').map((tag) => {
    const slash = tag.indexOf('/');
    return slash < 0 ? EVERYTHING : `${tag.slice(0, slash)}/${EVERYTHING}`;
  });
  return [...new Set(ofAll)].join('|');
}

/** The same as headers of HTTP and as metadata of gRPC. */
export const toHeaders = ({ heard, tags, until }: Told): Record<string, string> => ({
  [HEARD_HEADER]: heard,
  [TAGS_HEADER]: fitting(tags),
  ...(until === Infinity ? {} : { [UNTIL_HEADER]: String(until) }),
});

export function fromHeaders(valueOf: (name: string) => string | undefined): Told | undefined {
  const [heard, tags] = [valueOf(HEARD_HEADER), valueOf(TAGS_HEADER)];
  if (heard === undefined || tags === undefined) return undefined;
  return { heard, tags, until: Number(valueOf(UNTIL_HEADER) ?? Infinity) };
}

/** Of a service that shows its own beside what others told; undefined where anything in it is not known. */
export function besides(
  own: string,
  { tags, ends }: { readonly tags: ReadonlySet<string>; readonly ends: number },
  seen: Seen,
): Told | undefined {
  if (own === '' || !seen.isKnown()) return undefined;
  const others = seen.told();
  const [, ...heard] = others?.heard.split(' ') ?? [];
  const all = [joinTags(tags), others?.tags ?? ''].filter((text) => text !== '').join('|');
  return { heard: [own, ...heard].join(' '), tags: all, until: Math.min(ends, others?.until ?? Infinity) };
}
