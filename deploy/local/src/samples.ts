/**
 * Something to look at on a site that has nothing yet, written as any client would write it. Whether it was done once is the
 * caller's to remember: a site whose samples were deleted is as empty as a new one.
 */
import { setTimeout as sleep } from 'node:timers/promises';

interface Administrator {
  readonly username: string;
  /** The application password. */
  readonly secret: string;
}

interface Made {
  readonly id: number;
}

const ANSWER_WITHIN_MS = 20_000;
const TRIES = 5;
const DAY_MS = 24 * 60 * 60_000;

const NOTE = 'It is a sample: change it, or delete it, and it does not come back.';

const post = {
  title: 'A first post',
  slug: 'a-first-post',
  status: 'publish',
  content: `<p>This is a post of your new site. ${NOTE}</p><p>Read it as JSON at <code>/rest/core/v2/posts</code>.</p>`,
};
const page = {
  title: 'A sample page',
  slug: 'a-first-page',
  status: 'publish',
  content: `<p>Pages stay where they are, whatever is posted later. ${NOTE}</p>`,
};
const event = (day: string): object => ({
  title: 'A first event',
  slug: 'a-first-event',
  status: 'publish',
  description: `<p>Events have a beginning, an end and a time zone. ${NOTE}</p>`,
  start_date: `${day} 18:00:00`,
  end_date: `${day} 20:00:00`,
});
const comment = { content: `This is what a comment looks like. ${NOTE}` };

const POSTS = 'core/v2/posts';
const PAGES = 'core/v2/pages';
const COMMENTS = 'core/v2/comments';
const EVENTS = 'calendar/events/v1/events';

/** Answers false where there is something already. Throws where the site does not answer as it should. */
export async function makeSamples(url: string, { username, secret }: Administrator): Promise<boolean> {
  const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
  const ask = (path: string, body?: object): Promise<Response> =>
    insist(`${url}/rest/${path}`, authorization, body);
  const total = async (path: string): Promise<number> => Number((await ask(path)).headers.get('x-total'));
  const write = async (path: string, body: object): Promise<Made> =>
    (await (await ask(path, body)).json()) as Made;

  const lists = [`${POSTS}?status=any`, `${PAGES}?status=any`, `${EVENTS}?start_date=1900-01-01&status=any`];
  for (const list of lists) if ((await total(`${list}&per_page=1`)) > 0) return false;
  const day = new Date(Date.now() + 14 * DAY_MS).toISOString().slice(0, 10);
  await write(EVENTS, event(day));
  await write(PAGES, page);
  const { id } = await write(POSTS, post);
  await write(COMMENTS, { ...comment, post: id });
  return true;
}

/** A service that is ready may be asked for by a gateway that does not know it yet. */
async function insist(address: string, authorization: string, body?: object): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await fetch(address, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: authorization, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (answer.ok) return answer;
    const text = await answer.text();
    if (answer.status !== 503 || attempt === TRIES)
      throw new Error(
        `${new URL(address).pathname} was answered with ${answer.status}: ${text.slice(0, 300)}`,
      );
    await sleep(attempt * 200);
  }
}
