/** What strangers may ask of a list, made of what the list declares: each filter, each two of them, each order of each filter. */
import type { Arg, ArgTable } from '@sevenfold/chassis/http/args';

/** What is there to be asked for. */
export interface Known {
  /** A date in the middle of the rows. */
  readonly middle: string;
  readonly ids: Readonly<
    Record<
      | 'author'
      | 'post'
      | 'parent'
      | 'categories'
      | 'tags'
      | 'venue'
      | 'organizer'
      | 'event'
      | 'include'
      | 'exclude',
      readonly (readonly number[])[]
    >
  >;
}

const WORDS = ['a', 'ha', 'har', 'harbour', 'of th', 'harbour lantern', '"the harbour"', 'zzzzq'];
/** What needs more than a value, says how rows look but not which they are, or is no filter for strangers. */
const ASKED_APART = new Set(['context', 'page', 'per_page', 'offset', 'order', 'orderby', 'geoloc_lng']);
const FEW_OR_REFUSED = new Set([
  'slug',
  'status',
  'type',
  'password',
  'author_email',
  'roles',
  'post_parent',
]);
/** Orders that only mean something with another argument. */
const WITH = { relevance: 'search=', include: 'include=', include_slugs: 'slug=' } as const;

function valuesOf(name: string, arg: Arg, known: Known): readonly string[] {
  const { ids, middle } = known;
  const listed = (lists: readonly (readonly number[])[]): string[] => {
    // One number where the argument is no list.
    const taken = arg.type === 'array' ? lists : lists.filter((list) => list.length === 1);
    return taken.map((list) => list.join());
  };
  switch (name) {
    case 'search':
      return WORDS.map(encodeURIComponent);
    case 'after':
    case 'before':
    case 'start_date':
    case 'end_date':
      return [middle];
    case 'geoloc_lat':
      return ['47.5&geoloc_lng=7.6'];
    case 'menu_order':
      return ['7'];
    case 'mime_type':
      return ['image/jpeg'];
  }
  const of = name.replace(/_exclude$/, '');
  if (of in ids) return listed(ids[of as keyof Known['ids']]);
  if (arg.enum) return arg.enum.map(String);
  if (arg.type === 'boolean' || /^(has|only|hide)_/.test(name)) return ['true', 'false'];
  throw new Error(`Nobody knows what to ask of ${name}: say it in costs/questions.ts.`);
}

/** Query strings without a page. */
export function questionsOf(args: ArgTable, known: Known): string[] {
  const filters = Object.entries(args).flatMap(([name, arg]) =>
    ASKED_APART.has(name) || FEW_OR_REFUSED.has(name)
      ? []
      : valuesOf(name, arg, known).map((value) => `${name}=${value}`),
  );
  const orders = [args.orderby?.enum ?? ['']].flat().flatMap((by) =>
    (args.order?.enum ?? [args.order ? 'asc' : '']).map((order) => ({
      by: String(by),
      query: [by && `orderby=${by}`, order && `order=${order}`].filter(Boolean).join('&'),
    })),
  );
  const ordered = ['', ...filters].flatMap((filter) =>
    orders
      .filter(({ by }) => !(by in WITH) || filter.startsWith(WITH[by as keyof typeof WITH]))
      .map(({ query }) => [filter, query].filter(Boolean).join('&')),
  );
  const pairs = filters.flatMap((one, place) =>
    filters.slice(place + 1).flatMap((other) => (nameOf(one) === nameOf(other) ? [] : [`${one}&${other}`])),
  );
  return [...new Set([...ordered, ...pairs])];
}

const nameOf = (filter: string): string => filter.split('=')[0] as string;
