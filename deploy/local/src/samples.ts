/**
 * Something to look at on a site that has nothing yet, written as any client would write it. Whether it was done once is the
 * caller's to remember: a site whose samples were deleted is as empty as a new one.
 */
interface Administrator {
  readonly username: string;
  /** The application password. */
  readonly secret: string;
}

const ANSWER_WITHIN_MS = 20_000;
/** A service that is ready may be asked for by a gateway that does not know it yet. */
const RETRIES = 5;
const DAY_MS = 24 * 60 * 60_000;

const NOTE = 'It is a sample: change it, or delete it, and it does not come back.';

const post = {
  title: 'A first post',
  slug: 'a-first-post',
  status: 'publish' as const,
  content: `<p>This is a post of your new site. ${NOTE}</p><p>Read it as JSON at <code>/rest/core/v2/posts</code>.</p>`,
};
const page = {
  title: 'A sample page',
  slug: 'a-first-page',
  status: 'publish' as const,
  content: `<p>Pages stay where they are, whatever is posted later. ${NOTE}</p>`,
};
const event = {
  title: 'A first event',
  slug: 'a-first-event',
  status: 'publish',
  description: `<p>Events have a beginning, an end and a time zone. ${NOTE}</p>`,
};
const comment = { content: `This is what a comment looks like. ${NOTE}` };

/** Answers false where there is something already. Throws where the site does not answer as it should. */
export async function makeSamples(url: string, { username, secret }: Administrator): Promise<boolean> {
  const { createClient } = await import('@sevenfold/client');
  const client = createClient({
    url,
    credentials: { username, applicationPassword: secret },
    timeoutMs: ANSWER_WITHIN_MS,
    retries: RETRIES,
  });
  const { posts, pages, comments, calendar } = client;
  const any = { status: ['any' as const], per_page: 1 };
  const lists = [
    posts.list(any),
    pages.list(any),
    calendar.events.list({ start_date: '1900-01-01', status: 'any', per_page: 1 }),
  ];
  for (const list of lists) if ((await list.page(1)).total > 0) return false;
  const day = new Date(Date.now() + 14 * DAY_MS).toISOString().slice(0, 10);
  const [start, end] = [`${day} 18:00:00`, `${day} 20:00:00`];
  await calendar.events.create({ ...event, start_date: start, end_date: end });
  await pages.create(page);
  const { id } = await posts.create(post);
  await comments.create({ ...comment, post: id });
  return true;
}
