/** What decisions leave behind in the model: PostgreSQL's copy of it, taught over gRPC, by two processes at once. */
import fc from 'fast-check';
import type { TestService } from '@sevenfold/chassis/testing/service';
import type { Deps } from '../deps';
import { type Filter, openFilter } from '../testing/filter';
import { startSpamfilter } from '../testing/service';
import { readCorpus, load } from './corpus';
import * as model from './store';

let site: TestService<Deps>;
let second: TestService<Deps>;
let filters: Filter[];
beforeAll(async () => {
  site = await startSpamfilter();
  second = await startSpamfilter({ DATABASE_URL: site.deps.config.DATABASE_URL });
  filters = [site, second].map(({ service }) => openFilter(service.grpcPort));
});
afterAll(async () => {
  filters.forEach((filter) => filter.close());
  await second.stop();
  await site.stop();
});

const filterAt = (index: number): Filter => filters[index % filters.length] as Filter;

/** All of it, in an order of its own. */
async function modelNow(): Promise<unknown> {
  const { rows } = await site.deps.db.pool.query(
    `select (select json_agg(f order by f.hash) from
       (select hash, spam, ham, base_spam, base_ham from features) f) as features, (select row_to_json(m) from model m) as model,
       (select json_agg(c order by c.key) from (select key, decision, taught_bin from messages where taught is not null) c) as scores`,
  );
  return rows[0];
}

async function forget(): Promise<void> {
  await site.deps.db.run('truncate messages, features, verdict_events, uncounted_events');
  await site.deps.db.run(
    `update model set spam = 0, ham = 0, base_spam = 0, base_ham = 0, corpus = '', size = 0`,
  );
  await load(site.deps.db, readCorpus());
}

/** Keys whose corrections less their reversals are not what the last decision says of the verdict. */
const miscounted = (): Promise<object[]> =>
  site.deps.db.rows(
    `select key, decision, verdict, counted from messages join lateral (
       select coalesce(sum(case event when 'corrected' then 1 when 'reversed' then -1 else 0 end), 0)::int as counted
       from verdict_events e where e.key = messages.key and e.at >= messages.first_at) told on true
     where counted <> coalesce(((verdict = 'ham') <> (decision = 'ham'))::int, 0)`,
  );

const texts = [
  'Cheap casino bonus, click here http://casino.example now',
  'The ferry leaves at ten, not at nine as the table says.',
  'Cheap tickets for the ferry, as the table says',
  'Click here to see when the ferry leaves',
];
const keyOf = (which: number): string => `comment/${which}`;

