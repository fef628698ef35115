/**
 * What a site is asked all the time: by strangers and by users, reads and writes of every namespace, by clients that ask one after the other
 * and by those that rest between, on connections they keep. Nothing is asked twice: whatever is not answered as ever is kept.
 */
import { setMaxListeners } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Ask with hardly a pause; and rest for seconds on a connection that is kept. */
const STEADY = 6;
const RESTING = 12;
const BETWEEN_MS = 20;
const LONGEST_REST_MS = 9_000;
/** Longer than the gateway takes to give up. */
const PATIENCE_MS = 60_000;

interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly signed?: boolean;
  /** Another address than that of the test. */
  readonly from?: string;
  readonly body?: object;
  readonly expected: number;
  /** Of the answer: what is then to be there. */
  readonly keep?: (body: string) => void;
}

/** What was accepted. */
interface Written {
  readonly posts: number[];
  readonly events: number[];
  readonly comments: number[];
  /** Of submissions: what they said; and of those that were not taken for spam. */
  readonly submissions: string[];
  readonly toBeMailed: string[];
}

export interface Traffic {
  readonly written: Written;
  readonly failures: readonly string[];
  /** Requests that were answered as ever. */
  answered(): number;
  /** Ends when what is under way is answered. */
  stop(): Promise<void>;
}

export interface Target {
  readonly url: string;
  readonly administrator: string;
}

const FORMS = '/rest/contact-form/v1/contact-forms';

export async function startTraffic(target: Target): Promise<Traffic> {
  const written: Written = { posts: [], events: [], comments: [], submissions: [], toBeMailed: [] };
  const failures: string[] = [];
  let answered = 0;
  let numbers = 0;
  const over = new AbortController();
  setMaxListeners(0, over.signal);

  const tell = async (agent: http.Agent, asked: Asked): Promise<void> => {
    const started = Date.now();
    try {
      const { status, body } = await send(target, agent, asked);
      if (status !== asked.expected) throw new Error(`${status} ${body.slice(0, 300)}`);
      asked.keep?.(body);
      answered += 1;
    } catch (error) {
      const when = new Date(started).toISOString().slice(11);
      failures.push(
        `${when} after ${Date.now() - started} ms: ${asked.method} ${asked.path}: ${(error as Error).message}`,
      );
    }
  };
  const next = openChoices(await furnish(tell), written, () => (numbers += 1));
  if (failures.length > 0) throw new Error(failures.join('\n'));

  const client = async (rest: () => number): Promise<void> => {
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    while (!over.signal.aborted) {
      await tell(agent, next());
      await sleep(rest(), undefined, { signal: over.signal }).catch(() => undefined);
    }
    agent.destroy();
  };
  const clients = [
    ...Array.from({ length: STEADY }, () => client(() => BETWEEN_MS)),
    ...Array.from({ length: RESTING }, () => client(() => Math.random() * LONGEST_REST_MS)),
  ];
  return {
    written,
    failures,
    answered: () => answered,
    stop: async () => {
      over.abort();
      await Promise.all(clients);
    },
  };
}

/** What the reads read. */
interface Furniture {
  readonly post: number;
  readonly event: number;
  readonly form: number;
}

async function furnish(tell: (agent: http.Agent, asked: Asked) => Promise<void>): Promise<Furniture> {
  const agent = new http.Agent();
  const made = { post: 0, event: 0, form: 0 };
  const make = (name: keyof Furniture, path: string, body: object): Promise<void> =>
    tell(agent, {
      method: 'POST',
      path,
      body,
      signed: true,
      expected: 201,
      keep: (text) => (made[name] = idOf(text)),
    });
  await make('post', '/rest/core/v2/posts', {
    title: 'Read by all',
    status: 'publish',
    comment_status: 'open',
  });
  await make('event', '/rest/calendar/events/v1/events', eventOf('Read by all'));
  await make('form', FORMS, {
    form: '[text* marker][text your-name][textarea your-message]',
    mail: { ...mail, body: 'marker=[marker];' },
  });
  return made;
}

const mail = {
  active: true,
  subject: 'A submission',
  sender: 'forms@site.test',
  recipient: 'office@site.test',
  additional_headers: '',
};

