/** Evidence that hangs on what else was sent, what the site blocks, and what is forgotten: over gRPC, on a real database. */
import type { TestService } from '@sevenfold/chassis/testing/service';
import { runSweep } from '@sevenfold/chassis/testing/sweeps';
import { type CheckResponse, type Message, Verdict } from '@sevenfold/proto/gen/sevenfold/spamfilter/v1/spam';
import { type Blocked, MOST_BLOCKED, insert, remove } from '../blocked/store';
import * as commands from '../commands';
import type { Deps } from '../deps';
import { type Filter, openFilter } from '../testing/filter';
import { startSpamfilter } from '../testing/service';
import { checkSweeps } from './jobs';

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
beforeEach(async () => {
  await site.deps.db.run('truncate messages, blocked');
});

const weightOf = ({ evidence }: CheckResponse, name: string): number =>
  evidence.find((one) => one.name === name)?.weight ?? 0;

describe('rate', () => {
  const send = (at: number, more: Partial<Message>): Promise<CheckResponse> =>
    filter.check(`comment/${at}`, { content: `Number ${at}.`, ...more });

  test('of one address, also where all come at once', async () => {
    const address = '192.0.2.1';
    await Promise.all(Array.from({ length: 12 }, (_, at) => send(at, { address })));
    expect(weightOf(await send(99, { address }), 'rate')).toBeGreaterThan(1);
    expect(weightOf(await send(100, { address: '198.51.100.1' }), 'rate')).toBe(0);
    expect(weightOf(await send(101, { address: '' }), 'rate')).toBe(0);
  });

  test.each([
    ['IPv4 /24', (at: number) => `192.0.2.${at + 1}`, '192.0.2.200', '192.0.3.200'],
    ['IPv6 /64', (at: number) => `2001:db8:0:1::${at + 1}`, '2001:db8:0:1:ffff::', '2001:db8:0:2::1'],
  ])('of one network (%s)', async (_name, address, inside, outside) => {
    for (let at = 0; at < 25; at++) await send(at, { address: address(at) });
    expect(weightOf(await send(90, { address: inside }), 'rate')).toBeGreaterThan(1);
    expect(weightOf(await send(91, { address: outside }), 'rate')).toBe(0);
  });

  test('does not count an edited message again', async () => {
    const address = '192.0.2.1';
    for (let edit = 0; edit < 12; edit++)
      await filter.check('comment/1', { address, content: `Edited ${edit} times.` });
    expect(weightOf(await send(2, { address }), 'rate')).toBe(0);
  });

  test('of addresses that are none, is none', async () => {
    for (let at = 0; at < 12; at++) await send(at, { address: 'unknown' });
    expect(weightOf(await send(90, { address: 'unknown' }), 'rate')).toBe(0);
  });
});

describe('repeated text', () => {
  const advert = (name: string): string =>
    `Dear ${name}, we are a young company that paints roofs and walls of houses in the whole county, with paint that lasts for twenty years, and this month the gutter is cleaned for free if you call us before Friday.`;
  const send = (at: number, name: string, key = `form/${at}`): Promise<CheckResponse> =>
    filter.check(key, { kind: 'contact-form', content: advert(name) });

  test('weighs more with each copy, and more if moderators called it spam', async () => {
    const weights: number[] = [];
    for (const [at, name] of ['Ann', 'Ann', 'Ann', 'Ann'].entries())
      weights.push(weightOf(await send(at, name), 'repeated'));
    expect(weights[0]).toBe(0);
    expect(weights).toEqual([...weights].sort((a, b) => a - b));
    expect(weights[3]).toBeGreaterThan(weights[1] as number);
    await filter.learn('form/0', 'spam', 1, { kind: 'contact-form', content: advert('Ann') });
    expect(weightOf(await send(9, 'Ann'), 'repeated')).toBeGreaterThan((weights[3] as number) + 1);
  });

  test('does not repeat itself by being edited', async () => {
    await send(1, 'Ann');
    expect(weightOf(await send(1, 'Bert'), 'repeated')).toBe(0);
  });

  test('finds what differs in a few bits, in each quarter of them', async () => {
    await send(1, 'Ann');
    for (const bit of [0, 17, 34, 51, 63]) {
      await site.deps.db.run(
        `update messages set likeness = likeness # ((1::bigint << $1) | (1::bigint << (($1 + 5) % 64))) where key = 'form/1'`,
        [bit],
      );
      expect(weightOf(await send(bit + 10, 'Ann', `form/bit-${bit}`), 'repeated')).toBeGreaterThan(0);
      await site.deps.db.run(`delete from messages where key = $1`, [`form/bit-${bit}`]);
      await site.deps.db.run(
        `update messages set likeness = likeness # ((1::bigint << $1) | (1::bigint << (($1 + 5) % 64))) where key = 'form/1'`,
        [bit],
      );
    }
  });
});

