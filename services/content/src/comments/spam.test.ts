/** Comments and a real spam filter: what it is asked, what its verdicts do, and what happens while it is away. */
import { createLog } from '@sevenfold/chassis/log';
import { ADDRESS_HEADER, addressSigner } from '@sevenfold/chassis/http/client-address';
import { runJob } from '@sevenfold/chassis/queue/workers';
import { type Answer, TEST_ACTOR_SECRET, type TestService } from '@sevenfold/chassis/testing/service';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { until } from '@sevenfold/chassis/testing/until';
import { Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps as FilterDeps } from '@sevenfold/spamfilter/deps';
import { save } from '@sevenfold/spamfilter/settings/store';
import { count } from '@sevenfold/spamfilter/verdicts/store';
import { startSpamfilter } from '@sevenfold/spamfilter/testing/service';
import { hamText as ham, spamText as spam, teachTexts } from '@sevenfold/spamfilter/testing/texts';
import { makeComment, makePost } from '../testing/factories';
import { type FilterDoor, startFilterDoor } from '../testing/filter-door';
import { type ContentSite, startContent } from '../testing/service';
import type { Role } from '../users/roles';
import { expectTotalsToBeRight } from './testing/totals';
import { commentJobs, commentSweeps } from './jobs';
import { CHECK_JOB, TEACH_JOB } from './queue';

let filter: TestService<FilterDeps>;
let door: FilterDoor;
let site: ContentSite;

beforeAll(async () => {
  filter = await startSpamfilter({ ROLE: 'all' });
  door = await startFilterDoor(filter.service.grpcPort);
  // No worker of content: the tests deliver its jobs, as often as they like.
  site = await startContent({
    COMMENT_SPAM_CHECK: true,
    SPAMFILTER_GRPC: door.address,
    SPAMFILTER_DEADLINE_MS: 5_000,
    COMMENT_FLOOD_SECONDS: 0,
    COMMENT_DISALLOWED_WORDS: 'casino',
  });
  await teachTexts(filter.service.grpcPort);
});
afterAll(async () => {
  await site.stop();
  await door.stop();
  await filter.stop();
});

// ---- what people do ------------------------------------------------------------------------------------------------

const signAddress = addressSigner(TEST_ACTOR_SECRET);
let counter = 0;

interface Visitor {
  readonly author_name: string;
  readonly author_email: string;
}
const visitor = (): Visitor => {
  counter += 1;
  return { author_name: `Guest ${counter}`, author_email: `guest${counter}@visitor.test` };
};
/** Whose comments are shown at once. */
async function knownVisitor(): Promise<Visitor> {
  const known = visitor();
  await makeComment(site.deps.db, { post: (await makePost(site.deps.db)).id, ...known });
  return known;
}

/** Everybody comes from a network of his own: how often one sends is not what these tests are about. */
function headers(): Record<string, string> {
  counter += 1;
  return {
    [ADDRESS_HEADER]: signAddress(`198.${18 + (counter >> 8)}.${counter & 255}.7`),
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
    Referer: 'https://search.test/?q=ferry',
  };
}

interface Writing {
  readonly as?: Role | 'anonymous';
  readonly post?: number;
  readonly by?: Visitor;
}

async function write(content: string, { as = 'anonymous', post, by }: Writing = {}): Promise<Answer> {
  const on = post ?? (await makePost(site.deps.db)).id;
  const person = by ?? (as === 'anonymous' ? visitor() : {});
  return site.by(as).post('/comments', { post: on, content, ...person }, headers());
}

const moderate = (id: number, body: object): Promise<Answer> =>
  site.by('editor').post(`/comments/${id}`, body);
const statusOf = async (id: number): Promise<string> =>
  (await site.by('editor').get(`/comments/${id}`)).body.status as string;
const code = (answer: Answer): unknown[] => [answer.status, answer.body.code];

const eventsOf = async (id: number): Promise<object[]> =>
  (
    await site.deps.db.rows<{ name: string; payload: { status: string; before: string } }>(
      `select name, payload from outbox where kind = 'event' and (payload->>'id')::bigint = $1 order by id`,
      [id],
    )
  ).map(({ name, payload }) => [name, payload.status, payload.before]);

const expectCountersToBeRight = (): Promise<void> => expectTotalsToBeRight(site.deps.db);

// ---- jobs ----------------------------------------------------------------------------------------------------------

