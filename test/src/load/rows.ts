/** What the benchmark measures, as data. Targets are requests a second on two cores with 10,000 posts, cache off. */
export interface Row {
  readonly name: string;
  readonly path: string | ((origin: string) => Promise<string>);
  readonly target?: number;
  /** A list as it comes without arguments: it must hardly slow down as rows are added. */
  readonly byDefault?: boolean;
}

const firstId =
  (list: string) =>
  async (origin: string): Promise<string> => {
    const body = (await (await fetch(`${origin}${list}`)).json()) as
      { id: number }[] | { events: { id: number }[] };
    const rows = Array.isArray(body) ? body : body.events;
    return `${list.split('?')[0]}/${rows[0]?.id}`;
  };

const firstCategory = async (origin: string): Promise<string> => {
  const { categories } = (await (
    await fetch(`${origin}/rest/calendar/events/v1/categories?hide_empty=false`)
  ).json()) as {
    categories: { id: number }[];
  };
  return `/rest/calendar/events/v1/events?categories=${categories[0]?.id}`;
};

export const rows: readonly Row[] = [
  { name: 'posts list', path: '/rest/core/v2/posts', target: 1300, byDefault: true },
  { name: 'posts list with _embed', path: '/rest/core/v2/posts?_embed', target: 600, byDefault: true },
  { name: 'posts list of 100', path: '/rest/core/v2/posts?per_page=100', target: 300 },
  { name: 'one post', path: firstId('/rest/core/v2/posts'), target: 1800 },
  { name: 'categories', path: '/rest/core/v2/categories', byDefault: true },
  { name: 'posts search', path: '/rest/core/v2/posts?search=harbour' },
  { name: 'root index', path: '/rest/' },
  { name: 'events list', path: '/rest/calendar/events/v1/events', target: 700, byDefault: true },
  { name: 'one event', path: firstId('/rest/calendar/events/v1/events'), target: 1500 },
  { name: 'events of a category', path: firstCategory },
  { name: 'events search', path: '/rest/calendar/events/v1/events?search=lantern' },
];