test('whatever moderators decide, in whatever order, the model is that of their last decisions', async () => {
  const decision = fc.record({
    which: fc.nat({ max: texts.length - 1 }),
    side: fc.constantFrom('spam' as const, 'ham' as const),
    process: fc.nat({ max: 1 }),
    edited: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(decision, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      async (decisions, checked) => {
        const content = (which: number, edited: boolean): string =>
          `${texts[which]}${edited ? ' Edited.' : ''}`;
        const checkAll = async (): Promise<void> => {
          if (!checked) return;
          for (const [which, text] of texts.entries())
            await filterAt(0).check(keyOf(which), { content: text });
        };
        await forget();
        await checkAll();
        let revision = 0;
        for (const { which, side, process, edited } of decisions)
          await filterAt(process).learn(keyOf(which), side, ++revision, { content: content(which, edited) });
        const reached = await modelNow();
        expect(await miscounted()).toEqual([]);

        await forget();
        await checkAll();
        const last = new Map(decisions.map((one) => [one.which, one]));
        for (const { which, side, edited } of last.values())
          await filterAt(0).learn(keyOf(which), side, 1, { content: content(which, edited) });
        expect(reached).toEqual(await modelNow());
      },
    ),
    { numRuns: 12 },
  );
});

test('two processes that learn, reverse and check at once neither block each other nor miscount', async () => {
  await forget();
  const work = Array.from({ length: 60 }, (_, index) => async () => {
    const [which, content] = [index % texts.length, texts[index % texts.length] as string];
    if (index % 3 === 0) await filterAt(index).check(`form/${index % 7}`, { content });
    else await filterAt(index).learn(keyOf(which), (index >> 2) % 2 ? 'spam' : 'ham', index, { content });
  });
  await Promise.all(work.map((one) => one()));
  const rows = await site.deps.db.rows<{ key: string; decision: 'spam' | 'ham' }>(
    'select key, decision from messages where decision is not null order by key',
  );
  const reached = await modelNow();
  await forget();
  for (const { key, decision } of rows)
    await filterAt(0).learn(key, decision, 1, { content: texts[Number(key.split('/')[1])] });
  expect(reached).toEqual(await modelNow());
});

test('a decision that comes twice at once is learned once', async () => {
  await forget();
  await Promise.all([0, 1, 0, 1].map((process) => filterAt(process).learn('comment/9', 'spam', 1)));
  expect(await model.read(site.deps.db)).toMatchObject({ spam: 1, ham: 0 });
});

test('a full model goes on learning what it knows, and takes back no more than that', async () => {
  await forget();
  await filterAt(0).learn('comment/1', 'spam', 1, { content: 'quinces' });
  const before = await modelNow();
  await site.deps.db.run('update model set size = $1', [model.MOST_ROWS]);
  const rowsOf = (): Promise<{ of: number; spam: number } | undefined> =>
    site.deps.db.first('select count(*)::int as of, max(spam) as spam from features');
  const full = await rowsOf();
  await filterAt(0).learn('comment/2', 'spam', 1, { content: 'quinces and medlars' });
  expect(await rowsOf()).toEqual({ of: full?.of, spam: 2 });
  await site.deps.db.run('update model set size = $1', [full?.of]);
  await filterAt(0).learn('comment/2', 'ham', 2, { content: 'quinces and medlars' });
  await filterAt(0).learn('comment/2', 'spam', 3, { content: 'quinces' });
  await site.deps.db.run(`delete from messages where key = 'comment/2'`);
  const { features } = (await modelNow()) as { features: { spam: number; ham: number }[] };
  expect(features.filter(({ ham }) => ham !== 0)).toEqual([]);
  expect(features.filter(({ spam }) => spam > 0).length).toBe(
    (before as { features: { spam: number }[] }).features.filter(({ spam }) => spam > 0).length,
  );
});

describe('the starting corpus', () => {
  test('is loaded once by however many processes, and another one takes its place', async () => {
    await forget();
    const before = await modelNow();
    const corpus = readCorpus();
    await Promise.all([load(site.deps.db, corpus), load(second.deps.db, corpus)]);
    expect(await modelNow()).toEqual(before);
    const few = { digest: 'few', samples: corpus.samples.slice(0, 10) };
    await filterAt(0).learn('comment/1', 'spam', 1, { content: texts[0] });
    await Promise.all([load(site.deps.db, few), load(second.deps.db, few)]);
    const { size, ...totals } = await model.read(site.deps.db);
    expect(totals).toMatchObject({ spam: 1, baseSpam: 0, baseHam: 10 });
    expect(await site.deps.db.first('select count(*)::int as size from features')).toEqual({ size });
  });

  test('lets a new site tell the plainest spam, and gives way to its decisions soon', async () => {
    await forget();
    const content = 'Best online casino bonus, free slots, play now';
    const atFirst = await filterAt(0).check('form/a', { content });
    expect(atFirst.score).toBeGreaterThan(0.7);
    // A site about games of chance.
    for (let at = 0; at < 8; at++)
      await filterAt(0).learn(`form/${at}`, 'ham', 1, { content: `${content}. The review of day ${at}.` });
    const soon = await filterAt(0).check('form/b', { content });
    expect(soon.score).toBeLessThan(0.5);
  });

  test('is of both kinds, and of the languages it is said to be of', () => {
    const { samples } = readCorpus();
    expect(samples.length).toBeGreaterThanOrEqual(150);
    for (const label of ['spam', 'ham'])
      for (const kind of ['comment', 'contact-form'])
        expect(samples.filter((one) => one.label === label && one.kind === kind).length).toBeGreaterThan(10);
    expect(new Set(samples.map(({ language }) => language.slice(0, 2))).size).toBeGreaterThanOrEqual(10);
    expect(new Set(samples.map(({ content }) => content)).size).toBe(samples.length);
  });
});