const log = createLog('spam', 'test', 'silent');
const { signal } = new AbortController();
const jobNamed = (name: string) => commentJobs.find((job) => job.name === name) as (typeof commentJobs)[0];

/** Of comments, those that are not done, the oldest first. */
const openJobs = (name: string): Promise<{ id: number }[]> =>
  site.deps.db.rows(
    `select id from outbox where name = $1 and done_at is null and failed_at is null order by id`,
    [name],
  );
const deliver = (name: string, id: number): Promise<void> =>
  runJob({ db: site.deps.db, deps: site.deps, log }, jobNamed(name), id, signal);
/** Until all are done: after an outage the connection comes back a little later than the filter. */
const deliverAll = (name: string): Promise<boolean> =>
  until(async () => {
    for (const { id } of await openJobs(name)) await deliver(name, id);
    return (await openJobs(name)).length === 0;
  });
/** As when its worker died before it could say that the job is done. */
const undo = (id: number): Promise<number> =>
  site.deps.db.run('update outbox set done_at = null where id = $1', [id]);

interface Statistics {
  readonly spam: number;
  readonly ham: number;
  readonly missed: number;
  readonly wrong: number;
}
async function statistics(): Promise<Statistics> {
  const { db } = filter.deps;
  // At once: its job comes a second later, and is what the filter's own tests are about.
  while ((await db.transaction((tx) => count(tx, 1_000))) > 0);
  const row = await db.first<Statistics>(
    `select coalesce(sum(spam), 0) as spam, coalesce(sum(ham), 0) as ham, coalesce(sum(missed_spam), 0) as missed,
       coalesce(sum(false_positives), 0) as wrong from rollups where period = 'month'`,
  );
  return row as Statistics;
}
/** What the work adds to the statistics of the filter. */
async function counted(work: () => Promise<void>): Promise<Partial<Statistics>> {
  const before = await statistics();
  await work();
  const after = await statistics();
  const names = Object.keys(after) as (keyof Statistics)[];
  return Object.fromEntries(
    names.map((name) => [name, after[name] - before[name]]).filter(([, more]) => more !== 0),
  );
}

// ---- verdicts ------------------------------------------------------------------------------------------------------

describe('the filter is shown', () => {
  test('what is stored of a comment, and where it came from', async () => {
    const post = await makePost(site.deps.db, { slug: 'ferries', path: '2024/ferries' });
    const asked = door.checks.length;
    const sent = headers();
    const answer = await site.by('anonymous').post(
      '/comments',
      {
        post: post.id,
        author_name: 'Ann <i>Miller</i>',
        author_email: 'ann@visitor.test',
        author_url: 'ann.test',
        content: `${ham()} <script>x()</script>`,
      },
      sent,
    );
    expect([answer.status, answer.body.status]).toEqual([201, 'hold']);
    expect(door.checks.slice(asked)).toEqual([
      {
        key: `comment/${answer.body.id}`,
        message: {
          kind: 'comment',
          authorName: 'Ann Miller',
          authorEmail: 'ann@visitor.test',
          authorUrl: 'http://ann.test',
          address: `198.18.${counter & 255}.7`,
          userAgent: sent['User-Agent'],
          referrer: sent['Referer'],
          content: (await site.by('editor').get(`/comments/${answer.body.id}?context=edit`)).body.content.raw,
          permalink: 'http://site.test/2024/ferries/',
          language: 'en_US',
          honeypot: false,
          secondsToFill: 0,
        },
      },
    ]);
  });

  test('comments of users who may not moderate, of the author of the post, too', async () => {
    const own = await makePost(site.deps.db, { author: site.users.author.id });
    for (const [as, post] of [
      ['subscriber', undefined],
      ['contributor', undefined],
      ['author', own.id],
    ] as const) {
      const asked = door.checks.length;
      const answer = await write(ham(), { as, post });
      expect([as, answer.status, door.checks.length - asked]).toEqual([as, 201, 1]);
      expect(answer.body.status).toBe(as === 'author' ? 'approved' : 'hold');
    }
  });

  test('none of moderators, whatever they say and whoever they speak for', async () => {
    const asked = door.checks.length;
    for (const as of ['editor', 'administrator'] as const) {
      expect((await write(spam(), { as })).body.status).toBe('approved');
      expect((await write(spam(), { as, by: visitor() })).body.status).toBe('hold');
    }
    expect(door.checks.length).toBe(asked);
  });

  test('nothing that the rules refuse, or that has a word in it that the site does not allow', async () => {
    const by = visitor();
    const post = (await makePost(site.deps.db)).id;
    const twice = ham();
    expect((await write(twice, { by, post })).status).toBe(201);
    const asked = door.checks.length;
    expect(code(await write(twice, { by, post }))).toEqual([409, 'comment_duplicate']);
    expect((await write('Casino nights')).body.status).toBe('trash');
    const closed = (await makePost(site.deps.db, { comment_status: 'closed' })).id;
    expect(code(await write(ham(), { post: closed }))).toEqual([403, 'rest_comment_closed']);
    expect(door.checks.length).toBe(asked);
  });
});

