/**
 * Comments and the spam filter as the site runs them: through the gateway, with the workers of both, also while the
 * filter cannot be reached. What each side does is tested beside its code.
 */
import { type Freezable, startFreezable } from '@sevenfold/chassis/testing/freezable';
import { freePort } from '@sevenfold/chassis/ports';
import type { Answer } from '@sevenfold/chassis/testing/service';
import { until } from '@sevenfold/chassis/testing/until';
import { makeComment, makePost } from '@sevenfold/content/testing/factories';
import { hamText, spamText, teachTexts } from '@sevenfold/spamfilter/testing/texts';
import { type Site, startSite } from '../support/site';

const COMMENTS = '/rest/core/v2/comments';
const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';

let site: Site;
let gate: Freezable;
let behind: number;
let administrator: Record<string, string>;

beforeAll(async () => {
  behind = await freePort();
  gate = await startFreezable(behind);
  site = await startSite(
    { TRUST_PROXY: true },
    {
      spamfilter: { ROLE: 'all', GRPC_PORT: behind },
      content: { ROLE: 'all', COMMENT_FLOOD_SECONDS: 0, SPAMFILTER_GRPC: `127.0.0.1:${gate.port}` },
    },
  );
  administrator = await site.signIn(site.content.users.administrator);
  await teachTexts(behind);
});
afterAll(async () => {
  gate.thaw();
  await site.stop();
  await gate.stop();
});

let counter = 0;
/** By a visitor whose comments are shown at once, each from a network of his own. */
async function write(content: string): Promise<Answer> {
  const { db } = site.content.deps;
  counter += 1;
  const person = { author_name: `Guest ${counter}`, author_email: `guest${counter}@visitor.test` };
  const post = (await makePost(db)).id;
  await makeComment(db, { post, ...person });
  return site.client.post(
    COMMENTS,
    { post, content, ...person },
    {
      'X-Forwarded-For': `198.18.${counter & 255}.7`,
      'User-Agent': AGENT,
      Referer: 'https://search.test/?q=ferry',
    },
  );
}

const statusOf = async (id: number): Promise<string> =>
  (await site.client.get(`${COMMENTS}/${id}`, administrator)).body.status as string;
const untilStatus = (id: number, status: string): Promise<boolean> =>
  until(async () => (await statusOf(id)) === status);
const moderate = (id: number, status: string): Promise<Answer> =>
  site.client.post(`${COMMENTS}/${id}`, { status }, administrator);

type Statistics = Readonly<Record<'spam' | 'ham' | 'missed_spam' | 'false_positives', number>>;
const statistics = async (): Promise<Statistics> =>
  (await site.client.get('/rest/spamfilter/v1/stats/a', administrator)).body.all as Statistics;

test('a visitor is told at once, the list hides spam, and the statistics count it', async () => {
  const before = await statistics();
  const [good, bad] = [await write(hamText()), await write(spamText())];
  expect([good.status, good.body.status, bad.status, bad.body.status]).toEqual([
    201,
    'approved',
    201,
    'spam',
  ]);
  const shown = await site.client.get(`${COMMENTS}?per_page=100`);
  const ids = (shown.body as { id: number }[]).map(({ id }) => id);
  expect([ids.includes(good.body.id), ids.includes(bad.body.id)]).toEqual([true, false]);
  const stored = await site.client.get(`${COMMENTS}/${good.body.id}?context=edit`, administrator);
  expect([stored.body.author_ip, stored.body.author_user_agent]).toEqual([
    expect.stringMatching(/^198\.18\.\d+\.7$/),
    AGENT,
  ]);
  const row = await site.content.deps.db.first('select referrer from comments where id = $1', [good.body.id]);
  expect(row).toEqual({ referrer: 'https://search.test/?q=ferry' });
  await until(async () => {
    const { spam, ham } = await statistics();
    return spam === before.spam + 1 && ham === before.ham + 1;
  });
});

test('moderation shows in the statistics, and no longer when it is taken back', async () => {
  const [good, bad] = [(await write(hamText())).body.id, (await write(spamText())).body.id] as number[];
  const { missed_spam: missed, false_positives: wrong } = await statistics();
  const untilCounted = (moreMissed: number, moreWrong: number): Promise<boolean> =>
    until(async () => {
      const now = await statistics();
      return now.missed_spam === missed + moreMissed && now.false_positives === wrong + moreWrong;
    });
  await moderate(good as number, 'spam');
  await moderate(bad as number, 'approved');
  await untilCounted(1, 1);
  await moderate(good as number, 'unspam');
  await moderate(bad as number, 'spam');
  await untilCounted(0, 0);
});

test('blatant spam is refused while the setting says so', async () => {
  const again = spamText();
  const strict = async (on: boolean): Promise<void> => {
    const answer = await site.client.post(
      '/rest/spamfilter/v1/settings',
      { spamfilter_strictness: on },
      administrator,
    );
    expect([answer.status, answer.body.spamfilter_strictness]).toEqual([200, on]);
  };
  await strict(false);
  for (let times = 0; times < 5; times++) expect((await write(again)).body.status).toBe('spam');
  await strict(true);
  const refused = await until(async () => {
    const answer = await write(again);
    return answer.status !== 201 && answer;
  });
  expect([refused.status, refused.body.code]).toEqual([403, 'comment_spam']);
});

describe('comments are held and end where they belong', () => {
  const heldAndBack = async (away: () => unknown, back: () => unknown): Promise<void> => {
    await away();
    const held: Answer[] = [];
    try {
      for (const content of [hamText(), spamText()]) held.push(await write(content));
    } finally {
      await back();
    }
    expect(held.map(({ status, body }) => [status, body.status as string])).toEqual([
      [201, 'hold'],
      [201, 'hold'],
    ]);
    await untilStatus(held[0]?.body.id as number, 'approved');
    await untilStatus(held[1]?.body.id as number, 'spam');
  };

  test('when the filter was frozen', () =>
    heldAndBack(
      () => gate.freeze(),
      () => gate.thaw(),
    ));

  test('when the filter refused connections', () =>
    heldAndBack(
      () => gate.stop(),
      async () => {
        gate = await startFreezable(behind, gate.port);
      },
    ));
});