const eventOf = (title: string): object => ({
  title,
  start_date: '2031-05-01 10:00:00',
  end_date: '2031-05-01 12:00:00',
  status: 'publish',
});

const PLACES = ['harbour', 'museum', 'old mill', 'library', 'swimming pool', 'market', 'castle', 'theatre'];
const TIMES = ['on Sunday', 'in the evening', 'before noon', 'during the holidays', 'in winter', 'tomorrow'];

/** As people ask. */
const questionOf = (number: number): string =>
  `Is the ${PLACES[number % PLACES.length]} open ${TIMES[number % TIMES.length]}? There are ${number} of us, and two need a chair.`;

const idOf = (body: string): number => (JSON.parse(body) as { id: number }).id;

/** One after the other, so that each comes as often as the others. */
function openChoices({ post, event, form }: Furniture, written: Written, number: () => number): () => Asked {
  const read = (path: string, signed = false): (() => Asked) => {
    return () => ({ method: 'GET', path: `/rest/${path}`, signed, expected: 200 });
  };
  // An answer out of memory would say nothing of the services.
  const unkept = (path: string, signed = false): (() => Asked) => {
    const mark = path.includes('?') ? '&' : '?';
    return () => read(`${path}${mark}search=nothing-${number()}`, signed)();
  };
  const choices: readonly (() => Asked)[] = [
    read(''),
    read('core/v2/posts'),
    read(`core/v2/posts/${post}`),
    unkept('core/v2/posts'),
    read('core/v2/users/me', true),
    read(`core/v2/posts/${post}?context=edit`, true),
    read('calendar/events/v1/events'),
    read(`calendar/events/v1/events/${event}`),
    unkept('calendar/events/v1/events'),
    read('calendar/events/v1/venues', true),
    read('contact-form/v1/contact-forms', true),
    read(`contact-form/v1/contact-forms/${form}`, true),
    read('spamfilter/v1/settings', true),
    read('seo/v1/statistics', true),
    read('seo/v1/configurator', true),
    () => ({
      method: 'POST',
      path: '/rest/core/v2/posts',
      signed: true,
      body: { title: `Written ${number()}`, status: 'publish', tags: [] },
      expected: 201,
      keep: (body) => written.posts.push(idOf(body)),
    }),
    () => ({
      method: 'POST',
      path: `/rest/core/v2/posts/${post}`,
      signed: true,
      body: { excerpt: `Written ${number()}` },
      expected: 200,
    }),
    () => ({
      method: 'POST',
      path: '/rest/calendar/events/v1/events',
      signed: true,
      body: eventOf(`Written ${number()}`),
      expected: 201,
      keep: (body) => written.events.push(idOf(body)),
    }),
    () => ({
      method: 'POST',
      path: '/rest/core/v2/comments',
      signed: true,
      body: { post, content: `Written ${number()}` },
      expected: 201,
      keep: (body) => written.comments.push(idOf(body)),
    }),
    () => {
      const at = number();
      const marker = `marker-${at}-`;
      return {
        // So many from one address would be spam.
        from: `198.18.${(at >> 8) & 255}.${at & 255}`,
        method: 'POST',
        path: `${FORMS}/${form}/feedback`,
        body: { marker, 'your-name': 'Ann Harper', 'your-message': questionOf(at) },
        expected: 200,
        keep: (body) => {
          const { status } = JSON.parse(body) as { status: string };
          written.submissions.push(marker);
          if (status === 'mail_sent') written.toBeMailed.push(marker);
        },
      };
    },
  ];
  let at = 0;
  return () => {
    at += 1;
    return (choices[at % choices.length] as () => Asked)();
  };
}

function send(
  target: Target,
  agent: http.Agent,
  { method, path, signed, from, body }: Asked,
): Promise<Answer> {
  const bytes = body && Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const request = http.request(
      new URL(path, target.url),
      {
        method,
        agent,
        timeout: PATIENCE_MS,
        headers: {
          'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
          ...(from && { 'X-Forwarded-For': from }),
          ...(signed && { Authorization: target.administrator }),
          ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) =>
      reject(new Error(`${error.message}${request.reusedSocket ? ', on a connection that was kept' : ''}`)),
    );
    request.end(bytes);
  });
}