describe('its verdict', () => {
  test('ham leaves it to the rules', async () => {
    const by = await knownVisitor();
    expect(
      await counted(async () => {
        expect((await write(ham())).body.status).toBe('hold');
        expect((await write(ham(), { by })).body.status).toBe('approved');
      }),
    ).toEqual({ ham: 2 });
    expect(await openJobs(CHECK_JOB)).toEqual([]);
  });

  test('spam puts it into the spam folder, whoever wrote it, until a moderator takes it out', async () => {
    const by = await knownVisitor();
    const post = (await makePost(site.deps.db)).id;
    const { status, body } = await write(spam(), { by, post });
    expect([status, body.status]).toEqual([201, 'spam']);
    const list = async (query: string): Promise<unknown[]> => {
      const answer = await site.by('editor').get(`/comments?post=${post}&status=${query}`);
      expect(answer.headers.get('x-total')).toBe(String(answer.body.length));
      return (answer.body as { id: number }[]).map(({ id }) => id);
    };
    expect([await list('spam'), await list('all')]).toEqual([[body.id], []]);
    expect((await site.by('anonymous').get(`/comments/${body.id}`)).status).toBe(401);
    expect(await eventsOf(body.id)).toEqual([['content.comment.changed', 'spam', '']]);
    await expectCountersToBeRight();
    expect((await moderate(body.id, { status: 'unspam' })).body.status).toBe('approved');
    expect([await list('spam'), await list('all')]).toEqual([[], [body.id]]);
    await expectCountersToBeRight();
  });
});

describe('what is blatant', () => {
  /** Learned alone nothing is blatant; what comes again and again is. */
  async function blatant(): Promise<() => Promise<Answer>> {
    const again = spam();
    await setStrictness(false);
    for (let times = 0; times < 4; times++) expect((await write(again)).body.status).toBe('spam');
    return () => write(again);
  }
  const setStrictness = async (on: boolean): Promise<void> => {
    await save(filter.deps.db, { spamfilter_strictness: on });
    await until(async () => (await filter.deps.settings()).strictness === on);
  };
  afterAll(() => setStrictness(true));

  test('is refused at once while the filter is strict, and counted', async () => {
    const once = await blatant();
    await setStrictness(true);
    const before = await site.deps.db.rows('select id from comments order by id');
    expect(
      await counted(async () => {
        expect(code(await once())).toEqual([403, 'comment_spam']);
      }),
    ).toEqual({ spam: 1 });
    expect(await site.deps.db.rows('select id from comments order by id')).toEqual(before);
    expect(door.checks.at(-1)?.key).toMatch(/^comment\/\d+$/);
  });

  test('goes to the spam folder otherwise', async () => {
    const once = await blatant();
    expect(
      await counted(async () => {
        expect((await once()).body.status).toBe('spam');
      }),
    ).toEqual({ spam: 1 });
  });

  test('goes there, too, when it was held before the filter could refuse it', async () => {
    const once = await blatant();
    await setStrictness(true);
    const { body } = await awayFor(once);
    expect(body.status).toBe('hold');
    await deliverAll(CHECK_JOB);
    expect(await statusOf(body.id)).toBe('spam');
  });
});

// ---- without the filter --------------------------------------------------------------------------------------------

/** The filter is away while the work is done, and back afterwards. */
async function awayFor<T>(work: () => Promise<T>): Promise<T> {
  await door.close();
  try {
    return await work();
  } finally {
    await door.open();
  }
}

