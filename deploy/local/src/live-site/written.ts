/**
 * Texts of a calendar as they were written, where the credential may edit them: calendars show what is made of them, so they are
 * asked for beside each page, as posts of a type (the original does that) or as texts of the calendar (Sevenfold does).
 */
import type { Asker } from './ask';
import { type CalendarThing, TYPES, type Written } from './read-calendar';
import type { Interface } from './root';
import { type Raw, idOf, isRecord, listOf, recordOf, textOf } from './values';

export interface WrittenTexts {
  /** Those that may be read, by their numbers there. */
  of(thing: CalendarThing, ids: readonly string[]): Promise<ReadonlyMap<string, Written>>;
}

const STATUSES = 'publish,future,draft,pending,private,trash';

interface Way {
  readonly address: (face: Interface, thing: CalendarThing, ids: string) => URL | undefined;
  readonly read: (row: Raw, thing: CalendarThing) => Written | undefined;
}

const asPost =
  (more: Readonly<Record<string, string>>): Way['address'] =>
  (face, thing, include) => {
    const route = `/${face.theirs(TYPES[thing])}`;
    return face.takes('core/v2', route).size === 0
      ? undefined
      : face.address('core/v2', route, { context: 'edit', include, per_page: '100', ...more });
  };

const rawOf = (value: unknown): string | undefined => {
  const { raw } = recordOf(value);
  return typeof raw === 'string' ? raw : undefined;
};

function readPost(row: Raw, thing: CalendarThing): Written | undefined {
  const description = rawOf(row.content);
  if (description === undefined) return undefined;
  // Names of venues and organizers are plain text here.
  return thing === 'event'
    ? { title: rawOf(row.title), description, excerpt: rawOf(row.excerpt) }
    : { description };
}

const readTexts = (row: Raw, thing: CalendarThing): Written | undefined => {
  const { title, description, excerpt } = row;
  if (typeof description !== 'string') return undefined;
  return thing === 'event'
    ? { title: textOf(title), description, excerpt: textOf(excerpt) }
    : { description };
};

/** The first that is not refused is how all are asked for. */
const ways: readonly Way[] = [
  { address: asPost({ status: STATUSES }), read: readPost },
  { address: asPost({}), read: readPost },
  {
    address: (face, type, include) => face.address('calendar/events/v1', '/texts', { type, include }),
    read: readTexts,
  },
];

export function openWritten(ask: Asker, face: Interface): WrittenTexts {
  const refused = new Map<CalendarThing, number>();
  return {
    of: async (thing, ids) => {
      const found = new Map<string, Written>();
      if (ids.length === 0) return found;
      for (let at = refused.get(thing) ?? 0; at < ways.length; at++, refused.set(thing, at)) {
        const way = ways[at] as Way;
        const address = way.address(face, thing, ids.join(','));
        if (!address) continue;
        const { status, body } = await ask.json(address);
        if (status !== 200 || !Array.isArray(body)) continue;
        for (const row of listOf(body).filter(isRecord)) {
          const written = way.read(row, thing);
          if (written && ids.includes(idOf(row.id))) found.set(idOf(row.id), written);
        }
        return found;
      }
      return found;
    },
  };
}
