/**
 * What webhooks can be told of, as one table, and which domain event leads to what. A new topic is a row in `topics` and, in
 * `follow`, what its domain event says; a new kind of object also needs a door in sources.ts.
 */

export interface Notice {
  readonly topic: string;
  readonly kind: string;
  readonly id: number | string;
}

/** Each says what happened; what is shown of the object is decided when it is delivered. */
export const topics: Readonly<Record<string, string>> = {
  'content.post.published': 'A post became public.',
  'content.post.updated': 'A post was written or changed otherwise.',
  'content.post.trashed': 'A post went to the trash.',
  'content.post.deleted': 'A post was deleted for good.',
  'content.page.published': 'A page became public.',
  'content.page.updated': 'A page was written or changed otherwise.',
  'content.page.trashed': 'A page went to the trash.',
  'content.page.deleted': 'A page was deleted for good.',
  'content.media.published': 'A file was uploaded.',
  'content.media.updated': 'What is said of a file was changed.',
  'content.media.trashed': 'A file went to the trash.',
  'content.media.deleted': 'A file was deleted for good.',
  'content.comment.created': 'Somebody commented; it may wait for moderation.',
  'content.comment.approved': 'A comment became public after its creation.',
  'content.comment.updated': 'A comment, or its status, was changed otherwise.',
  'content.comment.trashed': 'A comment went to the trash, alone or with its post.',
  'content.comment.deleted': 'A comment was deleted for good.',
  'content.term.changed': 'A category, tag or event category was made or changed.',
  'content.term.deleted': 'A category, tag or event category was deleted.',
  'content.user.changed': 'A user was made or changed.',
  'content.user.deleted': 'A user was deleted.',
  'content.settings.changed': 'Settings of the site were changed.',
  'calendar.event.changed': 'An event was made or changed.',
  'calendar.event.deleted': 'An event went to the trash.',
  'calendar.venue.changed': 'A venue was made or changed.',
  'calendar.venue.deleted': 'A venue went to the trash.',
  'calendar.organizer.changed': 'An organizer was made or changed.',
  'calendar.organizer.deleted': 'An organizer went to the trash.',
  'imports.import.finished': 'An import of events came to its end, well or not.',
  'forms.submission.created': 'A visitor sent a form, and it was no spam.',
};

/** Only told to the webhook that asked for it. */
export const PING = 'webhook.ping';

const GONE = /\.deleted$/;
/** There is nothing to show any more. */
export const isOfGone = (topic: string): boolean => GONE.test(topic);

interface Change {
  readonly id: number;
  readonly status: string;
  readonly before: string;
}

type PostKind = 'post' | 'page' | 'media';
const KIND_OF_TYPE: Readonly<Record<string, PostKind>> = { post: 'post', page: 'page', attachment: 'media' };

function ofPost(type: string, { id, status, before }: Change): Notice[] {
  const kind = KIND_OF_TYPE[type];
  if (!kind) return [];
  const isPublic = (word: string): boolean => word === 'publish' || word === 'inherit';
  const what =
    status === 'trash' && before !== 'trash'
      ? 'trashed'
      : isPublic(status) && !isPublic(before)
        ? 'published'
        : 'updated';
  return [{ topic: `content.${kind}.${what}`, kind, id }];
}

function ofComment({ id, status, before }: Change): Notice[] {
  const isGone = (word: string): boolean => word === 'trash' || word === 'post-trashed';
  const what =
    before === ''
      ? 'created'
      : isGone(status) && !isGone(before)
        ? 'trashed'
        : status === 'approved' && before !== 'approved'
          ? 'approved'
          : 'updated';
  return [{ topic: `content.comment.${what}`, kind: 'comment', id }];
}

interface PostChange {
  readonly id: number;
  readonly type: string;
  readonly status: string;
  readonly before_status: string;
}
interface Named {
  readonly id: number;
}
interface OfTerm extends Named {
  readonly taxonomy: string;
}
interface OfEvents {
  readonly events: readonly Named[];
}

interface Follow {
  /** The topics that it can lead to. */
  readonly leadsTo: readonly string[];
  readonly read: (payload: never) => readonly Notice[];
}

const below = (beginning: string): string[] =>
  Object.keys(topics).filter((name) => name.startsWith(beginning));
/** The domain event is the topic; it names one, or several. */
const same = (topic: string, kind: string): Record<string, Follow> => ({
  [topic]: {
    leadsTo: [topic],
    read: ({ items, ...one }: Named & { readonly items?: readonly Named[] }) =>
      (items ?? [one]).map(({ id }) => ({ topic, kind, id })),
  },
});
const ofTerms = (topic: string): Record<string, Follow> => ({
  [topic]: { leadsTo: [topic], read: ({ id, taxonomy }: OfTerm) => [{ topic, kind: taxonomy, id }] },
});
const ofEvents = (topic: string): Record<string, Follow> => ({
  [topic]: {
    leadsTo: [topic],
    read: ({ events }: OfEvents) => events.map(({ id }) => ({ topic, kind: 'event', id })),
  },
});

/** By domain event. */
export const follow: Readonly<Record<string, Follow>> = {
  'content.post.changed': {
    leadsTo: [...below('content.post.'), ...below('content.page.'), ...below('content.media.')],
    read: ({ id, type, status, before_status: before }: PostChange) => ofPost(type, { id, status, before }),
  },
  'content.post.deleted': {
    leadsTo: ['content.post.deleted', 'content.page.deleted', 'content.media.deleted'],
    read: ({ id, type }: PostChange) => {
      const kind = KIND_OF_TYPE[type];
      return kind ? [{ topic: `content.${kind}.deleted`, kind, id }] : [];
    },
  },
  'content.media.changed': {
    leadsTo: below('content.media.'),
    read: ({ id, status, before_status: before }: PostChange) => ofPost('attachment', { id, status, before }),
  },
  ...same('content.media.deleted', 'media'),
  'content.comment.changed': { leadsTo: below('content.comment.'), read: ofComment },
  ...same('content.comment.deleted', 'comment'),
  ...ofTerms('content.term.changed'),
  ...ofTerms('content.term.deleted'),
  ...same('content.user.changed', 'user'),
  ...same('content.user.deleted', 'user'),
  'content.settings.changed': {
    leadsTo: ['content.settings.changed'],
    read: () => [{ topic: 'content.settings.changed', kind: 'settings', id: 0 }],
  },
  ...ofEvents('calendar.event.changed'),
  ...ofEvents('calendar.event.deleted'),
  ...same('calendar.venue.changed', 'venue'),
  ...same('calendar.venue.deleted', 'venue'),
  ...same('calendar.organizer.changed', 'organizer'),
  ...same('calendar.organizer.deleted', 'organizer'),
  ...same('imports.import.finished', 'import'),
  ...same('forms.submission.created', 'submission'),
};

/** All that a webhook may say to be told of one of these: `*`, `content.*`, `content.post.*` and the name itself. */
export function patternsOf(names: readonly string[]): string[] {
  const found = new Set(['*']);
  for (const name of names) {
    const parts = name.split('.');
    for (let count = 1; count < parts.length; count += 1) found.add(`${parts.slice(0, count).join('.')}.*`);
    found.add(name);
  }
  return [...found];
}

const known = new Set(patternsOf(Object.keys(topics)));
export const isTopic = (pattern: string): boolean => known.has(pattern);
