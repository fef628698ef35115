/**
 * Names of terms, which the content service gives and the calendar shows. Who asks the calendar what is there makes it look, so that
 * it finds and mends what it had told wrongly: only what does not ask it sees that.
 */

interface Term {
  readonly id: number;
  readonly name: string;
}

const COLLECTIONS = { categories: 'core/v2/calendar_events_cat', tags: 'core/v2/tags' } as const;
type Kind = keyof typeof COLLECTIONS;
const KINDS = Object.keys(COLLECTIONS) as Kind[];
const MOST = 100;

const isTerm = (value: unknown): value is Term =>
  typeof (value as Term | null)?.id === 'number' && typeof (value as Term).name === 'string';
const termsIn = (value: unknown): Term[] => (Array.isArray(value) ? value.filter(isTerm) : []);

/** Where the content service tells the names that this answer shows, and each as it should be found there. */
export function shownNames(path: string, body: unknown): { at: string; names: Map<number, string> }[] {
  const [, collection, below] = /^\/rest\/calendar\/events\/v1\/(\w+)(\/\d+)?/.exec(path) ?? [];
  if (collection === undefined || body === null || typeof body !== 'object') return [];
  const own = body as Record<string, unknown>;
  const listed = own[collection];
  const items = (below === undefined ? (Array.isArray(listed) ? listed : []) : [own]) as Record<
    string,
    unknown
  >[];
  return KINDS.flatMap((kind) => {
    const terms = collection === kind ? termsIn(items) : items.flatMap((item) => termsIn(item?.[kind]));
    const names = new Map(terms.slice(0, MOST).map(({ id, name }) => [id, name]));
    if (names.size === 0) return [];
    return [{ at: `/rest/${COLLECTIONS[kind]}?per_page=${MOST}&include=${[...names.keys()].join()}`, names }];
  });
}

/** Those of them that this answer of the content service has, and no other name. */
export const areNamed = (names: ReadonlyMap<number, string>, body: unknown): boolean => {
  const given = new Map(termsIn(body).map(({ id, name }) => [id, name]));
  return [...names].every(([id, name]) => given.get(id) === name);
};
