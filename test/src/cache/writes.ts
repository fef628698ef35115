/** Everything that can change what strangers read, as requests of an administrator. */
import type { Dice } from '../assault/dice';

export interface Change {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
}

/** Ids of what has been made, by collection: `core/v2/posts`. */
export type Made = Map<string, number[]>;

const words = ['harbour', 'winter', 'lantern', 'orchard', 'meadow', 'compass', 'river', 'stone'];
const DAY_MS = 86_400_000;

const CORE = 'core/v2';
const CALENDAR = 'calendar/events/v1';

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
    return id === undefined ? undefined : { method: 'POST', path: `${collection}/${id}`, body: body() };
  };
  const create = (collection: string, body: object): Change => ({ method: 'POST', path: collection, body });
  const remove = (collection: string, query: string): Change | undefined => {
    const id = one(collection);
    return id === undefined ? undefined : { method: 'DELETE', path: `${collection}/${id}${query}` };
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
    () =>
      item(`${CORE}/posts`, () => ({ categories: some(`${CORE}/categories`), tags: some(`${CORE}/tags`) })),
    () => item(`${CORE}/posts`, () => ({ password: dice.pick(['', 'opens']) })),
    () => item(`${CORE}/posts`, () => ({ date: `${start}T10:00:00` })),
    () => remove(posts, dice.pick(['', '?force=true'])),
    () => create(terms, { name: text() }),
    () => item(terms, () => ({ name: text() })),
    () => remove(terms, '?force=true'),
    () => ({
      method: 'POST',
      path: `${CORE}/comments`,
      body: {
        post: one(`${CORE}/posts`) ?? 1,
        parent: dice.oneIn(2) ? (one(`${CORE}/comments`) ?? 0) : 0,
        content: text(),
        author_name: 'Ann',
        author_email: 'ann@example.org',
      },
    }),
    () => item(`${CORE}/comments`, () => ({ status: dice.pick(['approve', 'hold', 'spam']) })),
    () => remove(`${CORE}/comments`, dice.pick(['', '?force=true'])),
    () => item(`${CORE}/users`, () => ({ name: text(), description: text() })),
    () =>
      create(
        `${CORE}/settings`,
        dice.pick([{ title: text() }, { timezone: dice.pick(['UTC', 'Asia/Kathmandu']) }]),
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