const ways: readonly [string, (work: () => Promise<Answer>) => Promise<Answer>][] = [
  ['is away', awayFor],
  [
    'is frozen',
    async (work) => {
      door.freeze();
      try {
        return await work();
      } finally {
        door.thaw();
      }
    },
  ],
  ['has a fault of its own', (work) => answering(() => Promise.reject(new Error('broken')), work)],
  [
    'gives no verdict',
    (work) =>
      answering(
        () =>
          Promise.resolve({
            verdict: Verdict.VERDICT_UNSPECIFIED,
            score: 0,
            evidence: [],
            refuse: false,
            keepDays: 0,
          }),
        work,
      ),
  ],
];

async function answering<T>(answer: FilterDoor['answer'], work: () => Promise<T>): Promise<T> {
  const usual = door.answer;
  door.answer = answer;
  try {
    return await work();
  } finally {
    door.answer = usual;
  }
}

describe.each(ways)('while the filter %s', (_way, during) => {
  test('comments are held; checked when it is back, they go where they would have gone', async () => {
    const by = await knownVisitor();
    const other = await knownVisitor();
    const good = await during(() => write(ham(), { by }));
    const bad = await during(() => write(spam(), { by: other }));
    const new_ = await during(() => write(ham()));
    for (const answer of [good, bad, new_])
      expect([answer.status, answer.body.status]).toEqual([201, 'hold']);
    expect(await openJobs(CHECK_JOB)).toHaveLength(3);
    expect(
      await counted(async () => {
        await deliverAll(CHECK_JOB);
        expect(await statusOf(good.body.id)).toBe('approved');
        expect(await statusOf(bad.body.id)).toBe('spam');
        expect(await statusOf(new_.body.id)).toBe('hold');
      }),
    ).toEqual({ ham: 2, spam: 1 });
    expect(await eventsOf(good.body.id)).toEqual([
      ['content.comment.changed', 'hold', ''],
      ['content.comment.changed', 'approved', 'hold'],
    ]);
    expect(await eventsOf(new_.body.id)).toHaveLength(1);
    await expectCountersToBeRight();
    // Taken out of spam it goes where the rules wanted it.
    expect((await moderate(bad.body.id, { status: 'unspam' })).body.status).toBe('approved');
  });
});

// ---- jobs that come late, twice, or are cut ------------------------------------------------------------------------

/** Held since the filter was away; its job is the newest. */
async function held(content: string): Promise<{ id: number; job: number }> {
  const by = await knownVisitor();
  const { body } = await awayFor(() => write(content, { by }));
  expect(body.status).toBe('hold');
  const jobs = await openJobs(CHECK_JOB);
  return { id: body.id as number, job: (jobs.at(-1) as { id: number }).id };
}

const untilDone = (name: string, job: number): Promise<boolean> =>
  until(async () => {
    await deliver(name, job);
    return (await openJobs(name)).every(({ id }) => id !== job);
  });

describe('a comment that waits for the filter', () => {
  test('is moved and counted once, however often its job is delivered', async () => {
    const { id, job } = await held(spam());
    expect(
      await counted(async () => {
        await untilDone(CHECK_JOB, job);
        for (let times = 0; times < 3; times++) {
          await undo(job);
          await Promise.all([deliver(CHECK_JOB, job), deliver(CHECK_JOB, job)]);
        }
      }),
    ).toEqual({ spam: 1 });
    expect(await statusOf(id)).toBe('spam');
    expect(await eventsOf(id)).toEqual([
      ['content.comment.changed', 'hold', ''],
      ['content.comment.changed', 'spam', 'hold'],
    ]);
  });

  test('is moved and counted once when its worker dies between the answer and the note of it', async () => {
    const { id, job } = await held(ham());
    expect(
      await counted(async () => {
        const { prepare } = jobNamed(CHECK_JOB);
        const cut = {
          deps: site.deps,
          payload: { comment: id },
          log,
          id: job,
          attempt: 1,
          failures: 0,
          signal,
        };
        await until(() => prepare?.(cut).catch(() => undefined));
        expect(await statusOf(id)).toBe('hold');
        await untilDone(CHECK_JOB, job);
      }),
    ).toEqual({ ham: 1 });
    expect(await statusOf(id)).toBe('approved');
    expect(await eventsOf(id)).toHaveLength(2);
  });

  test.each([
    [{ status: 'approved' }, 'approved'],
    [{ status: 'hold' }, 'hold'],
    [{ status: 'spam' }, 'spam'],
    [{ status: 'trash' }, 'trash'],
  ])('stays where a moderator put it meanwhile: %j', async (decision, wanted) => {
    for (const content of [ham(), spam()]) {
      const { id, job } = await held(content);
      await moderate(id, decision);
      await untilDone(CHECK_JOB, job);
      expect(await statusOf(id)).toBe(wanted);
    }
  });

  test('stays where a moderator puts it while the filter thinks', async () => {
    const { id, job } = await held(spam());
    const usual = door.answer;
    await answering(
      async (request) => {
        await moderate(id, { status: 'approved' });
        return usual(request);
      },
      () => untilDone(CHECK_JOB, job),
    );
    expect(await statusOf(id)).toBe('approved');
  });

  test('is checked as a moderator corrected it', async () => {
    const { id, job } = await held(spam());
    await moderate(id, { content: ham() });
    await untilDone(CHECK_JOB, job);
    expect(await statusOf(id)).toBe('approved');
  });

  test('may be deleted, and its post may be', async () => {
    const [first, second] = [await held(ham()), await held(ham())];
    const asked = door.checks.length;
    expect((await site.by('editor').delete(`/comments/${first.id}?force=true`)).status).toBe(200);
    const { post } = (await site.by('editor').get(`/comments/${second.id}`)).body;
    expect((await site.by('editor').delete(`/posts/${post}?force=true`)).status).toBe(200);
    await deliverAll(CHECK_JOB);
    expect(door.checks.length).toBe(asked);
  });

  test('stays in the trash with its post, and comes back as what the filter takes it for', async () => {
    const { id, job } = await held(ham());
    const { post } = (await site.by('editor').get(`/comments/${id}`)).body;
    expect((await site.by('editor').delete(`/posts/${post}`)).status).toBe(200);
    await untilDone(CHECK_JOB, job);
    expect(await statusOf(id)).toBe('post-trashed');
    expect((await site.by('editor').post(`/posts/${post}`, { status: 'publish' })).status).toBe(200);
    expect(await statusOf(id)).toBe('approved');
  });
});

