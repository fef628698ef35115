/** Check and Learn over real gRPC, on a real database. */
import type { TestService } from '@sevenfold/chassis/testing/service';
import { type CheckResponse, type Message, Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import type { Deps } from '../deps';
import { type Filter, openFilter } from '../testing/filter';
import { startSpamfilter } from '../testing/service';

let site: TestService<Deps>;
let filter: Filter;
beforeAll(async () => {
  site = await startSpamfilter();
  filter = openFilter(site.service.grpcPort);
});
afterAll(async () => {
  filter.close();
  await site.stop();
});

let keys = 0;
const aKey = (): string => `comment/${++keys}`;

const eventsOf = (key: string): Promise<{ event: string; verdict: string }[]> =>
  site.deps.db.rows('select event, verdict from verdict_events where key = $1 order by id', [key]);

const sumOf = ({ evidence }: CheckResponse): number => evidence.reduce((sum, { weight }) => sum + weight, 0);
const logOddsOf = ({ score }: CheckResponse): number => Math.log(score / (1 - score));
const named = ({ evidence }: CheckResponse): string[] => evidence.map(({ name }) => name);

const pills: Partial<Message> = {
  authorName: 'best pills 4u',
  content:
    'Buy cheap v1agra here <a href="http://pills.example.com/a">cheap pills</a> and [url=http://pills.example.com/b]more[/url] http://pills.example.net',
};

describe('Check', () => {
  test('answers a verdict whose reasons add up to the log-odds of its score, heaviest first', async () => {
    const answer = await filter.check(aKey(), { ...pills, honeypot: true, secondsToFill: 1 });
    expect(answer.verdict).toBe(Verdict.VERDICT_BLATANT);
    expect(sumOf(answer)).toBeCloseTo(logOddsOf(answer), 6);
    expect(named(answer)).toEqual(expect.arrayContaining(['honeypot', 'time_to_fill', 'links']));
    const weights = answer.evidence.map(({ weight }) => Math.abs(weight));
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    for (const { detail } of answer.evidence) expect(detail).not.toBe('');
  });

  test('lets a usual message pass', async () => {
    const answer = await filter.check(aKey());
    expect(answer.verdict).toBe(Verdict.VERDICT_HAM);
    expect(answer.refuse).toBe(false);
    expect(answer.keepDays).toBe(15);
  });

  test('refuses what is blatant while strictness is on', async () => {
    const blatant = { ...pills, honeypot: true };
    expect((await filter.check(aKey(), blatant)).refuse).toBe(true);
  });

  test('answers alike and counts once, however often and from however many sides it is asked', async () => {
    const key = aKey();
    const answers = await Promise.all(Array.from({ length: 8 }, () => filter.check(key, pills)));
    answers.push(await filter.check(key, pills));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(await eventsOf(key)).toHaveLength(1);
  });

  test('judges an edited message anew', async () => {
    const key = aKey();
    const first = await filter.check(key);
    const second = await filter.check(key, { ...pills, honeypot: true });
    expect([first.verdict, second.verdict]).toEqual([Verdict.VERDICT_HAM, Verdict.VERDICT_BLATANT]);
    expect((await eventsOf(key)).map(({ verdict }) => verdict)).toEqual(['ham', 'blatant']);
  });

  test.each([
    ['', 'no key'],
    ['x'.repeat(201), 'too long a key'],
    ['a\nb', 'a control character'],
  ])('refuses the key %j: %s', async (key) => {
    await expect(filter.check(key)).rejects.toMatchObject({ status: 400, code: 'rest_invalid_param' });
  });
});

describe('Learn', () => {
  test('the next message of the kind is judged by it', async () => {
    const about = 'zanzibar lottery winners claim their fortune by wire transfer tonight';
    const before = await filter.check(aKey(), { content: about });
    for (let round = 0; round < 6; round++)
      await filter.learn(aKey(), 'spam', 1, { content: `${about} number ${round}` });
    for (let round = 0; round < 6; round++)
      await filter.learn(aKey(), 'ham', 1, {
        content: `The timetable of line ${round} was wrong last week, it is right now.`,
      });
    const after = await filter.check(aKey(), { content: about });
    expect(after.score).toBeGreaterThan(before.score);
    expect(after.verdict).toBe(Verdict.VERDICT_SPAM);
    expect(named(after)).toContain('words');
  });

  test('what moderators decide against the filter is counted, and no longer when they take it back', async () => {
    const key = aKey();
    await filter.check(key);
    await filter.learn(key, 'spam', 1);
    await filter.learn(key, 'spam', 1);
    await filter.learn(key, 'spam', 2);
    await filter.learn(key, 'ham', 3);
    expect((await eventsOf(key)).map(({ event }) => event)).toEqual(['judged', 'corrected', 'reversed']);
  });

  test('a decision that comes late undoes no newer one', async () => {
    const key = aKey();
    await filter.check(key);
    await filter.learn(key, 'spam', 5);
    await filter.learn(key, 'ham', 4);
    const row = await site.deps.db.first('select decision, revision from messages where key = $1', [key]);
    expect(row).toEqual({ decision: 'spam', revision: 5 });
  });

  test('a decision may come before the check', async () => {
    const key = aKey();
    const trapped = { honeypot: true };
    await filter.learn(key, 'ham', 1, trapped);
    await filter.check(key, trapped);
    expect((await eventsOf(key)).map(({ event }) => event)).toEqual(['judged', 'corrected']);
  });

  test.each([0, -1])('refuses revision %i', async (revision) => {
    await expect(filter.learn(aKey(), 'spam', revision)).rejects.toMatchObject({ status: 400 });
  });
});

test('Forget leaves nothing that tells of a message or of its sender, and lets its counts stand', async () => {
  const [key, other] = [aKey(), aKey()];
  const message = { ...pills, address: '192.0.2.77', authorEmail: 'ann@example.org', honeypot: true };
  for (const one of [key, other]) {
    await filter.check(one, message);
    await filter.learn(one, 'ham', 1, message);
  }
  const events = await eventsOf(key);
  for (let times = 0; times < 2; times++) await filter.forget([key, 'comment/unknown']);
  const rows = await site.deps.db.rows<Record<string, unknown>>(
    'select * from messages where key = any($1) order by key = $2',
    [[key, other], other],
  );
  expect(rows[0]).toMatchObject({
    verdict: 'blatant',
    decision: 'ham',
    fingerprint: null,
    decided_fingerprint: null,
    address: null,
    network: null,
    likeness: null,
    report: null,
    taught: null,
    telling: false,
  });
  const evidence = rows[0]?.evidence as { name: string; detail: string }[];
  expect(evidence.map(({ name }) => name)).toContain('honeypot');
  expect(evidence.filter(({ detail }) => detail !== '')).toEqual([]);
  // Only of the one that was named.
  for (const column of ['fingerprint', 'address', 'likeness', 'taught'])
    expect(rows[1]?.[column]).not.toBeNull();
  expect(await eventsOf(key)).toEqual(events);
  await expect(filter.forget(Array.from({ length: 1_001 }, () => key))).rejects.toMatchObject({
    status: 400,
  });
});

test('a program whose name is cut within a letter is learned and judged like any other', async () => {
  // `program …` shows its first forty units: the fortieth is the first half of the last letter.
  const userAgent = `${'x'.repeat(39)}😀`;
  await filter.learn('comment/9001', 'spam', 1, { userAgent });
  await filter.learn('comment/9002', 'spam', 1, { userAgent, content: 'Something else.' });
  const { evidence } = await filter.check('comment/9003', { userAgent });
  expect(evidence.find(({ name }) => name === 'sender')?.detail).toContain('program ');
});
