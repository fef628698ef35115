/** Everything that can change what strangers read, as requests of an administrator. */
import type { Dice } from '../assault/dice';

export interface Change {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  /** Of the gateway. */
  readonly path: string;
  /** A file's bytes are sent as they are. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids of what it makes are kept under this name. */
  readonly makes?: string;
}

/** Ids of what has been made, by collection: `core/v2/posts`. */
export type Made = Map<string, number[]>;

const words = ['harbour', 'winter', 'lantern', 'orchard', 'meadow', 'compass', 'river', 'stone'];
const DAY_MS = 86_400_000;

const CORE = 'core/v2';
const CALENDAR = 'calendar/events/v1';

export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** The first user is whoever writes. */
const isOther = (id: number | undefined): id is number => id !== undefined && id > 5;

export function someChange(dice: Dice, made: Made): Change {
  const text = (): string => `${dice.pick(words)} ${dice.pick(words)} ${dice.between(1, 999)}`;
  const one = (collection: string): number | undefined => {
    const ids = made.get(collection) ?? [];
    return ids.length === 0 ? undefined : dice.pick(ids);
  };
  const some = (collection: string): number[] => {
    const ids = made.get(collection) ?? [];
    return ids.filter(() => dice.oneIn(3)).slice(0, 3);
  };
  const item = (collection: string, body: () => object): Change | undefined => {
    const id = one(collection);
    return id === undefined ? undefined : { method: 'POST', path: `/rest/${collection}/${id}`, body: body() };
  };
  const create = (collection: string, body: object): Change => ({
    method: 'POST',
    path: `/rest/${collection}`,
    body,
    makes: collection,
  });
  const remove = (collection: string, query: string): Change | undefined => {
    const id = one(collection);
    return id === undefined ? undefined : { method: 'DELETE', path: `/rest/${collection}/${id}${query}` };
  };
  const statuses = ['publish', 'publish', 'publish', 'draft', 'private', 'pending'];
  const posts = dice.pick([`${CORE}/posts`, `${CORE}/posts`, `${CORE}/pages`]);
  const terms = dice.pick([`${CORE}/categories`, `${CORE}/tags`]);
  const linked = dice.pick([
    [`${CALENDAR}/venues`, 'venue'],
    [`${CALENDAR}/organizers`, 'organizer'],
  ] as const);
  const eventTerms = dice.pick([`${CALENDAR}/categories`, `${CALENDAR}/tags`]);
  const start = new Date(Date.now() + dice.between(-20, 200) * DAY_MS).toISOString().slice(0, 10);

  const changes: readonly (() => Change | undefined)[] = [
    () =>
      create(posts, {
        title: text(),
        content: text(),
        status: dice.pick(statuses),
        ...(posts.endsWith('posts')
          ? { categories: some(`${CORE}/categories`), tags: some(`${CORE}/tags`), sticky: dice.oneIn(6) }
          : { parent: one(posts) ?? 0 }),
      }),
    () => item(posts, () => ({ title: text() })),
    () => item(posts, () => ({ status: dice.pick(statuses) })),
    () => item(posts, () => ({ slug: text().replaceAll(' ', '-'), author: 1 })),
    // No list shows what is not published, whatever becomes of it meanwhile.
    () =>
      item(posts, () => ({
        status: dice.pick(['draft', 'pending']),
        title: text(),
        content: text(),
        author: one(`${CORE}/users`) ?? 1,
      })),
    () =>
      item(`${CORE}/posts`, () => ({ categories: some(`${CORE}/categories`), tags: some(`${CORE}/tags`) })),
    () => item(`${CORE}/posts`, () => ({ password: dice.pick(['', 'opens']) })),
    () => item(`${CORE}/posts`, () => ({ date: `${start}T10:00:00` })),
    () => remove(posts, dice.pick(['', '?force=true'])),
    () => create(terms, { name: text() }),
    () => item(terms, () => ({ name: text() })),
    () => remove(terms, '?force=true'),
    () =>
      create(`${CORE}/comments`, {
        post: one(`${CORE}/posts`) ?? 1,
        parent: dice.oneIn(2) ? (one(`${CORE}/comments`) ?? 0) : 0,
        content: text(),
        author_name: 'Ann',
        author_email: 'ann@example.org',
      }),
    () => item(`${CORE}/comments`, () => ({ status: dice.pick(['approve', 'hold', 'spam']) })),
    () => remove(`${CORE}/comments`, dice.pick(['', '?force=true'])),
    // Soon, but not yet: whoever publishes what is due comes by (background.ts).
    () =>
      create(`${CORE}/posts`, {
        title: text(),
        content: text(),
        status: 'future',
        date_gmt: new Date(Date.now() + 1_500).toISOString().slice(0, 19),
      }),
    () => item(posts, () => ({ excerpt: text(), featured_media: one(`${CORE}/media`) ?? 0 })),
    () => item(terms, () => ({ slug: text().replaceAll(' ', '-'), description: text() })),
    () => item(`${CORE}/categories`, () => ({ parent: one(`${CORE}/categories`) ?? 0 })),
    () => ({
      method: 'POST',
      path: `/rest/${CORE}/media`,
      body: PIXEL,
      headers: {
        'Content-Type': 'image/png',
        'Content-Disposition': `attachment; filename="${dice.pick(words)}-${dice.between(1, 999)}.png"`,
      },
      makes: `${CORE}/media`,
    }),
    () => item(`${CORE}/media`, () => ({ title: text(), alt_text: text(), post: one(`${CORE}/posts`) ?? 0 })),
    () => remove(`${CORE}/media`, '?force=true'),
    () => {
      const name = text().replaceAll(' ', '.');
      return create(`${CORE}/users`, {
        username: name,
        name: text(),
        email: `${name}@example.org`,
        password: 'long enough for anybody',
        roles: ['author'],
      });
    },
    () => {
      const id = one(`${CORE}/users`);
      return isOther(id)
        ? { method: 'DELETE', path: `/rest/${CORE}/users/${id}?force=true&reassign=1` }
        : undefined;
    },
    () => item(`${CORE}/posts`, () => ({ author: one(`${CORE}/users`) ?? 1 })),
    () => {
      const id = one(`${CORE}/posts`);
      return id === undefined
        ? undefined
        : {
            method: 'PUT',
            path: `/console/api/seo/overrides/post/${id}`,
            body: dice.pick([{ title: text() }, { description: text() }, { title: null }]),
          };
    },
    () => create('contact-form/v1/contact-forms', { title: text() }),
    () => item('contact-form/v1/contact-forms', () => ({ title: text() })),
    () => remove('contact-form/v1/contact-forms', ''),
    () => ({
      method: 'POST',
      path: '/rest/spamfilter/v1/settings',
      body: { spamfilter_show_user_comments_approved: dice.oneIn(2) },
    }),
    () => item(`${CORE}/users`, () => ({ name: text(), description: text() })),
    () =>
      create(
        `${CORE}/settings`,
        dice.pick([
          { title: text() },
          { description: text() },
          { posts_per_page: dice.between(3, 12) },
          { timezone: dice.pick(['UTC', 'Asia/Kathmandu']) },
        ]),
      ),
    () =>
      create(`${CALENDAR}/events`, {
        title: text(),
        description: text(),
        status: dice.pick(statuses),
        start_date: `${start} 10:00`,
        end_date: `${start} 12:00`,
        venue: one(`${CALENDAR}/venues`),
        organizer: some(`${CALENDAR}/organizers`),
        categories: some(`${CALENDAR}/categories`),
        tags: some(`${CALENDAR}/tags`),
        featured: dice.oneIn(4),
      }),
    () => item(`${CALENDAR}/events`, () => ({ title: text() })),
    () => item(`${CALENDAR}/events`, () => ({ status: dice.pick(statuses) })),
    () => item(`${CALENDAR}/events`, () => ({ venue: one(`${CALENDAR}/venues`) ?? '' })),
    () => item(`${CALENDAR}/events`, () => ({ start_date: `${start} 09:00`, end_date: `${start} 11:00` })),
    () => remove(`${CALENDAR}/events`, ''),
    () => create(linked[0], { [linked[1]]: text(), status: dice.pick(statuses) }),
    () => item(linked[0], () => ({ [linked[1]]: text() })),
    () => item(linked[0], () => ({ status: dice.pick(statuses) })),
    () => remove(linked[0], ''),
    () => create(eventTerms, { name: text() }),
    () => item(eventTerms, () => ({ name: text() })),
    () => remove(eventTerms, ''),
  ];
  for (;;) {
    const change = dice.pick(changes)();
    if (change) return change;
  }
}