// ---- what moderators teach -----------------------------------------------------------------------------------------

const lessonsOf = (id: number): unknown[] =>
  door.lessons
    .filter(({ key }) => key === `comment/${id}`)
    .map(({ decision, revision }) => [decision === Verdict.VERDICT_SPAM ? 'spam' : 'ham', revision]);

const deciderOf = (id: number) => (status: string) => async (): Promise<void> => {
  await moderate(id, { status });
  await deliverAll(TEACH_JOB);
};

describe('moderation', () => {
  beforeAll(() => deliverAll(TEACH_JOB));

  test('shows up as spam that was missed, and no longer when it is taken back', async () => {
    const { body } = await write(ham());
    const decide = deciderOf(body.id);
    expect(await counted(decide('spam'))).toEqual({ missed: 1 });
    expect(await counted(decide('approved'))).toEqual({ missed: -1 });
    expect(await counted(decide('spam'))).toEqual({ missed: 1 });
    expect(await counted(decide('unspam'))).toEqual({ missed: -1 });
    expect(lessonsOf(body.id)).toEqual([
      ['spam', 1],
      ['ham', 2],
      ['spam', 3],
      ['ham', 4],
    ]);
  });

  test('shows up as a false positive, and no longer when it is taken back', async () => {
    const { body } = await write(spam());
    const decide = deciderOf(body.id);
    expect(await counted(decide('hold'))).toEqual({ wrong: 1 });
    expect(await counted(decide('spam'))).toEqual({ wrong: -1 });
    expect(await counted(decide('approved'))).toEqual({ wrong: 1 });
  });

  test('teaches what the comment says by then, and where it came from', async () => {
    const { body } = await write(ham());
    const asked = door.checks.at(-1)?.message;
    const content = spam();
    await moderate(body.id, { status: 'spam', content });
    await deliverAll(TEACH_JOB);
    expect(door.lessons.at(-1)).toEqual({
      key: `comment/${body.id}`,
      message: { ...asked, content },
      decision: Verdict.VERDICT_SPAM,
      revision: 1,
    });
  });

  test('teaches nothing by the trash, by approving, by the same again, or by what the filter did itself', async () => {
    const written = [await write(ham()), await write(spam())];
    expect(written.map(({ body }) => body.status as string)).toEqual(['hold', 'spam']);
    const [good, bad] = written.map(({ body }) => body.id as number) as [number, number];
    for (const [id, status] of [
      [good, 'approved'],
      [good, 'hold'],
      [good, 'trash'],
      [good, 'untrash'],
      [bad, 'spam'],
      [bad, 'trash'],
      [bad, 'untrash'],
    ] as const)
      expect((await moderate(id, { status })).status).toBe(200);
    expect((await site.by('editor').delete(`/comments/${good}`)).body.status).toBe('trash');
    expect((await site.by('editor').delete(`/comments/${bad}`)).body.status).toBe('trash');
    expect(await openJobs(TEACH_JOB)).toEqual([]);
    // Out of the trash to somewhere else than it was before says something.
    await moderate(bad, { status: 'approved' });
    await moderate(good, { status: 'spam' });
    await deliverAll(TEACH_JOB);
    expect([lessonsOf(good), lessonsOf(bad)]).toEqual([[['spam', 1]], [['ham', 1]]]);
  });

  test('teaches once, in the order of the decisions, however its jobs come; also after the comment is gone', async () => {
    const { body } = await write(ham());
    expect(
      await counted(async () => {
        for (const status of ['spam', 'approved', 'spam']) await moderate(body.id, { status });
        expect((await site.by('editor').delete(`/comments/${body.id}?force=true`)).status).toBe(200);
        const jobs = await openJobs(TEACH_JOB);
        expect(jobs).toHaveLength(3);
        for (const { id } of [...jobs].reverse()) await deliver(TEACH_JOB, id);
        expect(await openJobs(TEACH_JOB)).toEqual([]);
        for (const { id } of jobs) {
          await undo(id);
          await deliver(TEACH_JOB, id);
        }
      }),
    ).toEqual({ missed: 1 });
    const row = await filter.deps.db.first('select decision, revision from messages where key = $1', [
      `comment/${body.id}`,
    ]);
    expect(row).toEqual({ decision: 'spam', revision: 3 });
  });

  test('waits for a filter that is away, and is none of a moderator who writes', async () => {
    const { body } = await write(ham());
    const answer = await awayFor(() => moderate(body.id, { status: 'spam' }));
    expect([answer.status, answer.body.status]).toEqual([200, 'spam']);
    const own = await site.by('editor').post('/comments', {
      post: (await makePost(site.deps.db)).id,
      content: 'My own',
      status: 'spam',
    });
    expect(own.body.status).toBe('spam');
    await deliverAll(TEACH_JOB);
    expect([lessonsOf(body.id), lessonsOf(own.body.id as number)]).toEqual([[['spam', 1]], []]);
  });
});