describe('blocked', () => {
  const block = (field: Blocked['field'], pattern: string): Promise<Blocked | undefined> =>
    site.deps.db.transaction((tx) => insert(tx, { field, pattern, note: '' }));
  const seen = async (key: string, content = 'Roofs painted cheaply.'): Promise<number> => {
    // Another connection may hear of the list a moment later.
    site.deps.memory.forget('blocked');
    return weightOf(await filter.check(key, { content }), 'blocked');
  };

  test('what is on the list is spam, and no longer when it is taken off', async () => {
    const entry = await block('content', 'roofs');
    expect(await seen('comment/1')).toBeGreaterThan(5);
    await site.deps.db.transaction((tx) => remove(tx, (entry as Blocked).id));
    expect(await seen('comment/2')).toBe(0);
  });

  test('a word does not end before a vowel sign', async () => {
    await block('content', 'दल');
    expect(await seen('comment/1', 'यह दल है')).toBeGreaterThan(5);
    expect(await seen('comment/2', 'यह दलील है')).toBe(0);
    expect(await seen('comment/3', 'यह दलाल है')).toBe(0);
  });

  test('the same entry again is the same one; the list is bounded, also when two write the last entry', async () => {
    expect((await block('name', 'joe'))?.id).toBe((await block('name', 'joe'))?.id);
    await site.deps.db.run(
      `insert into blocked (field, pattern) select 'mail', 'mail-' || n from generate_series(1, ${MOST_BLOCKED - 2}) n`,
    );
    const last = await Promise.all([block('name', 'a'), block('name', 'b'), block('name', 'c')]);
    expect(last.filter((one) => one !== undefined)).toHaveLength(1);
    expect(await block('name', 'joe')).toBeDefined();
  });
});

describe('the command line', () => {
  const entry = { field: 'any', text: ' CASINO  Royal ', note: 'of the old town hall' } as const;

  test('blocks, lists and lets go', async () => {
    const made = await commands.block(site.deps, entry);
    const network = await commands.block(site.deps, { ...entry, field: 'address', text: '192.0.2.9/24' });
    expect((await commands.listBlocked(site.deps)).map(({ field, pattern }) => [field, pattern])).toEqual([
      ['address', '192.0.2.0/24'],
      ['any', 'casino royal'],
    ]);
    await commands.unblock(site.deps, made.id);
    await commands.unblock(site.deps, network.id);
    expect(await commands.listBlocked(site.deps)).toEqual([]);
  });

  test('refuses what can match nothing, what is not there and what there is no room for', async () => {
    const refusal = { status: 400, code: 'rest_invalid_param' };
    await expect(commands.block(site.deps, { ...entry, text: '***' })).rejects.toMatchObject(refusal);
    const noAddress = { ...entry, field: 'address', text: 'example.org' } as const;
    await expect(commands.block(site.deps, noAddress)).rejects.toMatchObject(refusal);
    await expect(commands.unblock(site.deps, 999_999)).rejects.toMatchObject({ status: 404 });
    await site.deps.db.run(
      `insert into blocked (field, pattern) select 'mail', 'mail-' || n from generate_series(1, ${MOST_BLOCKED}) n`,
    );
    await expect(commands.block(site.deps, entry)).rejects.toMatchObject({ code: 'blocked_list_full' });
  });
});

describe('what is kept', () => {
  const text = 'A very particular sentence about quinces, with enough words for its likeness.';
  const sweep = (): Promise<void> => runSweep(checkSweeps, 'judged-messages', site.deps);
  const age = (days: number): Promise<number> =>
    site.deps.db.run(
      `update messages set first_at = first_at - make_interval(days => $1), judged_at = judged_at - make_interval(days => $1),
         decided_at = decided_at - make_interval(days => $1)`,
      [days],
    );
  const rows = (): Promise<Record<string, unknown>[]> => site.deps.db.rows('select * from messages');

  test('is never the text; who sent it and the details of the evidence are forgotten after a month', async () => {
    await site.deps.db.run('truncate features');
    const message = { content: text, address: '192.0.2.7', honeypot: true };
    const before = await filter.check('comment/1', message);
    await filter.learn('comment/1', 'ham', 1, message);
    const kept = JSON.stringify(await rows());
    expect(kept).not.toMatch(/particular sentence|192\.0\.2\.7|ann@example/);
    await sweep();
    expect(JSON.stringify(await rows())).toBe(kept);
    await age(31);
    await sweep();
    expect((await rows())[0]).toMatchObject({ address: null, network: null, likeness: null, telling: false });
    const after = await filter.check('comment/1', message);
    expect(after).toEqual({ ...before, evidence: before.evidence.map((one) => ({ ...one, detail: '' })) });
  });

  test('what was taught can be taken back exactly after that, and is final in the end', async () => {
    await site.deps.db.run('truncate features');
    await site.deps.db.run('update model set size = 0, spam = 0, ham = 0');
    const features = () =>
      site.deps.db.first('select count(*)::int as of, sum(spam)::int as spam from features');
    await filter.learn('comment/1', 'spam', 1, { content: text });
    await age(31);
    await sweep();
    await filter.learn('comment/1', 'ham', 2, { content: text });
    expect(await features()).toMatchObject({ spam: 0 });
    await age(401);
    await sweep();
    expect(await rows()).toEqual([]);
    expect(await features()).not.toMatchObject({ of: 0 });
    await site.deps.db.run('update features set taught_on = taught_on - 403');
    await sweep();
    expect(await features()).toMatchObject({ of: 0 });
    expect(await site.deps.db.first('select size from model')).toEqual({ size: 0 });
  });

  test('a verdict of yesterday stays as it is', async () => {
    const { verdict } = await filter.check('comment/1');
    await sweep();
    expect(verdict).toBe(Verdict.VERDICT_HAM);
    expect(await rows()).toHaveLength(1);
  });
});