// ---- the spam folder -----------------------------------------------------------------------------------------------

describe('the spam folder', () => {
  const older = (id: number, days: number): Promise<number> =>
    site.deps.db.run('update comments set spam_at = spam_at - make_interval(days => $2) where id = $1', [
      id,
      days,
    ]);
  const isThere = async (id: number): Promise<boolean> =>
    (await site.by('editor').get(`/comments/${id}`)).status === 200;

  test('is emptied of what has been in it for as many days as the filter says', async () => {
    const { db } = site.deps;
    const post = (await makePost(db)).id;
    const [fresh, old, saved] = [
      (await write(spam())).body.id as number,
      (await write(spam(), { post })).body.id as number,
      (await write(spam())).body.id as number,
    ];
    // What was written long ago is kept for its days, too.
    const late = (await makeComment(db, { post, date_gmt: '2001-01-01' })).id;
    await moderate(late, { status: 'spam' });
    const child = (await makeComment(db, { post, parent: old })).id;
    const inTrash = (await write(spam())).body.id as number;
    for (const id of [old, saved, inTrash]) await older(id, 16);
    await older(fresh, 14);
    await moderate(inTrash, { status: 'trash' });
    await moderate(saved, { status: 'approved' });
    await runSweep(commentSweeps, 'content.empty-spam', site.deps);
    expect(await Promise.all([fresh, old, saved, late, child, inTrash].map(isThere))).toEqual([
      true,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(await eventsOf(old)).toEqual([
      ['content.comment.changed', 'spam', ''],
      ['content.comment.deleted', 'spam', 'spam'],
    ]);
    expect((await site.by('editor').get(`/comments/${child}`)).body.parent).toBe(0);
    await expectCountersToBeRight();
  });

  test('keeps everything as long as nobody has said for how long', async () => {
    const { db } = site.deps;
    const { id } = (await write(spam())).body as { id: number };
    await older(id, 10_000);
    await db.run('update spam_folder set keep_days = 0');
    await runSweep(commentSweeps, 'content.empty-spam', site.deps);
    expect(await isThere(id)).toBe(true);
  });
});
